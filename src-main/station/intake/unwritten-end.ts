/**
 * A copy that began with the full size and stopped leaves zeros behind. Formats with an end of their own show it;
 * uncompressed pixels do not, for a fundus image is black at its rim, and there zeros are right. What gives it away is
 * that the rim is black on one side only.
 */
import type { SmallPicture } from './decode-picture.ts'

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
