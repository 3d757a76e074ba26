/** How much packed data hold, and whether they end there: deflate, the LZW and the run lengths of TIFF and DICOM. */
import { inflateSync } from 'node:zlib'
import { errorCode } from '../../lib/errors.ts'
import { DamageSign } from './signs.ts'

/** Writers may fill four bytes. */
const MAX_LEFT_BYTES = 4

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
      throw new DamageSign('packed image data go on after their end')
    return buffer
  } catch (error) {
    if (isInflateError(error)) throw new DamageSign('packed image data are no deflated data')
    throw error
  }
}

/** PackBits (TIFF 6.0 section 9, PS3.5 annex G) that unpacks to exactly one of these rising sizes, or `DamageSign`. */
export function checkPackBits(packed: Uint8Array, sizes: readonly number[]): void {
  const most = sizes.at(-1) ?? 0
  let [at, done, end] = [0, 0, -1]
  if (sizes.includes(0)) end = 0
  while (at < packed.length && done < most) {
    const control = packed[at] ?? 0
    if (control === 0x80) {
      at += 1
      continue
    }
    const isRun = control > 0x80
    done += isRun ? 257 - control : control + 1
    at += isRun ? 2 : control + 2
    if (sizes.includes(done)) end = at
  }
  if (done > most) throw new DamageSign('a run of packed image data is longer than its image')
  if (at > packed.length || end === -1) throw new DamageSign('packed image data are shorter than their image')
  for (const byte of packed.subarray(end))
    if (byte !== 0 && byte !== 0x80) throw new DamageSign('packed image data go on after their end')
  if (packed.length - end > MAX_LEFT_BYTES) throw new DamageSign('packed image data go on after their end')
}

/** LZW, TIFF 6.0 section 13. */
const [CLEAR, END] = [256, 257]
const FIRST_CODE = 258
const MIN_WIDTH = 9

/** Codes have up to 12 bits. Writers clear the table before it is full. */
const MAX_CODES = 4_096

/** True for the older form with its bits in reverse order, which begins with a clear code of nine bits. */
export function isReversedLzw(packed: Uint8Array): boolean {
  return packed[0] === 0 && ((packed[1] ?? 0) & 1) === 1
}

/** Throws `DamageSign` unless these data unpack to one of these sizes, which rise, and end there; unpacks nothing. */
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
    if (bit + width > bits) throw new DamageSign('packed image data are shorter than their image')
    const code = readCode()
    if (code === END) break
    if (code === CLEAR) {
      next = FIRST_CODE
      width = MIN_WIDTH
      previous = CLEAR
      continue
    }
    if (previous === CLEAR ? code > 255 : code > next)
      throw new DamageSign('packed image data refer to what they have not stated')
    if (previous !== CLEAR) {
      if (next >= MAX_CODES) throw new DamageSign('packed image data state more than their table holds')
      lengths[next] = (lengths[previous] ?? 0) + 1
      next += 1
      // The width grows one code early.
      if (next + 1 >= 1 << width && width < 12) width += 1
    }
    done += lengths[code] ?? 0
    previous = code
    if (done > most) throw new DamageSign('packed image data are longer than their image')
  }
  if (!sizes.includes(done)) throw new DamageSign('packed image data are shorter than their image')
  if (packed.length - Math.ceil(bit / 8) > MAX_LEFT_BYTES)
    throw new DamageSign('packed image data go on after their end')
}
