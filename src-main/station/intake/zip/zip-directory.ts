/**
 * The central directory of a ZIP archive: APPNOTE.TXT 6.3 sections 4.3.12 to 4.3.16. It lies at the end, so a copy that
 * is under way has none, and it alone says what the archive holds.
 */
import type { ReadAt } from '../read-at.ts'

/** Where the directory lies, and how many files it names. */
export type ZipDirectory = { readonly at: number; readonly bytes: number; readonly entryCount: number }

const END_BYTES = 22
const MAX_COMMENT = 0xffff
const END_SIGNATURE = 0x0605_4b50
const WIDE_LOCATOR_BYTES = 20
const WIDE_LOCATOR_SIGNATURE = 0x0706_4b50
const WIDE_END_BYTES = 56
const WIDE_END_SIGNATURE = 0x0606_4b50

/** Finds the directory; null where the record at the end of the archive is not there, or points outside of the file. */
export async function findZipDirectory(readAt: ReadAt, sizeBytes: number): Promise<ZipDirectory | null> {
  const looked = Math.min(sizeBytes, END_BYTES + MAX_COMMENT)
  const tail = await readAt(sizeBytes - looked, looked)
  if (tail.length < looked) return null
  const view = viewOf(tail)
  for (let index = looked - END_BYTES; index >= 0; index -= 1) {
    // The comment is the last thing in the file, so its length tells the record from bytes that look like it.
    if (view.getUint32(index, true) !== END_SIGNATURE) continue
    if (index + END_BYTES + view.getUint16(index + 20, true) !== looked) continue
    const endAt = sizeBytes - looked + index
    const narrow = {
      at: view.getUint32(index + 16, true),
      bytes: view.getUint32(index + 12, true),
      entryCount: view.getUint16(index + 10, true),
    }
    const isWide = narrow.at === 0xffff_ffff || narrow.bytes === 0xffff_ffff || narrow.entryCount === 0xffff
    const directory = isWide ? ((await wideDirectory(readAt, endAt)) ?? narrow) : narrow
    return directory.at + directory.bytes <= endAt ? directory : null
  }
  return null
}

/** ZIP64: the same record again with eight bytes a number, found by a locator right before the short one. */
async function wideDirectory(readAt: ReadAt, endAt: number): Promise<ZipDirectory | null> {
  if (endAt < WIDE_LOCATOR_BYTES) return null
  const locator = await readAt(endAt - WIDE_LOCATOR_BYTES, WIDE_LOCATOR_BYTES)
  if (locator.length < WIDE_LOCATOR_BYTES) return null
  if (viewOf(locator).getUint32(0, true) !== WIDE_LOCATOR_SIGNATURE) return null
  const recordAt = Number(viewOf(locator).getBigUint64(8, true))
  if (recordAt + WIDE_END_BYTES > endAt) return null
  const record = await readAt(recordAt, WIDE_END_BYTES)
  if (record.length < WIDE_END_BYTES) return null
  const view = viewOf(record)
  if (view.getUint32(0, true) !== WIDE_END_SIGNATURE) return null
  return {
    at: Number(view.getBigUint64(48, true)),
    bytes: Number(view.getBigUint64(40, true)),
    entryCount: Number(view.getBigUint64(32, true)),
  }
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}
