/** What a data file says of cases that no file changes any more: a person hears of it, since nothing else comes of it. */
import type { FieldName, Fields } from '../../../src-shared/fields.ts'
import type { Source } from '../../../src-shared/submission.ts'
import { labelOf } from '../field-labels.ts'
import type { SidecarMatch } from '../outbox/sidecar-store.ts'
import type { SubmissionRow } from '../outbox/submission-rows.ts'
import type { Sidecar } from './recognition.ts'
import type { TakeInContext } from './take-image.ts'
import { stemKeyOf } from './visits/twins.ts'
import { visitFolderOf } from './visits/visit-folder.ts'

export type LateData = {
  readonly submissionId: string
  readonly reference: string
  /** What the case lacks, or holds otherwise out of an earlier data file. */
  readonly fields: readonly FieldName[]
}

/** More cases than these are counted off by an ellipsis: the activity of each names it. */
const MOST_NAMED = 3

/** The cases of a record that were tried to be sent before it came, where it says something else of them. */
export function lateDataOf(
  context: TakeInContext,
  folderPath: string,
  record: Sidecar,
  matches: readonly SidecarMatch[],
): readonly LateData[] {
  const reached = matches.flatMap((match) => submissionsReached(context, folderPath, record, match))
  const byId = new Map(reached.map((row) => [row.id, row]))
  return [...byId.values()].flatMap((row) => {
    const ours = JSON.parse(row.fields) as Fields
    if (row.attempts === 0 || row.state === 'discarded' || !isOfVisit(record.fields, ours)) return []
    const sources = JSON.parse(row.sources) as Partial<Record<FieldName, Source>>
    const fields = (Object.keys(record.fields) as FieldName[]).filter(
      (name) =>
        record.fields[name] !== ours[name] && (ours[name] === undefined || sources[name] === 'sidecar'),
    )
    return fields.length === 0 ? [] : [{ submissionId: row.id, reference: row.reference, fields }]
  })
}

function submissionsReached(
  { outbox }: TakeInContext,
  folderPath: string,
  { fields }: Sidecar,
  { kind, key }: SidecarMatch,
): readonly SubmissionRow[] {
  switch (kind) {
    case 'file':
      return [key, stemKeyOf(key)].flatMap((stem) =>
        outbox.imagesOfStem(folderPath, stem).flatMap((image) => outbox.rowOf(image.submission_id) ?? []),
      )
    case 'patient':
      // Without a day it speaks of the patient now, and not of each visit that ever was.
      return fields.visit_date === undefined
        ? []
        : outbox.submissionsOfGroupsFrom(folderPath, JSON.stringify(['patient', key]).slice(0, -1))
    case 'directory':
      return outbox
        .submissionsUnder(folderPath, key)
        .filter((row) => outbox.imageRowsOf(row.id).some((image) => visitFolderOf(image.file_name) === key))
  }
}

/** In some folders the same file is written anew for each patient: what it says of the next is not late. */
function isOfVisit(theirs: Fields, ours: Fields): boolean {
  return (['history_number', 'visit_date'] as const).every(
    (name) => theirs[name] === undefined || ours[name] === undefined || theirs[name] === ours[name],
  )
}

/** One sentence on all that came late in a file. */
export function lateDataSentence(late: readonly LateData[]): string {
  const references = late.slice(0, MOST_NAMED).map(({ reference }) => reference)
  const named = [...references, ...(late.length > MOST_NAMED ? ['\u2026'] : [])].join(', ')
  const labels = [...new Set(late.flatMap(({ fields }) => fields))].map(labelOf).join(', ')
  return `It came when the sending of ${named} had begun already, and says something else: ${labels}. Nothing was changed there. Compare it with the case, and enter what is missing there or tell the reading service.`
}
