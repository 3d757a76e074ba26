/** What packed strips and tiles of a TIFF come to: deflate, LZW and PackBits, each walked to its end. All throw `Flaw`. */
import { inflateSync } from 'node:zlib'
import { errorCode } from '../../lib/errors.ts'
import { malformed, MAX_LEFT_BYTES, NotChecked } from './bytes.ts'

const tooLong = (): Error => malformed('packed image data are longer than their image')

/** The bytes in a zlib stream, at most so many; its checksum is right, and nothing follows it. */
export function inflatedLength(packed: Uint8Array, mostBytes: number): number {
  try {
    // With `info`, which the types leave out, the answer says how much was read.
    const { buffer, engine } = inflateSync(packed, { maxOutputLength: mostBytes, info: true }) as unknown as {
      readonly buffer: Buffer
      readonly engine: { readonly bytesWritten: number }
    }
    requirePadding(packed.subarray(engine.bytesWritten))
    return buffer.length
  } catch (error) {
    // Wrong data or checksum, too little data, and too much: Z_DATA_ERROR, Z_BUF_ERROR, Z_NEED_DICT, ERR_BUFFER_TOO_LARGE.
    if (errorCode(error)) throw malformed('packed image data are no deflated data')
    throw error
  }
}

function requirePadding(rest: Uint8Array): void {
  if (rest.length > MAX_LEFT_BYTES || rest.some((byte) => byte !== 0))
    throw malformed('packed image data go on after their end')
}

const [CLEAR, END, FIRST_CODE, MAX_CODES] = [256, 257, 258, 4_096]

/**
 * The bytes in LZW codes (TIFF 6.0 section 13), at most so many. Their values do not matter: each code is one byte longer
 * than the one before it. Some writers leave the last code out. Throws `NotChecked` for the order of bits before TIFF 6.0.
 */
export function lzwLength(packed: Uint8Array, mostBytes: number): number {
  if (packed[0] === 0 && ((packed[1] ?? 0) & 1) === 1) throw new NotChecked('compression')
  const lengths = new Uint32Array(MAX_CODES).fill(1)
  let [next, width, previous, length] = [FIRST_CODE, 9, -1, 0]
  let [bits, held, at] = [0, 0, 0]
  for (;;) {
    for (; held < width && at < packed.length; at += 1, held += 8) bits = (bits << 8) | (packed[at] ?? 0)
    if (held < width) return length
    held -= width
    const code = bits >>> held
    bits &= (1 << held) - 1
    if (code === END) break
    if (code === CLEAR) {
      ;[next, width, previous] = [FIRST_CODE, 9, -1]
      continue
    }
    if (code > CLEAR && (previous < 0 || code > next)) throw malformed('coded data hold a code of no symbol')
    if (previous >= 0 && next < MAX_CODES) {
      lengths[next] = (lengths[previous] ?? 0) + 1
      next += 1
      // One code early.
      if (next === (1 << width) - 1 && width < 12) width += 1
    }
    length += lengths[code] ?? 0
    if (length > mostBytes) throw tooLong()
    previous = code
  }
  requirePadding(packed.subarray(at))
  return length
}

/** The bytes in PackBits (TIFF 6.0 section 9), at most so many. */
export function packBitsLength(packed: Uint8Array, mostBytes: number): number {
  let [at, length] = [0, 0]
  while (at < packed.length && length < mostBytes) {
    const control = ((packed[at] ?? 0) << 24) >> 24
    at += 1
    if (control === -128) continue
    length += control < 0 ? 1 - control : control + 1
    at += control < 0 ? 1 : control + 1
    if (at > packed.length) throw malformed('packed image data are shorter than their image')
  }
  if (length > mostBytes) throw tooLong()
  requirePadding(packed.subarray(at).filter((byte) => byte !== 0x80))
  return length
}
