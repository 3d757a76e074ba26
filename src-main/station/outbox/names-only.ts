/** Which cases rest on names alone: such a case leaves only with an approval. */
import type { Source } from '../../../src-shared/submission.ts'
import { fieldsColumn, identityColumn, type NamedOnly, sourcesColumn } from '../json-columns.ts'
import type { ImageRow, SubmissionRow } from './rows.ts'

/** Proof. Not the patient list, which is searched for the number in a name, nor the time of a file. */
const PROOF: readonly Source[] = ['sidecar', 'dicom', 'person']

/** A row of version 0.1 does not say which facts of an image only its name states: each may be one. */
const NOTHING_PROVEN: readonly NamedOnly[] = ['patient', 'visitDay']

/** Null in a row of version 0.1 that was not refreshed since. */
export function namedOnlyOf({ identity }: SubmissionRow): readonly NamedOnly[] | null {
  return identityColumn.read(identity).namedOnly ?? null
}

/**
 * Does any of it rest on names only: the patient, the day if one is sent, or the eye of an image that is sent? What a
 * person entered holds for the images that were there.
 */
export function restsOnNames(
  row: Pick<SubmissionRow, 'fields' | 'sources' | 'identity'>,
  images: readonly Pick<ImageRow, 'eye_source' | 'excluded_because' | 'twin_of'>[],
): boolean {
  const { history_number: patient, visit_date: visitDay } = sourcesColumn.read(row.sources)
  const { namedOnly = NOTHING_PROVEN, joinedAfterEntry = [] } = identityColumn.read(row.identity)
  const isProven = (source: Source | null | undefined, what: NamedOnly): boolean =>
    isProof(source) && !(namedOnly.includes(what) && (source !== 'person' || joinedAfterEntry.includes(what)))
  if (!isProven(patient, 'patient')) return true
  if (fieldsColumn.read(row.fields).visit_date !== undefined && !isProven(visitDay, 'visitDay')) return true
  const sent = images.filter((image) => image.excluded_because === null && image.twin_of === null)
  return sent.some((image) => !isProof(image.eye_source))
}

function isProof(source: Source | null | undefined): boolean {
  return source !== null && source !== undefined && PROOF.includes(source)
}
