/** What became of the files, without what differs from run to run: ids, references, times, and the order of words. */
import { createHash } from 'node:crypto'
import type { Outbox } from '../../../../../src-main/station/outbox/outbox.ts'
import type { ImageRow } from '../../../../../src-main/station/outbox/rows.ts'
import type { FieldName } from '../../../../../src-shared/fields.ts'
import type { StoredSubmission } from '../../../../../src-main/station/outbox/submissions.ts'
import type { PlannedFile, Statement } from './scenarios.ts'

export type CaseForm = ReturnType<typeof formOf>

/**
 * Which of two names of the same bytes, and which of two exports of one DICOM object, came first is not part of what
 * every order must show: a picture is the object's own UID, or the hash of the bytes.
 */
function pictureOf(row: Pick<ImageRow, 'sop_uid' | 'sha256'>): string {
  return row.sop_uid ?? row.sha256
}

function alphabetical<Value>(values: readonly Value[]): Value[] {
  return values.toSorted((one, other) => (JSON.stringify(one) < JSON.stringify(other) ? -1 : 1))
}

function formOf(outbox: Outbox, { id, state, fields, sources, reasons }: StoredSubmission) {
  const rows = outbox.imageRowsOf(id)
  const named = new Map(rows.map((row) => [row.id, pictureOf(row)]))
  // Where sources disagree, all of them are asked about; whose word stands first until then is no promise.
  const disputed = new Set(
    reasons.flatMap(({ kind, field }) =>
      kind === 'valueConflict' || kind === 'identityConflict' ? (field ?? []) : [],
    ),
  )
  return {
    state,
    images: alphabetical(
      rows.map((row) => ({
        picture: pictureOf(row),
        eye: row.eye,
        eyeSource: row.eye_source,
        twinOf: row.twin_of === null ? null : (named.get(row.twin_of) ?? 'in another case'),
        isExcluded: row.excluded_because !== null,
      })),
    ),
    fields: Object.fromEntries(
      (Object.keys(fields) as FieldName[]).map((name) => [
        name,
        disputed.has(name) ? 'disputed' : { value: fields[name], source: sources[name] },
      ]),
    ),
    reasons: alphabetical(
      reasons.map(
        ({ kind, field, imageId }) =>
          `${kind} ${field ?? ''} ${imageId === undefined ? '' : (named.get(imageId) ?? 'another')}`,
      ),
    ),
  }
}

function openCases(outbox: Outbox): StoredSubmission[] {
  return outbox.listSubmissions({ limit: 200 }).items.filter(({ state }) => state !== 'discarded')
}

/** Every submission that is not thrown away. */
export function whatBecame(outbox: Outbox): readonly CaseForm[] {
  return alphabetical(openCases(outbox).map((submission) => formOf(outbox, submission)))
}

/** Sentences about what is wrong; none where all is well. */
export function wrongs(outbox: Outbox, files: readonly PlannedFile[]): readonly string[] {
  const found: string[] = []
  /** What is stated of each picture, as a row of the outbox names it. */
  const stated = new Map<string, Statement[]>()
  for (const { picture, path, bytes, stated: own } of files) {
    if (picture === null) continue
    const shown = path.endsWith('.dcm') ? picture : createHash('sha256').update(bytes).digest('hex')
    stated.set(shown, [...(stated.get(shown) ?? []), ...own])
  }
  const open = openCases(outbox)
  const rows = open.flatMap(({ id }) => outbox.imageRowsOf(id))
  for (const picture of stated.keys()) {
    const times = rows.filter((row) => pictureOf(row) === picture).length
    if (times !== 1) found.push(`the picture ${picture} is in ${times} cases`)
  }
  for (const row of rows) if (!stated.has(pictureOf(row))) found.push(`no one took ${row.file_name}`)
  for (const { id, fields } of open.filter(({ reasons }) => reasons.length === 0)) {
    const own = outbox.imageRowsOf(id)
    for (const row of own) {
      const shown = own.find((other) => other.id === row.twin_of) ?? row
      for (const { patient, eye } of stated.get(pictureOf(row)) ?? []) {
        if (patient !== null && patient !== fields.history_number)
          found.push(`${row.file_name} of ${patient} would go as ${fields.history_number ?? 'no one'}`)
        if (eye !== null && eye !== shown.eye)
          found.push(`${row.file_name} of the ${eye} eye would go as ${shown.eye}`)
      }
    }
  }
  return found
}
