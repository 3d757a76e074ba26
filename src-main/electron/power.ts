/**
 * Sleep, and the end of the session or the machine, as far as the system tells of them. All of it is a hint: `resume` may
 * not come on Linux (the station finds a sleep by itself), and Windows tells a session's end to windows only, where
 * `before-quit` does not come. A locked screen is no news: cases go on while nobody is there.
 */
import type { StationEvent } from '../../src-shared/contract.ts'
import type { StationStatus } from '../../src-shared/station-status.ts'
import type { Logger } from '../station/ports.ts'

/** Electron's `powerMonitor`, the part that is needed. */
type PowerMonitor = {
  on(event: 'suspend', listener: () => void): unknown
  on(event: 'resume', listener: () => void): unknown
  /** Its types name no event, its documentation does. */
  on(event: 'shutdown', listener: (event?: { preventDefault(): void }) => void): unknown
}

/** The part of a window that is needed. */
type SessionWindow = {
  on(event: 'query-session-end', listener: () => void): unknown
  on(event: 'session-end', listener: () => void): unknown
}

type PowerOptions = {
  readonly monitor: PowerMonitor
  readonly window: SessionWindow
  readonly logger: Logger
  readonly onResume: () => void
  /** The session may end, or may not after all. */
  readonly onSessionEndAsked: () => void
  /**
   * Writes down, before it returns, that this run ends and did not crash. Windows ends the process as soon as its listeners
   * have returned: what they only begin is not done, and every sign-out would count as an end by itself.
   */
  readonly markEnd: () => void
  readonly onShutdown: (reason: string) => void
}

export function watchPower(options: PowerOptions): void {
  const { monitor, window, logger, onResume, onSessionEndAsked, markEnd, onShutdown } = options
  monitor.on('suspend', () => logger.info('the computer goes to sleep'))
  monitor.on('resume', () => {
    logger.info('the computer woke up')
    onResume()
  })
  // Linux and macOS. Prevented means: wait for us, we are on our way out.
  monitor.on('shutdown', (event) => {
    event?.preventDefault()
    markEnd()
    onShutdown('the computer shuts down')
  })
  // Windows. The question is never answered with no: a station must not hold up a computer.
  window.on('query-session-end', onSessionEndAsked)
  window.on('session-end', () => {
    markEnd()
    onShutdown('the session ends')
  })
}

// Keeps the computer from falling asleep by itself while a case is being sent, and not a moment longer. A lid that is
// closed, or a person who chooses sleep, is not kept from it: what was under way then is looked for afterwards.

/** Electron's `powerSaveBlocker`, the part that is needed. */
type PowerSaveBlocker = {
  start(type: 'prevent-app-suspension'): number
  stop(id: number): unknown
}

/** Is there an attempt under way? `sending` means exactly one open attempt. Pure. */
export function isSending({ mode, counts }: Pick<StationStatus, 'mode' | 'counts'>): boolean {
  return mode.kind !== 'stopped' && (counts.sending ?? 0) > 0
}

export function keepAwakeWhileSending(
  station: { on(listener: (event: StationEvent) => void): unknown },
  blocker: PowerSaveBlocker,
): void {
  let blockerId: number | null = null
  station.on((event) => {
    if (event.name !== 'stationChanged') return
    if (isSending(event.payload)) blockerId ??= blocker.start('prevent-app-suspension')
    else if (blockerId !== null) {
      blocker.stop(blockerId)
      blockerId = null
    }
  })
}
