/**
 * Names alone never leave unseen: a case whose patient, visit day or eye was read from the names of files and folders
 * leaves only after a person has approved its content (`approval-store.ts`). Pure.
 */
import type { Reason, Source } from '../../../src-shared/submission.ts'
import { fieldsColumn, identityColumn, sourcesColumn, type NamedOnly } from '../json-columns.ts'

/**
 * What counts as proof. The clinic's list of patients does not: it is searched for the number that a name gives. Nor
 * does the time of a file.
 */
const PROOF: readonly Source[] = ['sidecar', 'dicom', 'person']

/** Where the facts that must be right were read; null if nothing says where. */
export type ReadFrom = {
  readonly patient: Source | null
  /** `unstated`: no day is sent. */
  readonly visitDay: Source | null | 'unstated'
  /** Of each image that is sent. */
  readonly eyes: readonly (Source | null)[]
  /** What only the names of some image say, although another image or its data file proves it for the case. */
  readonly namedOnly: readonly NamedOnly[]
}

/** Does any of it rest on names only? What a person has entered holds for all images of the case. */
export function restsOnNames({ patient, visitDay, eyes, namedOnly }: ReadFrom): boolean {
  const isProven = (source: Source | null, what: NamedOnly): boolean =>
    source === 'person' || (isProof(source) && !namedOnly.includes(what))
  if (!isProven(patient, 'patient')) return true
  if (visitDay !== 'unstated' && !isProven(visitDay, 'visitDay')) return true
  return eyes.some((source) => !isProof(source))
}

/** Does this source state something by itself, and not by a name? */
function isProof(source: Source | null): boolean {
  return source !== null && PROOF.includes(source)
}

type CaseRow = { readonly fields: string; readonly sources: string; readonly identity: string }
type ImageOfCase = {
  readonly eye_source: Source | null
  readonly excluded_because: string | null
  readonly twin_of: string | null
}

/** The same, of the rows of a case. */
export function rowsRestOnNames(row: CaseRow, images: readonly ImageOfCase[]): boolean {
  const sources = sourcesColumn.read(row.sources)
  const { visit_date: day } = fieldsColumn.read(row.fields)
  const sent = images.filter((image) => image.excluded_because === null && image.twin_of === null)
  return restsOnNames({
    patient: sources.history_number ?? null,
    visitDay: day === undefined ? 'unstated' : (sources.visit_date ?? null),
    eyes: sent.map((image) => image.eye_source),
    namedOnly: identityColumn.read(row.identity).namedOnly ?? [],
  })
}

/** Shown beside a case that waits for a person because of this rule. */
export const READ_FROM_NAMES: Reason = {
  kind: 'readFromNames',
  message: 'Read from file names: please check the patient, the day and the eyes.',
}
