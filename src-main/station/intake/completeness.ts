/**
 * The content of a submission: the value of each field with its source, disagreements between sources, and the
 * reasons why it may not be sent yet. Pure.
 */
import { DAY } from '../../../src-shared/durations.ts'
import {
  AGE_RANGE,
  EYE_PREFIXES,
  FIELD_NAMES,
  type FieldName,
  type Fields,
  measurementOf,
} from '../../../src-shared/fields.ts'
import { type Eye, hardRangeOf, isInRange, type VaUnit } from '../../../src-shared/measurement-ranges.ts'
import type { Reason, Source, Submission } from '../../../src-shared/submission.ts'
import { type Message, worded, wordingOf } from '../../../src-shared/wording.ts'
import type { StoredIdentity } from '../json-columns.ts'
import { type EyeStatement, otherPatients, type Sidecar } from './evidence.ts'
import type { FieldStatement, Statements } from './visits/identity.ts'

type Disagreement = { readonly field: FieldName; readonly statements: readonly FieldStatement[] }

export type ComposedContent = {
  readonly fields: Fields
  readonly sources: Submission['sources']
  /** Fields on which two sources disagree and no person has decided. */
  readonly disagreements: readonly Disagreement[]
}

export type ContentInput = {
  /** The current content of the submission. A value that a person stated, even an empty one, is never overwritten. */
  readonly fields: Fields
  readonly sources: Submission['sources']
  readonly statements: Statements
  /** The day of the oldest file, used if nothing states the day of the visit. */
  readonly dayOfFiles: string | null
}

/** Free text: two sources rarely agree, and neither is wrong. */
const NEVER_DISAGREE: readonly FieldName[] = [
  'visit_reason',
  'ophthalmic_antecedents',
  'other_relevant_info',
  'retinologist_notes',
  // Ids are compared elsewhere, by their shapes.
  'history_number',
]

/** The value of the first source wins; it is shown with the others until a person has decided. */
export function composeContent(input: ContentInput): ComposedContent {
  const fields: Partial<Record<FieldName, Fields[FieldName]>> = {}
  const sources: Submission['sources'] = {}
  const disagreements: Disagreement[] = []
  for (const name of FIELD_NAMES) {
    const found = valueOf(name, input)
    if (!found) continue
    sources[name] = found.source
    if (found.value !== undefined) fields[name] = found.value
    const statements = input.statements[name] ?? []
    const [first] = statements
    const isDisputed =
      first !== undefined && statements.some(({ value }) => !isAlike(name, value, first.value))
    if (isDisputed && found.source !== 'person' && !NEVER_DISAGREE.includes(name))
      disagreements.push({ field: name, statements })
  }
  return { fields: fields as Fields, sources, disagreements }
}

function isAlike(name: FieldName, one: FieldStatement['value'], other: FieldStatement['value']): boolean {
  // Stated ages are rounded in either direction, and a birthday may lie in between.
  if (name === 'age') return Math.abs(Number(one) - Number(other)) <= 1
  if (typeof one === 'string' && typeof other === 'string' && name !== 'visit_date')
    return normalizedName(one) === normalizedName(other)
  return one === other
}

/** `Ana-María` and `ANA MARIA` are one name. */
function normalizedName(text: string): string {
  const terms = text
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
  return terms
    .filter((term) => term !== '')
    .toSorted()
    .join(' ')
}

function valueOf(
  name: FieldName,
  input: ContentInput,
): { readonly value: Fields[FieldName]; readonly source: Source } | null {
  if (input.sources[name] === 'person') return { value: input.fields[name], source: 'person' }
  const [first] = input.statements[name] ?? []
  if (first) return first
  if (name === 'visit_date' && input.dayOfFiles !== null)
    return { value: input.dayOfFiles, source: 'fileTime' }
  return null
}

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
  readonly disagreements: readonly Disagreement[]
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
