/** Pixels without compression, which have no structure of their own: holes that cut across the picture. */
import { malformed } from './bytes.ts'

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
