/** What a DICOM file states about the patient, the occasion, the view and the device. */
import { type Fields, GENDER_CODES } from '../../../../../src-shared/fields.ts'
import type { Attribute } from '../../../../../src-shared/proof.ts'
import { worded } from '../../../../../src-shared/wording.ts'
import type { ContentFacts } from '../sources.ts'
import { authorityIn, unwrapNumber } from '../numbers.ts'
import { labelOf, type NameOrder, type Person, personIn, plainName, splitName } from '../persons.ts'
import { type DataSet, UNREADABLE } from '../../../../reader/dicom/data-set.ts'
import { dateOf, type DaysRead, readDays, type WrittenMoment } from './days.ts'

export type FieldsFound = {
  readonly fields: Fields
  readonly rejected: ContentFacts['rejected'][number][]
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
export async function readPatient(dataSet: DataSet, nameOrder: NameOrder): Promise<PatientFound> {
  const { fields, rejected }: FieldsFound = { fields: {}, rejected: [] }
  // HL7 components, invisible marks and the like are undone if only one reading is possible.
  const spelled = await dataSet.texts(ID)
  const numbers = spelled.map((text) => unwrapNumber(text) ?? text)
  const authorities = [...new Set(spelled.flatMap((text) => authorityIn(text) ?? []))]
  // Two clinics may each have such a number.
  const isNumberDoubtful = authorities.length > 1
  const number = numbers.find((text) => !text.includes(UNREADABLE))
  if (number !== undefined) fields.history_number = number
  const isNumberUnclear = numbers.some((text) => text.includes(UNREADABLE))
  if (isNumberUnclear) rejected.push({ field: 'history_number', ...worded('intake:dicom.idUnreadable') })
  const names = await dataSet.texts(NAME)
  if (names.includes(UNREADABLE))
    rejected.push({ field: 'last_name', ...worded('intake:dicom.nameUnreadable') })
  const readable = names.filter((name) => name !== UNREADABLE).map((name) => name.replaceAll(UNREADABLE, ' '))
  const people = readable.map((name) => nameIn(name, nameOrder))
  const otherNames = await dataSet.texts(OTHER_PATIENT_NAMES)
  const spellings = [...readable.slice(0, 1).flatMap((name) => groupsOf(name).slice(1)), ...otherNames]
  const [{ lastName, firstName } = NO_NAME] = people
  if (lastName !== null) fields.last_name = lastName
  if (firstName !== null) fields.first_name = firstName
  const sexes = await dataSet.eachCode(SEX)
  for (const sex of sexes) {
    const { gender } = sexField(sex)
    if (gender !== undefined) fields.gender ??= gender
    else if (!OTHER_SEXES.includes(sex.toUpperCase()))
      rejected.push({ field: 'gender', ...worded('intake:dicom.sexUnknown') })
  }
  const age = await dataSet.code(AGE)
  const years = age === null ? null : yearsOf(age)
  if (years !== null) fields.age = years
  if (age !== null && years === null) rejected.push({ field: 'age', ...worded('intake:dicom.ageInvalid') })
  const births = await dataSet.eachCode(BIRTH_DATE)
  const birthDays = births.flatMap((birth) => dateOf(birth, 'birth') ?? [])
  const isBirthUnclear = birthDays.length < births.length
  if (isBirthUnclear) rejected.push({ field: 'birth_date', ...worded('intake:dicom.birthDateInvalid') })
  const [birthDate = null] = birthDays
  const first = personIn({ fields, birthDate })
  const stated = [
    first,
    ...people.map((person) => ({ ...first, ...person })),
    ...birthDays.map((day) => ({ ...first, birthDate: day })),
    ...sexes.map((sex) => ({
      ...first,
      sex: personIn({ fields: sexField(sex), birthDate }).sex ?? first.sex,
    })),
  ]
  const [issuer = null] = await dataSet.texts(ISSUER)
  return {
    fields,
    rejected,
    birthDate,
    numbers: [...new Set(numbers)],
    spellings,
    people: [...new Map(stated.map((one) => [labelOf(one), one])).values()].slice(1),
    issuer: issuer ?? (await readIssuerId(dataSet)) ?? authorities[0] ?? null,
    isUnclear: isNumberUnclear || isNumberDoubtful || isBirthUnclear,
  }
}

/** The Universal Entity ID of the Issuer of Patient ID Qualifiers Sequence (PS3.3 10.14). */
async function readIssuerId(dataSet: DataSet): Promise<string | null> {
  const [qualifiers] = await dataSet.items(ISSUER_QUALIFIERS)
  return qualifiers ? qualifiers.code(UNIVERSAL_ENTITY) : null
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
export async function readOccasion(dataSet: DataSet): Promise<DaysRead> {
  const written: WrittenMoment[] = []
  for (const [attribute, dateTag, timeTag] of DATES) {
    const times = timeTag === null ? [] : await dataSet.eachCode(timeTag)
    const dates = await dataSet.eachCode(dateTag)
    for (const [at, date] of dates.entries())
      written.push({ attribute, date, time: times[at] ?? times[0] ?? null })
  }
  return readDays(written, await dataSet.code(ZONE))
}

/** As the file words it; the third and fourth value of Image Type are the shortest form. */
export async function readView(dataSet: DataSet): Promise<string | null> {
  const [, , flavour = '', light = ''] = await dataSet.codes(IMAGE_TYPE)
  const series = await dataSet.text(SERIES_DESCRIPTION)
  const [region] = await dataSet.items(ANATOMIC_REGION)
  const meaning = (await region?.text(CODE_MEANING)) ?? ''
  // Some writers swap a code and its meaning; a number means nothing to a person.
  return line([light, flavour, series, /^[\d-]+$/.test(meaning) ? '' : meaning], ', ')
}

/** Maker and model, without repeating the maker. */
export async function readDevice(dataSet: DataSet): Promise<string | null> {
  const [maker, model] = [await dataSet.text(MAKER), await dataSet.text(MODEL)]
  const isNamedTwice = model.toLowerCase().startsWith(maker.toLowerCase())
  return line([isNamedTwice ? '' : maker, model], ' ')
}

function line(parts: readonly string[], between: string): string | null {
  const text = [...new Set(parts)].filter((part) => part !== '').join(between)
  return text === '' ? null : text.slice(0, MAX_TEXT_LENGTH)
}
