/** Palette Color Lookup Tables, PS3.3 C.7.6.3.1.5 and C.7.6.3.1.6. */
import type { FileWindow } from './file-window.ts'
import { readBytes, readCounts, viewOf } from './read-value.ts'
import type { DataSet } from './walk-data-set.ts'

/** A colour for a value: three bytes at `(value - first) * 3`, values beyond either end taking the end's colour. */
export type Palette = { readonly first: number; readonly entries: number; readonly colours: Uint8Array }

const DESCRIPTORS = [0x00281101, 0x00281102, 0x00281103]
const TABLES = [0x00281201, 0x00281202, 0x00281203]
const MAX_ENTRIES = 65_536

/** Null where a table is missing (also where it is written in segments, which no camera does) or of a wrong length. */
export async function readPalette(window: FileWindow, dataSet: DataSet): Promise<Palette | null> {
  const [stated = -1, first = 0, bits = 0] = await readCounts(window, dataSet, DESCRIPTORS[0] ?? 0)
  // 65,536 does not fit the number, so it stands there as 0.
  const entries = stated === 0 ? MAX_ENTRIES : stated
  if (entries < 1 || (bits !== 8 && bits !== 16)) return null
  const colours = new Uint8Array(entries * 3)
  for (const [channel, tag] of TABLES.entries()) {
    const bytes = await readBytes(window, dataSet, tag, MAX_ENTRIES * 2)
    const isLittle = dataSet.get(tag)?.encoding.order === 'little'
    const isWide = bytes !== null && bytes.length >= entries * 2
    // A table of bytes may be packed, and fills a last odd byte.
    if (!bytes || (!isWide && (bits === 16 || bytes.length < entries))) return null
    const view = viewOf(bytes)
    for (let entry = 0; entry < entries; entry += 1) {
      // Two bytes share a word, which big endian turns round.
      const packed = bytes[isLittle ? entry : entry ^ 1] ?? 0
      const value = isWide ? view.getUint16(entry * 2, isLittle) : packed
      colours[entry * 3 + channel] = bits === 16 ? value >> 8 : value
    }
  }
  return { first, entries, colours }
}
