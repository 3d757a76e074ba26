import type { Clock } from '../ports.ts'

/** One run that is planned for some time: a nearer plan replaces a farther one, never the other way round. */
export class PlannedRun {
  readonly #clock: Clock
  readonly #run: () => void
  #dueMs = Infinity
  #cancel = (): void => undefined

  constructor(clock: Clock, run: () => void) {
    this.#clock = clock
    this.#run = run
  }

  runIn(delayMs: number): void {
    const dueMs = this.#clock.monotonicMs() + delayMs
    if (this.#dueMs <= dueMs) return
    this.cancel()
    this.#dueMs = dueMs
    this.#cancel = this.#clock.after(delayMs, () => {
      this.#dueMs = Infinity
      this.#run()
    })
  }

  cancel(): void {
    this.#dueMs = Infinity
    this.#cancel()
  }
}
