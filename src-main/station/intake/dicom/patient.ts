/** What a DICOM file states about the patient, the occasion, the view and the device. */
import { type FieldName, type Fields, GENDER_CODES, isCalendarDate } from '../../../../src-shared/fields.ts'
import { type Message, worded } from '../../../../src-shared/wording.ts'
import type { ContentFacts } from '../evidence.ts'
import { type CharacterSet, characterSetOf, decodeLetters } from './character-sets.ts'
import type { DataSet } from './dicom.ts'
import { type OpenedDicom, readBytes, readCode, readCodes, readItems, trimPadding } from './values.ts'

export type FactsSource = { readonly dataSet: DataSet; readonly letters: CharacterSet }

export type Rejection = ContentFacts['rejected'][number]

export type FieldsFound = { readonly fields: Fields; readonly rejected: readonly Rejection[] }

const SPECIFIC_CHARACTER_SET = 0x00080005

export async function factsSourceOf({ dataSet }: OpenedDicom): Promise<FactsSource> {
  return { dataSet, letters: characterSetOf(await readCodes(dataSet, SPECIFIC_CHARACTER_SET)) }
}

/** Without padding and control characters. `unreadable` if bytes cannot be decoded, null if empty. */
export async function readText(
  { letters }: FactsSource,
  dataSet: DataSet,
  tag: number,
): Promise<{ readonly kind: 'text'; readonly text: string } | { readonly kind: 'unreadable' } | null> {
  const bytes = await readBytes(dataSet, tag)
  if (!bytes) return null
  const decoded = decodeLetters(bytes, letters)
  if (decoded === null) return { kind: 'unreadable' }
  // oxlint-disable-next-line no-control-regex -- they are what is taken out
  const text = trimPadding(decoded).replaceAll(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/g, '')
  return text.trim() === '' ? null : { kind: 'text', text: text.trim() }
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

/** Which part of a name a camera writes first; the standard says the last name. */
export type NameOrder = 'lastFirst' | 'firstLast'

const NAME = 0x00100010
const ID = 0x00100020
const BIRTH_DATE = 0x00100030
const SEX = 0x00100040
const AGE = 0x00101010

/** The standard allows 64 characters for an id and five times as many for a name (PS3.5 table 6.2-1). */
const MAX_NAME_LENGTH = 1_000

/** The Patient Module (PS3.3 C.7.1.1) and the age of the Patient Study Module (C.7.2.2). */
export async function readPatient(
  source: FactsSource,
  nameOrder: NameOrder,
): Promise<FieldsFound & { readonly birthDate: string | null }> {
  const { dataSet } = source
  const finder = new FieldsFinder()
  const id = await readShortText(source, ID)
  if (id?.kind === 'text') finder.state('history_number', id.text)
  if (id?.kind === 'unreadable') finder.reject('history_number', worded('intake:dicom.idUnreadable'))
  const name = await readShortText(source, NAME)
  if (name?.kind === 'text') stateName(finder, name.text, nameOrder)
  if (name?.kind === 'unreadable') finder.reject('last_name', worded('intake:dicom.nameUnreadable'))
  stateSex(finder, await readCode(dataSet, SEX))
  const age = await readCode(dataSet, AGE)
  const years = age === null ? null : yearsOf(age)
  if (years !== null) finder.state('age', years)
  if (age !== null && years === null) finder.reject('age', worded('intake:dicom.ageInvalid'))
  const birth = await readCode(dataSet, BIRTH_DATE)
  const birthDate = birth === null ? null : dateOf(birth)
  if (birth !== null && birthDate === null)
    finder.reject('birth_date', worded('intake:dicom.birthDateInvalid'))
  return { ...finder.found(), birthDate }
}

/** `20260602`, or as in ACR-NEMA `2026.06.02` or `2026-06-02` (PS3.5 table 6.2-1); null if it is no calendar day. */
function dateOf(text: string): string | null {
  const match = /^(\d{4})([.-]?)(\d\d)\2(\d\d)$/.exec(text)
  const date = match ? `${match[1]}-${match[3]}-${match[4]}` : ''
  return isCalendarDate(date) ? date : null
}

/** `045Y`, `018M`, `006W`, `010D` as whole years; null if it is no age. */
function yearsOf(text: string): number | null {
  const match = /^(\d{1,3})([DWMY])$/i.exec(text)
  if (!match) return null
  const count = Number(match[1])
  const perYear = { D: 365.25, W: 52.18, M: 12, Y: 1 }[match[2]?.toUpperCase() as 'D' | 'W' | 'M' | 'Y']
  return Math.floor(count / perYear)
}

async function readShortText(source: FactsSource, tag: number): ReturnType<typeof readText> {
  const found = await readText(source, source.dataSet, tag)
  return found?.kind === 'text' && found.text.length > MAX_NAME_LENGTH ? { kind: 'unreadable' } : found
}

/**
 * A name has up to three groups separated by `=`: alphabetic, ideographic, phonetic (PS3.5 6.2.1.1); the first
 * non-empty one is taken. Its parts are family, given and middle name, prefix and suffix, separated by `^`. A name
 * without separators is taken as the last name: splitting it would be a guess.
 */
function stateName(finder: FieldsFinder, text: string, order: NameOrder): void {
  const name = text.split('=').find((group) => group.replaceAll('^', '').trim() !== '') ?? ''
  const parts = name.includes('^') ? name.split('^') : name.split(',', 2)
  const [one = '', two = '', middle = ''] = parts.map((part) => trimPadding(part.trim()))
  const [last, first] = order === 'lastFirst' || two === '' ? [one, two] : [two, one]
  const firstNames = [first, middle].filter((part) => part !== '').join(' ')
  if (last !== '') finder.state('last_name', last)
  if (firstNames !== '') finder.state('first_name', firstNames)
}

const { male: MALE, female: FEMALE } = GENDER_CODES
const SEXES: Readonly<Record<string, 0 | 1>> = { M: MALE, MALE, F: FEMALE, FEMALE }

/** The interface has no code for these, and writers use more than the standard's O. */
const OTHER_SEXES = ['O', 'OTHER', 'U', 'UNKNOWN', 'N', 'NONE']

function stateSex(finder: FieldsFinder, stated: string | null): void {
  const term = stated?.toUpperCase() ?? ''
  const code = Object.hasOwn(SEXES, term) ? SEXES[term] : undefined
  if (code !== undefined) finder.state('gender', code)
  else if (term !== '' && !OTHER_SEXES.includes(term)) {
    finder.reject('gender', worded('intake:dicom.sexUnknown'))
  }
}

const STUDY_DATE = 0x00080020
const ACQUISITION_DATE = 0x00080022
const CONTENT_DATE = 0x00080023
const ACQUISITION_MOMENT = 0x0008002a
const ACQUISITION_TIME = 0x00080032
const CONTENT_TIME = 0x00080033
const IMAGE_TYPE = 0x00080008
const SERIES_DESCRIPTION = 0x0008103e
const ANATOMIC_REGION = 0x00082218
const CODE_MEANING = 0x00080104
const MAKER = 0x00080070
const MODEL = 0x00081090

/** For a line on a screen. */
const MAX_TEXT_LENGTH = 100

/** The day of the study, else of the image; and the moment of the image on the camera's clock. */
export async function readOccasion(source: FactsSource): Promise<{
  readonly visitDate: string | null
  readonly capturedAt: string | null
  readonly rejected: readonly Rejection[]
}> {
  const code = (tag: number): Promise<string | null> => readCode(source.dataSet, tag)
  const moment = await code(ACQUISITION_MOMENT)
  const acquired = { date: await code(ACQUISITION_DATE), time: await code(ACQUISITION_TIME) }
  const content = { date: await code(CONTENT_DATE), time: await code(CONTENT_TIME) }
  const days = [await code(STUDY_DATE), moment?.slice(0, 8) ?? null, acquired.date, content.date]
  const stated = days.filter((day) => day !== null)
  const dates = stated.map(dateOf)
  const capturedAt = (moment === null ? null : momentOf(moment)) ?? joined(acquired) ?? joined(content)
  return {
    visitDate: dates.find((date) => date !== null) ?? null,
    capturedAt,
    rejected: dates.includes(null) ? [{ field: 'visit_date', ...worded('intake:dicom.dateInvalid') }] : [],
  }
}

/** `20260602121802.120+0200` as `2026-06-02T12:18:02`: the offset only names the zone of the camera's clock. */
function momentOf(text: string): string | null {
  const match = /^(\d{8})(\d{4,6}(?:\.\d{0,6})?)([+-]\d{4})?$/.exec(text)
  return match ? joined({ date: match[1] ?? null, time: match[2] ?? null }) : null
}

/** `121802`, `121802.120`, `12:18:02` or `1218` as `HH:MM:SS`; null if it is no time or lacks minutes. */
function timeOf(text: string): string | null {
  const match = /^([01]\d|2[0-3])(:?)([0-5]\d)(?:\2([0-5]\d)(?:\.\d{0,6})?)?$/.exec(text)
  return match ? `${match[1]}:${match[3]}:${match[4] ?? '00'}` : null
}

function joined(at: { readonly date: string | null; readonly time: string | null }): string | null {
  const [date, time] = [dateOf(at.date ?? ''), timeOf(at.time ?? '')]
  return date !== null && time !== null ? `${date}T${time}` : null
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
