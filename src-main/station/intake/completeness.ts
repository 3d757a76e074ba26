/** Why a submission may not be sent yet, and what is unusual about it but blocks nothing. Pure. */
import { DAY } from '../../../src-shared/durations.ts'
import {
  AGE_RANGE,
  EYE_PREFIXES,
  FIELD_NAMES,
  type FieldName,
  type Fields,
  measurementOf,
} from '../../../src-shared/fields.ts'
import {
  type Eye,
  type EyesDiffering,
  eyesDifferingIn,
  hardRangeOf,
  isInRange,
  usualRangeOf,
  type VaUnit,
} from '../../../src-shared/measurement-ranges.ts'
import type { Reason, Submission, Warning } from '../../../src-shared/submission.ts'
import { type Message, worded, wordingOf } from '../../../src-shared/wording.ts'
import type { StoredIdentity } from '../json-columns.ts'
import { type ComposedContent, type EyeStatement, otherPatients, type Sidecar } from './evidence.ts'

/** An image as far as the checks need it. */
export type CheckedImage = {
  readonly id: string
  readonly eye: Eye
  readonly isExcluded: boolean
  /** The statements of disagreeing sources. */
  readonly statements: readonly EyeStatement[] | null
  /** Why the image's own statement of its eye was unusable, if no person has chosen the eye. */
  readonly eyeProblem: Message | null
}

export type CheckedSubmission = {
  readonly fields: Fields
  readonly sources: Submission['sources']
  readonly images: readonly CheckedImage[]
  readonly identity: StoredIdentity
  /** Fields on which two sources disagree. */
  readonly disagreements: ComposedContent['disagreements']
  /** Unusable values of data files. */
  readonly rejected: Sidecar['rejected']
  /** Why the sidecar beside the images could not be read. */
  readonly sidecarProblem: Message | null
  /** The image arrived between the data files of two visits in one folder: it may belong to either. */
  readonly isRecordDoubtful: boolean
  readonly addendumToReference: string | null
  /** References of other submissions with the same images. */
  readonly twins: readonly string[]
  readonly requiredFields: readonly FieldName[]
  readonly requireBothEyes: boolean
  readonly vaUnit: VaUnit
  readonly noImageBecause: Submission['noImageBecause']
  /** The local day, `YYYY-MM-DD`. */
  readonly today: string
}

const FIRST_VISIT_DAY = '1990-01-01'

/** The ids that contradict one another, the stated one first; empty if there is no contradiction. */
export function contradictingIds(submission: Pick<CheckedSubmission, 'identity'>): readonly string[] {
  const { conflict, idsInPaths, statedIds } = submission.identity
  const [stated, ...more] = statedIds
  const ids = [...new Set([...idsInPaths, ...(conflict ?? [])])]
  if (stated === undefined) return conflict !== null || ids.length > 1 ? ids : []
  if (more.length > 0 && conflict !== null) return [...new Set([...statedIds, ...conflict])]
  // Different names of one shape belong to different patients, whatever the sidecar's id looks like.
  const rivals = ids.filter((id) => otherPatients(ids, id).length > 0)
  const others = [...new Set([...otherPatients(ids, stated), ...rivals])]
  return others.length > 0 ? [...new Set([stated, ...others])] : []
}

/** All reasons, in the order in which a person works through them; without any, it may be sent. */
export function reasonsOf(submission: CheckedSubmission): Reason[] {
  const reasons = [
    ...identityReasons(submission),
    ...missingFields(submission),
    ...disagreementReasons(submission),
    ...outOfRange(submission),
    ...missingHalves(submission),
    ...visitDayReasons(submission),
    ...rejectedValues(submission),
    ...eyeReasons(submission),
    ...twinReasons(submission),
  ]
  const isTouched = Object.values(submission.sources).includes('person')
  if (submission.sidecarProblem !== null && !isTouched) {
    reasons.unshift({ kind: 'sidecarUnreadable', ...submission.sidecarProblem })
  }
  if (submission.addendumToReference !== null && !submission.identity.isAddendumAccepted) {
    reasons.push({
      kind: 'lateImage',
      references: [submission.addendumToReference],
      ...worded('intake:reason.lateImage', { reference: submission.addendumToReference }),
    })
  }
  return reasons
}

function twinReasons(submission: CheckedSubmission): Reason[] {
  if (submission.twins.length === 0 || submission.identity.isAddendumAccepted) return []
  const references = [...submission.twins]
  return [
    {
      kind: 'looksLikeDuplicate',
      ...worded('intake:reason.twin', { references: references.join(', ') }),
      references,
    },
  ]
}

function identityReasons(submission: CheckedSubmission): Reason[] {
  if (submission.sources.history_number === 'person') return []
  const ids = contradictingIds(submission)
  if (ids.length === 0 && !submission.isRecordDoubtful) return []
  const message =
    ids.length === 0
      ? worded('intake:reason.recordDoubtful')
      : worded('intake:reason.otherPatients', { ids: ids.join(', ') })
  return [{ kind: 'identityConflict', field: 'history_number', ...message }]
}

