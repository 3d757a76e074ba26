/**
 * Sleep, and the end of the session or the machine. The system's events are hints only: on Linux `resume` may never
 * come (the station detects sleep itself), and Windows announces the end of a session only to windows, without
 * `before-quit`. Locking the screen changes nothing: cases are sent unattended.
 */
import type { StationEvent } from '../../src-shared/contract.ts'
import type { StationStatus } from '../../src-shared/station-status.ts'
import type { Logger } from '../station/ports.ts'

/** The events used of an object of Electron or Node; a misspelled one, which would never come, does not compile. */
export type Emitter<Name extends string> = {
  on(event: Name, listener: Parameters<NodeJS.EventEmitter['on']>[1]): unknown
}

type PowerOptions = {
  /** Electron's types lack `shutdown`, which is documented. */
  readonly monitor: Emitter<'suspend' | 'resume' | 'shutdown'>
  readonly window: Emitter<'query-session-end' | 'session-end'>
  readonly logger: Logger
  readonly onResume: () => void
  /** The session may be about to end; it can still be called off. */
  readonly onSessionEndAsked: () => void
  /** Synchronous, because Windows kills the process once its listeners return: a sign-out would count as a crash. */
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
  // Linux and macOS. `preventDefault` means: wait for us, we are exiting.
  monitor.on('shutdown', (event?: { preventDefault(): void }) => {
    event?.preventDefault()
    markEnd()
    onShutdown('the computer shuts down')
  })
  // Windows. The question is never answered with no, because a station must not hold up a computer.
  window.on('query-session-end', onSessionEndAsked)
  window.on('session-end', () => {
    markEnd()
    onShutdown('the session ends')
  })
}

/** Is an attempt in progress? `sending` means exactly one open attempt. Pure. */
export function isSending({ mode, counts }: Pick<StationStatus, 'mode' | 'counts'>): boolean {
  return mode.kind !== 'stopped' && (counts.sending ?? 0) > 0
}

/** Prevents automatic sleep while a case is being sent. Closing the lid or choosing sleep still works. */
export function preventSleepWhileSending(
  station: { on(listener: (event: StationEvent) => void): unknown },
  blocker: { start(type: 'prevent-app-suspension'): number; stop(id: number): unknown },
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
