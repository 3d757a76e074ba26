import type { FileLook, Inspection } from '../intake/inspect-file.ts'
import type { FileMark, KnownAs } from './watcher.ts'

export type OpeningQueueOptions = {
  readonly inspect: (relativePath: string, look: FileLook) => Promise<Inspection>
  /** What these files, just as they are, were found to be before. One answer per file. */
  readonly areKnown: (files: readonly FileMark[]) => Promise<readonly KnownAs[]>
  readonly onOpened: (mark: FileMark, found: Inspection | { readonly kind: 'known' | 'damaged' }) => void
  /** A defect: what should never be thrown. */
  readonly onDefect: (error: unknown) => void
}

/** Small enough to be answered from a database between two frames of a screen. */
const FILES_PER_QUESTION = 128

/**
 * Opens files one after the other, in the order in which they settled. Whether they are known is asked first and
 * for many at a time: after a restart, a folder with years of exports costs questions and not reads.
 */
export class OpeningQueue {
  readonly #options: OpeningQueueOptions
  #waiting: FileMark[] = []
  /** How many of `#waiting` have had their turn: cut off now and then, because a cut copies all that is left. */
  #asked = 0
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
    this.#asked = 0
  }

  async #run(): Promise<void> {
    const { areKnown, inspect, onOpened } = this.#options
    while (this.#waiting.length > this.#asked) {
      const marks = this.#waiting.slice(this.#asked, this.#asked + FILES_PER_QUESTION)
      this.#asked += marks.length
      if (this.#asked > this.#waiting.length / 2) {
        this.#waiting = this.#waiting.slice(this.#asked)
        this.#asked = 0
      }
      const known = await areKnown(marks)
      for (const [index, mark] of marks.entries()) {
        if (this.#isClosed) return
        const before = known[index] ?? 'new'
        onOpened(mark, before === 'new' ? await inspect(mark.relativePath, mark) : { kind: before })
      }
    }
    this.#isRunning = false
  }
}
