/**
 * What is read of a folder, and when. New files: as they settle, one at a time. Then, last and slowly, files that may have
 * been written over under one name, size and time, as a camera without a clock does it, or a program that sets times:
 * the system reported them, or their change time moved. The bytes decide, by the hash of what was taken. A backup may
 * touch 100,000 files; equal bytes show nothing.
 */
import { closeSync, fstatSync, readSync } from 'node:fs'
import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { SECOND } from '../../../src-shared/durations.ts'
import type { FileStamp, Inspection } from '../messages.ts'
import { diskCodeOf, openSourceNow, reads } from '../../station/lib/files.ts'
import { PlannedRun } from '../../station/lib/schedule.ts'
import type { Clock } from '../../station/ports.ts'
import type { FileBook } from './file-book.ts'
import { FIRST_RECHECK_MS } from './file-state.ts'
import type { FileMark, PriorResult, WatchEvent } from '../watch-messages.ts'

type OpeningQueueOptions = {
  readonly inspect: (relativePath: string, stamp: FileStamp) => Promise<Inspection>
  readonly lookup: (files: readonly FileMark[]) => Promise<readonly PriorResult[]>
  readonly onResult: (mark: FileMark, found: Inspection | Exclude<PriorResult, 'new'>) => void
  readonly onDefect: (error: unknown) => void
}

/** Small enough for a database lookup between two frames of a screen. */
const FILES_PER_LOOKUP = 128

/** Opens files one at a time as they settle, except known ones: a restart costs lookups, not reads. */
export class OpeningQueue {
  readonly #options: OpeningQueueOptions
  #waiting: FileMark[] = []
  #isRunning = false
  #isClosed = false

  constructor(options: OpeningQueueOptions) {
    this.#options = options
  }

  isIdle(): boolean {
    return !this.#isRunning
  }

  add(mark: FileMark): void {
    this.#waiting.push(mark)
    if (this.#isRunning) return
    this.#isRunning = true
    // Further files added in this turn join the same lookup.
    queueMicrotask(() => {
      this.#run().catch((error: unknown) => this.#options.onDefect(error))
    })
  }

  close(): void {
    this.#isClosed = true
    this.#waiting = []
  }

  async #run(): Promise<void> {
    const { lookup, inspect, onResult } = this.#options
    while (this.#waiting.length > 0) {
      const marks = this.#waiting.splice(0, FILES_PER_LOOKUP)
      const known = await lookup(marks)
      for (const [index, mark] of marks.entries()) {
        if (this.#isClosed) return
        const before = known[index] ?? 'new'
        onResult(mark, before === 'new' ? await inspect(mark.relativePath, mark) : before)
      }
    }
    this.#isRunning = false
  }
}

/**
 * What follows for a doubted file. `sha256` is the hash of its bytes now; null if they cannot be read.
 *
 * - `open`     nothing is remembered of it: inspected like a new file
 * - `later`    read once more
 * - `same`     its bytes are those that were taken, or none were ever hashed: shows nothing
 * - `rewritten`  a new sighting
 */
export function afterRecheck(
  prior: PriorResult,
  sha256: string | null,
): 'open' | 'later' | 'same' | 'rewritten' {
  if (isUnread(prior)) return 'open'
  if (sha256 === null) return 'later'
  const taken = typeof prior === 'string' ? null : prior.sha256
  return taken === null || taken === sha256 ? 'same' : 'rewritten'
}

/** Nothing is remembered of its bytes, or it is not read in this process. */
function isUnread(
  prior: PriorResult,
): prior is Exclude<PriorResult, 'known' | 'damaged' | { sha256: string | null }> {
  return prior === 'new' || prior === 'setAside' || (typeof prior !== 'string' && prior.as === 'suspect')
}

/** Of a hundred thousand files this is a day's work. So is hashing what was there before the first start. */
const MIN_PAUSE_MS = SECOND
/** Reading takes at most this share of the time: the pause is so many times as long. */
const PAUSE_PER_READ = 50

/** Few enough for one commit. */
const FILES_PER_REPORT = 50

/** Says of a file that it is being read, until `read` has ended. */
export type WhileReading = <Value>(
  path: string,
  stamp: FileStamp,
  read: () => Promise<Value>,
) => Promise<Value>

type RecheckQueueOptions = {
  readonly folderPath: string
  readonly clock: Clock
  readonly book: Pick<FileBook, 'doubted' | 'verify' | 'reopen'>
  readonly lookup: (files: readonly FileMark[]) => Promise<readonly PriorResult[]>
  /** False while new files wait, and while the folder may not or cannot be read. */
  readonly mayRead: () => boolean
  readonly whileReading?: WhileReading
  readonly emit: (event: WatchEvent) => void
  readonly onDefect: (error: unknown) => void
}

export class RecheckQueue {
  readonly #options: RecheckQueueOptions
  readonly #next: PlannedRun
  /** When each doubted file may be read, monotonic; the latest last. */
  readonly #dueMs = new Map<string, number>()
  #verified: (FileMark & { readonly sha256: string })[] = []
  #isReading = false
  #notBeforeMs = -Infinity
  #isClosed = false

