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
export type ShutdownEffect = 'nothing' | 'ask' | 'stopStation' | 'exit'

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
