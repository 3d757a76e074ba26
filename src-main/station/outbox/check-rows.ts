/** What SQLite itself can say of an outbox. What its rows mean is parsed when they are read, one case at a time. */
import { errorCode, DAMAGED, StorageError } from '../lib/errors.ts'
import type { Clock, Logger } from '../ports.ts'
import { changedSinceApproval } from './approvals.ts'
import type { SqlDatabase } from './database.ts'
import type { Outbox } from './outbox.ts'
import { type CaseTable, unreadableIn } from './quarantine.ts'
import { readManifest } from './recovery/manifests.ts'
import type { Service } from './recovery/restore.ts'

/** One row holds what its table does not allow. That is the trouble of its case, and never of the file. */
const OF_ONE_ROW =
  /^(?:NULL value in |CHECK constraint failed in |(?:non-)?(?:TEXT|INTEGER|INT|REAL|NUMERIC|BLOB) value in )/

/** More lines than rows of one case: what is said of pages is not to be cut off by them. */
const MOST_LINES = 10_000

/** Is what SQLite finds at most the trouble of single rows? `integrity_check` compares indexes with tables, too. */
export function isIntact(
  sql: Pick<SqlDatabase, 'pragma'>,
  check: 'quick_check' | 'integrity_check',
): boolean {
  try {
    const found = sql.pragma(`${check}(${MOST_LINES})`) as readonly Readonly<Record<string, string>>[]
    return found
      .flatMap((line) => Object.values(line))
      .every((line) => line === 'ok' || OF_ONE_ROW.test(line))
  } catch (error) {
    // Under an index of version 2 lies a text that is no JSON any more: the trouble of its case, too.
    if (check === 'quick_check' || errorCode(error) !== 'SQLITE_ERROR') throw error
    return isIntact(sql, 'quick_check')
  }
}

/** Throws a StorageError if the file is damaged. About a second and a half for a hundred thousand cases. */
export function checkIntegrity(sql: SqlDatabase): void {
  if (!isIntact(sql, 'quick_check')) throw new StorageError(DAMAGED, { remedy: 'recover' })
}

type Found = { readonly table: string; readonly rowid: number | null; readonly parent: string }

/** A case of which a row points to nothing, and from which table to which. */
export type Dangling = { readonly id: string; readonly column: string }

/** The case that a row speaks of, if what it points to is not there. Other tables only describe. */
const CASE_OF: Readonly<Record<string, string>> = {
  submissions: 'SELECT id FROM submissions WHERE rowid = ?',
  images: `SELECT coalesce(
      (SELECT id FROM submissions WHERE id = images.submission_id),
      (SELECT submission_id FROM seen_files AS seen WHERE kind = 'image'
         AND seen.folder_path = images.folder_path AND seen.relative_path = images.file_name)) FROM images WHERE rowid = ?`,
  attempts: `SELECT coalesce(
      (SELECT id FROM submissions WHERE id = attempts.submission_id),
      (SELECT submission_id FROM evidence WHERE attempt_id = attempts.id)) FROM attempts WHERE rowid = ?`,
}

/**
 * The cases of which a row points to nothing: an image, say, whose case cannot be told any more. Reads the indexes of
 * all foreign keys.
 */
export function casesWithDanglingRows(sql: SqlDatabase): Dangling[] {
  const found = sql.pragma('foreign_key_check') as readonly Found[]
  const cases = new Map<string, string>()
  for (const { table, rowid, parent } of found) {
    const question = CASE_OF[table]
    if (question === undefined || rowid === null) continue
    const id = sql.prepare<[number], string | null>(question).pluck().get(rowid)
    if (typeof id === 'string') cases.set(id, `${table}: ${parent}`)
  }
  // A case whose own id has changed is the only one without a manifest.
  const lost = sql.prepare<[], string>(
    'SELECT id FROM submissions WHERE NOT EXISTS (SELECT 1 FROM manifests WHERE submission_id = id)',
  )
  for (const id of lost.pluck().all()) cases.set(id, 'submissions.id')
  return [...cases].map(([id, column]) => ({ id, column }))
}

// Which cases can be read: of those that are not settled at every start, of all of them with the day's backup. What
// cannot be read is quarantined, and what is read again is let go.

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
  if (lifted.isUnconfirmed)
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
