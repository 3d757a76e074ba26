/** The pulse of a station: it says that it lives, and notices when it did not for a while. */
import type { Mode } from '../../src-shared/station-status.ts'
import { openGapWatch } from './gap-watch.ts'
import { openHeartbeat } from './heartbeat.ts'
import type { Ports } from './ports.ts'

export type Pulse = {
  /** Nobody is woken any more; the heart goes on. */
  rest(): void
  /** Marks the clean end. */
  close(): Promise<void>
}

export function openPulse(given: {
  readonly dataFolder: string
  readonly ports: Ports
  readonly mode: () => Mode
  /** Time has passed without the station: all that waits is to be looked at again. */
  readonly wakeUp: () => void
}): Pulse {
  const { clock, logger } = given.ports
  const heartbeat = openHeartbeat(given)
  const rest = openGapWatch(clock, (gap) => {
    logger.info('time has passed without this station', { gap })
    heartbeat.beat()
    given.wakeUp()
  })
  return {
    rest,
    close: () => {
      rest()
      return heartbeat.close()
    },
  }
}
