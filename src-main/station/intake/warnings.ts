/** Unusual facts about a submission that block nothing. Pure; each warning is a sentence for a photographer. */
import { DAY } from '../../../src-shared/durations.ts'
import { FIELD_NAMES, type FieldName, type Fields, measurementOf } from '../../../src-shared/fields.ts'
import {
  type Eye,
  EYE_CODES,
  type EyesDiffering,
  eyesDifferingIn,
  isInRange,
  labelOf,
  usualRangeOf,
  type VaUnit,
} from '../../../src-shared/measurement-ranges.ts'
import type { Submission, Warning } from '../../../src-shared/submission.ts'

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
  /** Sentences about names that a pattern could not read in full. */
  readonly unclear: readonly string[]
  /** Sentences about unusable statements of images. */
  readonly rejectedValues: readonly string[]
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

const DIFFERENCES: Readonly<Record<EyesDiffering, Pick<Warning, 'field' | 'message'>>> = {
  sphereSigns: {
    field: 'os_sphere',
    message: 'The spheres of the eyes differ in sign. Check for a typing error.',
  },
  spheres: {
    field: 'os_sphere',
    message: 'The spheres of the eyes differ by more than 6 dioptres. Check for a typing error.',
  },
  pressures: {
    field: 'os_iop',
    message: 'The pressures of the eyes differ by more than 8 mmHg. Check for a typing error.',
  },
}

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
            message: `A case of this patient and day was sent before (${sentBefore.join(', ')}). Check that this is not the same visit.`,
          },
        ]
  return [
    ...before,
    ...images.flatMap((image) => image.oddities.map((oddity) => ({ ...oddity, imageId: image.id }))),
    ...imagesPerEye(input),
    ...inOtherUnits(input),
    ...unusualValues(input),
    ...differingEyes(input),
    ...unclear.map((message): Warning => ({ kind: 'nameUnclear', message })),
    ...rejectedValues.map((message): Warning => ({ kind: 'valueNotTaken', message })),
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
        message: `There are ${counts[eye]} images of the ${eye} eye (${EYE_CODES[eye]}). Check that all are of this visit.`,
      })
    const isMissing = counts[eye] === 0 && counts.unknown === 0 && sent.length > 0
    if (isMissing && !requireBothEyes && noImageBecause[eye] === undefined)
      oddities.push({
        kind: 'eyeWithoutImage',
        message: `There is no image of the ${eye} eye (${EYE_CODES[eye]}).`,
      })
  }
  return oddities
}

function differingEyes({ fields }: WarningInput): Warning[] {
  return eyesDifferingIn(fields).map((what) => ({ kind: 'eyesDiffer', ...DIFFERENCES[what] }))
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
      message: `The ${labelOf(field)} of ${value} is unusual (most are ${usual.min} to ${usual.max}). It is sent as it is.`,
    })
  }
  if (fields.age !== undefined && fields.age > OLDEST_USUAL_AGE)
    oddities.push({ kind: 'unusualValue', field: 'age', message: `An age of ${fields.age} is unusual.` })
  const day = fields.visit_date
  if (day !== undefined && Date.parse(today) - Date.parse(day) > OLD_VISIT_DAYS * DAY)
    oddities.push({
      kind: 'unusualValue',
      field: 'visit_date',
      message: `The visit date is more than ${OLD_VISIT_DAYS} days ago. Check it if this is a new case.`,
    })
  return oddities
}

/** Nothing converts a value: only a person knows the unit it was meant in. */
function inOtherUnits({ fields, unitChanged = [] }: WarningInput): Warning[] {
  return unitChanged
    .filter((field) => fields[field] !== undefined)
    .map((field) => ({
      kind: 'unusualValue',
      field,
      message: `The unit in the settings was changed after the ${labelOf(field)} of ${fields[field]} was written. It is sent as it is: check that it is right in the new unit.`,
    }))
}
