/** Opens the outbox of a data folder. A worker thread does every job that reads a whole database file. */
import Database from 'better-sqlite3'
import { existsSync, mkdirSync, statSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { Worker } from 'node:worker_threads'
import { type Message, worded } from '../../../src-shared/wording.ts'
import { errorCode, errorName, isForLackOfSpace } from '../lib/errors.ts'
import { openingError, StorageError, type StorageHooks } from '../lib/storage-faults.ts'
import { createSignal } from '../lib/part.ts'
import { casesWithDanglingRows, checkIntegrity, type Dangling, type RowFindings } from './check-rows.ts'
import { createStore, type SqlDatabase, type Store } from './database.ts'
import { openCommitFlush } from './flush.ts'
import { finishCopy, migrate, openDatabase } from './migrations/migrate.ts'
import { bindOutbox, type Outbox } from './outbox.ts'
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

export function databasePathIn(dataFolder: string): string {
  return join(dataFolder, 'outbox.sqlite')
}

/** Opens an outbox in memory, for a dry run. Nothing of it is stored. */
export function openDryRunOutbox(): { readonly outbox: Outbox; readonly close: () => void } {
  const sql = new Database(':memory:')
  migrate(sql, ':memory:')
  return { outbox: bindOutbox(createStore(sql, () => undefined)), close: () => void sql.close() }
}

/** For one connection: checking looks up every entry of every index. */
const CHECKING_CACHE_KIBIBYTES = 64_000

/** Connects, and checks whatever is not checked yet: another process may have changed the file. */
function connect(
  path: string,
  checked: CheckedDatabase | null,
  isForCheck = false,
): { readonly sql: SqlDatabase; readonly dangling: readonly Dangling[] } {
  const sql = openDatabase(path)
  try {
    if (isForCheck) sql.pragma(`cache_size = -${CHECKING_CACHE_KIBIBYTES}`)
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

export type OpenOutbox = ReturnType<typeof openOutbox>

/** Opens the outbox; a StorageError with a sentence if unsafe. Without `checked`, it reads the whole file, blocking. */
export function openOutbox(dataFolder: string, hooks?: StorageHooks, checked: CheckedDatabase | null = null) {
  mkdirSync(dataFolder, { recursive: true, mode: 0o700 })
  const databasePath = databasePathIn(dataFolder)
  const markerPath = markerPathIn(dataFolder)
  const marker = readMarker(markerPath)
  const isThere = existsSync(databasePath) && statSync(databasePath).size > 0
  if (!isThere && wasUsed(dataFolder)) throw new StorageError(worded('start:missing'), { remedy: 'recover' })
  const { sql, dangling } = connect(databasePath, checked)
  const flush = openCommitFlush(`${databasePath}-wal`, () => store.abandon())
  const committed = createSignal<[submissionIds: readonly string[]]>()
  const store: Store = createStore(sql, committed.emit, hooks, flush)
  try {
    const session = beginSession(store, marker)
    // The marker may not be newer than the outbox.
    flush.makeDurable()
    writeMarker(markerPath, session)
    const inodes = inodesOf(databasePath)
    return {
      outbox: bindOutbox(store),
      stationId: session.stationId,
      /** Cases with broken references; see `check-rows.ts`. */
      dangling,
      /** These submissions were changed by what was committed. */
      onCommitted: committed.subscribe,
      /** Copies the database step by step, as it is at the end of copying; rejects if the signal aborts. */
      copyTo: (path: string, signal: AbortSignal) => copyDatabase(sql, path, signal),
      /** False once its files were removed or replaced while they are open: from then on nothing is written. */
      hasItsFiles: (): boolean => {
        const hasItsFiles = isDeepStrictEqual(inodesOf(databasePath) ?? inodes, inodes)
        if (!hasItsFiles) store.abandon()
        return hasItsFiles
      },
      /** Resolves once the disk answers: one that hangs would block this thread in `close`. */
      diskAnswers: () => flush.answered(),
      close: (): void => {
        try {
          const ended = endSession(store, session)
          flush.makeDurable()
          writeMarker(markerPath, ended)
        } catch {
          // If it cannot be written now, the next start notices and compares the outbox with its manifests.
        }
        flush.close()
        sql.close()
      },
    }
  } catch (error) {
    // Before it tries again on its own: the next opening is another one.
    flush.close()
    sql.close()
    throw openingError(error)
  }
}

/** Which files lie at the paths of the database and its log, 0 for none; null if the disk does not say. */
function inodesOf(path: string): readonly number[] | null {
  try {
    return [path, `${path}-wal`].map((one) => statSync(one, { throwIfNoEntry: false })?.ino ?? 0)
  } catch {
    return null
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

/** Does a job. Throws only on a defect, which ends the thread. Blocks. */
export function doOutboxJob(job: OutboxJob): JobAnswer {
  try {
    return {
      kind: 'done',
      found: job.kind === 'check' ? checkDatabase(job.path) : finishCopy(job.path, job.at),
    }
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
  worker.once('error', (error) => reject(new ThreadDied(errorName(error))))
  worker.once('exit', () => reject(new ThreadDied('exit')))
  try {
    const answer = await promise
    if (answer.kind === 'trouble') {
      const { message, remedy, code } = answer
      const cause = Object.assign(new Error('in the thread'), { code })
      throw new StorageError(message, remedy === null ? { cause } : { cause, remedy })
    }
    return answer.found as OutboxFindings[Job['kind']]
  } finally {
    signal?.removeEventListener('abort', onAbort)
    // The thread must have released the file before this process opens it elsewhere.
    await worker.terminate()
  }
}

/**
 * Checks and migrates an outbox off the main thread, for `openOutbox`. Null if there is none, or if the thread could
 * not run. Throws a StorageError with a sentence if the outbox cannot be used.
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

/** Checks a database that no process has open; null if there is none yet. Throws a StorageError with a sentence. */
function checkDatabase(path: string): CheckedDatabase | null {
  try {
    if (!existsSync(path) || statSync(path).size === 0) return null
    const { sql, dangling } = connect(path, null, true)
    try {
      emptyWal(sql)
      return { dangling, print: printOf(path) }
    } finally {
      sql.close()
    }
  } catch (error) {
    throw openingError(error)
  }
}

/** Is this the very file that was checked, with nothing written since, as in a WAL beside it? */
function isAsChecked(path: string, { print }: CheckedDatabase): boolean {
  const hasWal = (statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0
  return !hasWal && isDeepStrictEqual(print, printOf(path))
}

/** Reads only the file's metadata and never opens it. */
function printOf(path: string): FilePrint {
  const { size, mtimeNs, ino } = statSync(path, { bigint: true })
  return { size: Number(size), mtimeNs: String(mtimeNs), inode: String(ino) }
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

/** One megabyte takes a few milliseconds; other work of the main thread runs in between. */
const PAGES_AT_A_TIME = 256

/**
 * One flush at the end, on this thread, would take seconds (measured for 300 MB: 110 to 160 ms; other steps less).
 * SQLite's cache of the copy, 16 MB at most, cannot be set in better-sqlite3.
 */
const FLUSH_EVERY_PAGES = 4_096

/** Copies an open database step by step, with what is written meanwhile. Rejects if the copy is unusable. */
async function copyDatabase(sql: SqlDatabase, path: string, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted()
  const file = await open(path, 'wx', 0o600)
  let isFlushing = false
  let flushed: Promise<unknown> = Promise.resolve()
  let flushedPages = 0
  /** Pages to copy now; none while the disk is behind. Asked each turn: better-sqlite3 awaits nothing, so no timer. */
  const pagesNext = (copied: number, remaining: number): number => {
    const isBehind = copied - flushedPages >= FLUSH_EVERY_PAGES
    const isAtEnd = remaining <= PAGES_AT_A_TIME
    // Flush everything else before copying the last pages.
    const isNearlyDone = isAtEnd && copied > flushedPages
    if (!isFlushing && (isBehind || isNearlyDone)) {
      flushedPages = copied
      isFlushing = true
      flushed = file
        .datasync()
        // If the disk refuses this flush, SQLite's own flush fails at the end and reports it.
        .catch(() => undefined)
        .finally(() => (isFlushing = false))
      if (isNearlyDone) return 0
    }
    return isFlushing && (isBehind || isAtEnd) ? 0 : PAGES_AT_A_TIME
  }
  try {
    await sql.backup(path, {
      progress: ({ totalPages, remainingPages }) => {
        signal.throwIfAborted()
        return pagesNext(totalPages - remainingPages, remainingPages)
      },
    })
  } finally {
    await flushed
    await file.close()
  }
}
