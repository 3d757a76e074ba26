/**
 * Which cases can be read: of those that are not settled at every start, of all of them with the day's backup. What
 * cannot be read is quarantined, and what is read again is let go.
 */
import type { Dangling } from './check-integrity.ts'
import type { SqlDatabase } from './open-database.ts'
import type { Clock, Logger } from '../ports.ts'
import { changedSinceApproval } from './content-digest.ts'
import { readManifest } from './manifest-files.ts'
import type { Outbox } from './outbox.ts'
import type { Service } from './put-in-doubt.ts'
import { unreadableIn, type CaseTable } from './readable-rows.ts'

type Starting = {
  readonly outbox: Outbox
  readonly manifestsFolder: string
  /** Cases of which a row points to nothing. */
  readonly dangling: readonly Dangling[]
  /** The service that is set now; null if there is none. */
  readonly service: Service | null
  readonly clock: Clock
  readonly logger: Logger
}

/** At a start, before anything else works with the cases. */
export async function checkRowsAtStart(start: Starting): Promise<void> {
  const { outbox, dangling, manifestsFolder, logger } = start
  const isDangling = new Set(dangling.map(({ id }) => id))
  for (const { id } of outbox.quarantine.list()) if (!isDangling.has(id)) lift(start, id)
  for (const { id, column } of dangling) outbox.quarantine.add(id, column)
  for (const id of outbox.manifests.unsettledIds()) outbox.quarantine.isReadable(id)
  for (const { id, unreadable } of outbox.quarantine.list()) {
    logger.error('a case cannot be read', { submission: id, column: unreadable })
    await remember(outbox, manifestsFolder, id)
  }
}

/** What may have been sent meanwhile is in doubt; what would go by itself is seen by a person first. */
function lift({ outbox, service, clock, logger }: Starting, id: string): void {
  const lifted = outbox.quarantine.lift(id)
  if (lifted === null) return
  logger.warn('a case can be read again', { submission: id })
  const at = clock.now()
  if (lifted.isInDoubt)
    outbox.recovery.markUnreadUnconfirmed(id, { service: service ?? { baseUrl: '', clientId: '' }, at })
  else if (outbox.submissions.row(id)?.state === 'waiting')
    outbox.submissions.transition(
      id,
      'gatheredForReview',
      { notBefore: null },
      { at, details: { why: 'readAgain' } },
    )
}

/** The manifest of a case that cannot be read knows its reference and its visit. */
async function remember(outbox: Outbox, manifestsFolder: string, id: string): Promise<void> {
  const found = await readManifest(manifestsFolder, id)
  if (found.kind !== 'read') return
  const { submission } = found.manifest
  outbox.quarantine.remember(id, { reference: submission.reference, fields: submission['fields'] })
}

/** What reading all rows has found: ids and names of columns only. */
export type RowFindings = {
  readonly unreadable: readonly { readonly id: string; readonly column: string }[]
  /** Sent, or perhaps sent, and not what was sent any more. */
  readonly changedIds: readonly string[]
}

const OWNERS: readonly (readonly [CaseTable, 'id' | 'submission_id'])[] = [
  ['submissions', 'id'],
  ['images', 'submission_id'],
  ['attempts', 'submission_id'],
]

/** Reads every row of every case. Blocks for seconds: for a worker thread, on a copy. */
export function findUnreadable(sql: SqlDatabase): RowFindings {
  const found = new Map<string, string>()
  for (const [table, owner] of OWNERS) {
    const rows = sql.prepare<[], Readonly<Record<string, unknown>>>(`SELECT * FROM ${table}`)
    for (const row of rows.iterate()) {
      const column = unreadableIn(table, row)
      if (column !== null) found.set(String(row[owner]), column)
    }
  }
  return {
    unreadable: [...found].map(([id, column]) => ({ id, column })),
    changedIds: changedSinceApproval(sql).filter((id) => !found.has(id)),
  }
}

const CHANGED =
  'The record of this case has changed since it was sent: what is shown of it may not be what was sent. Nothing is sent again. Compare it with the case at the service, and tell the administrator.'

/** Acts on what was found in the day's backup. */
export function heedFindings(outbox: Outbox, findings: RowFindings, at: number): void {
  for (const { id, column } of findings.unreadable)
    if (!outbox.quarantine.isReadable(id)) outbox.quarantine.add(id, column)
  for (const submissionId of findings.changedIds)
    // The copy is a moment old: the case may have moved on since.
    if (outbox.approvals.isUnlikeSent(submissionId))
      outbox.alarms.raise({ kind: 'contentChanged', submissionId, caseIds: [], message: CHANGED, at })
}
