/** What became of the files, without what differs from run to run: ids, references, times, and the order of words. */
import { createHash } from 'node:crypto'
import type { Outbox } from '../../../../../src-main/station/outbox/outbox.ts'
import type { ImageRow } from '../../../../../src-main/station/outbox/rows.ts'
import type { Reason, Submission } from '../../../../../src-shared/submission.ts'
import type { PlannedFile, Statement } from './scenarios.ts'

/**
 * One image as every order of arrival must show it. Which of two names of the same bytes, and which of two exports of
 * one DICOM object, came first is not part of it: `picture` is the object's own UID, or the hash of the bytes.
 */
type ImageForm = {
  readonly picture: string
  readonly eye: string
  readonly eyeSource: string | null
  readonly twinOf: string | null
  readonly isExcluded: boolean
}

export type CaseForm = {
  readonly state: string
  readonly images: readonly ImageForm[]
  readonly fields: Readonly<Record<string, unknown>>
  readonly reasons: readonly string[]
}

function pictureOf(row: Pick<ImageRow, 'sop_uid' | 'sha256'>): string {
  return row.sop_uid ?? row.sha256
}

function alphabetical<Value>(values: readonly Value[]): Value[] {
  return values.toSorted((one, other) => (JSON.stringify(one) < JSON.stringify(other) ? -1 : 1))
}

/** Where sources disagree, all of them are asked about; whose word stands first until then is no promise. */
function formOfFields({ fields, sources, reasons }: Submission): CaseForm['fields'] {
  const disputed = new Set(
    reasons
      .filter(({ kind }) => kind === 'valueConflict' || kind === 'identityConflict')
      .map(({ field }) => field),
  )
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [
      name,
      [...disputed].includes(name as NonNullable<Reason['field']>)
        ? 'disputed'
        : { value, source: sources[name as keyof typeof sources] },
    ]),
  )
}

/** Every submission that is not thrown away. */
export function whatBecame(outbox: Outbox): readonly CaseForm[] {
  const open = outbox.submissions.list({ limit: 200 }).items.filter(({ state }) => state !== 'discarded')
  return alphabetical(
    open.map((submission) => {
      const rows = outbox.images.rows(submission.id)
      const named = new Map(rows.map((row) => [row.id, pictureOf(row)]))
      return {
        state: submission.state,
        images: alphabetical(
          rows.map((row) => ({
            picture: pictureOf(row),
            eye: row.eye,
            eyeSource: row.eye_source,
            twinOf: row.twin_of === null ? null : (named.get(row.twin_of) ?? 'in another case'),
            isExcluded: row.excluded_because !== null,
          })),
        ),
        fields: formOfFields(submission),
        reasons: alphabetical(
          submission.reasons.map(
            ({ kind, field, imageId }) =>
              `${kind} ${field ?? ''} ${imageId === undefined ? '' : (named.get(imageId) ?? 'another')}`,
          ),
        ),
      }
    }),
  )
}

/** The picture that a file shows, as a row of the outbox has it. */
function shownBy(file: PlannedFile): string | null {
  if (file.picture === null) return null
  return file.path.endsWith('.dcm') ? file.picture : createHash('sha256').update(file.bytes).digest('hex')
}

/** Sentences about what is wrong; none where all is well. */
export function wrongs(outbox: Outbox, files: readonly PlannedFile[]): readonly string[] {
  const found: string[] = []
  const stated = new Map<string, Statement[]>()
  for (const file of files) {
    const picture = shownBy(file)
    if (picture !== null) stated.set(picture, [...(stated.get(picture) ?? []), ...file.stated])
  }
  const open = outbox.submissions.list({ limit: 200 }).items.filter(({ state }) => state !== 'discarded')
  const rows = open.flatMap(({ id }) => outbox.images.rows(id))
  for (const picture of stated.keys()) {
    const times = rows.filter((row) => pictureOf(row) === picture).length
    if (times !== 1) found.push(`the picture ${picture} is in ${times} cases`)
  }
  for (const row of rows) if (!stated.has(pictureOf(row))) found.push(`nobody took ${row.file_name}`)
  for (const submission of open) {
    if (submission.reasons.length > 0) continue
    const own = outbox.images.rows(submission.id)
    for (const row of own) {
      const shown: ImageRow = own.find((other) => other.id === row.twin_of) ?? row
      for (const { patient, eye } of stated.get(pictureOf(row)) ?? []) {
        if (patient !== null && patient !== submission.fields.history_number)
          found.push(
            `${row.file_name} of ${patient} would go as ${submission.fields.history_number ?? 'nobody'}`,
          )
        if (eye !== null && eye !== shown.eye)
          found.push(`${row.file_name} of the ${eye} eye would go as ${shown.eye}`)
      }
    }
  }
  return found
}
