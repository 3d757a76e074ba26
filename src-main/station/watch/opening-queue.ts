import type { FileStamp, Inspection } from '../intake/inspect-file.ts'
import type { FileMark, PriorResult } from './watcher.ts'

export type OpeningQueueOptions = {
  readonly inspect: (relativePath: string, stamp: FileStamp) => Promise<Inspection>
  /** What these files, just as they are, were found to be before. One answer per file. */
  readonly lookUp: (files: readonly FileMark[]) => Promise<readonly PriorResult[]>
  readonly onOpened: (mark: FileMark, found: Inspection | { readonly kind: 'known' | 'damaged' }) => void
  /** A defect: what should never be thrown. */
  readonly onDefect: (error: unknown) => void
}

/** Small enough to be answered from a database between two frames of a screen. */
const FILES_PER_LOOKUP = 128

/**
 * Opens files one after the other, in the order in which they settled. Whether they are known is asked first and
 * for many at a time: after a restart, a folder with years of exports costs questions and not reads.
 */
export class OpeningQueue {
  readonly #options: OpeningQueueOptions
  #waiting: FileMark[] = []
  /** How many of `#waiting` have had their turn: cut off now and then, because a cut copies all that is left. */
  #nextIndex = 0
  #isRunning = false
  #isClosed = false

  constructor(options: OpeningQueueOptions) {
    this.#options = options
  }

  add(mark: FileMark): void {
    this.#waiting.push(mark)
    if (this.#isRunning) return
    this.#isRunning = true
    // The rest of this turn may add more, which then go into one question.
    queueMicrotask(() => {
      this.#run().catch((error: unknown) => this.#options.onDefect(error))
    })
  }

  close(): void {
    this.#isClosed = true
    this.#waiting = []
    this.#nextIndex = 0
  }

  async #run(): Promise<void> {
    const { lookUp, inspect, onOpened } = this.#options
    while (this.#waiting.length > this.#nextIndex) {
      const marks = this.#waiting.slice(this.#nextIndex, this.#nextIndex + FILES_PER_LOOKUP)
      this.#nextIndex += marks.length
      if (this.#nextIndex > this.#waiting.length / 2) {
        this.#waiting = this.#waiting.slice(this.#nextIndex)
        this.#nextIndex = 0
      }
      const known = await lookUp(marks)
      for (const [index, mark] of marks.entries()) {
        if (this.#isClosed) return
        const before = known[index] ?? 'new'
        onOpened(mark, before === 'new' ? await inspect(mark.relativePath, mark) : { kind: before })
      }
    }
    this.#isRunning = false
  }
}
