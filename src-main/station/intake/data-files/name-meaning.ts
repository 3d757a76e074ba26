/** What a heading of a column, the name of an element or a key stands for. Pure. */
import { isFieldName, measurementOf, type Measurement } from '../../../../src-shared/fields.ts'
import type { StatedEye } from '../eye-statements.ts'
import { eyeOfTerm } from './eye-words.ts'
import { knownName, type Meaning } from './known-names.ts'

/**
 * `person`: a profile says what the name holds. `interface`: it is the interface's own. `custom`: what people call it.
 * Where several names of one file hold the same, the first of these counts.
 */
export type Authority = 'person' | 'interface' | 'custom'

export type NameMeaning = {
  readonly meaning: Meaning
  /** The eye within the name: `PIO OD`. */
  readonly eye: StatedEye | null
  readonly authority: Authority
  readonly tells: 'telling' | 'common'
}

/** What a profile says of names, by the name as it is compared. */
export type Columns = ReadonlyMap<string, string>

export function columnsOf(columns: Readonly<Record<string, string>>): Columns {
  return new Map(Object.entries(columns).map(([name, holds]) => [comparable(name), holds.trim()]))
}

function comparable(name: string): string {
  return name.trim().normalize('NFC').toLowerCase()
}

const MAX_LETTERS = 80

/** Null where the name is nothing of a case. A name that the profile maps to none of our words is left alone. */
export function nameMeaning(name: string, columns: Columns): NameMeaning | null {
  if (name.length > MAX_LETTERS) return null
  const mapped = columns.get(comparable(name))
  if (mapped !== undefined) return mappedMeaning(mapped)
  const own = name.trim()
  if (isFieldName(own) && own.includes('_') && own !== 'first_name' && own !== 'last_name')
    return { ...fieldMeaning(own), authority: 'interface', tells: 'telling' }
  const known = knownName(plainOf(name))
  if (known) {
    return { ...known, eye: null, authority: isFieldName(own) ? 'interface' : 'custom' }
  }
  return measurementWithEye(name)
}

/** As `nameMeaning`, for a name within a block: a profile may map `Patient/ID`, too. */
export function nameMeaningWithin(blockName: string, name: string, columns: Columns): NameMeaning | null {
  const mapped = columns.get(comparable(`${blockName}/${name}`))
  return mapped === undefined ? nameMeaning(name, columns) : mappedMeaning(mapped)
}

function mappedMeaning(holds: string): NameMeaning | null {
  const byPerson = { authority: 'person', tells: 'telling' } as const
  if (isFieldName(holds)) return { ...fieldMeaning(holds), ...byPerson }
  if (holds === 'birth_date') return { meaning: { kind: 'birthDate' }, eye: null, ...byPerson }
  if (holds === 'eye' || holds === 'file') return { meaning: { kind: holds }, eye: null, ...byPerson }
  return null
}

function fieldMeaning(name: Parameters<typeof measurementOf>[0]): Pick<NameMeaning, 'meaning' | 'eye'> {
  const measured = measurementOf(name)
  if (!measured) return { meaning: { kind: 'field', field: name }, eye: null }
  return { meaning: { kind: 'measurement', measurement: measured.measurement }, eye: measured.eye }
}

/** Letters and digits only, small, without accents: `Fecha de Nacimiento` is `fechadenacimiento`. */
export function plainOf(name: string): string {
  return withoutAccents(name)
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, '')
}

function withoutAccents(text: string): string {
  return text.normalize('NFKD').replaceAll(/\p{M}/gu, '')
}

/** What stands behind a name and says nothing more: units, and the word "eye" itself. */
const BESIDE = new Set([
  'mmhg',
  'mm',
  'hg',
  'dpt',
  'dptr',
  'diopters',
  'deg',
  'degrees',
  'eye',
  'ojo',
  'auge',
  'oeil',
  'olho',
])

/** `PIO OD`, `OD_Sphere`, `right eye IOP (mmHg)`, `R-SPH`: one eye, and one measurement. */
function measurementWithEye(name: string): NameMeaning | null {
  const words = termsOf(name).filter((word) => !BESIDE.has(word))
  const eyes = new Set(words.map(eyeOfTerm).filter((eye) => eye !== null))
  const [eye] = eyes
  if (eye === undefined || eyes.size > 1) return null
  const measurement = measurementNamed(words.filter((word) => eyeOfTerm(word) === null).join(''))
  if (!measurement) return null
  return { meaning: { kind: 'measurement', measurement }, eye, authority: 'custom', tells: 'telling' }
}

function measurementNamed(plain: string): Measurement | null {
  const meaning = knownName(plain)?.meaning
  return meaning?.kind === 'measurement' ? meaning.measurement : null
}

/** The words of a name, small and without accents, also where capitals divide them: `refrRight`. */
export function termsOf(name: string): string[] {
  return withoutAccents(name)
    .replaceAll(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .replaceAll(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '')
}
