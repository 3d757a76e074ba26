/** PNG files (W3C Recommendation): whether one is complete. */
import { crc32 } from 'node:zlib'
import { malformed, type ReadAt, truncated, viewOf } from './bytes.ts'

const SIGNATURE_BYTES = 8

/** Length and type before the data; the CRC follows it. */
const HEAD_BYTES = 8
const CRC_BYTES = 4

/** Of the end chunk, which is empty: it shows that the file is written to its end. */
const CRC_OF_END = 0xae42_6082

/** Writers use chunks of 8 KiB and more; more chunks than this only keep a reader busy. */
const MAX_CHUNKS = 100_000

const HEADER_BYTES = 13

/** By its checksum: a picture that only claims to be too large to be decoded is damaged. */
async function isHeaderSound(readAt: ReadAt): Promise<boolean> {
  // With its type.
  const bytes = await readAt(SIGNATURE_BYTES + 4, 4 + HEADER_BYTES + CRC_BYTES)
  const end = 4 + HEADER_BYTES
  if (bytes.length < end + CRC_BYTES) throw truncated()
  return viewOf(bytes).getUint32(end) === crc32(bytes.subarray(0, end))
}

/**
 * Whole if the heads of all chunks lead to the end chunk (section 5). The data of the others are left to the decoder, which refuses
 * those with a wrong checksum, in another order, or shorter than their image (measured).
 */
export async function walkPng(readAt: ReadAt): Promise<void> {
  let position = SIGNATURE_BYTES
  let hasData = false
  for (let nth = 0; nth < MAX_CHUNKS; nth += 1) {
    const head = await readAt(position, HEAD_BYTES)
    // Zeros instead of a chunk: the space is preallocated and the rest not written yet.
    if (head.length < HEAD_BYTES || head.every((byte) => byte === 0)) throw truncated()
    const length = viewOf(head).getUint32(0)
    const type = String.fromCharCode(...head.subarray(4))
    if (!/^[A-Za-z]{4}$/.test(type) || length > 0x7fff_ffff) throw malformed('a PNG chunk has no proper head')
    if (nth === 0 && (type !== 'IHDR' || length !== HEADER_BYTES))
      throw malformed('a PNG does not begin with its header')
    if (nth === 0 && !(await isHeaderSound(readAt))) throw malformed('the header of a PNG is damaged')
    const end = position + HEAD_BYTES + length
    position = end + CRC_BYTES
    hasData ||= type === 'IDAT'
    if (type !== 'IEND') continue
    const crc = await readAt(end, CRC_BYTES)
    if (crc.length < CRC_BYTES || viewOf(crc).getUint32(0) !== CRC_OF_END) throw truncated()
    if (hasData) return
    throw malformed('a PNG ends before its image')
  }
  throw malformed('a PNG has too many chunks')
}
