/** What a DICOM file states about the patient, the occasion, the view and the device. */
import { type FieldName, type Fields, GENDER_CODES } from '../../../../../src-shared/fields.ts'
import type { Attribute } from '../../../../../src-shared/proof.ts'
import { worded, type Wording, wordingOf } from '../../../../../src-shared/wording.ts'
import type { ContentFacts, StatedDay } from '../sources.ts'
import { clockTime, dayInClinic, daysFrom, offsetOf, readDay } from '../dates.ts'
import { authorityIn, unwrapNumber } from '../numbers.ts'
import { labelOf, type NameOrder, personIn, type PersonName, plainName, splitName } from '../persons.ts'
import { type DicomElements, UNREADABLE } from '../../../../reader/dicom-messages.ts'

export type FieldsFound = {
  readonly fields: Fields
  readonly rejected: ContentFacts['rejected'][number][]
}

type Rejected = FieldsFound['rejected'][number]

/** An element that cannot be read, or is of no eye, by its field and its name for a person. */
export function notTaken(field: string, what: Wording): Rejected {
  return { field, ...worded('intake:dicom.notTaken', { what }) }
}

export function fieldNotTaken(field: FieldName): Rejected {
  return notTaken(field, wordingOf(`field:label.${field}`))
}

/** The Patient Module (PS3.3 C.7.1.1) and the age of the Patient Study Module (C.7.2.2). */
export function readPatient(elements: DicomElements, nameOrder: NameOrder) {
  const { fields, rejected }: FieldsFound = { fields: {}, rejected: [] }
  // HL7 components, invisible marks and the like are undone if only one reading is possible.
  const spelled = elements.patientIds
  const numbers = spelled.map((text) => unwrapNumber(text) ?? text)
  const authorities = [...new Set(spelled.flatMap((text) => authorityIn(text) ?? []))]
  // Two clinics may each have such a number.
  const isNumberDoubtful = authorities.length > 1
  const number = numbers.find((text) => !text.includes(UNREADABLE))
  if (number !== undefined) fields.history_number = number
  const isNumberUnclear = numbers.some((text) => text.includes(UNREADABLE))
  if (isNumberUnclear) rejected.push(fieldNotTaken('history_number'))
  const names = elements.patientNames
  if (names.includes(UNREADABLE)) rejected.push(fieldNotTaken('last_name'))
  const readable = names.filter((name) => name !== UNREADABLE).map((name) => name.replaceAll(UNREADABLE, ' '))
  const people = readable.map((name) => nameIn(name, nameOrder))
  const spellings = [
    ...readable.slice(0, 1).flatMap((name) => groupsOf(name).slice(1)),
    ...elements.otherPatientNames,
  ]
  const [{ lastName, firstName } = NO_NAME] = people
  if (lastName !== null) fields.last_name = lastName
  if (firstName !== null) fields.first_name = firstName
  const { sexes, birthDates: births } = elements
  for (const sex of sexes) {
    const { gender } = sexField(sex)
    if (gender !== undefined) fields.gender ??= gender
    else if (!OTHER_SEXES.includes(sex.toUpperCase())) rejected.push(fieldNotTaken('gender'))
  }
  const age = codeOf(elements.age)
  const years = age === null ? null : yearsOf(age)
  if (years !== null) fields.age = years
  if (age !== null && years === null) rejected.push(fieldNotTaken('age'))
  const birthDays = births.flatMap((birth) => dateOf(birth, 'birth') ?? [])
  const isBirthUnclear = birthDays.length < births.length
  if (isBirthUnclear) rejected.push(notTaken('birth_date', wordingOf('intake:dicom.birthDate')))
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
  const [issuer = null] = elements.issuers
  // The Universal Entity ID of the Issuer of Patient ID Qualifiers Sequence (PS3.3 10.14).
  const [qualifiers] = elements.issuerQualifiers
  return {
    fields,
    rejected,
    birthDate,
    /** Everything that it calls the patient's number. */
    numbers: [...new Set(numbers)],
    /** Of its name in other letters, and other names. */
    spellings,
    /** Who it names beside the patient of `fields`: an attribute that may state one thing states two. */
    people: [...new Map(stated.map((one) => [labelOf(one), one])).values()].slice(1),
    issuer: issuer ?? codeOf(qualifiers?.universalEntity ?? []) ?? authorities[0] ?? null,
    /** An attribute states what is none, or cannot be read. */
    isUnclear: isNumberUnclear || isNumberDoubtful || isBirthUnclear,
  }
}

