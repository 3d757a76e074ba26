/** Checks the outbox file with SQLite, and its rows: a bad row is the trouble of its case, never of the file. */
import { createHash } from 'node:crypto'
import { worded } from '../../../src-shared/wording.ts'
import { errorCode } from '../lib/errors.ts'
import { StorageError } from '../lib/storage-faults.ts'
import type { Clock, Logger } from '../ports.ts'
import { changedSinceClearance } from './approvals.ts'
import { type FactName, type SqlDatabase, statementsOf } from './database.ts'
import type { Outbox } from './outbox.ts'
import { readManifest } from './recovery/manifests.ts'
import { NO_SERVICE, type Service } from './recovery/restore.ts'
import { OWNER_OF, unreadableIn } from './rows.ts'

/** A row violates its table. That concerns only its case, never the file. */
const OF_ONE_ROW =
  /^(?:NULL value in |CHECK constraint failed in |(?:non-)?(?:TEXT|INTEGER|INT|REAL|NUMERIC|BLOB) value in )/

/** More than the rows of one case could cause, so that findings about pages are never cut off. */
const MOST_LINES = 10_000

/**
 * The hash of the texts of all tables, indexes and triggers. SQLite runs what they say and checks them by no pragma: one changed
 * letter in a trigger makes every statement fail that runs it.
 */
export function schemaDigest(sql: Pick<SqlDatabase, 'prepare'>): string {
  const texts = sql
    .prepare(`SELECT type, name, tbl_name, sql FROM sqlite_schema
      WHERE name NOT LIKE 'sqlite~_%' ESCAPE '~' ORDER BY type, name`)
    .raw()
    .all()
  return createHash('sha256').update(JSON.stringify(texts)).digest('hex')
}

/** Is it as it was made? If no hash is there, there is nothing to compare. */
function isSchemaIntact(sql: Pick<SqlDatabase, 'prepare'>): boolean {
  const isThere = sql.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'facts'").get() !== undefined
  if (!isThere) return true
  const name: FactName = 'schema'
  try {
    const made = sql.prepare<[string], string>('SELECT value FROM facts WHERE name = ?').pluck().get(name)
    return typeof made !== 'string' || !/^[0-9a-f]{64}$/.test(made) || made === schemaDigest(sql)
  } catch (error) {
    // The columns of the facts themselves have other names.
    if (errorCode(error) === 'SQLITE_ERROR') return false
    throw error
  }
}

/** Are SQLite's findings limited to single rows? `integrity_check` also compares indexes with tables. */
export function isIntact(
  sql: Pick<SqlDatabase, 'pragma' | 'prepare'>,
  check: 'quick_check' | 'integrity_check',
): boolean {
  if (!isSchemaIntact(sql)) return false
  const found = sql.pragma(`${check}(${MOST_LINES})`) as readonly Readonly<Record<string, string>>[]
  return found.flatMap((line) => Object.values(line)).every((line) => line === 'ok' || OF_ONE_ROW.test(line))
}

/** Throws a StorageError if the file is damaged. Takes about 1.5 seconds for 100,000 cases. */
export function checkIntegrity(sql: SqlDatabase): void {
  if (!isIntact(sql, 'quick_check')) throw new StorageError(worded('start:damaged'), { remedy: 'recover' })
}

type Found = { readonly table: string; readonly rowid: number | null; readonly parent: string }

/** A case with a row that references nothing, and the tables involved. */
export type Dangling = { readonly id: string; readonly column: string }

/** The column with the case of a row whose reference is broken. Other tables merely describe. */
const CASE_OF: Readonly<Record<string, string>> = {
  submissions: 'SELECT id FROM submissions WHERE rowid = ?',
  images: `SELECT coalesce(
      (SELECT id FROM submissions WHERE id = images.submission_id),
      (SELECT submission_id FROM sightings AS seen WHERE became = 'image' AND seen.image_id = images.id)) FROM images WHERE rowid = ?`,
  attempts: `SELECT coalesce(
      (SELECT id FROM submissions WHERE id = attempts.submission_id),
      (SELECT submission_id FROM evidence WHERE attempt_id = attempts.id)) FROM attempts WHERE rowid = ?`,
}

