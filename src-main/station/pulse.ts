/** The pulse of a station: it says that it lives, and notices when it did not for a while. */
import type { Mode } from '../../src-shared/station-status.ts'
import { startSleepDetector } from './gap-watch.ts'
import { openHeartbeatFile } from './heartbeat.ts'
import type { Ports } from './ports.ts'

export type Heartbeat = {
  /** Nobody is woken any more; the heart goes on. */
  stop(): void
  /** Marks the clean end. */
  close(): Promise<void>
}

export function openHeartbeat(options: {
  readonly dataFolder: string
  readonly ports: Ports
  readonly mode: () => Mode
  /** Time has passed without the station: all that waits is to be looked at again. */
  readonly wakeUp: () => void
}): Heartbeat {
  const { clock, logger } = options.ports
  const file = openHeartbeatFile(options)
  const stopDetector = startSleepDetector(clock, (gap) => {
    logger.info('time has passed without this station', { gap })
    file.beat()
    options.wakeUp()
  })
  return {
    stop: stopDetector,
    close: () => {
      stopDetector()
      return file.close()
    },
  }
}
