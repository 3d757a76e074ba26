/** Whether packed data have the size of their image, and end there: deflate, and the LZW of TIFF. */
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

/** TIFF 6.0 section 13. */
const [CLEAR, END] = [256, 257]
const FIRST_CODE = 258
const MIN_WIDTH = 9

/** Codes have up to 12 bits. Writers clear the table before it is full. */
const MAX_CODES = 4_096

/** True for the older form with its bits in reverse order, which begins with a clear code of nine bits. */
export function isReversedLzw(packed: Uint8Array): boolean {
  return packed[0] === 0 && ((packed[1] ?? 0) & 1) === 1
}

/** Throws `Flaw` unless these data unpack to one of these sizes, which rise, and end there; unpacks nothing. */
export function checkLzw(packed: Uint8Array, sizes: readonly number[]): void {
  const most = sizes.at(-1) ?? 0
  /** How many bytes each code is. */
  const lengths = new Int32Array(MAX_CODES + 1).fill(1)
  let next = FIRST_CODE
  let width = MIN_WIDTH
  let previous = CLEAR
  let done = 0
  let bit = 0
  const bits = packed.length * 8
  const readCode = (): number => {
    const at = bit >>> 3
    const three = ((packed[at] ?? 0) << 16) | ((packed[at + 1] ?? 0) << 8) | (packed[at + 2] ?? 0)
    bit += width
    return (three >>> (24 - width - ((bit - width) & 7))) & ((1 << width) - 1)
  }
  for (;;) {
    // Some writers leave the end code out.
    if (bit + width > bits && sizes.includes(done)) return
    if (bit + width > bits) throw malformed('packed image data are shorter than their image')
    const code = readCode()
    if (code === END) break
    if (code === CLEAR) {
      next = FIRST_CODE
      width = MIN_WIDTH
      previous = CLEAR
      continue
    }
    if (previous === CLEAR ? code > 255 : code > next)
      throw malformed('packed image data refer to what they have not stated')
    if (previous !== CLEAR) {
      if (next >= MAX_CODES) throw malformed('packed image data state more than their table holds')
      lengths[next] = (lengths[previous] ?? 0) + 1
      next += 1
      // The width grows one code early.
      if (next + 1 >= 1 << width && width < 12) width += 1
    }
    done += lengths[code] ?? 0
    previous = code
    if (done > most) throw malformed('packed image data are longer than their image')
  }
  if (!sizes.includes(done)) throw malformed('packed image data are shorter than their image')
  if (packed.length - Math.ceil(bit / 8) > MAX_LEFT_BYTES)
    throw malformed('packed image data go on after their end')
}
