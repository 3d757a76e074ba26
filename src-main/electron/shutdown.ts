/**
 * The shutdown of the app, as one state machine and its effects.
 *
 * The outbox survives a kill at any moment. A clean shutdown only makes the exit tidy, because the system does not
 * always ask: Windows announces the end of a session to windows and not to the app.
 */
import { errorName } from '../station/lib/errors.ts'
import { app, powerSaveBlocker } from 'electron'
import { MINUTE, SECOND } from '../../src-shared/durations.ts'
import type { StationStatus } from '../../src-shared/station-status.ts'
import type { Station } from '../station/api.ts'
import type { Clock, Logger } from '../station/ports.ts'
import { type CommandLine, relaunchArguments } from './command-line.ts'
import { catchBugs, type CrashHistory, recoverGpu } from './crash-history.ts'
import { confirmQuit, type PendingCases, type QuitChoice } from './dialogs.ts'
import { type Emitter, preventSleepWhileSending } from './power.ts'
import type { HostTexts } from './texts.ts'

/**
 * The app's state after startup.
 *
 *   running ⇄ asking → sendingFirst → stopping → stopped
 *
 * - running: windows may close, the station keeps running.
 * - asking: a person wants to quit while cases wait; the quit dialog is open.
 * - sendingFirst: the person chose to send these cases first; the app exits once none is pending.
 * - sessionEnding: Windows asks whether the session may end. It can still be called off, so nothing is stopped,
 * but no dialog opens either.
 * - stopping: the station ends its attempts and closes its outbox; further requests change nothing.
 * - stopped: the process exits.
 *
 * Nothing leads back from stopping, so no window opens over a closed outbox. Requests of the system or the
 * contract never open a dialog. Sleep is not a state: nothing is stopped for it, and the station
 * detects that time has passed.
 */
export type ShutdownState =
  | { readonly kind: 'running' }
  | { readonly kind: 'asking' }
  | { readonly kind: 'sendingFirst' }
  | { readonly kind: 'sessionEnding' }
  | { readonly kind: 'stopping'; readonly exitCode: number }
  | { readonly kind: 'stopped'; readonly exitCode: number }

export type ShutdownEvent =
  /** A person asked to quit while this many cases wait or are being sent. */
  | { readonly kind: 'quitAsked'; readonly onTheWay: number }
  | { readonly kind: 'answered'; readonly choice: QuitChoice; readonly onTheWay: number }
  | { readonly kind: 'countChanged'; readonly onTheWay: number }
  | { readonly kind: 'sessionEndAsked' }
  | { readonly kind: 'sessionGoesOn' }
  /** The session or the machine ends, the contract says stop, an update is ready, or the app crashed. */
  | { readonly kind: 'mustEnd'; readonly exitCode: number }
  | { readonly kind: 'stationStopped' }

type Transition = {
  readonly state: ShutdownState
  readonly effect: 'nothing' | 'ask' | 'stopStation' | 'exit'
}

const RUNNING: ShutdownState = { kind: 'running' }

function startStopping(exitCode: number): Transition {
  return { state: { kind: 'stopping', exitCode }, effect: 'stopStation' }
}

export function transition(state: ShutdownState, event: ShutdownEvent): Transition {
  const unchanged: Transition = { state, effect: 'nothing' }
  if (state.kind === 'stopped') return unchanged
  if (state.kind === 'stopping')
    return event.kind === 'stationStopped'
      ? { state: { kind: 'stopped', exitCode: state.exitCode }, effect: 'exit' }
      : unchanged
  switch (event.kind) {
    case 'mustEnd':
      return startStopping(event.exitCode)
    case 'quitAsked':
      if (state.kind === 'asking') return unchanged
      return event.onTheWay === 0 || state.kind === 'sessionEnding'
        ? startStopping(0)
        : { state: { kind: 'asking' }, effect: 'ask' }
    case 'answered':
      if (state.kind !== 'asking') return unchanged
      if (event.choice === 'keepRunning') return { state: RUNNING, effect: 'nothing' }
      return event.choice === 'quitNow' || event.onTheWay === 0
        ? startStopping(0)
        : { state: { kind: 'sendingFirst' }, effect: 'nothing' }
    case 'countChanged':
      return state.kind === 'sendingFirst' && event.onTheWay === 0 ? startStopping(0) : unchanged
    case 'sessionEndAsked':
      return { state: { kind: 'sessionEnding' }, effect: 'nothing' }
    case 'sessionGoesOn':
      return state.kind === 'sessionEnding' ? { state: RUNNING, effect: 'nothing' } : unchanged
    case 'stationStopped':
      // The station stopped unexpectedly: nothing is left to run.
      return startStopping(1)
  }
}

/** A system that shuts down gives a program about five seconds. */
const STOP_TIMEOUT_MS = 4 * SECOND

/** A session either ends soon or was called off; no event says which. */
const SESSION_END_TIMEOUT_MS = MINUTE

