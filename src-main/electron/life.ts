/**
 * The end of the app, in one place.
 *
 *   running → stopping → stopped
 *
 * running: windows may close, the station goes on. stopping: the station ends its attempts and closes its outbox;
 * asking again changes nothing. stopped: the process exits. Nothing leads back, so no window opens over a closed store.
 *
 * The outbox is safe against a kill at any moment. What happens here only makes the end tidy, because the system does
 * not always ask: Windows tells a session's end to windows and not to the app.
 */
import { SECOND } from '../../src-shared/durations.ts'
import type { Clock, Logger } from '../station/ports.ts'

/** Systems that shut down give a program about five seconds. */
const STOP_WITHIN_MS = 4 * SECOND

/** The part of `app` that is needed. */
export type EndingApp = {
  on(event: 'window-all-closed', listener: () => void): unknown
  on(event: 'before-quit', listener: (event: { preventDefault(): void }) => void): unknown
  exit(code: number): void
}

export type LifeOptions = {
  readonly app: EndingApp
  readonly clock: Clock
  readonly logger: Logger
  readonly stopStation: () => Promise<void>
}

export type Life = {
  /** True until the end begins. */
  isRunning(): boolean
  /** Stops the station, in the time that there is, and exits. Safe to call again. */
  end(reason: string, exitCode?: number): Promise<void>
}

export function beginLife({ app, clock, logger, stopStation }: LifeOptions): Life {
  let phase: 'running' | 'stopping' | 'stopped' = 'running'

  const stopInTime = async (): Promise<void> => {
    const { promise: late, resolve } = Promise.withResolvers<'late'>()
    const cancel = clock.after(STOP_WITHIN_MS, () => resolve('late'))
    try {
      if ((await Promise.race([stopStation(), late])) === 'late')
        logger.warn('the station did not stop in time; it is safe to end it as it is')
    } catch (error) {
      logger.error('the station could not be stopped; it is safe to end it as it is', {
        kind: error instanceof Error ? error.name : typeof error,
      })
    } finally {
      cancel()
    }
  }

  const life: Life = {
    isRunning: () => phase === 'running',
    async end(reason, exitCode = 0) {
      if (phase !== 'running') return
      phase = 'stopping'
      logger.info('ending', { reason })
      await stopInTime()
      phase = 'stopped'
      app.exit(exitCode)
    },
  }

  // Without a listener Electron quits with the last window.
  app.on('window-all-closed', () => undefined)
  app.on('before-quit', (event) => {
    if (phase === 'stopped') return
    event.preventDefault()
    void life.end('asked to quit')
  })
  return life
}
