/**
 * The life of the app, in one place; its states are in life-state.ts.
 *
 * The outbox is safe against a kill at any moment. What happens here only makes the end tidy, because the system does
 * not always ask: Windows tells a session's end to windows and not to the app.
 */
import { MINUTE, SECOND } from '../../src-shared/durations.ts'
import type { Clock, Logger } from '../station/ports.ts'
import { transition, type ShutdownEvent, type ShutdownState, type QuitChoice } from './life-state.ts'

/** Systems that shut down give a program about five seconds. */
const STOP_TIMEOUT_MS = 4 * SECOND
/** A session that may end does so soon, or somebody has called it off; nobody tells which. */
const SESSION_END_TIMEOUT_MS = MINUTE

/** The part of `app` that is needed. */
export type EndingApp = {
  on(event: 'window-all-closed', listener: () => void): unknown
  on(event: 'before-quit', listener: (event: { preventDefault(): void }) => void): unknown
  exit(code: number): void
}

/** What a person is told who wants to quit while cases wait. */
export type PendingCases = {
  /** Cases that wait to be sent, or are being sent. */
  readonly count: number
  /** Would they go now if one waited? */
  readonly isSending: boolean
}

export type ShutdownOptions = {
  readonly app: EndingApp
  readonly clock: Clock
  readonly logger: Logger
  readonly stopStation: () => Promise<void>
  readonly pendingCases: () => Promise<PendingCases>
  /** Asks a person whether to quit although cases wait. */
  readonly askToQuit: (onTheWay: PendingCases) => Promise<QuitChoice>
  /** The station has stopped: what is to be done last. Then the process exits. */
  readonly beforeExit?: () => Promise<void>
  /** Told before the process exits, when all that had to be written is written. */
  readonly onEnded?: (exitCode: number) => void
}

export type Shutdown = {
  /** True until the end begins. */
  isRunning(): boolean
  /** The session may end any moment: nothing is to be started now. Passes by itself where it goes on. */
  isSessionEnding(): boolean
  /** A person wants to quit; asked about where cases wait. */
  askToQuit(reason: string): Promise<void>
  /** Stops the station, in the time that there is, and exits, without asking. Safe to call again. */
  end(reason: string, exitCode?: number): Promise<void>
  /** So many cases are on their way now. */
  pendingChanged(onTheWay: number): void
  /** Windows asks whether the session may end. */
  sessionEndAsked(): void
}

export function createShutdown(options: ShutdownOptions): Shutdown {
  const { app, clock, logger } = options
  let state: ShutdownState = { kind: 'running' }
  let ending: Promise<void> = Promise.resolve()

  const dispatch = (event: ShutdownEvent, reason = ''): ReturnType<typeof transition>['effect'] => {
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
    // Whatever comes of it, the process exits.
    await options.beforeExit?.().catch(() => logger.error('what was to be done last could not be done'))
    options.onEnded?.(exitCode)
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

  // Without a listener Electron quits with the last window.
  app.on('window-all-closed', () => undefined)
  app.on('before-quit', (event) => {
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
      kind: error instanceof Error ? error.name : typeof error,
    })
  } finally {
    cancel()
  }
}
