/** Cases that persons found wrong after they were sent: the note with its alarm, and the case that corrects one. */
import { randomUUID } from 'node:crypto'
import { basename } from 'node:path'
import type { Image, SentWrongly, SubmissionDetails } from '../../../src-shared/submission.ts'
import { worded } from '../../../src-shared/wording.ts'
import { sentWronglyColumn } from '../json-columns.ts'
import type { Store } from './database.ts'
import { raiseAlarm, settleAlarm } from './oversight.ts'

type Other = NonNullable<SubmissionDetails['replaces']>
type Actor = { readonly by: string | null; readonly at: number }

/** Writes the note, or takes it back (null); its alarm follows. The state of the case and what was sent stay. */
export function noteSentWrongly(store: Store, id: string, note: SentWrongly | null, actor: Actor): void {
  store.write(() => {
    store.run`
      UPDATE submissions SET sent_wrongly = ${note && JSON.stringify(note)}, changed_at = ${actor.at}
      WHERE id = ${id}`
    // The copies of its reports have another name from now on.
    store.run`UPDATE report_versions SET saved_at = NULL WHERE submission_id = ${id}`
    followNote(store, id, actor)
    store.touch(id)
  })
}

/** The alarm of a case stays as long as its note has no call, also after the outbox was rebuilt. */
export function followNote(store: Store, id: string, { by, at }: Actor): void {
  const row = store.row<{ readonly note: string; readonly case_id: string }>`
    SELECT sent_wrongly AS note, case_id FROM submissions WHERE id = ${id} AND sent_wrongly IS NOT NULL`
  const note = row && sentWronglyColumn.canRead(row.note) ? sentWronglyColumn.read(row.note) : null
  if (row && note?.call === null) {
    const alarm = { kind: 'sentWrongly' as const, submissionId: id, caseIds: [row.case_id], at: note.at }
    raiseAlarm(store, { ...alarm, ...worded('sending:sentWrongly') })
    return
  }
  const open = store.values<string>`
    SELECT id FROM alarms WHERE submission_id = ${id} AND kind = 'sentWrongly' AND settled_at IS NULL`
  for (const alarm of open) settleAlarm(store, alarm, { by, why: null, at })
}

/** The case that this one corrects, and the one that corrects it: one that was discarded does not. */
export function correctionsOf(store: Store, id: string) {
  const columns = 'SELECT id, reference, case_id AS caseId FROM submissions'
  const find = (condition: string) => store.row<Other>(`${columns} WHERE ${condition}`, id) ?? null
  return {
    replaces: find('id = (SELECT replaces FROM submissions WHERE id = ?)'),
    replacedBy: find("replaces = ? AND state <> 'discarded' ORDER BY position DESC LIMIT 1"),
  }
}

/**
 * Adds an image of another case, with its bytes in the spool, which both need from then on. Nothing that a file states goes
 * along, nor its folder: of this case a person says all.
 */
export function copyImage(
  store: Store,
  submissionId: string,
  { id, fileName, eye }: Pick<Image, 'id' | 'fileName' | 'eye'>,
  signature: Actor,
): void {
  store.run`
    INSERT INTO images (id, submission_id, file_name, eye, eye_source, eye_settled, size_bytes, sha256, spool_name,
    content_type, mtime_ms, oddities, grey, picture_spool_name, picture_content_type, picture_size_bytes,
    picture_sha256, sends, added_at)
    SELECT ${randomUUID()}, ${submissionId}, ${basename(fileName)}, ${eye}, 'person', ${JSON.stringify(signature)}, size_bytes, sha256, spool_name,
    content_type, mtime_ms, oddities, grey, picture_spool_name, picture_content_type, picture_size_bytes,
    picture_sha256, sends, ${signature.at} FROM images WHERE id = ${id} AND removed_at IS NULL`
  store.touch(submissionId)
}
