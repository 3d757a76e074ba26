/** What a DICOM file states about the patient, the occasion, the view and the device. */
import { type FieldName, type Fields, GENDER_CODES } from '../../../../src-shared/fields.ts'
import type { Attribute } from '../../../../src-shared/proof.ts'
import { type Message, worded } from '../../../../src-shared/wording.ts'
import type { ContentFacts } from '../../cases/meaning/sources.ts'
import { authorityIn, unwrapNumber } from '../../cases/meaning/numbers.ts'
import {
  labelOf,
  type NameOrder,
  type Person,
  personIn,
  plainName,
  splitName,
} from '../../cases/meaning/persons.ts'
import { type CharacterSet, characterSetOf, decodeLetters } from './character-sets.ts'
import { dateOf, type DaysRead, readDays, type WrittenMoment } from './days.ts'
import type { DataSet } from './dicom.ts'
import {
  type OpenedDicom,
  readBytes,
  readCode,
  readCodes,
  readEachBytes,
  readEachCode,
  readItems,
  trimPadding,
} from './values.ts'

export type FactsSource = { readonly dataSet: DataSet; readonly letters: CharacterSet }

export type Rejection = ContentFacts['rejected'][number]

export type FieldsFound = { readonly fields: Fields; readonly rejected: readonly Rejection[] }

const SPECIFIC_CHARACTER_SET = 0x00080005

export async function factsSourceOf({ dataSet }: OpenedDicom): Promise<FactsSource> {
  return { dataSet, letters: characterSetOf(await readCodes(dataSet, SPECIFIC_CHARACTER_SET)) }
}

/** Signs that no text has: a value that holds one was cut, or joined from two. */
// oxlint-disable-next-line no-control-regex -- control signs are the subject
const CONTROL = /[\u0000-\u001f\u007f]+/g

/** Without padding, for display. `unreadable` if bytes cannot be decoded, null if empty. */
export async function readText(
  { letters }: FactsSource,
  dataSet: DataSet,
  tag: number,
): Promise<{ readonly kind: 'text'; readonly text: string } | { readonly kind: 'unreadable' } | null> {
  const bytes = await readBytes(dataSet, tag)
  if (!bytes) return null
  const decoded = decodeLetters(bytes, letters)
  if (decoded === null) return { kind: 'unreadable' }
  const text = trimPadding(decoded).replaceAll(CONTROL, (signs) => (/[\t\n\r]/.test(signs) ? '\n' : ' '))
  return text.trim() === '' ? null : { kind: 'text', text: text.trim() }
}

/** The place of what cannot be read. */
export const UNREADABLE = '\uFFFD'

/** The standard allows 64 characters for an id and five times as many for a name (PS3.5 table 6.2-1). */
const MAX_NAME_LENGTH = 1_000

/** Every value of every element with this tag, each once, without padding. What cannot be read is `UNREADABLE` there. */
export async function readTexts(
  { letters }: FactsSource,
  dataSet: DataSet,
  tag: number,
): Promise<readonly string[]> {
  const texts = (await readEachBytes(dataSet, tag)).flatMap((bytes) => {
    const decoded = decodeLetters(bytes, letters)
    if (decoded === null || decoded.length > MAX_NAME_LENGTH) return [UNREADABLE]
    return decoded.split('\\').map((value) => trimPadding(value).trim().replaceAll(CONTROL, UNREADABLE))
  })
  return [...new Set(texts)].filter((text) => text !== '')
}

export class FieldsFinder {
  readonly #fields: Partial<Record<FieldName, Fields[FieldName]>> = {}
  readonly #rejected: Rejection[] = []

  state(name: FieldName, value: string | number): void {
    this.#fields[name] ??= value
  }

  reject(field: string, message: Message): void {
    this.#rejected.push({ field, ...message })
  }

