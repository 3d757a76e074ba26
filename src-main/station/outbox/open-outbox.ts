/**
 * Opens the outbox of a data folder, after a worker thread has checked and migrated its file. The thread does every job
 * that reads a whole database file.
 */
import Database from 'better-sqlite3'
import { existsSync, mkdirSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { type Message, worded } from '../../../src-shared/wording.ts'
import { errorCode, isForLackOfSpace } from '../lib/errors.ts'
import { openingError, StorageError } from '../lib/storage-error.ts'
import { createSignal } from '../lib/part.ts'
import type { StorageHooks } from '../lib/storage-faults.ts'
import { casesWithDanglingRows, checkIntegrity, type Dangling, type RowFindings } from './check-rows.ts'
import { createStore, type SqlDatabase } from './database.ts'
import { finishCopy, migrate, openDatabase } from './migrations/migrate.ts'
import { bindOutbox, type Outbox } from './outbox.ts'
import { copyDatabase } from './recovery/backup-files.ts'
import {
  assertNotEmptied,
  beginSession,
  endSession,
  markerPathIn,
  readMarker,
  wasUsed,
  writeMarker,
} from './restored-copy.ts'
import type { Logger } from '../ports.ts'

export type OpenOutbox = {
  readonly outbox: Outbox
  readonly stationId: string
  /** Cases with broken references; see `check-rows.ts`. */
  readonly dangling: readonly Dangling[]
  /** Copies the database step by step, as it is at the end of copying; rejects if the signal aborts. */
  readonly copyTo: (path: string, signal: AbortSignal) => Promise<void>
  /** These submissions were changed by what was committed. */
  onCommitted(listener: (submissionIds: readonly string[]) => void): void
  close(): void
}

export function databasePathIn(dataFolder: string): string {
  return join(dataFolder, 'outbox.sqlite')
}

/** Opens an outbox in memory, for a dry run. Nothing of it is stored. */
export function openDryRunOutbox(): { readonly outbox: Outbox; readonly close: () => void } {
  const sql = new Database(':memory:')
  migrate(sql, ':memory:')
  return { outbox: bindOutbox(createStore(sql, () => undefined)), close: () => void sql.close() }
}

type Connected = { readonly sql: SqlDatabase; readonly dangling: readonly Dangling[] }

/** Connects, and checks whatever is not checked yet: another process may have changed the file. */
function connect(path: string, checked: CheckedDatabase | null): Connected {
  const sql = openDatabase(path)
  try {
    // Compared while this process holds the lock.
    const isKnown = checked !== null && isAsChecked(path, checked)
    if (!isKnown) checkIntegrity(sql)
    assertNotEmptied(sql, dirname(path))
    migrate(sql, path)
    return { sql, dangling: isKnown ? checked.dangling : casesWithDanglingRows(sql) }
  } catch (error) {
    sql.close()
    throw openingError(error)
  }
}

/**
 * Opens the outbox of a data folder; throws a StorageError with a sentence if it cannot be opened safely.
 *
 * `checked` is the result of `checkOutbox` just before; without it the whole database is read here, which
 * blocks.
 */
export function openOutbox(
  dataFolder: string,
  hooks?: StorageHooks,
  checked: CheckedDatabase | null = null,
): OpenOutbox {
  mkdirSync(dataFolder, { recursive: true, mode: 0o700 })
  const databasePath = databasePathIn(dataFolder)
  const markerPath = markerPathIn(dataFolder)
  const marker = readMarker(markerPath)
  const isThere = existsSync(databasePath) && statSync(databasePath).size > 0
  if (!isThere && wasUsed(dataFolder)) throw new StorageError(worded('start:missing'), { remedy: 'recover' })
  const { sql, dangling } = connect(databasePath, checked)
  try {
    const committed = createSignal<[submissionIds: readonly string[]]>()
    const store = createStore(sql, committed.emit, hooks)
    const session = beginSession(store, marker)
    writeMarker(markerPath, session)
    return {
      outbox: bindOutbox(store),
      stationId: session.stationId,
      dangling,
      onCommitted: committed.subscribe,
      copyTo: (path, signal) => copyDatabase(sql, path, signal),
      close: () => {
        try {
          writeMarker(markerPath, endSession(store, session))
        } catch {
          // If it cannot be written now, the next start notices and compares the outbox with its manifests.
        }
        sql.close()
      },
    }
  } catch (error) {
    sql.close()
    throw openingError(error)
  }
}

/** Jobs on database files, done in a worker thread because they read the whole file. */
export type OutboxJob =
  | { readonly kind: 'check'; readonly path: string }
  /** `at` is when the copy was made, ISO 8601. */
  | { readonly kind: 'finishCopy'; readonly path: string; readonly at: string }

/** The result of each job. */
type OutboxFindings = {
  readonly check: CheckedDatabase | null
  readonly finishCopy: RowFindings
}

/** Troubles cross between threads as plain data; an Error would lose its class. */
type JobAnswer =
  | { readonly kind: 'done'; readonly found: OutboxFindings[OutboxJob['kind']] }
  | {
      readonly kind: 'trouble'
      readonly message: Message
      readonly remedy: StorageError['remedy']
      readonly code: string
    }

function runJob(job: OutboxJob): OutboxFindings[OutboxJob['kind']] {
  switch (job.kind) {
    case 'check':
      return checkDatabase(job.path)
    case 'finishCopy':
      return finishCopy(job.path, job.at)
  }
}

/** Does a job. Throws only on a defect, which ends the thread. Blocks. */
export function doOutboxJob(job: OutboxJob): JobAnswer {
  try {
    return { kind: 'done', found: runJob(job) }
  } catch (error) {
    const trouble = openingError(error)
    if (!(trouble instanceof StorageError)) throw trouble
    const { message, wording, remedy, cause } = trouble
    return { kind: 'trouble', message: { message, wording }, remedy, code: errorCode(cause) ?? '' }
  }
}

/** The caller's end of the worker thread: reading hundreds of megabytes takes seconds. */
export type OutboxThread = {
  /** The script of the thread: `outbox-worker.ts`, or its bundle. */
  readonly workerUrl: URL
  readonly logger: Logger
}

/** The thread ended without an answer: nothing is known about the file. */
class ThreadDied extends Error {
  override name = 'ThreadDied' as const
}

function troubleFrom({ message, remedy, code }: Extract<JobAnswer, { kind: 'trouble' }>): StorageError {
  const cause = Object.assign(new Error('in the thread'), { code })
  return new StorageError(message, remedy === null ? { cause } : { cause, remedy })
}

/** Does a job in a worker thread. Rejects with a StorageError, a ThreadDied, or the reason of the signal. */
export async function askOutboxThread<Job extends OutboxJob>(
  workerUrl: URL,
  job: Job,
  signal?: AbortSignal,
): Promise<OutboxFindings[Job['kind']]> {
  signal?.throwIfAborted()
  const { promise, resolve, reject } = Promise.withResolvers<JobAnswer>()
  const worker = new Worker(workerUrl, { name: 'outbox', workerData: job })
  const onAbort = (): void => reject(signal?.reason as Error)
  signal?.addEventListener('abort', onAbort, { once: true })
  worker.once('message', resolve)
  worker.once('error', (error) => reject(new ThreadDied(error instanceof Error ? error.name : 'unknown')))
  worker.once('exit', () => reject(new ThreadDied('exit')))
  try {
    const answer = await promise
    if (answer.kind === 'trouble') throw troubleFrom(answer)
    return answer.found as OutboxFindings[Job['kind']]
  } finally {
    signal?.removeEventListener('abort', onAbort)
    // The thread must have released the file before this process opens it elsewhere.
    await worker.terminate()
  }
}

/**
 * Checks the outbox of a data folder off the main thread, and migrates it; pass the result to `openOutbox`. Null
 * if there is none yet, or if the thread could not run: then opening checks.
 *
 * Throws a StorageError with a sentence if the outbox cannot be used.
 */
export async function checkOutbox(
  dataFolder: string,
  { workerUrl, logger }: OutboxThread,
): Promise<CheckedDatabase | null> {
  try {
    return await askOutboxThread(workerUrl, { kind: 'check', path: databasePathIn(dataFolder) })
  } catch (error) {
    if (!(error instanceof ThreadDied)) throw error
    logger.error('the thread that checks the outbox stopped', { error: error.message })
    return null
  }
}

/** Identifies the file that was checked. */
type FilePrint = { readonly size: number; readonly mtimeNs: string; readonly inode: string }

/** A database that passed the check. */
export type CheckedDatabase = {
  /** The caller that opens it must find this very file, and no WAL beside it. */
  readonly print: FilePrint
  /** Cases with broken references. They are quarantined; the others go on. */
  readonly dangling: readonly Dangling[]
}

/** For this connection only: checking looks up every entry of every index. */
const CACHE_KIBIBYTES = 64_000

/** Checks a database that no process has open; null if there is none yet. Throws a StorageError with a sentence. */
export function checkDatabase(path: string): CheckedDatabase | null {
  try {
    if (!existsSync(path) || statSync(path).size === 0) return null
    return checkOpened(path)
  } catch (error) {
    throw openingError(error)
  }
}

function checkOpened(path: string): CheckedDatabase {
  const sql = openDatabase(path)
  try {
    sql.pragma(`cache_size = -${CACHE_KIBIBYTES}`)
    checkIntegrity(sql)
    assertNotEmptied(sql, dirname(path))
    migrate(sql, path)
    const dangling = casesWithDanglingRows(sql)
    emptyWal(sql)
    return { dangling, print: printOf(path) }
  } finally {
    sql.close()
  }
}

/** Is this the very file that was checked, with nothing written since? */
export function isAsChecked(path: string, { print }: CheckedDatabase): boolean {
  const now = printOf(path)
  return (
    !hasWal(path) && print.size === now.size && print.mtimeNs === now.mtimeNs && print.inode === now.inode
  )
}

/** Reads only the file's metadata and never opens it. */
function printOf(path: string): FilePrint {
  const { size, mtimeNs, ino } = statSync(path, { bigint: true })
  return { size: Number(size), mtimeNs: String(mtimeNs), inode: String(ino) }
}

/** Writes after the last checkpoint are not in the database file yet. */
function hasWal(path: string): boolean {
  const wal = `${path}-wal`
  return existsSync(wal) && statSync(wal).size > 0
}

/** Then closing writes nothing, and the print is taken while no one else can write. */
function emptyWal(sql: SqlDatabase): void {
  try {
    sql.pragma('wal_checkpoint(TRUNCATE)')
  } catch (error) {
    // A full disk keeps the WAL, which is intact: the next open finds it and checks for itself.
    if (!isForLackOfSpace(error)) throw error
  }
}
