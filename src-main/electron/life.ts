/**
 * The life of the app, in one place; its states are in life-state.ts.
 *
 * The outbox is safe against a kill at any moment. What happens here only makes the end tidy, because the system does
 * not always ask: Windows tells a session's end to windows and not to the app.
 */
import { MINUTE, SECOND } from '../../src-shared/durations.ts'
import type { Clock, Logger } from '../station/ports.ts'
import { nextLife, type LifeEvent, type LifeState, type QuitChoice } from './life-state.ts'

/** Systems that shut down give a program about five seconds. */
const STOP_WITHIN_MS = 4 * SECOND
/** A session that may end does so soon, or somebody has called it off; nobody tells which. */
const SESSION_ENDS_WITHIN_MS = MINUTE

/** The part of `app` that is needed. */
export type EndingApp = {
  on(event: 'window-all-closed', listener: () => void): unknown
  on(event: 'before-quit', listener: (event: { preventDefault(): void }) => void): unknown
  exit(code: number): void
}

/** What a person is told who wants to quit while cases wait. */
export type OnTheWay = {
  /** Cases that wait to be sent, or are being sent. */
  readonly count: number
  /** Would they go now if one waited? */
  readonly isSending: boolean
}

export type LifeOptions = {
  readonly app: EndingApp
  readonly clock: Clock
  readonly logger: Logger
  readonly stopStation: () => Promise<void>
  readonly onTheWay: () => Promise<OnTheWay>
  /** Asks a person whether to quit although cases wait. */
  readonly ask: (onTheWay: OnTheWay) => Promise<QuitChoice>
  /** The station has stopped: what is to be done last. Then the process exits. */
  readonly lastly?: () => Promise<void>
  /** Told before the process exits, when all that had to be written is written. */
  readonly onEnded?: (exitCode: number) => void
}

export type Life = {
  /** True until the end begins. */
  isRunning(): boolean
  /** The session may end any moment: nothing is to be started now. Passes by itself where it goes on. */
  isSessionEnding(): boolean
  /** A person wants to quit; asked about where cases wait. */
  askToQuit(reason: string): Promise<void>
  /** Stops the station, in the time that there is, and exits, without asking. Safe to call again. */
  end(reason: string, exitCode?: number): Promise<void>
  /** So many cases are on their way now. */
  countChanged(onTheWay: number): void
  /** Windows asks whether the session may end. */
  sessionEndAsked(): void
}

export function beginLife(options: LifeOptions): Life {
  const { app, clock, logger } = options
  let state: LifeState = { kind: 'running' }
  let ending: Promise<void> = Promise.resolve()

  const step = (event: LifeEvent, reason = ''): ReturnType<typeof nextLife>['act'] => {
    const next = nextLife(state, event)
    state = next.state
    if (next.act === 'stopStation') {
      logger.info('ending', { reason })
      ending = stopAndExit()
    }
    return next.act
  }

  const stopAndExit = async (): Promise<void> => {
    await stopInTime(options.stopStation, clock, logger)
    step({ kind: 'stationStopped' })
    const exitCode = state.kind === 'stopped' ? state.exitCode : 1
    // Whatever comes of it, the process exits.
    await options.lastly?.().catch(() => logger.error('what was to be done last could not be done'))
    options.onEnded?.(exitCode)
    app.exit(exitCode)
  }

  const askToQuit = async (reason: string): Promise<void> => {
    const before = await options.onTheWay()
    if (step({ kind: 'quitAsked', onTheWay: before.count }, reason) === 'ask') {
      logger.info('a person is asked whether to quit', { onTheWay: before.count })
      const choice = await options.ask(before)
      logger.info('answered', { choice })
      const { count } = await options.onTheWay()
      step({ kind: 'answered', choice, onTheWay: count }, `${reason}, and confirmed`)
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
      step({ kind: 'mustEnd', exitCode }, reason)
      await ending
    },
    countChanged: (onTheWay) => void step({ kind: 'countChanged', onTheWay }, 'all is sent'),
    sessionEndAsked: () => {
      step({ kind: 'sessionEndAsked' })
      clock.after(SESSION_ENDS_WITHIN_MS, () => void step({ kind: 'sessionGoesOn' }))
    },
  }
}

async function stopInTime(stop: () => Promise<void>, clock: Clock, logger: Logger): Promise<void> {
  const { promise: late, resolve } = Promise.withResolvers<'late'>()
  const cancel = clock.after(STOP_WITHIN_MS, () => resolve('late'))
  try {
    if ((await Promise.race([stop(), late])) === 'late')
      logger.warn('the station did not stop in time; it is safe to end it as it is')
  } catch (error) {
    logger.error('the station could not be stopped; it is safe to end it as it is', {
      kind: error instanceof Error ? error.name : typeof error,
    })
  } finally {
    cancel()
  }
}