/** Fields on which two sources disagree: both values are shown, and a person decides. */
function disagreementReasons(submission: CheckedSubmission): Reason[] {
  return submission.disagreements.map(({ field, statements }) => {
    const stated = statements.map(({ source, value }) =>
      wordingOf('intake:stated', { source: wordingOf(`intake:source.${source}`), value }),
    )
    return {
      kind: 'valueConflict',
      field,
      ...worded('intake:reason.valueConflict', { field: wordingOf(`field:label.${field}`), stated }),
    }
  })
}

function eyeReasons(submission: CheckedSubmission): Reason[] {
  const reasons: Reason[] = []
  const sent = submission.images.filter((image) => !image.isExcluded)
  if (sent.length === 0) reasons.push({ kind: 'noImages', ...worded('intake:reason.noImages') })
  for (const { id: imageId, eye, statements, eyeProblem } of sent) {
    if (statements) {
      const stated = statements.map((statement) =>
        wordingOf('intake:stated', {
          source: wordingOf(`intake:source.${statement.source}`),
          value: wordingOf(`field:eye.${statement.value}.short`),
        }),
      )
      reasons.push({ kind: 'eyeConflict', imageId, ...worded('intake:reason.eyeConflict', { stated }) })
    } else if (eyeProblem) reasons.push({ kind: 'eyeConflict', imageId, ...eyeProblem })
    else if (eye === 'unknown')
      reasons.push({ kind: 'eyeUnknown', imageId, ...worded('intake:reason.eyeUnknown') })
  }
  if (!submission.requireBothEyes || sent.length === 0) return reasons
  for (const eye of ['right', 'left'] as const) {
    const isLeftOut = submission.images.some((image) => image.isExcluded && image.eye === eye)
    if (isLeftOut || submission.noImageBecause[eye] !== undefined) continue
    if (sent.some((image) => image.eye === eye || image.eye === 'unknown')) continue
    reasons.push({ kind: 'eyeImageMissing', ...worded(`intake:reason.eyeImageMissing.${eye}`) })
  }
  return reasons
}

/** An unusable value in the sidecar is a question until a person has answered it. */
function rejectedValues(submission: CheckedSubmission): Reason[] {
  const reasons: Reason[] = []
  for (const { field, message, wording } of submission.rejected) {
    const name = FIELD_NAMES.find((known) => known === field)
    if (name !== undefined && submission.sources[name] === 'person') continue
    reasons.push({
      kind: 'valueOutOfRange',
      message,
      ...(wording && { wording }),
      ...(name && { field: name }),
    })
  }
  return reasons
}

/** Camera clocks and time zones are off by hours, never by more than a day. */
function visitDayReasons(submission: CheckedSubmission): Reason[] {
  const day = submission.fields.visit_date
  if (day === undefined) return []
  const isFuture = Date.parse(day) - Date.parse(submission.today) > DAY
  if (!isFuture && day >= FIRST_VISIT_DAY) return []
  const message = worded(isFuture ? 'intake:reason.visitInFuture' : 'intake:reason.visitTooOld')
  return [{ kind: 'valueOutOfRange', field: 'visit_date', ...message }]
}

/** An axis without its cylinder is useless, and a cylinder without its axis too. The same holds for prisms. */
function missingHalves(submission: CheckedSubmission): Reason[] {
  const reasons: Reason[] = []
  for (const eye of EYE_PREFIXES) {
    for (const [whole, half] of [
      [`${eye}_cylinder`, `${eye}_axis`],
      [`${eye}_prism`, `${eye}_prism_base`],
    ] as const) {
      const value = submission.fields[whole]
      if (value === undefined || value === 0 || submission.fields[half] !== undefined) continue
      const values = { half: wordingOf(`field:label.${half}`), whole: wordingOf(`field:label.${whole}`) }
      reasons.push({ kind: 'fieldMissing', field: half, ...worded('intake:reason.halfMissing', values) })
    }
  }
  return reasons
}

function outOfRange(submission: CheckedSubmission): Reason[] {
  const reasons: Reason[] = []
  for (const field of FIELD_NAMES) {
    const value = submission.fields[field]
    if (typeof value !== 'number') continue
    const measured = measurementOf(field)
    const range = measured
      ? hardRangeOf(measured.measurement, submission.vaUnit)
      : field === 'age'
        ? AGE_RANGE
        : null
    const isWhole = field !== 'age' || Number.isInteger(value)
    if (!range || (isWhole && isInRange(value, range))) continue
    reasons.push({
      kind: 'valueOutOfRange',
      field,
      ...worded('intake:reason.impossible', { field: wordingOf(`field:label.${field}`), value, ...range }),
    })
  }
  return reasons
}

function missingFields(submission: CheckedSubmission): Reason[] {
  return submission.requiredFields
    .filter((name) => submission.fields[name] === undefined || submission.fields[name] === '')
    .map((field) => ({
      kind: 'fieldMissing',
      field,
      ...worded('intake:reason.fieldMissing', { field: wordingOf(`field:label.${field}`) }),
    }))
}

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
