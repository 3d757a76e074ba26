import type { SmallPicture } from './decode.ts'

/** Cells along the longer side: large enough to average the noise of a sensor away, small enough to see a vessel arch. */
const CELLS = 24

/**
 * Levels of 256 between the darker and the brighter cells, below which nothing is seen. Measured on drawn pictures:
 * frames of 640 by 480 pixels and more with nothing but the noise of a sensor come to 0 to 1.6, a fundus at a tenth of
 * its light to 4.6 and more, with and without its rim, and at its full light to 50 and more.
 */
const MIN_CONTRAST = 3

/** The least level of every colour where nothing but the flash is left. */
const WHITE = 250

/** Captions that a camera prints into a frame cover fewer cells than this at either end. */
const LEFT_OUT = 0.05

/** A cell belongs to the picture and not to the rim around it when it has this share of the light of the bright ones. */
const LIT_SHARE = 0.5

/** Means of the colours of each cell, row after row. */
type Cells = {
  readonly columns: number
  readonly rows: number
  readonly colours: readonly (readonly number[])[]
}

/**
 * Shows this picture nothing at all: black, white, or one even tone, as behind a lens cap or a closed eye?
 *
 * A round picture in a black rim is blank only where all of it was lost in the flash: an even tone of another colour may
 * be what a camera saw. Pure.
 */
export function isBlank(picture: SmallPicture): boolean {
  const cells = cellsOf(picture)
  return contrastOf(cells) < MIN_CONTRAST || isWhite(litCells(cells))
}

function isWhite(cells: Cells['colours']): boolean {
  const least = cells.map((colour) => Math.min(...colour)).sort((one, other) => one - other)
  return quantile(least, LEFT_OUT) >= WHITE
}

/** The widest range of any colour over these cells, without the few that stand out. */
function contrastOf({ colours }: Cells): number {
  const count = colours[0]?.length ?? 0
  const ranges = Array.from({ length: count }, (_, channel) => {
    const levels = colours.map((colour) => colour[channel] ?? 0).sort((one, other) => one - other)
    return quantile(levels, 1 - LEFT_OUT) - quantile(levels, LEFT_OUT)
  })
  return Math.max(0, ...ranges)
}

/** The cells inside the lit part: lit, and with lit ones on all four sides. */
function litCells({ columns, rows, colours }: Cells): Cells['colours'] {
  const light = colours.map((colour) => Math.max(...colour))
  const bright = quantile(
    [...light].sort((one, other) => one - other),
    0.9,
  )
  const isLit = (column: number, row: number): boolean => {
    if (column < 0 || row < 0 || column >= columns || row >= rows) return true
    return (light[row * columns + column] ?? 0) >= bright * LIT_SHARE
  }
  return colours.filter((_, index) => {
    const column = index % columns
    const row = (index - column) / columns
    return (
      isLit(column, row) &&
      isLit(column - 1, row) &&
      isLit(column + 1, row) &&
      isLit(column, row - 1) &&
      isLit(column, row + 1)
    )
  })
}

function cellsOf({ pixels, width, height, channels }: SmallPicture): Cells {
  const side = Math.max(1, Math.ceil(Math.max(width, height) / CELLS))
  const columns = Math.ceil(width / side)
  const rows = Math.ceil(height / side)
  // Two and four channels carry transparency behind the colours.
  const shown = channels >= 3 ? 3 : 1
  const sums = Array.from({ length: columns * rows }, () => Array.from({ length: shown }, () => 0))
  const counts = sums.map(() => 0)
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const index = Math.floor(y / side) * columns + Math.floor(x / side)
      const sum = sums[index]
      if (!sum) continue
      counts[index] = (counts[index] ?? 0) + 1
      const at = (y * width + x) * channels
      for (let channel = 0; channel < shown; channel += 1)
        sum[channel] = (sum[channel] ?? 0) + (pixels[at + channel] ?? 0)
    }
  }
  return {
    columns,
    rows,
    colours: sums.map((sum, index) => sum.map((value) => value / Math.max(1, counts[index] ?? 1))),
  }
}

function quantile(sorted: readonly number[], share: number): number {
  return sorted[Math.round((sorted.length - 1) * share)] ?? 0
}

// A copy that began with the full size and stopped leaves zeros behind. Formats with an end of their own show it;
// uncompressed pixels do not, for a fundus image is black at its rim, and there zeros are right. What gives it away is
// that the rim is black on one side only.

/** A share of the height: a round image touches its frame, or leaves about as much above as below. */
const MUCH = 0.15

/** How many times more than on the other side. */
const LOPSIDED = 4

/**
 * Does this picture end in plain black rows where its file ends, much more than at the other side? `end` is the side
 * that lies last in the file. Pure.
 */
export function hasUnwrittenEnd(picture: SmallPicture, end: 'top' | 'bottom'): boolean {
  const atTop = blackRows(picture, 'top')
  const atBottom = blackRows(picture, 'bottom')
  const [atEnd, atBeginning] = end === 'top' ? [atTop, atBottom] : [atBottom, atTop]
  return atEnd >= picture.height * MUCH && atEnd > atBeginning * LOPSIDED
}

/** How many rows from this side on hold nothing but zeros. */
function blackRows({ pixels, width, height, channels }: SmallPicture, side: 'top' | 'bottom'): number {
  // Transparency says nothing about light.
  const shown = channels >= 3 ? 3 : 1
  const isBlack = (row: number): boolean => {
    for (let x = 0; x < width; x += 1) {
      const at = (row * width + x) * channels
      for (let channel = 0; channel < shown; channel += 1) if ((pixels[at + channel] ?? 0) > 0) return false
    }
    return true
  }
  for (let count = 0; count < height; count += 1) {
    if (!isBlack(side === 'top' ? count : height - 1 - count)) return count
  }
  return height
}
