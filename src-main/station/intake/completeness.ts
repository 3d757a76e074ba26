/** What is still missing or unclear before a submission may go. Pure; each reason is a sentence for a photographer. */
import {
  AGE_RANGE,
  FIELD_NAMES,
  HARD_RANGES,
  measurementOf,
  type FieldName,
  type Fields,
} from '../../../src-shared/fields.ts'
import { EYE_CODES, type Eye } from '../../../src-shared/eye.ts'
import type { Reason, Submission } from '../../../src-shared/submission.ts'
import type { StoredIdentity } from '../outbox/submission-store.ts'
import { otherPatients } from './identity-claims.ts'
import type { Sidecar } from './recognition.ts'

export type JudgedImage = {
  readonly id: string
  readonly eye: Eye
  readonly isExcluded: boolean
  /** What the sources say where they disagree, such as "file name: OD". */
  readonly statements: readonly string[] | null
}

export type JudgedSubmission = {
  readonly fields: Fields
  readonly sources: Submission['sources']
  readonly images: readonly JudgedImage[]
  readonly identity: StoredIdentity
  readonly sidecar: Sidecar | null
  /** Why the sidecar beside the images could not be read. */
  readonly sidecarTrouble: string | null
  readonly addendumToReference: string | null
  /** References of other submissions that hold the same images. */
  readonly twins: readonly string[]
  readonly requiredFields: readonly FieldName[]
  readonly requireBothEyes: boolean
}

/** A field by the name that a clinic gives it. */
export function labelOf(name: FieldName): string {
  const measured = measurementOf(name)
  if (!measured) return name.replaceAll('_', ' ')
  return `${EYE_CODES[measured.eye]} ${measured.measurement.replaceAll('_', ' ')}`
}

function missingFields(judged: JudgedSubmission): Reason[] {
  return judged.requiredFields
    .filter((name) => judged.fields[name] === undefined || judged.fields[name] === '')
    .map((field) => ({ kind: 'fieldMissing', field, message: `The ${labelOf(field)} is missing. Enter it.` }))
}

function outOfRange(judged: JudgedSubmission): Reason[] {
  const reasons: Reason[] = []
  for (const field of FIELD_NAMES) {
    const value = judged.fields[field]
    if (typeof value !== 'number') continue
    const measured = measurementOf(field)
    const range = measured ? HARD_RANGES[measured.measurement] : field === 'age' ? AGE_RANGE : null
    if (!range || (value >= range.min && value <= range.max)) continue
    reasons.push({
      kind: 'valueOutOfRange',
      field,
      message: `The ${labelOf(field)} of ${value} is not possible (${range.min} to ${range.max}). Correct it or clear it.`,
    })
  }
  return reasons
}

/** A value in the sidecar that could not be used is a question until somebody has answered it. */
function rejectedValues(judged: JudgedSubmission): Reason[] {
  const reasons: Reason[] = []
  for (const { field, message } of judged.sidecar?.rejected ?? []) {
    const name = FIELD_NAMES.find((known) => known === field)
    if (name !== undefined && judged.sources[name] === 'person') continue
    reasons.push({ kind: 'valueOutOfRange', message, ...(name === undefined ? {} : { field: name }) })
  }
  return reasons
}

function eyes(judged: JudgedSubmission): Reason[] {
  const reasons: Reason[] = []
  const sent = judged.images.filter((image) => !image.isExcluded)
  if (sent.length === 0)
    reasons.push({ kind: 'noImages', message: 'There is no image to send. Add one, or discard this case.' })
  for (const image of sent) {
    if (image.statements) {
      const both = image.statements.join(', ')
      reasons.push({
        kind: 'eyeConflict',
        imageId: image.id,
        message: `The sources disagree about the eye of an image (${both}). Say which eye it is.`,
      })
    } else if (image.eye === 'unknown') {
      reasons.push({
        kind: 'eyeUnknown',
        imageId: image.id,
        message: 'Nothing states the eye of an image. Say which eye it is, or leave the image out.',
      })
    }
  }
  if (!judged.requireBothEyes || sent.length === 0) return reasons
  for (const eye of ['right', 'left'] as const) {
    if (sent.some((image) => image.eye === eye || image.eye === 'unknown')) continue
    reasons.push({
      kind: 'eyeImageMissing',
      message: `There is no image of the ${eye} eye (${EYE_CODES[eye]}). Take one, or leave an image out with the reason why there is none.`,
    })
  }
  return reasons
}

/** Which ids speak against each other, the stated one first; none where all is well. */
function contradictingIds(judged: JudgedSubmission): readonly string[] {
  const { conflict, historyNumber, idsInPaths } = judged.identity
  const ids = [
    ...new Set([
      ...(typeof historyNumber === 'string' ? [historyNumber] : []),
      ...idsInPaths,
      ...(conflict ?? []),
    ]),
  ]
  const stated = judged.sidecar?.fields.history_number
  if (stated === undefined) return conflict !== null || ids.length > 1 ? ids : []
  // Names of one shape that differ are of different patients, whatever the sidecar's id looks like.
  const rivals = ids.filter((id) => otherPatients(ids, id).length > 0)
  const others = [...new Set([...otherPatients(ids, stated), ...rivals])]
  return others.length > 0 ? [...new Set([stated, ...others])] : []
}

function identity(judged: JudgedSubmission): Reason[] {
  if (judged.sources.history_number === 'person') return []
  const ids = contradictingIds(judged)
  if (ids.length === 0) return []
  return [
    {
      kind: 'identityConflict',
      field: 'history_number',
      message: `These images may belong to different patients (${ids.join(', ')}). Check them and enter the right history number.`,
    },
  ]
}

function twins(judged: JudgedSubmission): Reason[] {
  if (judged.twins.length === 0 || judged.identity.isAddendumAccepted) return []
  const message = `An image of this case is part of ${judged.twins.join(', ')}, too. Approve it only if it is to be sent all the same, or discard it.`
  return [{ kind: 'looksLikeDuplicate', message }]
}

/** All reasons, in the order in which a person works through them; none means that it may go. */
export function reasonsOf(judged: JudgedSubmission): Reason[] {
  const reasons = [
    ...identity(judged),
    ...missingFields(judged),
    ...outOfRange(judged),
    ...rejectedValues(judged),
    ...eyes(judged),
    ...twins(judged),
  ]
  const isTouched = Object.values(judged.sources).includes('person')
  if (judged.sidecarTrouble !== null && !isTouched) {
    reasons.unshift({ kind: 'sidecarUnreadable', message: judged.sidecarTrouble })
  }
  if (judged.addendumToReference !== null && !judged.identity.isAddendumAccepted) {
    reasons.push({
      kind: 'lateImage',
      message: `These images came after ${judged.addendumToReference}, of the same folder and name, was on its way. Approve them as a case of their own, or discard them.`,
    })
  }
  return reasons
}

/**
 * May this go without a person's look, where the folder allows it?
 *
 * Only with an identity that somebody stated, or that folder and file name agree on; never with a visit date that
 * was taken from a file's time.
 */
export function mayGoUnseen(given: Pick<JudgedSubmission, 'sources' | 'identity'>): boolean {
  const source = given.sources.history_number
  const isStated =
    source === 'sidecar' || source === 'dicom' || source === 'patientList' || source === 'person'
  return (isStated || given.identity.certainty === 'agreed') && given.sources.visit_date !== 'fileTime'
}
