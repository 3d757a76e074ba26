/** What a submission was when it was passed for sending: by a person's approval, or by the folder's rule. */
import type { SubmissionState } from '../../../src-shared/states.ts'
import { digester, SETTLED_CONTENT, changedSinceApproval } from './content-digest.ts'
import type { WriteThrough } from './write-through.ts'

/** What stands now, in one short text that is compared with another one; see `digester` for what is in it. */
export function contentDigest(store: WriteThrough, id: string): string {
  return digester(store.sql)(id)
}

/** From now on this is what was passed: a change of it goes back to whoever passes. The work on it is done. */
export function setPassed(store: WriteThrough, id: string): void {
  store.sql
    .prepare(
      `UPDATE submissions SET passed_digest = ?, identity = json_remove(identity, '$.isAtWork', '$.unitChanged')
       WHERE id = ?`,
    )
    .run(contentDigest(store, id), id)
}

/** Is a submission still what was passed? One that never was is not. */
export function isAsPassed(store: WriteThrough, id: string): boolean {
  const approved = store.sql
    .prepare<[string], { readonly passed_digest: string | null }>(
      'SELECT passed_digest FROM submissions WHERE id = ?',
    )
    .get(id)?.passed_digest
  return approved !== null && approved !== undefined && approved === contentDigest(store, id)
}

/** Was it sent, or perhaps sent, as something else than what is there now? */
export function isUnlikeSent(store: WriteThrough, id: string): boolean {
  const row = store.sql
    .prepare<[string], { readonly state: SubmissionState; readonly passed_digest: string | null }>(
      'SELECT state, passed_digest FROM submissions WHERE id = ?',
    )
    .get(id)
  if (row === undefined || row.passed_digest === null) return false
  return SETTLED_CONTENT.includes(row.state) && !isAsPassed(store, id)
}

/**
 * In a state in which nothing changes, a digest stands for what is there, or there is none: a person may say that a
 * case has arrived which was changed since it was passed.
 */
export function settlePassed(store: WriteThrough, id: string, state: SubmissionState): void {
  if (!SETTLED_CONTENT.includes(state) || isAsPassed(store, id)) return
  store.sql
    .prepare('UPDATE submissions SET passed_digest = NULL WHERE id = ? AND passed_digest IS NOT NULL')
    .run(id)
}

/** The same for all of them, after rows were laid that no move has settled. */
export function settleAllPassed(store: WriteThrough): void {
  const forget = store.sql.prepare('UPDATE submissions SET passed_digest = NULL WHERE id = ?')
  for (const id of changedSinceApproval(store.sql)) forget.run(id)
}
