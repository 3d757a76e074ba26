/**
 * The shutdown of the app, and what begins one: a person who quits, the end of the session or the machine, bugs.
 *
 * The outbox survives a kill at any moment. A clean shutdown only makes the exit tidy, because the system does not
 * always ask: Windows announces the end of a session to windows and not to the app.
 */
import { app, powerSaveBlocker } from 'electron'
import { SECOND } from '../../src-shared/durations.ts'
import type { StationEvent } from '../../src-shared/contract.ts'
import type { StationStatus } from '../../src-shared/station-status.ts'
import type { Station } from '../station/api.ts'
import { errorName } from '../station/lib/errors.ts'
import type { Clock, Logger } from '../station/ports.ts'
import { relaunchArguments } from './command-line.ts'
import { catchBugs, type CrashHistory } from './crashes.ts'
import { confirmQuit, type PendingCases, type QuitChoice } from './dialogs.ts'
import type { Emitter } from './ports.ts'
import type { HostTexts } from './texts.ts'

/**
 * - running: windows may close, the station keeps running.
 * - asking: a person wants to quit while cases wait; the quit dialog is open.
 * - sendingFirst: the person chose to send these cases first; the app exits once none is pending.
 * - stopping: the station ends its attempts and closes its outbox; further requests change nothing.
 * - stopped: the process exits.
 *
 * Nothing leads back from stopping, so no window opens over a closed outbox. Requests of the system or the
 * contract never open a dialog. Sleep is not a phase: nothing is stopped for it, and the station
 * detects that time has passed.
 */
type Phase = 'running' | 'asking' | 'sendingFirst' | 'stopping' | 'stopped'

/** A system that shuts down gives a program about five seconds. */
const STOP_TIMEOUT_MS = 4 * SECOND

type ShutdownOptions = {
  readonly app: Emitter<'window-all-closed' | 'before-quit'> & { exit(code: number): void }
  readonly clock: Clock
  readonly logger: Logger
  readonly stopStation: () => Promise<void>
  readonly pendingCases: () => Promise<PendingCases>
  readonly askToQuit: (onTheWay: PendingCases) => Promise<QuitChoice>
  /** Records how this run ends, and does what is to be done last, once the station has stopped. */
  readonly beforeExit: () => Promise<void>
}

export type Shutdown = ReturnType<typeof createShutdown>

export function createShutdown(options: ShutdownOptions) {
  const { app, clock, logger } = options
  let phase: Phase = 'running'
  let ending: Promise<void> | null = null
  const isIn = (...phases: readonly Phase[]): boolean => phases.includes(phase)

  const stopAndExit = async (exitCode: number): Promise<void> => {
    await stopWithTimeout(options.stopStation, clock, logger)
    phase = 'stopped'
    // The process exits in any case.
    await options.beforeExit().catch(() => logger.error('what was to be done last could not be done'))
    app.exit(exitCode)
  }
  /** Stops the station within the time allowed and exits, without asking. Idempotent. */
  const end = (reason: string, exitCode = 0): Promise<void> => {
    if (ending === null) {
      logger.info('ending', { reason })
      phase = 'stopping'
      ending = stopAndExit(exitCode)
    }
    return ending
  }

  const askToQuit = async (reason: string): Promise<void> => {
    const pending = await options.pendingCases()
    if (isIn('asking', 'stopping', 'stopped')) return ending ?? undefined
    if (pending.count === 0) return end(reason)
    phase = 'asking'
    logger.info('a person is asked whether to quit', { onTheWay: pending.count })
    const choice = await options.askToQuit(pending)
    logger.info('answered', { choice })
    const { count } = await options.pendingCases()
    // The system may have been quicker than the person.
    if (!isIn('asking')) return ending ?? undefined
    phase = choice === 'sendFirst' ? 'sendingFirst' : 'running'
    if (choice === 'quitNow' || (choice === 'sendFirst' && count === 0)) await end(`${reason}, and confirmed`)
  }

  // Without a listener, Electron quits when the last window closes.
  app.on('window-all-closed', () => undefined)
  app.on('before-quit', (event: { preventDefault(): void }) => {
    if (isIn('stopped')) return
    event.preventDefault()
    void askToQuit('asked to quit')
  })
  return {
    isRunning: (): boolean => !isIn('stopping', 'stopped'),
    askToQuit,
    end,
    pendingChanged: (onTheWay: number): void => {
      if (isIn('sendingFirst') && onTheWay === 0) void end('all is sent')
    },
  }
}

