import type { Clock } from '../../src-main/station/ports.ts'

/** So many turns of the event loop with nothing to do on the disk are rest. */
const QUIET_ROUNDS = 4

type Timer = { readonly dueAt: number; readonly run: () => void }

/** More timers than this at one and the same instant are work that turns in circles. */
const TIMERS_AT_ONE_INSTANT = 500

/** A machine that is busy with other tests may keep a small file for long. */
const DISK_PATIENCE_MS = 10_000

function isDiskAtWork(): boolean {
  return process.getActiveResourcesInfo().some((name) => /^FSReq|CloseReq$/.test(name))
}

/** Lets what was started go on until nothing is left but timers: promises are settled, and the disk is done. */
export async function rest(): Promise<void> {
  const until = performance.now() + DISK_PATIENCE_MS
  for (let quiet = 0; quiet < QUIET_ROUNDS; quiet += 1) {
    await new Promise((resolve) => setImmediate(resolve))
    if (isDiskAtWork() && performance.now() < until) quiet = 0
  }
}

/** A clock that stands still until a test turns it. */
export class ManualClock implements Clock {
  #now: number
  /** By how much the wall clock was set; timers and the monotonic clock do not know of it. */
  #setBy = 0
  #timers = new Set<Timer>()

  constructor(options: { readonly now?: number } = {}) {
    this.#now = options.now ?? Date.UTC(2026, 10, 20, 9)
  }

  now = (): number => this.#now + this.#setBy
  monotonicMs = (): number => this.#now

  after = (delayMs: number, run: () => void): (() => void) => {
    const timer = { dueAt: this.#now + delayMs, run }
    this.#timers.add(timer)
    return () => void this.#timers.delete(timer)
  }

  /** Sets the wall clock ahead, or back (negative), as a person or a time server does: no timer runs earlier or later. */
  set(byMs: number): void {
    this.#setBy += byMs
  }

  /** Turns the clock on; every timer runs at its own instant, in order, and what it starts comes to rest first. */
  async turn(byMs: number): Promise<void> {
    const target = this.#now + byMs
    for (let count = 0; ; count += 1) {
      if (count > TIMERS_AT_ONE_INSTANT) throw new Error('this turns in circles and never waits')
      await rest()
      const next = this.#nextDue()
      if (!next || next.dueAt > target) break
      this.#timers.delete(next)
      if (next.dueAt > this.#now) count = 0
      this.#now = Math.max(this.#now, next.dueAt)
      next.run()
    }
    this.#now = target
    await rest()
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
