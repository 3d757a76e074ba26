import { open, type FileHandle } from 'node:fs/promises'
import type { SqlDatabase } from './open-database.ts'

/** A megabyte takes a few milliseconds; whatever waits for the main thread goes between two. */
const PAGES_AT_A_TIME = 256
/**
 * Flushed as it comes: one flush of everything at the end, which SQLite makes on this thread, would take seconds.
 *
 * What is left to that flush is what SQLite holds back in the cache of the copy, 16 MB at most: the last step writes it
 * and flushes it at once (measured for 300 MB: 110 to 160 ms, on a slow disk more; every other step below 110 ms). Neither
 * the size of that cache nor `synchronous` of the copy can be set through better-sqlite3, which opens it itself.
 */
const FLUSH_EVERY_PAGES = 4_096

/**
 * Copies an open database into a new file, a little at a time, with whatever is written to it meanwhile.
 *
 * Rejects where the disk refuses, the database is closed, or the signal ends it; the file then is of no use.
 */
export async function copyDatabase(sql: SqlDatabase, path: string, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted()
  const file = await open(path, 'wx', 0o600)
  const flushed = new Flushing(file)
  try {
    await sql.backup(path, {
      progress: ({ totalPages, remainingPages }) => {
        signal.throwIfAborted()
        return flushed.pagesNext(totalPages - remainingPages, remainingPages)
      },
    })
  } finally {
    await flushed.rest()
    await file.close()
  }
}

/** Flushes a file that is being written, beside the writing. */
class Flushing {
  readonly #file: FileHandle
  #current: Promise<void> | null = null
  #flushedPages = 0

  constructor(file: FileHandle) {
    this.#file = file
  }

  /**
   * How many pages may be copied now; none while the disk is behind. It is asked again at each turn of the event loop:
   * better-sqlite3 waits for no promise here, so a timer cannot stand in between. Others have their turns meanwhile.
   */
  pagesNext(copied: number, remaining: number): number {
    const isBehind = copied - this.#flushedPages >= FLUSH_EVERY_PAGES
    // All but the last pages are flushed before the last ones are copied.
    const isNearlyDone = remaining <= PAGES_AT_A_TIME && copied > this.#flushedPages
    if (this.#current === null && (isBehind || isNearlyDone)) {
      this.#flush(copied)
      if (isNearlyDone) return 0
    }
    return this.#current !== null && (isBehind || remaining <= PAGES_AT_A_TIME) ? 0 : PAGES_AT_A_TIME
  }

  async rest(): Promise<void> {
    await this.#current
  }

  #flush(copied: number): void {
    this.#flushedPages = copied
    this.#current = this.#file
      .datasync()
      // What the disk refuses here it refuses SQLite at the end, which then says so.
      .catch(() => undefined)
      .finally(() => (this.#current = null))
  }
}
