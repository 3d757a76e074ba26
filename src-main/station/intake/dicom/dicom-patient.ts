import { GENDER_CODES } from '../../../../src-shared/fields.ts'
import { dateOf, yearsOf } from './dicom-dates.ts'
import { readCode, trimPadding } from './read-value.ts'
import { FieldsFinder, readText, type FactsSource, type FieldsFound } from './stated-facts.ts'

/** Which part of a name a camera writes first; the standard says the last name. */
export type NameOrder = 'lastFirst' | 'firstLast'

const NAME = 0x00100010
const ID = 0x00100020
const BIRTH_DATE = 0x00100030
const SEX = 0x00100040
const AGE = 0x00101010

const BY_HAND = 'so it was not taken. Compare it with the camera and enter it by hand.'
const UNREADABLE = `is written in letters that the file does not explain, or is far too long, ${BY_HAND}`
/** The standard has 64 letters for an id and five times as many for a name (PS3.5 table 6.2-1). */
const MOST_LETTERS = 1_000

/** The Patient Module (PS3.3 C.7.1.1) and the age of the Patient Study Module (C.7.2.2). */
export async function readPatient(
  source: FactsSource,
  nameOrder: NameOrder,
): Promise<FieldsFound & { readonly birthDate: string | null }> {
  const { window, dataSet } = source
  const finder = new FieldsFinder()
  const id = await readShortText(source, ID)
  if (id?.kind === 'text') finder.state('history_number', id.text)
  if (id?.kind === 'unreadable')
    finder.reject('history_number', `The patient's id in the DICOM file ${UNREADABLE}`)
  const name = await readShortText(source, NAME)
  if (name?.kind === 'text') stateName(finder, name.text, nameOrder)
  if (name?.kind === 'unreadable')
    finder.reject('last_name', `The patient's name in the DICOM file ${UNREADABLE}`)
  stateSex(finder, await readCode(window, dataSet, SEX))
  const age = await readCode(window, dataSet, AGE)
  const years = age === null ? null : yearsOf(age)
  if (years !== null) finder.state('age', years)
  if (age !== null && years === null) finder.reject('age', `The age in the DICOM file is none, ${BY_HAND}`)
  const birth = await readCode(window, dataSet, BIRTH_DATE)
  const birthDate = birth === null ? null : dateOf(birth)
  if (birth !== null && birthDate === null) {
    finder.reject('birth_date', `The birth date in the DICOM file is no day of the calendar, ${BY_HAND}`)
  }
  return { ...finder.found(), birthDate }
}

async function readShortText(source: FactsSource, tag: number): ReturnType<typeof readText> {
  const found = await readText(source, source.dataSet, tag)
  return found?.kind === 'text' && found.text.length > MOST_LETTERS ? { kind: 'unreadable' } : found
}

/**
 * Names in letters first, then in ideograms, then as they sound, with `=` between (PS3.5 6.2.1.1): the first that is
 * there is taken. Its parts are family, given and middle name, prefix and suffix, with `^` between. A name without marks
 * is one text: which part of it is which would be a guess, so all of it is the last name.
 */
function stateName(finder: FieldsFinder, text: string, order: NameOrder): void {
  const name = text.split('=').find((group) => group.replaceAll('^', '').trim() !== '') ?? ''
  const parts = name.includes('^') ? name.split('^') : name.split(',', 2)
  const [one = '', two = '', middle = ''] = parts.map((part) => trimPadding(part.trim()))
  const [last, first] = order === 'lastFirst' || two === '' ? [one, two] : [two, one]
  const given = [first, middle].filter((part) => part !== '').join(' ')
  if (last !== '') finder.state('last_name', last)
  if (given !== '') finder.state('first_name', given)
}

const SEXES: Readonly<Record<string, 0 | 1>> = {
  M: GENDER_CODES.male,
  MALE: GENDER_CODES.male,
  F: GENDER_CODES.female,
  FEMALE: GENDER_CODES.female,
}
/** The interface has no code for these, and writers use more than the standard's O. */
const OTHER_SEXES = ['O', 'OTHER', 'U', 'UNKNOWN', 'N', 'NONE']

function stateSex(finder: FieldsFinder, stated: string | null): void {
  const word = stated?.toUpperCase() ?? ''
  const code = Object.hasOwn(SEXES, word) ? SEXES[word] : undefined
  if (code !== undefined) finder.state('gender', code)
  else if (word !== '' && !OTHER_SEXES.includes(word)) {
    finder.reject('gender', `The sex in the DICOM file is neither M, F nor O, ${BY_HAND}`)
  }
}
