/** PNG files (W3C Recommendation): whether one is complete, and whether its chunks are sound. */
import { crc32 } from 'node:zlib'
import { type Depth, malformed, type ReadAt, truncated, viewOf } from './bytes.ts'

const SIGNATURE_BYTES = 8

/** Length and type before the data; the CRC follows it. */
const HEAD_BYTES = 8
const CRC_BYTES = 4
const STEP_BYTES = 256 * 1_024

/** Writers use chunks of 8 KiB and more; more chunks than this only keep a reader busy. */
const MAX_CHUNKS = 100_000

/**
 * Whole if the heads of all chunks lead to the end chunk (section 5); sound if each has its checksum. The rest is left to
 * the decoder, which refuses image data that are in another order, or shorter than their image (measured).
 */
export async function walkPng(readAt: ReadAt, _sizeBytes: number, depth: Depth): Promise<void> {
  let position = SIGNATURE_BYTES
  let hasData = false
  for (let nth = 0; nth < MAX_CHUNKS; nth += 1) {
    const head = await readAt(position, HEAD_BYTES)
    // Zeros instead of a chunk: the space is preallocated and the rest not written yet.
    if (head.length < HEAD_BYTES || head.every((byte) => byte === 0)) throw truncated()
    const length = viewOf(head).getUint32(0)
    const type = String.fromCharCode(...head.subarray(4))
    if (!/^[A-Za-z]{4}$/.test(type) || length > 0x7fff_ffff) throw malformed('a PNG chunk has no proper head')
    if (nth === 0 && (type !== 'IHDR' || length !== 13))
      throw malformed('a PNG does not begin with its header')
    const at = position + HEAD_BYTES
    position = at + length + CRC_BYTES
    hasData ||= type === 'IDAT'
    // Empty, so it is the same in every PNG: it shows that the file is written to its end.
    const isEnd = type === 'IEND'
    if (isEnd && !(await hasChecksum(readAt, at + length, crc32(type)))) throw truncated()
    if (isEnd && hasData) return
    if (isEnd) throw malformed('a PNG ends before its image')
    if (
      depth === 'data' &&
      !(await hasChecksum(readAt, at + length, await checksumOf(readAt, type, at, length)))
    )
      throw malformed('the checksum of a PNG chunk differs')
  }
  throw malformed('a PNG has too many chunks')
}

/** Over its type and its data (5.3). */
async function checksumOf(readAt: ReadAt, type: string, at: number, length: number): Promise<number> {
  let crc = crc32(type)
  for (let done = 0; done < length;) {
    const bytes = await readAt(at + done, Math.min(length - done, STEP_BYTES))
    if (bytes.length === 0) throw truncated()
    crc = crc32(bytes, crc)
    done += bytes.length
  }
  return crc
}

async function hasChecksum(readAt: ReadAt, at: number, crc: number): Promise<boolean> {
  const stated = await readAt(at, CRC_BYTES)
  return stated.length === CRC_BYTES && viewOf(stated).getUint32(0) === crc
}
