/**
 * Image data without a structure of their own: plain pixels, in which only holes that cut across the picture show, and what is
 * packed by deflate, LZW and PackBits, which comes to its own length. All throws `Flaw`.
 */
import { inflateSync } from 'node:zlib'
import { errorCode } from '../../station/lib/errors.ts'
import { malformed, MAX_LEFT_BYTES, NotChecked } from './bytes.ts'

/** What is larger is not checked: it is held in memory at once. */
export const MAX_PLAIN_BYTES = 256 * 1_024 * 1_024

/** A sector of a disk, the least that is lost at once. */
const MIN_RUN = 512

/** Higher runs may be what lies between pictures that were put together. */
const MAX_THIN_ROWS = 16

/** This much of a run at once is compared with the rows around it. */
const EDGE_BYTES = 256

/** Levels of 256 that differ from the run visibly. */
const VISIBLE = 8

/** The share of an edge that must differ from the run, and the share that must differ from its neighbours. */
const MIN_OTHER = 0.75
const MIN_UNEVEN = 0.05

/** Distances at which a plain colour repeats itself, bytes: of one to four samples of one or two bytes. */
const PERIODS = [1, 2, 3, 4, 6, 8]

/**
 * Throws `Flaw` for a run of one byte that cuts across structure in the rows above and below; they come from top to
 * bottom or the other way round. Neither the black around an eye does, nor a drawn box or bar; a line of a single row
 * may. Foreign bytes are pixels, and not found.
 */
export function checkPlainPixels(bytes: Buffer, rowBytes: number): void {
  if (rowBytes < EDGE_BYTES) return
  for (let at = 0; at + EDGE_BYTES <= bytes.length; at += EDGE_BYTES) {
    if (!isRunAt(bytes, at)) continue
    const run = runAround(bytes, at)
    if (run.to - run.from >= MIN_RUN && !isBar(run, rowBytes) && cutsAcross(bytes, rowBytes, run))
      throw malformed('a run of one byte cuts across the picture')
    at = Math.max(at, Math.floor(run.to / EDGE_BYTES) * EDGE_BYTES)
  }
}

type Run = { readonly from: number; readonly to: number }

/** Every run of the length that matters covers a block that begins at a multiple of its size. */
function isRunAt(bytes: Buffer, at: number): boolean {
  const value = bytes[at]
  if (bytes[at + 85] !== value || bytes[at + 170] !== value || bytes[at + 255] !== value) return false
  for (let index = at; index < at + EDGE_BYTES; index += 1) if (bytes[index] !== value) return false
  return true
}

function runAround(bytes: Buffer, at: number): Run {
  const value = bytes[at]
  let [from, to] = [at, at]
  while (from > 0 && bytes[from - 1] === value) from -= 1
  while (to < bytes.length && bytes[to] === value) to += 1
  return { from, to }
}

/** Whole rows: between pictures that were put together, or a row of a sensor that is dead. */
function isBar({ from, to }: Run, rowBytes: number): boolean {
  const pixel = PERIODS.at(-1) ?? 0
  const isStart = from % rowBytes < pixel || rowBytes - (from % rowBytes) < pixel
  return isStart && (to % rowBytes < pixel || rowBytes - (to % rowBytes) < pixel)
}

function cutsAcross(bytes: Buffer, rowBytes: number, run: Run): boolean {
  const value = bytes[run.from] ?? 0
  for (const at of columnsOf(run, rowBytes)) {
    // The first rows above and below that are not in the run themselves.
    const up = at - rowBytes * Math.ceil((at + EDGE_BYTES - run.from) / rowBytes)
    const down = at + rowBytes * Math.ceil((run.to - at) / rowBytes)
    if (showsStructure(bytes, up, value) && showsStructure(bytes, down, value)) return true
  }
  return false
}

/** Both ends; and in a run of few rows, which may begin and end in the black beside what it covers, each column. */
function* columnsOf({ from, to }: Run, rowBytes: number): Generator<number> {
  yield from
  yield to - EDGE_BYTES
  if (to - from > MAX_THIN_ROWS * rowBytes) return
  const end = Math.min(to - EDGE_BYTES, from + rowBytes)
  for (let at = from + EDGE_BYTES; at < end; at += EDGE_BYTES) yield at
}

/** False outside of the picture. */
function showsStructure(bytes: Buffer, at: number, value: number): boolean {
  if (at < 0 || at + EDGE_BYTES > bytes.length) return false
  const edge = bytes.subarray(at, at + EDGE_BYTES)
  let others = 0
  for (const byte of edge) if (Math.abs(byte - value) > VISIBLE) others += 1
  if (others < EDGE_BYTES * MIN_OTHER) return false
  return PERIODS.every((period) => {
    let uneven = 0
    for (let index = period; index < EDGE_BYTES; index += 1)
      if (edge[index] !== edge[index - period]) uneven += 1
    return uneven >= EDGE_BYTES * MIN_UNEVEN
  })
}

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
