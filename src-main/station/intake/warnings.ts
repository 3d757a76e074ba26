/** Unusual facts about a submission that block nothing. Pure. */
import { DAY } from '../../../src-shared/durations.ts'
import { FIELD_NAMES, type FieldName, type Fields, measurementOf } from '../../../src-shared/fields.ts'
import {
  type Eye,
  type EyesDiffering,
  eyesDifferingIn,
  isInRange,
  usualRangeOf,
  type VaUnit,
} from '../../../src-shared/measurement-ranges.ts'
import type { Submission, Warning } from '../../../src-shared/submission.ts'
import { type Message, worded, wordingOf } from '../../../src-shared/wording.ts'

export type WarningImage = {
  readonly id: string
  readonly eye: Eye
  readonly isSent: boolean
  /** Warnings from inspecting the picture itself. */
  readonly oddities: readonly Warning[]
}

export type WarningInput = {
  readonly fields: Fields
  readonly images: readonly WarningImage[]
  readonly vaUnit: VaUnit
  readonly requireBothEyes: boolean
  readonly noImageBecause: Submission['noImageBecause']
  /** About names that a pattern could not read in full. */
  readonly unclear: readonly Message[]
  /** About unusable statements of images. */
  readonly rejectedValues: readonly Message[]
  /** References of sent submissions of the same patient and day. */
  readonly sentBefore: readonly string[]
  readonly today: string
  /** Values entered in another unit than the current one. */
  readonly unitChanged?: readonly FieldName[]
}

/** More pictures of one eye than any protocol requires may be of two patients. */
const MANY_OF_ONE_EYE = 8

const OLD_VISIT_DAYS = 30

const OLDEST_USUAL_AGE = 110

const DIFFERING_FIELDS = {
  sphereSigns: 'os_sphere',
  spheres: 'os_sphere',
  pressures: 'os_iop',
} as const satisfies Record<EyesDiffering, FieldName>

/** All warnings, in the order in which a person would check them. */
export function warningsOf(input: WarningInput): Warning[] {
  const { images, unclear, rejectedValues, sentBefore } = input
  const before: Warning[] =
    sentBefore.length === 0
      ? []
      : [
          {
            kind: 'sentBefore',
            references: [...sentBefore],
            ...worded('intake:warning.sentBefore', { references: sentBefore.join(', ') }),
          },
        ]
  return [
    ...before,
    ...images.flatMap((image) => image.oddities.map((oddity) => ({ ...oddity, imageId: image.id }))),
    ...imagesPerEye(input),
    ...inOtherUnits(input),
    ...unusualValues(input),
    ...differingEyes(input),
    ...unclear.map((message): Warning => ({ kind: 'nameUnclear', ...message })),
    ...rejectedValues.map((message): Warning => ({ kind: 'valueNotTaken', ...message })),
  ]
}

function imagesPerEye({ images, requireBothEyes, noImageBecause }: WarningInput): Warning[] {
  const sent = images.filter((image) => image.isSent)
  const oddities: Warning[] = []
  const counts = { right: 0, left: 0, unknown: 0 }
  for (const image of sent) counts[image.eye] += 1
  for (const eye of ['right', 'left'] as const) {
    if (counts[eye] > MANY_OF_ONE_EYE)
      oddities.push({
        kind: 'imageCount',
        ...worded(`intake:warning.manyOfOneEye.${eye}`, { number: counts[eye] }),
      })
    const isMissing = counts[eye] === 0 && counts.unknown === 0 && sent.length > 0
    if (isMissing && !requireBothEyes && noImageBecause[eye] === undefined)
      oddities.push({
        kind: 'eyeWithoutImage',
        ...worded(`intake:warning.eyeWithoutImage.${eye}`),
      })
  }
  return oddities
}

function differingEyes({ fields }: WarningInput): Warning[] {
  return eyesDifferingIn(fields).map((what) => ({
    kind: 'eyesDiffer',
    field: DIFFERING_FIELDS[what],
    ...worded(`intake:warning.eyesDiffer.${what}`),
  }))
}

function unusualValues({ fields, vaUnit, today }: WarningInput): Warning[] {
  const oddities: Warning[] = []
  for (const field of FIELD_NAMES) {
    const measured = measurementOf(field)
    const value = fields[field]
    if (!measured || typeof value !== 'number') continue
    const usual = usualRangeOf(measured.measurement, vaUnit)
    if (isInRange(value, usual)) continue
    oddities.push({
      kind: 'unusualValue',
      field,
      ...worded('intake:warning.unusual', { field: wordingOf(`field:label.${field}`), value, ...usual }),
    })
  }
  if (fields.age !== undefined && fields.age > OLDEST_USUAL_AGE)
    oddities.push({
      kind: 'unusualValue',
      field: 'age',
      ...worded('intake:warning.unusualAge', { age: fields.age }),
    })
  const day = fields.visit_date
  if (day !== undefined && Date.parse(today) - Date.parse(day) > OLD_VISIT_DAYS * DAY)
    oddities.push({
      kind: 'unusualValue',
      field: 'visit_date',
      ...worded('intake:warning.oldVisit', { days: OLD_VISIT_DAYS }),
    })
  return oddities
}

/** Nothing converts a value: only a person knows the unit it was meant in. */
function inOtherUnits({ fields, unitChanged = [] }: WarningInput): Warning[] {
  return unitChanged.flatMap((field) => {
    const value = fields[field]
    if (value === undefined) return []
    const values = { field: wordingOf(`field:label.${field}`), value }
    return [{ kind: 'unusualValue', field, ...worded('intake:warning.otherUnit', values) }]
  })
}
