/**
 * Makes commits durable together. A commit goes to the log of the database and does not wait for the disk, which takes 12 ms for
 * a flush if it turns, and would hold up the whole station. One flush covers all commits before it (a log that was cut is
 * read up to its first bad frame: SQLite file format, section 4.2), and serves everyone who waits for one of them.
 */
import { StorageStopped } from '../lib/storage-faults.ts'
import { closeSync, fdatasync, fdatasyncSync, openSync } from 'node:fs'

export type CommitFlush = {
  /** Something was committed: a flush begins as soon as the one that runs has ended. */
  committed(): void
  /** How often something was committed. */
  count(): number
  /** Resolves once all that is committed now survives a power cut; rejects with `StorageStopped`. */
  durable(): Promise<void>
  /** The same, blocking. */
  makeDurable(): void
  /** Resolves once the disk has answered a flush, whatever its answer, also if nothing was committed. */
  answered(): Promise<void>
  /** To be called before the database is closed, which flushes the rest. */
  close(): void
}

/** Of a database in memory: nothing of it survives. */
export const NO_FLUSH: CommitFlush = {
  committed: () => undefined,
  count: () => 0,
  durable: () => Promise.resolve(),
  makeDurable: () => undefined,
  answered: () => Promise.resolve(),
  close: () => undefined,
}

/** `logPath`: the log beside the database, which exists from its first commit on. `onFailed`: the disk refused a flush. */
export function openCommitFlush(logPath: string, onFailed: () => void): CommitFlush {
  let committed = 0
  let flushed = 0
  let log: number | null = null
  let running: Promise<void> | null = null
  let isClosed = false

  const closeLog = (): void => {
    if (log !== null) closeSync(log)
    log = null
  }
  const start = (): Promise<void> => {
    const upTo = committed
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    // Without a reader it must not become an unhandled rejection.
    promise.catch(onFailed)
    const end = (error: Error | null): void => {
      running = null
      if (isClosed) closeLog()
      if (error !== null) return reject(new StorageStopped({ cause: error }))
      flushed = Math.max(flushed, upTo)
      resolve()
      next()
    }
    try {
      log ??= openSync(logPath, 'r+')
      fdatasync(log, end)
    } catch (error) {
      end(error as Error)
    }
    return promise
  }
  const next = (): void => {
    if (running === null && flushed < committed && !isClosed) running = start()
  }

  return {
    committed: () => {
      committed += 1
      // Not at once: what follows in this turn is covered, too.
      queueMicrotask(next)
    },
    count: () => committed,
    durable: async () => {
      const wanted = committed
      const isDone = (): boolean => flushed >= wanted
      while (!isDone()) {
        if (isClosed) throw new StorageStopped()
        await (running ??= start())
      }
    },
    makeDurable: () => {
      const upTo = committed
      log ??= openSync(logPath, 'r+')
      fdatasyncSync(log)
      flushed = Math.max(flushed, upTo)
    },
    answered: () => (running ??= start()).catch(() => undefined),
    close: () => {
      isClosed = true
      if (running === null) closeLog()
    },
  }
}
