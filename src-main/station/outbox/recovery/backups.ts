/**
 * Opens the outbox after a check, and makes a verified backup of it every day. Backups are named after the day, but
 * their content decides which is newer: a clock may have been years ahead for an hour.
 */
import { closeSync, openSync, readFileSync, readSync, statSync } from 'node:fs'
import { mkdir, readdir, rename, rm, statfs } from 'node:fs/promises'
import { basename, join } from 'node:path'
import Database from 'better-sqlite3'
import { HOUR, MINUTE } from '../../../../src-shared/durations.ts'
import { fail, type Failure, failureOf, type Result, succeed } from '../../../../src-shared/failure.ts'
import { worded } from '../../../../src-shared/wording.ts'
import type { Settings } from '../../../../src-shared/settings.ts'
import { errorCode, isForLackOfSpace } from '../../lib/errors.ts'
import { type StorageHooks, StorageStopped } from '../../lib/storage-faults.ts'
import { flushFolder } from '../../lib/files.ts'
import { serially } from '../../lib/schedule.ts'
import { createSignal } from '../../lib/part.ts'
import type { Clock, Logger } from '../../ports.ts'
import { applyFindings } from '../check-rows.ts'
import {
  askOutboxThread,
  checkOutbox,
  databasePathIn,
  openOutbox,
  type OpenOutbox,
  type OutboxThread,
} from '../open-outbox.ts'

/** It may take a week to notice a mistake. */
const MAX_BACKUPS = 7

const BACKUP_NAME = /^outbox-\d{4}-\d{2}-\d{2}\.sqlite$/

export function backupsFolderIn(dataFolder: string): string {
  return join(dataFolder, 'backups')
}

const twoDigits = (part: number): string => String(part).padStart(2, '0')

/** The name of the backup of an instant: one a day, by local time. */
export function backupNameAt(at: number): string {
  const day = new Date(at)
  return `outbox-${day.getFullYear()}-${twoDigits(day.getMonth() + 1)}-${twoDigits(day.getDate())}.sqlite`
}

/** A backup, and the highest revision of its manifests as a measure of what it knows; -1 if it cannot be read. */
export type BackupInfo = { readonly path: string; readonly knows: number }

/** The paths of the daily backups in a folder; empty if there is none. Other files are never touched. */
export async function backupsIn(folder: string): Promise<readonly string[]> {
  const names = await readdir(folder).catch((error: unknown) => {
    if (errorCode(error) === 'ENOENT') return []
    throw error
  })
  return names.filter((name) => BACKUP_NAME.test(name)).map((name) => join(folder, name))
}

/** Reads a backup without changing it. */
export function inspectBackup(path: string): BackupInfo {
  try {
    const sql = openToRead(path)
    try {
      const text = 'SELECT coalesce(max(revision), 0) FROM manifests'
      return { path, knows: sql.prepare<[], number>(text).pluck().get() ?? 0 }
    } finally {
      sql.close()
    }
  } catch {
    return { path, knows: -1 }
  }
}

/** The header bytes by which a database requires a WAL beside it (SQLite file format, section 1.3). */
const LOG_MARKS = [18, 19] as const

/** Opening a copy in WAL mode would create files beside it: one that is not from us is opened in memory. */
function openToRead(path: string): Database.Database {
  const head = Buffer.alloc(LOG_MARKS[1] + 1)
  const file = openSync(path, 'r')
  try {
    readSync(file, head, 0, head.length, 0)
  } finally {
    closeSync(file)
  }
  if (head[LOG_MARKS[0]] !== 2) return new Database(path, { readonly: true, timeout: 0 })
  const bytes = readFileSync(path)
  for (const at of LOG_MARKS) bytes[at] = 1
  return new Database(bytes)
}

/** Those that know most first, then by name. */
export function newestFirst(backups: readonly BackupInfo[]): readonly BackupInfo[] {
  return backups.toSorted(
    (one, other) => other.knows - one.knows || (basename(one.path) < basename(other.path) ? 1 : -1),
  )
}

/**
 * The backups to remove: all but `made` and those that know most, of these only what was made since the last withdrawal of a
 * patient. Unreadable ones know least.
 */
export function surplusBackups(
  backups: readonly BackupInfo[],
  made: string,
  erasedUntil: number,
): readonly string[] {
  return newestFirst(backups)
    .filter(({ knows }, at) => at >= MAX_BACKUPS || knows < erasedUntil)
    .map(({ path }) => path)
    .filter((path) => path !== made)
}

export type CheckedOutbox = Omit<OpenOutbox, 'close' | 'diskAnswers'> & {
  readonly dataFolder: string
  readonly thread: OutboxThread
  close(): Promise<void>
}

/** Opens an outbox after checking it off the main thread. Throws a StorageError with a sentence if it is not safe. */
export async function openCheckedOutbox(
  dataFolder: string,
  thread: OutboxThread,
  hooks?: StorageHooks,
): Promise<CheckedOutbox> {
  const checked = await checkOutbox(dataFolder, thread)
  const opened = openOutbox(dataFolder, hooks, checked)
  const close = async (): Promise<void> => {
    await opened.diskAnswers()
    opened.close()
  }
  return { ...opened, dataFolder, thread, close }
}