async function stopWithTimeout(stop: () => Promise<void>, clock: Clock, logger: Logger): Promise<void> {
  const { promise: timeout, resolve } = Promise.withResolvers<'late'>()
  const cancel = clock.after(STOP_TIMEOUT_MS, () => resolve('late'))
  try {
    if ((await Promise.race([stop(), timeout])) === 'late')
      logger.warn('the station did not stop in time; it is safe to end it as it is')
  } catch (error) {
    logger.error('the station could not be stopped; it is safe to end it as it is', {
      kind: errorName(error),
    })
  } finally {
    cancel()
  }
}

/** What an exit now would leave behind. Pure. */
export function countPending({
  mode,
  counts,
  service,
}: Pick<StationStatus, 'mode' | 'counts' | 'service'>): PendingCases {
  return {
    count: (counts.waiting ?? 0) + (counts.sending ?? 0),
    isSending: mode.kind === 'running' && service.health !== 'trouble',
  }
}

/** The pending cases of a station that cannot report its state: it must not prevent its own end. */
const NOTHING_PENDING = { count: 0, isSending: false }

type PowerOptions = {
  /** Electron's types lack `shutdown`, which is documented. */
  readonly monitor: Emitter<'suspend' | 'resume' | 'shutdown'>
  readonly window: Emitter<'session-end'>
  readonly logger: Logger
  readonly onResume: () => void
  /** Synchronous, because Windows kills the process once its listeners return: a sign-out would count as a crash. */
  readonly markEnd: () => void
  readonly onShutdown: (reason: string) => void
}

/**
 * The system's events are hints only: on Linux `resume` may never come (the station detects sleep itself), and Windows
 * announces the end of a session only to windows, without `before-quit`. Locking the screen changes nothing: cases are
 * sent unattended.
 */
export function watchPower(options: PowerOptions): void {
  const { monitor, window, logger, onResume, markEnd, onShutdown } = options
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
  // Windows. It asks before whether the session may end: a station must not hold up a computer, and does not answer.
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

/** The shutdown of the running app, and the end by a bug. */
export function openDesktopShutdown(options: {
  readonly station: Station
  readonly clock: Clock
  readonly logger: Logger
  readonly crashHistory: CrashHistory
  readonly startAs: 'working' | 'safe'
  readonly texts: () => HostTexts
  readonly isWindowHidden: () => boolean
  readonly beforeExit: ShutdownOptions['beforeExit']
}) {
  const { station, clock, logger, crashHistory, startAs, texts } = options
  let isSafe = startAs === 'safe'
  const shutdown = createShutdown({
    app,
    clock,
    logger,
    stopStation: () => station.stop(),
    pendingCases: () =>
      station.handlers['station.status']({}).then(
        (status) => (status.ok ? countPending(status.value) : NOTHING_PENDING),
        () => NOTHING_PENDING,
      ),
    askToQuit: (pending) => confirmQuit(pending, texts()),
    beforeExit: options.beforeExit,
  })
  const update = (status: StationStatus): void => {
    // The end of a station says nothing of how the next one is to begin.
    if (status.mode.kind !== 'stopping' && status.mode.kind !== 'stopped')
      isSafe = status.mode.kind === 'paused' && status.mode.why === 'safeMode'
    shutdown.pendingChanged(countPending(status).count)
  }
  station.on((event) => {
    if (event.name === 'stationChanged') update(event.payload)
  })
  preventSleepWhileSending(station, powerSaveBlocker)

  /** Starts the app again, as it is now, once it has ended. */
  const restart = (): void => {
    const isHidden = options.isWindowHidden()
    app.relaunch({ args: relaunchArguments(process.argv.slice(1), { isHidden, isSafe }) })
  }
  catchBugs({
    process,
    logger,
    isSafe: () => isSafe,
    recordCrash: () => crashHistory.end('crash'),
    end: (reason, exitCode) => shutdown.end(reason, exitCode),
    relaunch: restart,
  })
  return { ...shutdown, isSafe: () => isSafe, restart }
}
