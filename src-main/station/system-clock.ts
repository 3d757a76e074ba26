import type { Clock } from './ports.ts'

/** A timer of Node holds 24 days; a longer one would run at once. */
const MAX_TIMER_MS = 2 ** 31 - 1

function after(delayMs: number, run: () => void): () => void {
  if (delayMs > MAX_TIMER_MS) {
    let cancel = after(MAX_TIMER_MS, () => {
      cancel = after(delayMs - MAX_TIMER_MS, run)
    })
    return () => cancel()
  }
  const timer = setTimeout(run, delayMs)
  timer.unref()
  return () => clearTimeout(timer)
}

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonicMs: () => performance.now(),
  after,
}
