/** What the values of one block stand for, in their place. Pure. */
import { blockKind, type BlockKind } from './block-kinds.ts'
import type { DataBlock, DataValue } from './data-tree.ts'
import { eyeOfTerm } from './eye-words.ts'
import { nameMeaning, nameMeaningWithin, plainOf, type Columns, type NameMeaning } from './name-meaning.ts'

export type NamedValue = DataValue & { readonly meaning: NameMeaning | null }

/** The values of a block with what they stand for; null where they are nothing of a case. */
export function valuesInBlock(block: DataBlock, kind: BlockKind, columns: Columns): readonly NamedValue[] {
  const values = block.values.map((value) => ({
    ...value,
    meaning:
      nameMeaningWithin(block.name, value.name, columns) ??
      nameInBlock(value.name, kind, columns) ??
      eyeOfMeasurement(value.name, block.name, columns),
  }))
  const hasNumber = values.some(({ meaning }) => isHistoryNumber(meaning))
  if (kind !== 'patient' || hasNumber) return values
  // <Patient><ID>: the patient's number only where none is called so; databases count their rows beside it.
  return values.map((value) =>
    value.meaning === null && /^(id|number|no|nr|numero|nummer)$/i.test(value.name)
      ? { ...value, meaning: nameMeaning('patient id', new Map()) }
      : value,
  )
}

export function isHistoryNumber(name: NameMeaning | null): boolean {
  return name?.meaning.kind === 'field' && name.meaning.field === 'history_number'
}

/** A name's `first` and `last`. */
function nameInBlock(name: string, kind: BlockKind, columns: Columns): NameMeaning | null {
  if (kind !== 'name' && kind !== 'patient') return null
  const plain = plainOf(name)
  if (plain === 'first' || plain === 'given') return nameMeaning('firstname', columns)
  return plain === 'last' || plain === 'family' ? nameMeaning('lastname', columns) : null
}

/** `<IOP><OD>14</OD></IOP>`: the eye is the name, and the measurement is around it. */
function eyeOfMeasurement(name: string, blockName: string, columns: Columns): NameMeaning | null {
  const eye = eyeOfTerm(name)
  const around = eye && nameMeaning(blockName, columns)
  return around?.meaning.kind === 'measurement' ? { ...around, eye, tells: 'telling' } : null
}

/** `images: {"a.jpg": "OD"}`, as in case.json: the name is a file's. */
export function isFileWithEye(block: DataBlock, { name, value }: DataValue): boolean {
  return (
    blockKind(block.name) === 'exam' &&
    /^ima/i.test(block.name) &&
    name.includes('.') &&
    typeof value === 'string'
  )
}
