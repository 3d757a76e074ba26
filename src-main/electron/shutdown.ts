/**
 * The life of the app, in one place; its states are in life-state.ts.
 *
 * The outbox is safe against a kill at any moment. What happens here only makes the end tidy, because the system does
 * not always ask: Windows tells a session's end to windows and not to the app.
 */
import { MINUTE, SECOND } from '../../src-shared/durations.ts'
import type { StationStatus } from '../../src-shared/station-status.ts'
import type { Clock, Logger } from '../station/ports.ts'
import type { HostWords } from './language-setting.ts'

/**
 * The life of the app after its start, as one value.
 *
 *   running ⇄ asking → sendingFirst → stopping → stopped
 *
 * running: windows may close, the station goes on. asking: cases wait, a person wants to quit, and the question whether
 * to is on the screen. sendingFirst: the person chose to let them go first; the app ends by itself once nothing is on its
 * way. sessionEnding: Windows asks its programs whether the session may end; it may yet be called off, so nothing is
 * stopped, but nobody is asked anything either. stopping: the station ends its attempts and closes its outbox; whatever is
 * asked now changes nothing. stopped: the process exits. Nothing leads back from stopping, so no window opens over a
 * closed store, and what the system or the contract wants is never asked about.
 *
 * Sleep is no state of this machine: nothing is stopped for it, and the station finds by itself that time has passed.
 */
export type ShutdownState =
  | { readonly kind: 'running' }
  | { readonly kind: 'asking' }
  | { readonly kind: 'sendingFirst' }
  | { readonly kind: 'sessionEnding' }
  | { readonly kind: 'stopping'; readonly exitCode: number }
  | { readonly kind: 'stopped'; readonly exitCode: number }

export type QuitChoice = 'keepRunning' | 'sendFirst' | 'quitNow'

export type ShutdownEvent =
  /** A person wants to quit while so many cases wait or are being sent. */
  | { readonly kind: 'quitAsked'; readonly onTheWay: number }
  | { readonly kind: 'answered'; readonly choice: QuitChoice; readonly onTheWay: number }
  | { readonly kind: 'countChanged'; readonly onTheWay: number }
  | { readonly kind: 'sessionEndAsked' }
  | { readonly kind: 'sessionGoesOn' }
  /** The session or the machine ends, the contract says stop, an update waits, a bug. */
  | { readonly kind: 'mustEnd'; readonly exitCode: number }
  | { readonly kind: 'stationStopped' }

/** What is to be done on the way into the next state. */
type ShutdownEffect = 'nothing' | 'ask' | 'stopStation' | 'exit'

type Transition = { readonly state: ShutdownState; readonly effect: ShutdownEffect }

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
      // It stopped although nobody asked for it: there is nothing left to carry.
      return startStopping(1)
  }
}

/** Systems that shut down give a program about five seconds. */
const STOP_TIMEOUT_MS = 4 * SECOND

/** A session that may end does so soon, or somebody has called it off; nobody tells which. */
const SESSION_END_TIMEOUT_MS = MINUTE

/** The part of `app` that is needed. */
type EndingApp = {
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

type ShutdownOptions = {
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

/** What would be left behind by an end now: cases that wait or are being sent, and whether they would go by themselves. Pure. */
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

type QuitQuestion = {
  readonly message: string
  readonly detail: string
  /** The safe one first: it is the default, and what closing the question means. */
  readonly choices: readonly { readonly choice: QuitChoice; readonly label: string }[]
}

/** What is asked. Where nothing is sent at the moment, sending first is no choice: it could take for ever. */
export function quitQuestion({ count, isSending }: PendingCases, { life: texts }: HostWords): QuitQuestion {
  return {
    message: texts.quitTitle(count),
    detail: isSending ? texts.quitDetail : texts.quitDetailNotSending,
    choices: [
      { choice: 'keepRunning', label: texts.keepRunning },
      { choice: 'quitNow', label: texts.quitNow },
      ...(isSending ? [{ choice: 'sendFirst', label: texts.sendFirst } as const] : []),
    ],
  }
}
