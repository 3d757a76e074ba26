/** PNG, W3C Recommendation, section 5: a signature and chunks of length, type, data and CRC, to IEND. */
import type { ReadAt } from './read-at.ts'
import { malformed, TRUNCATED, WHOLE, type Structure } from './structure-finding.ts'

const SIGNATURE_BYTES = 8
/** Length and type before the data, the CRC behind it. */
const CHUNK_HEAD_BYTES = 8
const CRC_BYTES = 4
/** The last chunk holds nothing, so its CRC is the same in every PNG. */
const END_CRC = [0xae, 0x42, 0x60, 0x82]
/** Writers use chunks of 8 KiB and more; a file with more chunks than this is made to keep a reader busy. */
const MAX_CHUNKS = 100_000

/** Chunk heads are read, their data is passed over: a decode finds wrong data, this finds missing data. */
export async function pngStructure(readAt: ReadAt): Promise<Structure> {
  let position = SIGNATURE_BYTES
  let isFirst = true
  let hasData = false
  for (let chunk = 0; chunk < MAX_CHUNKS; chunk += 1) {
    const head = await readAt(position, CHUNK_HEAD_BYTES)
    if (head.length < CHUNK_HEAD_BYTES) return TRUNCATED
    const length = new DataView(head.buffer, head.byteOffset, head.byteLength).getUint32(0)
    const name = String.fromCharCode(...head.subarray(4))
    // Zeros where a chunk should begin: the size was reserved and the rest has not come.
    if (head.every((byte) => byte === 0)) return TRUNCATED
    if (!/^[A-Za-z]{4}$/.test(name) || length > 0x7fff_ffff)
      return malformed('a PNG chunk has no proper head')
    if (isFirst && (name !== 'IHDR' || length !== 13))
      return malformed('a PNG does not begin with its header')
    position += CHUNK_HEAD_BYTES + length + CRC_BYTES
    if (name === 'IEND') {
      const crc = await readAt(position - CRC_BYTES, CRC_BYTES)
      if (!END_CRC.every((byte, index) => crc[index] === byte)) return TRUNCATED
      return hasData ? WHOLE : malformed('a PNG ends before its image')
    }
    hasData ||= name === 'IDAT'
    isFirst = false
  }
  return malformed('a PNG has too many chunks')
}