type ShutdownOptions = {
  readonly app: Emitter<'window-all-closed' | 'before-quit'> & { exit(code: number): void }
  readonly clock: Clock
  readonly logger: Logger
  readonly stopStation: () => Promise<void>
  readonly pendingCases: () => Promise<PendingCases>
  readonly askToQuit: (onTheWay: PendingCases) => Promise<QuitChoice>
  readonly beforeExit: () => Promise<void>
}

export type Shutdown = {
  isRunning(): boolean
  /** Start nothing new: the session may end at any moment. Resets if the session continues. */
  isSessionEnding(): boolean
  askToQuit(reason: string): Promise<void>
  /** Stops the station within the time allowed and exits, without asking. Idempotent. */
  end(reason: string, exitCode?: number): Promise<void>
  pendingChanged(onTheWay: number): void
  sessionEndAsked(): void
}

export function createShutdown(options: ShutdownOptions): Shutdown {
  const { app, clock, logger } = options
  let state: ShutdownState = { kind: 'running' }
  let ending: Promise<void> = Promise.resolve()

  const dispatch = (event: ShutdownEvent, reason = ''): Transition['effect'] => {
    const next = transition(state, event)
    state = next.state
    if (next.effect === 'stopStation') {
      logger.info('ending', { reason })
      ending = stopAndExit()
    }
    return next.effect
  }

  const stopAndExit = async (): Promise<void> => {
    await stopWithTimeout(options.stopStation, clock, logger)
    dispatch({ kind: 'stationStopped' })
    const exitCode = state.kind === 'stopped' ? state.exitCode : 1
    // The process exits in any case.
    await options.beforeExit().catch(() => logger.error('what was to be done last could not be done'))
    app.exit(exitCode)
  }

  const askToQuit = async (reason: string): Promise<void> => {
    const pendingBefore = await options.pendingCases()
    if (dispatch({ kind: 'quitAsked', onTheWay: pendingBefore.count }, reason) === 'ask') {
      logger.info('a person is asked whether to quit', { onTheWay: pendingBefore.count })
      const choice = await options.askToQuit(pendingBefore)
      logger.info('answered', { choice })
      const { count } = await options.pendingCases()
      dispatch({ kind: 'answered', choice, onTheWay: count }, `${reason}, and confirmed`)
    }
    await ending
  }

  // Without a listener, Electron quits when the last window closes.
  app.on('window-all-closed', () => undefined)
  app.on('before-quit', (event: { preventDefault(): void }) => {
    if (state.kind === 'stopped') return
    event.preventDefault()
    void askToQuit('asked to quit')
  })
  return {
    isRunning: () => state.kind !== 'stopping' && state.kind !== 'stopped',
    isSessionEnding: () => state.kind === 'sessionEnding',
    askToQuit,
    async end(reason, exitCode = 0) {
      dispatch({ kind: 'mustEnd', exitCode }, reason)
      await ending
    },
    pendingChanged: (pendingCount) =>
      void dispatch({ kind: 'countChanged', onTheWay: pendingCount }, 'all is sent'),
    sessionEndAsked: () => {
      dispatch({ kind: 'sessionEndAsked' })
      clock.after(SESSION_END_TIMEOUT_MS, () => void dispatch({ kind: 'sessionGoesOn' }))
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

/** The shutdown of the running app, with all that begins one: the system, bugs, and crashes of the graphics process. */
export function openDesktopShutdown(options: {
  readonly station: Station
  readonly clock: Clock
  readonly logger: Logger
  readonly crashHistory: CrashHistory
  readonly commandLine: CommandLine
  readonly startAs: 'working' | 'safe'
  readonly texts: () => HostTexts
  readonly isWindowHidden: () => boolean
  /** Records how this run ends, and does what is to be done last, once the station has stopped. */
  readonly beforeExit: () => Promise<void>
}) {
  const { station, clock, logger, crashHistory, commandLine, startAs, texts } = options
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

  const relaunch = (add: readonly string[]): void => {
    const isHidden = options.isWindowHidden()
    app.relaunch({ args: relaunchArguments(process.argv.slice(1), { isHidden, isSafe, add }) })
  }
  /** Starts the app again, as it is now, once it has ended. */
  const restart = (): void => relaunch([])
  catchBugs({
    process,
    logger,
    isSafe: () => isSafe,
    recordCrash: () => crashHistory.end('crash'),
    end: (reason, exitCode) => shutdown.end(reason, exitCode),
    relaunch: restart,
  })
  recoverGpu({
    app,
    clock,
    logger,
    isEnding: () => !shutdown.isRunning() || shutdown.isSessionEnding(),
    isGpuDisabled: commandLine.isGpuDisabled,
    restartWithoutGpu: () => {
      relaunch(['--disable-gpu'])
      void shutdown.end('the graphics card is left out')
    },
  })
  return { ...shutdown, isSafe: () => isSafe, restart }
}
