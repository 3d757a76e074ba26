import type { Clock } from '../ports.ts'
import type { Throttle } from '../service/service-client.ts'
import { payOff, pieceBytes, waitMs, addDebt, UNPACED, type Pace } from './pacing.ts'

/** Makes the one throttle that all transfers share; the limit is read anew before each piece. */
export function createThrottle(clock: Clock, bytesPerSecond: () => number | null): Throttle {
  let pace: Pace = UNPACED
  return {
    delay: () => {
      const limit = bytesPerSecond()
      pace = payOff(pace, limit, clock.monotonicMs())
      const ms = waitMs(pace, limit)
      return ms === 0 ? null : new Promise((resolve) => void clock.after(ms, resolve))
    },
    pieceBytes: () => pieceBytes(bytesPerSecond()),
    consume: (bytes) => {
      pace = addDebt(pace, bytes)
    },
  }
}
