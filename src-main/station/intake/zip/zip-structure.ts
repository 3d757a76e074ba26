import { ByteWindow } from '../byte-window.ts'
import type { ReadAt } from '../read-at.ts'
import { malformed, TRUNCATED, WHOLE, type Structure } from '../structure-finding.ts'
import { findZipDirectory } from './zip-directory.ts'
import { MAX_ENTRIES } from './zip-limits.ts'

const ENTRY_SIGNATURE = 0x0201_4b50
const ENTRY_BYTES = 46
const FILE_SIGNATURE = 0x0403_4b50
const FILE_BYTES = 30

/**
 * Whole when its central directory is complete and every file that it names begins and ends before the directory.
 *
 * Of each file only the head is read: zeros there mean that the size was reserved and the content has not come. The
 * content has a checksum of its own, which is checked when it is taken out.
 */
export async function zipStructure(readAt: ReadAt, sizeBytes: number): Promise<Structure> {
  const directory = await findZipDirectory(readAt, sizeBytes)
  if (directory === null) return TRUNCATED
  const end = directory.at + directory.bytes
  const window = new ByteWindow(readAt, end)
  let position = directory.at
  // What names more than will be taken is refused when it is opened; it is whole all the same.
  const count = Math.min(directory.entryCount, MAX_ENTRIES)
  for (let index = 0; index < count; index += 1) {
    if (!(await window.hold(position, ENTRY_BYTES))) return malformed('the directory of a ZIP is too short')
    const number = (at: number, bytes: 2 | 4): number => littleEndian(window, position + at, bytes)
    const signature = number(0, 4)
    if (signature === 0) return TRUNCATED
    if (signature !== ENTRY_SIGNATURE)
      return malformed('the directory of a ZIP names something else than a file')
    const storedBytes = number(20, 4)
    const fileAt = number(42, 4)
    const next = position + ENTRY_BYTES + number(28, 2) + number(30, 2) + number(32, 2)
    // Both stand elsewhere in archives of more than 4 GB, which nobody makes of photographs: their heads are not read.
    if (storedBytes !== 0xffff_ffff && fileAt !== 0xffff_ffff) {
      const fileEnd = await endOfFileHead(readAt, fileAt)
      if (fileEnd === null || fileEnd + storedBytes > directory.at) return TRUNCATED
    }
    position = next
  }
  return position <= end ? WHOLE : malformed('the directory of a ZIP is longer than it says')
}

async function endOfFileHead(readAt: ReadAt, at: number): Promise<number | null> {
  const head = await readAt(at, FILE_BYTES)
  if (head.length < FILE_BYTES) return null
  const view = new DataView(head.buffer, head.byteOffset, head.byteLength)
  if (view.getUint32(0, true) !== FILE_SIGNATURE) return null
  return at + FILE_BYTES + view.getUint16(26, true) + view.getUint16(28, true)
}

function littleEndian(window: ByteWindow, at: number, bytes: 2 | 4): number {
  let value = 0
  for (let index = bytes - 1; index >= 0; index -= 1) value = value * 0x100 + window.at(at + index)
  return value
}