  constructor(options: RecheckQueueOptions) {
    this.#options = options
    this.#next = new PlannedRun(options.clock, () => void this.#run().catch(options.onDefect))
  }

  /** Reads a file again, at `dueMs` or later. */
  add(relativePath: string, dueMs: number): void {
    this.#dueMs.delete(relativePath)
    this.#dueMs.set(relativePath, dueMs)
    this.#plan(dueMs)
  }

  close(): void {
    this.#isClosed = true
    this.#next.cancel()
  }

  #plan(dueMs: number): void {
    if (this.#isClosed) return
    this.#next.runIn(Math.max(0, Math.max(dueMs, this.#notBeforeMs) - this.#options.clock.monotonicMs()))
  }

  async #run(): Promise<void> {
    const { clock, mayRead } = this.#options
    if (this.#isReading || this.#isClosed) return
    const startMs = clock.monotonicMs()
    const isDue = (path: string): boolean => (this.#dueMs.get(path) ?? 0) <= startMs
    const relativePath = mayRead() ? [...this.#dueMs.keys()].findLast(isDue) : undefined
    if (relativePath !== undefined) {
      this.#dueMs.delete(relativePath)
      this.#isReading = true
      await this.#recheck(relativePath)
      this.#isReading = false
    }
    const endMs = clock.monotonicMs()
    this.#notBeforeMs = endMs + Math.max(MIN_PAUSE_MS, PAUSE_PER_READ * (endMs - startMs))
    const isMore = this.#dueMs.size > 0
    if (!isMore || this.#verified.length >= FILES_PER_REPORT) this.#report()
    if (isMore) this.#plan(-Infinity)
  }

  async #recheck(relativePath: string): Promise<void> {
    const {
      book,
      lookup,
      emit,
      clock,
      folderPath,
      whileReading = (_path, _stamp, read) => read(),
    } = this.#options
    const mark = book.doubted(relativePath)
    if (mark === null) return
    // Without the change time the answer says which bytes were taken.
    const { ctimeMs: _, ...asked } = mark
    const [prior = 'new'] = await lookup([asked])
    const path = join(folderPath, relativePath)
    const sha256 = isUnread(prior) ? null : await whileReading(path, mark, () => hashInSlices(path, mark))
    if (this.#isClosed || book.doubted(relativePath)?.ctimeMs !== mark.ctimeMs) return
    const found = afterRecheck(prior, sha256)
    switch (found) {
      case 'rewritten':
      case 'open':
        if (found === 'rewritten') emit({ kind: 'rewritten', file: mark })
        return book.reopen(mark, found)
      case 'later':
        return this.add(relativePath, clock.monotonicMs() + FIRST_RECHECK_MS)
      case 'same':
        book.verify(mark)
        if (sha256 !== null) this.#verified.push({ ...mark, sha256 })
    }
  }

  #report(): void {
    if (this.#verified.length > 0) this.#options.emit({ kind: 'verified', files: this.#verified })
    this.#verified = []
  }
}

const CHUNK_BYTES = 256 * 1_024
const SLICE_MS = 10

/** SHA-256 in lower case; null if changed, gone or unreadable. Synchronous: a hanging share holds only this thread. */
async function hashInSlices(path: string, expected: FileStamp): Promise<string | null> {
  try {
    const file = openSourceNow(path)
    try {
      const hash = createHash('sha256')
      const chunk = Buffer.allocUnsafe(CHUNK_BYTES)
      let endMs = performance.now() + SLICE_MS
      for (let read = readSync(file, chunk); read > 0; read = readSync(file, chunk)) {
        hash.update(chunk.subarray(0, read))
        reads.steps += 1
        if (performance.now() < endMs) continue
        await setImmediate()
        endMs = performance.now() + SLICE_MS
      }
      const { size, mtimeMs } = fstatSync(file)
      const isSame = size === expected.sizeBytes && Math.floor(mtimeMs) === expected.mtimeMs
      return isSame ? hash.digest('hex') : null
    } finally {
      closeSync(file)
    }
  } catch (error) {
    if (diskCodeOf(error) === null) throw error
    return null
  }
}
