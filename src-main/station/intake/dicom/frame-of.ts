/** The bytes of the first frame of encapsulated pixels, PS3.5 annex A.4. */
import type { ReadAt } from '../read-at.ts'
import { viewOf } from './read-value.ts'
import type { Extent } from './walk-data-set.ts'

/** Larger than any photograph that is packed. */
const MAX_BYTES = 256 * 1_024 * 1_024
const MAX_FRAGMENTS_READ = 10_000

/**
 * A frame may lie in several fragments. Where the second begins says the table of offsets (PS3.5 A.4), which may be
 * empty; else the end mark of a JPEG does. Null where neither does, or there are fewer fragments than frames.
 */
export async function firstFrameOf(
  readAt: ReadAt,
  [table, ...fragments]: readonly Extent[],
  frames: number,
): Promise<Buffer | null> {
  if (!table || fragments.length < frames) return null
  const count = frames === 1 ? fragments.length : await countOfFirst(readAt, table, fragments, frames)
  const chosen = fragments.slice(0, count)
  const bytes = chosen.reduce((sum, fragment) => sum + fragment.bytes, 0)
  if (bytes === 0 || bytes > MAX_BYTES) return null
  const parts: Uint8Array[] = []
  for (const fragment of chosen) parts.push(await readAt(fragment.at, fragment.bytes))
  const frame = Buffer.concat(parts)
  // A file that was whole a moment ago may be cut by now.
  return frame.length === bytes ? frame : null
}

/** How many fragments the first of several frames has; 0 where nothing says. */
async function countOfFirst(
  readAt: ReadAt,
  table: Extent,
  fragments: readonly Extent[],
  frames: number,
): Promise<number> {
  if (fragments.length === frames) return 1
  const [first] = fragments
  const second = await secondOffset(readAt, table)
  if (first !== undefined && second !== null) {
    // Offsets count from the head of the first fragment to the heads of the others.
    return fragments.filter(({ at }) => at - first.at < second).length
  }
  for (const [index, fragment] of fragments.slice(0, MAX_FRAGMENTS_READ).entries()) {
    if (await endsJpeg(readAt, fragment)) return index + 1
  }
  return 0
}

async function secondOffset(readAt: ReadAt, table: Extent): Promise<number | null> {
  const bytes = table.bytes < 8 ? new Uint8Array(0) : await readAt(table.at, 8)
  if (bytes.length < 8) return null
  const second = viewOf(bytes).getUint32(4, true)
  return second > 0 ? second : null
}

/** FFD9, and a byte that fills it up to an even length. */
async function endsJpeg(readAt: ReadAt, { at, bytes }: Extent): Promise<boolean> {
  const tail = Buffer.from(await readAt(at + Math.max(0, bytes - 3), Math.min(3, bytes)))
  return tail.toString('hex').endsWith('ffd9') || tail.toString('hex') === 'ffd900'
}
