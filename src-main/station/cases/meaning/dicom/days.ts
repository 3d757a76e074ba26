/**
 * The days that the attributes of a DICOM file state, each as the clinic counts it: an instant with an offset is a day only
 * in a zone (PS3.3 C.12.1.1.8, PS3.5 table 6.2-1). Pure.
 */
import { DAY } from '../../../../../src-shared/durations.ts'
import type { Attribute } from '../../../../../src-shared/proof.ts'
import type { StatedDay } from '../sources.ts'
import { clockTime, dayInClinic, offsetOf, readDay } from '../dates.ts'

/** A date with its time, or both in one text (DT), as they are written. */
export type WrittenMoment = {
  readonly attribute: Attribute
  readonly date: string
  readonly time: string | null
}

export type DaysRead = {
  /** The day of the visit first; more than one differ. */
  readonly days: readonly StatedDay[]
  /** `YYYY-MM-DDTHH:MM:SS` on the camera's clock: of the first moment that states a time. */
  readonly capturedAt: string | null
  /** One of them is no day of the calendar. */
  readonly hasNoDay: boolean
}

/** `20260602`, or as in ACR-NEMA `2026.06.02` (PS3.5 table 6.2-1); null if it is no calendar day. */
export function dateOf(text: string, era: 'stated' | 'birth' = 'stated'): string | null {
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
export function readDays(written: readonly WrittenMoment[], offset: string | null): DaysRead {
  const ofFile = offset === null ? null : offsetOf(offset)
  const moments: Moment[] = []
  let capturedAt: string | null = null
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
  const isNearMidnight = hasOffset && distinct.every(({ here }) => daysBetween(here, first) <= 1)
  const isUnsure = distinct.length > 1 || !speaking.some(({ day, here, isSure }) => isSure && day === here)
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

function daysBetween(one: string, other: string): number {
  return Math.abs(Date.parse(one) - Date.parse(other)) / DAY
}
