import type { FieldName, Fields } from '../../../../src-shared/fields.ts'
import type { ContentFacts } from '../recognition.ts'
import { characterSetOf, type CharacterSet } from './character-sets.ts'
import { decodeLetters } from './decode-letters.ts'
import type { FileWindow } from './file-window.ts'
import type { OpenedDicom } from './open-dicom.ts'
import { readBytes, readCodes, trimPadding } from './read-value.ts'
import type { DataSet } from './walk-data-set.ts'

/** Where facts are read from, and what the file says of its letters. */
export type FactsSource = {
  readonly window: FileWindow
  readonly dataSet: DataSet
  readonly letters: CharacterSet
}

export type Rejection = ContentFacts['rejected'][number]

/** Some fields, and what could not be used. */
export type FieldsFound = { readonly fields: Fields; readonly rejected: readonly Rejection[] }

const SPECIFIC_CHARACTER_SET = 0x00080005

export async function factsSourceOf({ window, dataSet }: OpenedDicom): Promise<FactsSource> {
  const letters = characterSetOf(await readCodes(window, dataSet, SPECIFIC_CHARACTER_SET))
  return { window, dataSet, letters }
}

/**
 * A text in the alphabet of the file, without padding and control characters. `unreadable` where it has letters that
 * the file does not explain, null where nothing stands.
 */
export async function readText(
  { window, letters }: FactsSource,
  dataSet: DataSet,
  tag: number,
): Promise<{ readonly kind: 'text'; readonly text: string } | { readonly kind: 'unreadable' } | null> {
  const bytes = await readBytes(window, dataSet, tag)
  if (!bytes) return null
  const decoded = decodeLetters(bytes, letters)
  if (decoded === null) return { kind: 'unreadable' }
  // oxlint-disable-next-line no-control-regex -- they are what is taken out
  const text = trimPadding(decoded).replaceAll(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/g, '')
  return text.trim() === '' ? null : { kind: 'text', text: text.trim() }
}

/** Collects fields one after the other. */
export class FieldsFinder {
  readonly #fields: Partial<Record<FieldName, Fields[FieldName]>> = {}
  readonly #rejected: Rejection[] = []

  state(name: FieldName, value: string | number): void {
    this.#fields[name] ??= value
  }

  reject(field: string, message: string): void {
    this.#rejected.push({ field, message })
  }

  found(): FieldsFound {
    return { fields: this.#fields as Fields, rejected: this.#rejected }
  }
}
