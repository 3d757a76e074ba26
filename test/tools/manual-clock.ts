import type { Clock } from '../../src-main/station/ports.ts'

type Timer = { readonly dueAt: number; readonly run: () => void }

/** More timers than this at one and the same instant are work that turns in circles. */
const TIMERS_AT_ONE_INSTANT = 500

/** Lets what was started go on until nothing is left but timers and the disk. */
export async function rest(rounds = 12): Promise<void> {
  for (let round = 0; round < rounds; round += 1) await new Promise((resolve) => setImmediate(resolve))
}

/** A clock that stands still until a test turns it. */
export class ManualClock implements Clock {
  #now: number
  #timers = new Set<Timer>()
  readonly #rest: () => Promise<void>

  /** `whenResting` is awaited before every timer, so that what the one before began is over. */
  constructor(options: { readonly now?: number; readonly whenResting?: () => Promise<void> } = {}) {
    this.#now = options.now ?? Date.UTC(2026, 10, 20, 9)
    this.#rest = options.whenResting ?? rest
  }

  now = (): number => this.#now
  monotonicMs = (): number => this.#now

  after = (delayMs: number, run: () => void): (() => void) => {
    const timer = { dueAt: this.#now + delayMs, run }
    this.#timers.add(timer)
    return () => void this.#timers.delete(timer)
  }

  /** Turns the clock on; every timer runs at its own instant, in order, and what it starts comes to rest first. */
  async turn(byMs: number): Promise<void> {
    const target = this.#now + byMs
    for (let count = 0; ; count += 1) {
      if (count > TIMERS_AT_ONE_INSTANT) throw new Error('this turns in circles and never waits')
      await this.#rest()
      const next = this.#nextDue()
      if (!next || next.dueAt > target) break
      this.#timers.delete(next)
      if (next.dueAt > this.#now) count = 0
      this.#now = Math.max(this.#now, next.dueAt)
      next.run()
    }
    this.#now = target
    await this.#rest()
  }

  /** Lets everything that is due now happen. */
  settle = (): Promise<void> => this.turn(0)

  #nextDue(): Timer | undefined {
    let next: Timer | undefined
    for (const timer of this.#timers) if (!next || timer.dueAt < next.dueAt) next = timer
    return next
  }

  get timerCount(): number {
    return this.#timers.size
  }
}
