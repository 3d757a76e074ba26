/** Decodes the elements of a DICOM file that leave the reader. Reads heads and a few values, never pixels. */
import {
  type Decoding,
  type DicomElements,
  type Elements,
  WANTED,
  type Wanted,
  WANTED_OF_META,
} from '../dicom-messages.ts'
import { malformed } from '../formats/bytes.ts'
import type { DataSet } from './data-set.ts'
import type { DicomFile } from './dicom.ts'
import { TOO_MANY } from './element-walk.ts'

/** Values and items: several of each frame of a film, and no more than one message should have. */
const MAX_VALUES = 50_000
const MAX_CHARACTERS = 1_024 * 1_024

/** Throws `Flaw` for too many elements, as what is not read could contradict the rest, and the errors of the disk. */
export async function readElements({ meta, dataSet }: DicomFile): Promise<DicomElements> {
  const left = { values: MAX_VALUES, characters: MAX_CHARACTERS }
  return {
    ...(await elementsOf(dataSet, WANTED, left)),
    meta: await elementsOf(meta, WANTED_OF_META, left),
  }
}

type Left = { values: number; characters: number }

const DECODED: Readonly<Record<Decoding, (dataSet: DataSet, tag: number) => Promise<readonly string[]>>> = {
  first: (dataSet, tag) => dataSet.codes(tag),
  every: (dataSet, tag) => dataSet.eachCode(tag),
  letters: (dataSet, tag) => dataSet.texts(tag),
  line: async (dataSet, tag) => [await dataSet.text(tag)].filter((text) => text !== ''),
  number: async (dataSet, tag) => {
    const value = await dataSet.decimal(tag)
    return value === null ? [] : [String(value)]
  },
}

function take(left: Left, values: number, characters: number): void {
  left.values -= values
  left.characters -= characters
  if (left.values < 0 || left.characters < 0) throw malformed(TOO_MANY)
}

async function elementsOf<Names extends Wanted>(
  dataSet: DataSet,
  wanted: Names,
  left: Left,
): Promise<Elements<Names>> {
  const found: Record<string, readonly string[] | readonly Elements[]> = {}
  for (const [name, one] of Object.entries(wanted))
    if (one.as === 'items') {
      const items: Elements[] = []
      for (const item of await dataSet.items(one.tag)) {
        take(left, 1, 0)
        items.push(await elementsOf(item, one.inside, left))
      }
      found[name] = items
    } else {
      const values: string[] = []
      for (const tag of one.tags) values.push(...(await DECODED[one.as](dataSet, tag)))
      take(
        left,
        values.length,
        values.reduce((sum, { length }) => sum + length, 0),
      )
      found[name] = values
    }
  return found as Elements<Names>
}
