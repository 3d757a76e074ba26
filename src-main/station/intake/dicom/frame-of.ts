/** The bytes of the first frame of encapsulated pixels, PS3.5 annex A.4. */
import type { ReadAt } from '../read-at.ts'
import { viewOf } from './read-value.ts'
import type { Extent } from './walk-data-set.ts'

/** Larger than any photograph that is packed. */
const MOST_BYTES = 256 * 1_024 * 1_024

/** A frame may lie in several fragments; the table of offsets, which may be empty, says where the next one begins. */
export async function firstFrameOf(
  readAt: ReadAt,
  [table, ...fragments]: readonly Extent[],
  frames: number,
): Promise<Buffer | null> {
  const [first] = fragments
  if (!table || !first) return null
  const chosen = await fragmentsOfFirst(readAt, table, fragments, frames)
  const bytes = chosen.reduce((sum, fragment) => sum + fragment.bytes, 0)
  if (chosen.length === 0 || bytes === 0 || bytes > MOST_BYTES) return null
  const parts: Uint8Array[] = []
  for (const fragment of chosen) parts.push(await readAt(fragment.at, fragment.bytes))
  const frame = Buffer.concat(parts)
  // A file that was whole a moment ago may be cut by now.
  return frame.length === bytes ? frame : null
}

async function fragmentsOfFirst(
  readAt: ReadAt,
  table: Extent,
  fragments: readonly Extent[],
  frames: number,
): Promise<readonly Extent[]> {
  if (frames === 1) return fragments
  if (fragments.length === frames) return fragments.slice(0, 1)
  const second = await secondOffset(readAt, table)
  if (second === null) return []
  const [first] = fragments
  // Offsets count from the head of the first fragment (eight bytes) to the heads of the others.
  return fragments.filter((fragment) => first !== undefined && fragment.at - first.at < second)
}

async function secondOffset(readAt: ReadAt, table: Extent): Promise<number | null> {
  const bytes = table.bytes < 8 ? new Uint8Array(0) : await readAt(table.at, 8)
  if (bytes.length < 8) return null
  const second = viewOf(bytes).getUint32(4, true)
  return second > 0 ? second : null
}
