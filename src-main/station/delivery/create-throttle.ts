import type { Clock } from '../ports.ts'
import type { Throttle } from '../service/service-client.ts'
import { paidOff, pieceBytes, restMs, spent, UNPACED, type Pace } from './pacing.ts'

/** Makes the one throttle that all transfers share; the limit is read anew before each piece. */
export function createThrottle(clock: Clock, bytesPerSecond: () => number | null): Throttle {
  let pace: Pace = UNPACED
  return {
    rest: () => {
      const limit = bytesPerSecond()
      pace = paidOff(pace, limit, clock.monotonicMs())
      const ms = restMs(pace, limit)
      return ms === 0 ? null : new Promise((resolve) => void clock.after(ms, resolve))
    },
    pieceBytes: () => pieceBytes(bytesPerSecond()),
    spent: (bytes) => {
      pace = spent(pace, bytes)
    },
  }
}
