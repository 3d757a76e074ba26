/** How much deflated data hold, and whether they end there. */
import { inflateSync } from 'node:zlib'
import { errorCode } from '../../lib/errors.ts'
import { malformed } from './bytes.ts'

/** Writers may fill four bytes. */
export const MAX_LEFT_BYTES = 4

/** Wrong data or checksum, too little data, and data after the end: Z_DATA_ERROR, Z_BUF_ERROR, Z_NEED_DICT and these. */
const CODES = ['ERR_STREAM_PREMATURE_CLOSE', 'ERR_BUFFER_TOO_LARGE']

export function isInflateError(error: unknown): boolean {
  const code = errorCode(error)
  return code !== undefined && (code.startsWith('Z_') || CODES.includes(code))
}

/** The data of a zlib stream of at most so many bytes; its checksum is right, and nothing follows it. */
export function inflated(packed: Uint8Array, mostBytes: number): Buffer {
  try {
    // With `info`, which the types leave out, the answer says how much was read.
    const { buffer, engine } = inflateSync(packed, { maxOutputLength: mostBytes, info: true }) as unknown as {
      readonly buffer: Buffer
      readonly engine: { readonly bytesWritten: number }
    }
    const rest = packed.subarray(engine.bytesWritten)
    if (rest.length > MAX_LEFT_BYTES || rest.some((byte) => byte !== 0))
      throw malformed('packed image data go on after their end')
    return buffer
  } catch (error) {
    if (isInflateError(error)) throw malformed('packed image data are no deflated data')
    throw error
  }
}
