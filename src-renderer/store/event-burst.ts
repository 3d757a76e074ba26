/**
 * Lets single events through at once and gathers those of a burst: a thousand cases that are held together must not
 * draw the screens a thousand times. The order stays.
 */
import type { StationEvent } from '../../src-shared/contract.ts'

/** So many events are single ones within a window; what comes after them waits for its end. */
const SINGLE_EVENTS = 20
export const WINDOW_MS = 50

export type EventBurst = {
  readonly push: (event: StationEvent) => void
  /** Applies what waits now: it must not be laid over a snapshot that is newer. */
  readonly flush: () => void
}

export function createEventBurst(
  apply: (events: readonly StationEvent[]) => void,
  later: (delayMs: number, run: () => void) => unknown,
): EventBurst {
  let count = 0
  let isWindowOpen = false
  let waiting: StationEvent[] = []
  const endWindow = (): void => {
    const events = waiting
    waiting = []
    count = 0
    isWindowOpen = events.length > 0
    if (events.length === 0) return
    apply(events)
    // As long as the burst lasts, what comes is gathered.
    count = SINGLE_EVENTS
    later(WINDOW_MS, endWindow)
  }
  return {
    flush() {
      const events = waiting
      waiting = []
      if (events.length > 0) apply(events)
    },
    push(event) {
      if (!isWindowOpen) {
        isWindowOpen = true
        later(WINDOW_MS, endWindow)
      }
      count += 1
      if (count > SINGLE_EVENTS) waiting.push(event)
      else apply([event])
    },
  }
}