/** The cases with broken references, such as an image of no case. Reads the indexes of all foreign keys. */
export function casesWithDanglingRows(sql: SqlDatabase): Dangling[] {
  const found = sql.pragma('foreign_key_check') as readonly Found[]
  const cases = new Map<string, string>()
  for (const { table, rowid, parent } of found) {
    const question = CASE_OF[table]
    if (question === undefined || rowid === null) continue
    const id = sql.prepare<[number], string | null>(question).pluck().get(rowid)
    if (typeof id === 'string') cases.set(id, `${table}: ${parent}`)
  }
  // Only a case whose own id changed has no manifest.
  const lost = sql.prepare<[], string>(
    'SELECT id FROM submissions WHERE NOT EXISTS (SELECT 1 FROM manifests WHERE submission_id = id)',
  )
  for (const id of lost.pluck().all()) cases.set(id, 'submissions.id')
  return [...cases].map(([id, column]) => ({ id, column }))
}

type Starting = {
  readonly outbox: Outbox
  readonly manifestsFolder: string
  /** Cases with broken references. */
  readonly dangling: readonly Dangling[]
  /** The service currently set; null if there is none. */
  readonly service: Service | null
  readonly clock: Clock
  readonly logger: Logger
}

/**
 * Checks unfinished cases at a start, before anything else uses them: quarantines those that cannot be read, and
 * lifts the quarantine of those that can. Returns the ids of lifted cases with a value of which the unit changed.
 */
export async function checkRowsAtStart(start: Starting): Promise<string[]> {
  const { outbox, dangling, manifestsFolder, logger } = start
  const isDangling = new Set(dangling.map(({ id }) => id))
  const inOtherUnits = outbox
    .quarantined()
    .flatMap(({ id }) => (!isDangling.has(id) && lift(start, id) ? [id] : []))
  for (const { id, column } of dangling) outbox.quarantine(id, column)
  for (const id of outbox.unsettledIds()) outbox.isReadable(id)
  for (const { id, unreadable } of outbox.quarantined()) {
    logger.error('a case cannot be read', { submission: id, column: unreadable })
    await remember(outbox, manifestsFolder, id)
  }
  return inOtherUnits
}

/** A case readable again goes to a person, or is unconfirmed if perhaps sent. True if a value has another unit now. */
function lift({ outbox, service, clock, logger }: Starting, id: string): boolean {
  const at = clock.now()
  return outbox.write(() => {
    const lifted = outbox.liftQuarantine(id)
    if (lifted === null) return false
    outbox.afterCommit(() => logger.warn('a case can be read again', { submission: id }))
    if (outbox.rowOf(id)?.state !== 'sent') outbox.forgetClearance(id)
    const isInOtherUnits = outbox.applyMissedUnits(id, lifted.units, at)
    if (lifted.isUnconfirmed) outbox.markUnreadUnconfirmed(id, { service: service ?? NO_SERVICE, at })
    else if (outbox.rowOf(id)?.state === 'waiting')
      outbox.moveSubmission(
        id,
        'gatheredForReview',
        { notBefore: null },
        { at, details: { why: 'readAgain' } },
      )
    return isInOtherUnits
  })
}

/** The manifest of an unreadable case knows its reference and its visit. */
async function remember(outbox: Outbox, manifestsFolder: string, id: string): Promise<void> {
  const found = await readManifest(manifestsFolder, id)
  if (found.kind !== 'read') return
  const { submission } = found.manifest
  outbox.rememberQuarantined(id, { reference: submission.reference, fields: submission['fields'] })
}

/** Unreadable rows: ids and column names only. */
export type RowFindings = {
  readonly unreadable: readonly { readonly id: string; readonly column: string }[]
  /** Sent, or perhaps sent, with content that has changed since. */
  readonly changedIds: readonly string[]
}

/** Reads every row of every case. Blocks for seconds: run it in a worker thread, on a copy. */
export function findUnreadable(sql: SqlDatabase): RowFindings {
  const found = new Map<string, string>()
  for (const table of ['submissions', 'images', 'attempts'] as const) {
    const rows = sql.prepare<[], Readonly<Record<string, unknown>>>(`SELECT * FROM ${table}`)
    for (const row of rows.iterate()) {
      const column = unreadableIn(table, row)
      if (column !== null) found.set(String(row[OWNER_OF[table]]), column)
    }
  }
  return {
    unreadable: [...found].map(([id, column]) => ({ id, column })),
    changedIds: changedSinceClearance(statementsOf(sql)).filter((id) => !found.has(id)),
  }
}

/** Acts on the findings in the day's backup. */
export function applyFindings(outbox: Outbox, findings: RowFindings, at: number): void {
  for (const { id, column } of findings.unreadable) if (!outbox.isReadable(id)) outbox.quarantine(id, column)
  for (const submissionId of findings.changedIds)
    // The copy is a moment old: the case may have moved on since.
    if (outbox.isUnlikeSent(submissionId))
      outbox.raiseAlarm({
        kind: 'contentChanged',
        submissionId,
        caseIds: [],
        ...worded('outbox:contentChanged'),
        at,
      })
}
