import type { Clock } from '../../../../src-main/station/ports.ts'

type Timer = { readonly dueAt: number; readonly delayMs: number; readonly run: () => void }

/** A clock that stands still until a test turns it. */
export class ManualClock implements Clock {
  #now: number
  #timers = new Set<Timer>()

  constructor(now = Date.UTC(2026, 10, 20)) {
    this.#now = now
  }

  now = (): number => this.#now
  monotonicMs = (): number => this.#now

  after = (delayMs: number, run: () => void): (() => void) => {
    const timer = { dueAt: this.#now + delayMs, delayMs, run }
    this.#timers.add(timer)
    return () => this.#timers.delete(timer)
  }

  advance(byMs: number): void {
    this.#now += byMs
    for (const timer of this.#timers) {
      if (timer.dueAt > this.#now) continue
      this.#timers.delete(timer)
      timer.run()
    }
  }

  /** Whether a timer of exactly this length runs. */
  hasTimer(delayMs: number): boolean {
    return [...this.#timers].some((timer) => timer.delayMs === delayMs)
  }

  get timerCount(): number {
    return this.#timers.size
  }
}
