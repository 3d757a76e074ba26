import type { ReadAt } from './read-at.ts'

const FIRST_STEP_BYTES = 4_096
const MAX_STEP_BYTES = 256 * 1_024
/** What comes in parts comes in blocks of a disk; less than one may be black by right. */
const BLOCK_BYTES = 512

/** Is every byte of this stretch zero? Stops at the first that is not. Errors are those of `readAt`. */
export async function isZeroStretch(readAt: ReadAt, from: number, to: number): Promise<boolean> {
  let stepBytes = FIRST_STEP_BYTES
  for (let position = from; position < to;) {
    const bytes = await readAt(position, Math.min(stepBytes, to - position))
    if (bytes.length === 0) return true
    if (bytes.some((byte) => byte !== 0)) return false
    position += bytes.length
    stepBytes = Math.min(stepBytes * 2, MAX_STEP_BYTES)
  }
  return true
}

/**
 * Have plain pixels not come yet? A size that was reserved reads as zeros, and so does the black around an eye; but
 * nobody photographs an eye whose second half is perfectly black, so that much is taken as not yet written. Less than
 * half is told by nobody but a person who looks (`unwritten-end.ts` points to it).
 */
export async function isHalfUnwritten(readAt: ReadAt, from: number, to: number): Promise<boolean> {
  const middle = from + Math.floor((to - from) / 2)
  return to - middle >= BLOCK_BYTES && isZeroStretch(readAt, middle, to)
}