/** The value of an element that has one; null if it is empty. */
export function codeOf([code = '']: readonly string[]): string | null {
  return code === '' ? null : code
}

/** `045Y`, `018M`, `006W`, `010D` as whole years; null if it is no age. */
function yearsOf(text: string): number | null {
  const match = /^(\d{1,3})([DWMY])$/i.exec(text)
  if (!match) return null
  const count = Number(match[1])
  const perYear = { D: 365.25, W: 52.18, M: 12, Y: 1 }[match[2]?.toUpperCase() as 'D' | 'W' | 'M' | 'Y']
  return Math.floor(count / perYear)
}

const NO_NAME: PersonName = { lastName: null, firstName: null }

/**
 * Of up to three groups separated by `=`, alphabetic, ideographic, phonetic (PS3.5 6.2.1.1), the first non-empty one is
 * taken; the others are spellings of it. A name without separators is taken as the last name: splitting it would be a guess.
 */
function nameIn(text: string, order: NameOrder): PersonName {
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
const momentsIn = (elements: DicomElements) =>
  [
    ['studyDate', elements.studyDates, elements.studyTimes],
    ['acquisitionDateTime', elements.acquisitionMoments, []],
    ['acquisitionDate', elements.acquisitionDates, elements.acquisitionTimes],
    ['contentDate', elements.contentDates, elements.contentTimes],
    ['seriesDate', elements.seriesDates, elements.seriesTimes],
    ['performedDate', elements.performedDates, elements.performedTimes],
    ['creationDate', elements.creationDates, elements.creationTimes],
  ] as const satisfies readonly (readonly [Attribute, dates: readonly string[], times: readonly string[]])[]

/** A date with its time, or both in one text (DT), as they are written. */
export type WrittenMoment = {
  readonly attribute: Attribute
  readonly date: string
  readonly time: string | null
}

/** `20260602`, or as in ACR-NEMA `2026.06.02` (PS3.5 table 6.2-1); null if it is no calendar day. */
function dateOf(text: string, era: 'stated' | 'birth' = 'stated'): string | null {
  const found = readDay(text, 'ymd', era)
  return found.kind === 'day' ? found.day : null
}

/** `121802`, `121802.120`, `12:18:02` or `1218` as `HH:MM:SS`; null if it is no time or lacks minutes. */
function timeOf(text: string): string | null {
  const match = /^(\d\d)(:?)(\d\d)(?:\2(\d\d)(?:\.\d{0,6})?)?$/.exec(text)
  return match ? clockTime(match[1] ?? '', match[3] ?? '', match[4]) : null
}

/** The parts of a DT value: `20260602121802.120+0200`, and `2026-06-02T12:18:02Z` of careless writers. */
const MOMENT = /^(\d{8}|\d{4}[-.]\d\d[-.]\d\d)[T ]?([\d:]{4,8}(?:\.\d{0,6})?)?(Z|[+-]\d\d:?\d\d)?$/i

/** A year or a month alone state no day, and zeros are how some writers leave a date empty. */
const NO_STATEMENT = /^(0*|\d{4}|\d{6})$/

type Moment = {
  readonly attribute: Attribute
  readonly day: string
  readonly here: string
  readonly isSure: boolean
}

/**
 * Reads what is written. `offset` is (0008,0201), which holds for every time that states none. Days that differ by one, of
 * a file that states an offset, may be one instant near midnight: then the first is proposed. Others differ.
 */
export function readDays(written: readonly WrittenMoment[], offset: string | null) {
  const ofFile = offset === null ? null : offsetOf(offset)
  const moments: Moment[] = []
  /** `YYYY-MM-DDTHH:MM:SS` on the camera's clock: of the first moment that states a time. */
  let capturedAt: string | null = null
  /** One of them is no day of the calendar. */
  let hasNoDay = false
  let hasOffset = false
  for (const { attribute, date, time: beside } of written) {
    if (NO_STATEMENT.test(date)) continue
    const parts = MOMENT.exec(date)
    const day = dateOf(parts?.[1] ?? '')
    if (day === null) {
      hasNoDay = true
      continue
    }
    const time = timeOf(parts?.[2] ?? beside ?? '')
    if (time !== null && PICTURE_ATTRIBUTES.includes(attribute)) capturedAt ??= `${day}T${time}`
    const own = offsetOf(parts?.[3] ?? '') ?? ofFile
    if (own !== null) hasOffset = true
    moments.push({ attribute, day, ...dayHere(day, time, own) })
  }
  // A copy may be made later than its picture, and never before.
  const [first = '9'] = moments
    .filter(({ attribute }) => attribute !== 'creationDate')
    .map(({ here }) => here)
  const speaking = moments.filter(({ attribute, here }) => attribute !== 'creationDate' || here < first)
  const distinct = [...new Map(speaking.toReversed().map((one) => [one.here, one])).values()].toReversed()
  const isNearMidnight = hasOffset && distinct.every(({ here }) => Math.abs(daysFrom(here, first)) <= 1)
  const isUnsure = distinct.length > 1 || !speaking.some(({ day, here, isSure }) => isSure && day === here)
  /** The day of the visit first; more than one differ. */
  const days = (isNearMidnight ? distinct.slice(0, 1) : distinct).map(({ here, attribute }): StatedDay => ({
    value: here,
    attribute,
    ...(isNearMidnight && isUnsure && { doubt: 'otherZone' as const }),
  }))
  return { days, capturedAt, hasNoDay }
}

/** Of the picture itself: these say when it was taken. */
const PICTURE_ATTRIBUTES: readonly Attribute[] = ['acquisitionDateTime', 'acquisitionDate', 'contentDate']

/** The day in the clinic's zone, which is this computer's. Without a time it is sure only if no hour changes it. */
function dayHere(
  day: string,
  time: string | null,
  offset: number | null,
): { readonly here: string; readonly isSure: boolean } {
  if (offset === null) return { here: day, isSure: true }
  if (time !== null) return { here: dayInClinic(day, time, offset), isSure: true }
  const isSure = ['00:00:00', '23:59:59'].every((clock) => dayInClinic(day, clock, offset) === day)
  return { here: day, isSure }
}

/** For a line on a screen. */
const MAX_TEXT_LENGTH = 100

/** Every day that it states, and the moment of the image on the camera's clock. */
export function readOccasion(elements: DicomElements) {
  const written = momentsIn(elements).flatMap(([attribute, dates, times]) =>
    dates.map((date, at): WrittenMoment => ({ attribute, date, time: times[at] ?? times[0] ?? null })),
  )
  return readDays(written, codeOf(elements.zone))
}

/** As the file words it; the third and fourth value of Image Type are the shortest form. */
export function readView({ imageType, seriesDescription, regions }: DicomElements): string | null {
  const [, , flavour = '', light = ''] = imageType
  const [series = ''] = seriesDescription
  const [meaning = ''] = regions[0]?.meaning ?? []
  // Some writers swap a code and its meaning; a number means nothing to a person.
  return line([light, flavour, series, /^[\d-]+$/.test(meaning) ? '' : meaning], ', ')
}

/** Maker and model, without repeating the maker. */
export function readDevice({ maker: [maker = ''], model: [model = ''] }: DicomElements): string | null {
  const isNamedTwice = model.toLowerCase().startsWith(maker.toLowerCase())
  return line([isNamedTwice ? '' : maker, model], ' ')
}

function line(parts: readonly string[], between: string): string | null {
  const text = [...new Set(parts)].filter((part) => part !== '').join(between)
  return text === '' ? null : text.slice(0, MAX_TEXT_LENGTH)
}