  found(): FieldsFound {
    return { fields: this.#fields as Fields, rejected: this.#rejected }
  }
}

const NAME = 0x00100010
const ID = 0x00100020
const BIRTH_DATE = 0x00100030
const SEX = 0x00100040
const AGE = 0x00101010
const OTHER_PATIENT_NAMES = 0x00101001
const ISSUER = 0x00100021
const ISSUER_QUALIFIERS = 0x00100024
const UNIVERSAL_ENTITY = 0x00400032

type PatientFound = FieldsFound & {
  readonly birthDate: string | null
  /** Everything that it calls the patient's number. */
  readonly numbers: readonly string[]
  /** Who it names beside the patient of `fields`: an attribute that may state one thing states two. */
  readonly people: readonly Person[]
  /** Of its name in other letters, and other names. */
  readonly spellings: readonly string[]
  readonly issuer: string | null
  /** An attribute states what is none, or cannot be read. */
  readonly isUnclear: boolean
}

/** The Patient Module (PS3.3 C.7.1.1) and the age of the Patient Study Module (C.7.2.2). */
export async function readPatient(source: FactsSource, nameOrder: NameOrder): Promise<PatientFound> {
  const { dataSet } = source
  const finder = new FieldsFinder()
  // HL7 components, invisible marks and the like are undone if only one reading is possible.
  const spelled = await readTexts(source, dataSet, ID)
  const numbers = spelled.map((text) => unwrapNumber(text) ?? text)
  const authorities = [...new Set(spelled.flatMap((text) => authorityIn(text) ?? []))]
  // Two clinics may each have such a number.
  const isNumberDoubtful = authorities.length > 1
  const number = numbers.find((text) => !text.includes(UNREADABLE))
  if (number !== undefined) finder.state('history_number', number)
  const isNumberUnclear = numbers.some((text) => text.includes(UNREADABLE))
  if (isNumberUnclear) finder.reject('history_number', worded('intake:dicom.idUnreadable'))
  const names = await readTexts(source, dataSet, NAME)
  if (names.includes(UNREADABLE)) finder.reject('last_name', worded('intake:dicom.nameUnreadable'))
  const readable = names.filter((name) => name !== UNREADABLE).map((name) => name.replaceAll(UNREADABLE, ' '))
  const people = readable.map((name) => nameIn(name, nameOrder))
  const otherNames = await readTexts(source, dataSet, OTHER_PATIENT_NAMES)
  const spellings = [...readable.slice(0, 1).flatMap((name) => groupsOf(name).slice(1)), ...otherNames]
  const [{ lastName, firstName } = NO_NAME] = people
  if (lastName !== null) finder.state('last_name', lastName)
  if (firstName !== null) finder.state('first_name', firstName)
  const sexes = await readEachCode(dataSet, SEX)
  for (const sex of sexes) stateSex(finder, sex)
  const age = await readCode(dataSet, AGE)
  const years = age === null ? null : yearsOf(age)
  if (years !== null) finder.state('age', years)
  if (age !== null && years === null) finder.reject('age', worded('intake:dicom.ageInvalid'))
  const births = await readEachCode(dataSet, BIRTH_DATE)
  const birthDays = births.flatMap((birth) => dateOf(birth, 'birth') ?? [])
  const isBirthUnclear = birthDays.length < births.length
  if (isBirthUnclear) finder.reject('birth_date', worded('intake:dicom.birthDateInvalid'))
  const [birthDate = null] = birthDays
  const found = finder.found()
  const first = personIn({ ...found, birthDate })
  const stated = [
    first,
    ...people.map((person) => ({ ...first, ...person })),
    ...birthDays.map((day) => ({ ...first, birthDate: day })),
    ...sexes.map((sex) => ({
      ...first,
      sex: personIn({ fields: sexField(sex), birthDate }).sex ?? first.sex,
    })),
  ]
  const [issuer = null] = await readTexts(source, dataSet, ISSUER)
  return {
    ...found,
    birthDate,
    numbers: [...new Set(numbers)],
    spellings,
    people: [...new Map(stated.map((one) => [labelOf(one), one])).values()].slice(1),
    issuer: issuer ?? (await readIssuerId(source)) ?? authorities[0] ?? null,
    isUnclear: isNumberUnclear || isNumberDoubtful || isBirthUnclear,
  }
}

/** The Universal Entity ID of the Issuer of Patient ID Qualifiers Sequence (PS3.3 10.14). */
async function readIssuerId({ dataSet }: FactsSource): Promise<string | null> {
  const [qualifiers] = await readItems(dataSet, ISSUER_QUALIFIERS)
  return qualifiers ? readCode(qualifiers, UNIVERSAL_ENTITY) : null
}

/** `045Y`, `018M`, `006W`, `010D` as whole years; null if it is no age. */
function yearsOf(text: string): number | null {
  const match = /^(\d{1,3})([DWMY])$/i.exec(text)
  if (!match) return null
  const count = Number(match[1])
  const perYear = { D: 365.25, W: 52.18, M: 12, Y: 1 }[match[2]?.toUpperCase() as 'D' | 'W' | 'M' | 'Y']
  return Math.floor(count / perYear)
}

type Name = Pick<Person, 'lastName' | 'firstName'>

const NO_NAME: Name = { lastName: null, firstName: null }

/**
 * Of up to three groups separated by `=`, alphabetic, ideographic, phonetic (PS3.5 6.2.1.1), the first non-empty one is
 * taken; the others are spellings of it. A name without separators is taken as the last name: splitting it would be a guess.
 */
function nameIn(text: string, order: NameOrder): Name {
  const [group = ''] = groupsOf(text)
  const parted = /[\^,]/.test(group) ? splitName(group, order) : null
  return parted ?? { lastName: plainName(group) || null, firstName: null }
}

function groupsOf(text: string): readonly string[] {
  return text.split('=').filter((group) => group.replaceAll('^', '').trim() !== '')
}

const { male: MALE, female: FEMALE } = GENDER_CODES
const SEXES: Readonly<Record<string, 0 | 1>> = { M: MALE, MALE, F: FEMALE, FEMALE }

/** The interface has no code for these, and writers use more than the standard's O. */
const OTHER_SEXES = ['O', 'OTHER', 'U', 'UNKNOWN', 'N', 'NONE']

function sexField(stated: string): Pick<Fields, 'gender'> {
  const term = stated.toUpperCase()
  const code = Object.hasOwn(SEXES, term) ? SEXES[term] : undefined
  return code === undefined ? {} : { gender: code }
}

function stateSex(finder: FieldsFinder, stated: string): void {
  const { gender } = sexField(stated)
  if (gender !== undefined) finder.state('gender', gender)
  else if (!OTHER_SEXES.includes(stated.toUpperCase()))
    finder.reject('gender', worded('intake:dicom.sexUnknown'))
}

/** The dates of a picture and their times, the day of the visit first. */
const DATES: readonly (readonly [Attribute, date: number, time: number | null])[] = [
  ['studyDate', 0x00080020, 0x00080030],
  ['acquisitionDateTime', 0x0008002a, null],
  ['acquisitionDate', 0x00080022, 0x00080032],
  ['contentDate', 0x00080023, 0x00080033],
  ['seriesDate', 0x00080021, 0x00080031],
  ['performedDate', 0x00400244, 0x00400245],
  ['creationDate', 0x00080012, 0x00080013],
]
const ZONE = 0x00080201
const IMAGE_TYPE = 0x00080008
const SERIES_DESCRIPTION = 0x0008103e
const ANATOMIC_REGION = 0x00082218
const CODE_MEANING = 0x00080104
const MAKER = 0x00080070
const MODEL = 0x00081090

/** For a line on a screen. */
const MAX_TEXT_LENGTH = 100

/** Every day that it states, and the moment of the image on the camera's clock. */
export async function readOccasion({ dataSet }: FactsSource): Promise<DaysRead> {
  const written: WrittenMoment[] = []
  for (const [attribute, dateTag, timeTag] of DATES) {
    const times = timeTag === null ? [] : await readEachCode(dataSet, timeTag)
    const dates = await readEachCode(dataSet, dateTag)
    written.push(...dates.map((date, at) => ({ attribute, date, time: times[at] ?? times[0] ?? null })))
  }
  return readDays(written, await readCode(dataSet, ZONE))
}

/** As the file words it; the third and fourth value of Image Type are the shortest form. */
export async function readView(source: FactsSource): Promise<string | null> {
  const { dataSet } = source
  const [, , flavour = '', light = ''] = await readCodes(dataSet, IMAGE_TYPE)
  const series = await textOf(source, dataSet, SERIES_DESCRIPTION)
  return line([light, flavour, series, await readRegion(source)], ', ')
}

/** Some writers swap a code and its meaning; a number means nothing to a person. */
async function readRegion(source: FactsSource): Promise<string> {
  const [region] = await readItems(source.dataSet, ANATOMIC_REGION)
  const meaning = region ? await textOf(source, region, CODE_MEANING) : ''
  return /^[\d-]+$/.test(meaning) ? '' : meaning
}

/** Maker and model, without repeating the maker. */
export async function readDevice(source: FactsSource): Promise<string | null> {
  const maker = await textOf(source, source.dataSet, MAKER)
  const model = await textOf(source, source.dataSet, MODEL)
  const isNamedTwice = model.toLowerCase().startsWith(maker.toLowerCase())
  return line([isNamedTwice ? '' : maker, model], ' ')
}

async function textOf(source: FactsSource, dataSet: DataSet, tag: number): Promise<string> {
  const found = await readText(source, dataSet, tag)
  return found?.kind === 'text' ? found.text : ''
}

function line(parts: readonly string[], between: string): string | null {
  const text = [...new Set(parts)].filter((part) => part !== '').join(between)
  return text === '' ? null : text.slice(0, MAX_TEXT_LENGTH)
}