export type BackupOptions = {
  /** The folder of the backups; created if missing. */
  readonly folder: string
  readonly clock: Clock
  readonly logger: Logger
  /** Copies the outbox into a new file; rejects once the signal aborts. */
  readonly copyTo: (path: string, signal: AbortSignal) => Promise<void>
  /** Marks the copy as a backup of this instant (ISO 8601) and checks it completely; rejects if it is damaged. */
  readonly finishCopy: (path: string, at: string, signal: AbortSignal) => Promise<unknown>
  /** The size of the outbox in bytes. */
  readonly sizeBytes: () => number
  /** The space to leave free on the disk besides, in bytes. */
  readonly reserveBytes: () => number
  /** A backup that knows less may name a patient who has withdrawn. */
  readonly erasedUntil: () => number
}

/** Leaves the disk to the opening first. */
const FIRST_CHECK_AFTER_MS = MINUTE

/** Repeated, because machines sleep and failed backups are tried again. */
const CHECK_INTERVAL_MS = HOUR

const noSpace = (): Failure => failureOf('diskLow', worded('outbox:backup.noSpace'))

/** Starts to make a verified backup of the outbox every day, while the station works. */
export function openBackups(options: BackupOptions) {
  const { folder, clock, logger } = options
  const ended = new AbortController()
  const temporary = join(folder, 'outbox.sqlite.new')
  let trouble: Failure | null = null
  const changed = createSignal()
  let cancelCheck: (() => void) | null = null

  const clear = async (): Promise<void> => {
    for (const rest of ['', '-journal', '-wal', '-shm']) await rm(`${temporary}${rest}`, { force: true })
  }

  const make = async (): Promise<Result<string>> => {
    const at = clock.now()
    const name = backupNameAt(at)
    await mkdir(folder, { recursive: true, mode: 0o700 })
    await clear()
    const { bavail, bsize } = await statfs(folder)
    if (bavail * bsize < options.sizeBytes() + options.reserveBytes()) return fail(noSpace())
    await options.copyTo(temporary, ended.signal)
    await options.finishCopy(temporary, new Date(at).toISOString(), ended.signal)
    const path = join(folder, name)
    await rename(temporary, path)
    await flushFolder(folder)
    const backups = (await backupsIn(folder)).map((one) => inspectBackup(one))
    for (const surplus of surplusBackups(backups, path, options.erasedUntil()))
      await rm(surplus, { force: true })
    return succeed(path)
  }

  const report = (made: Result<string>): void => {
    if (ended.signal.aborted) return
    if (made.ok) logger.info('the outbox was backed up')
    else logger.error('the outbox could not be backed up', { failure: made.failure.kind })
    if (made.ok && trouble === null) return
    trouble = made.ok ? null : made.failure
    changed.emit()
  }

  const attempt = async (): Promise<Result<string>> => {
    let made: Result<string>
    try {
      made = await make()
    } catch (error) {
      made = fail(isForLackOfSpace(error) ? noSpace() : failureOf('storage', worded('outbox:backup.failed')))
    }
    // An unfinished file takes space, and must not be mistaken for a backup.
    if (!made.ok) await clear().catch(() => undefined)
    report(made)
    return made
  }

  /** One at a time: two would write into one file. */
  const inTurn = serially()

  const checkToday = async (): Promise<void> => {
    const names: readonly string[] = await readdir(folder).catch(() => [])
    if (!names.includes(backupNameAt(clock.now()))) await attempt()
  }
  const checkAfter = (delayMs: number): void => {
    cancelCheck = clock.after(delayMs, () => {
      void inTurn(checkToday).finally(() => {
        if (!ended.signal.aborted) checkAfter(CHECK_INTERVAL_MS)
      })
    })
  }
  checkAfter(FIRST_CHECK_AFTER_MS)

  return {
    /** Makes today's backup, even if there is one, and returns its path. An existing backup is never lost. */
    backUpNow: () => inTurn(attempt),
    /** Why the latest backup failed; null if it did not. */
    trouble: () => trouble,
    /** The trouble has come or gone. */
    onChange: changed.subscribe,
    /** Ends a running backup and removes its unfinished file. */
    close: async (): Promise<void> => {
      cancelCheck?.()
      ended.abort(new Error('the station stops'))
      await inTurn(() => Promise.resolve())
    },
  }
}

/** Daily backups of a data folder: copies the open outbox, and checks the copies in a worker thread. */
export function openDailyBackups(options: {
  readonly opened: Pick<CheckedOutbox, 'outbox' | 'copyTo' | 'dataFolder' | 'thread'>
  readonly clock: Clock
  readonly settings: () => Pick<Settings, 'storage'>
}): ReturnType<typeof openBackups> {
  const { dataFolder, thread, copyTo } = options.opened
  return openBackups({
    folder: backupsFolderIn(dataFolder),
    clock: options.clock,
    logger: thread.logger,
    copyTo,
    finishCopy: async (path, at, signal) => {
      const found = await askOutboxThread(thread.workerUrl, { kind: 'finishCopy', path, at }, signal)
      try {
        applyFindings(options.opened.outbox, found, options.clock.now())
      } catch (error) {
        // Nothing is written any more, and the next start reads these cases itself: the copy is whole.
        if (!(error instanceof StorageStopped)) throw error
      }
    },
    // It may have been removed while it is open: then its copy is needed most.
    sizeBytes: () => statSync(databasePathIn(dataFolder), { throwIfNoEntry: false })?.size ?? 0,
    reserveBytes: () => options.settings().storage.lowWaterBytes,
    erasedUntil: () => options.opened.outbox.erasedUntil(),
  })
}
