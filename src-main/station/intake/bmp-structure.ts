import { readBmpHeader } from './bmp-header.ts'
import type { ReadAt } from './read-at.ts'
import { TRUNCATED, WHOLE, type Structure } from './structure-finding.ts'
import { isHalfUnwritten } from './zero-stretch.ts'

/** Run lengths end with an escape and a one ([MS-WMF] 3.1.6); some writers fill up to four bytes behind it. */
const TAIL_BYTES = 16

/**
 * Whole when all pixels that the head promises lie inside the file.
 *
 * The file size that the head states is not asked: writers are known to get it wrong, and the pixels say it anyway.
 * Zeros at the end of plain pixels prove nothing, because a fundus image is black at its rim, unless they are half of
 * it; run lengths cannot end so.
 */
export async function bmpStructure(readAt: ReadAt, sizeBytes: number): Promise<Structure> {
  const found = await readBmpHeader(readAt)
  if (found.kind !== 'header') return found
  const { pixelsAt, pixelBytes, coding, palette } = found.header
  const end = pixelsAt + pixelBytes
  if (end > sizeBytes) return TRUNCATED
  // In a palette the index zero may be any colour.
  if (palette !== null && coding === 'plain') return WHOLE
  if (coding === 'plain') return (await isHalfUnwritten(readAt, pixelsAt, end)) ? TRUNCATED : WHOLE
  const looked = Math.min(TAIL_BYTES, pixelBytes)
  const tail = await readAt(end - looked, looked)
  return tail.some((byte) => byte !== 0) ? WHOLE : TRUNCATED
}
