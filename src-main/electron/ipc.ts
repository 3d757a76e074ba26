/** The station's contract over IPC: calls in, events out. Electron's objects are parameters. */
import type { StationEvent } from '../../src-shared/contract.ts'
import type { DesktopRoute } from '../../src-shared/desktop.ts'
import { fail, failureOf, type Result, succeed } from '../../src-shared/failure.ts'
import { isScreenAddress } from './app-protocol.ts'
import { CALL_CHANNEL, EVENT_CHANNEL, ROUTE_CHANNEL } from './preload/bridge.ts'

/** Null after the frame has navigated away or was removed. */
type SenderFrame = { readonly url: string; readonly parent: unknown } | null

export type CallEvent = { readonly senderFrame: SenderFrame }

/** A call is a few fields and ids; anything larger is not a call. Same limit as the headless host. */
const MAX_CALL_CHARACTERS = 4 * 1_024 * 1_024

type CallReceiver = {
  handle(channel: string, listener: (event: CallEvent, ...parameters: unknown[]) => unknown): void
}

type EventReceiver = {
  isDestroyed(): boolean
  send(channel: string, event: StationEvent): void
}

/** Answers calls from the main frame of our own pages only: a framed report can reach the main process, too. */
export function serveCalls(
  receiver: CallReceiver,
  answer: (name: string, input: unknown) => Promise<Result<unknown>>,
): void {
  receiver.handle(CALL_CHANNEL, async (event, name, input): Promise<Result<unknown>> => {
    const frame = event.senderFrame
    if (!frame || frame.parent !== null || !isScreenAddress(frame.url)) return fail(failureOf('notAllowed'))
    if (typeof name !== 'string') return fail(failureOf('badRequest'))
    const text = toJson(input)
    if (text === null || text.length > MAX_CALL_CHARACTERS) return fail(failureOf('badRequest'))
    return answer(name, JSON.parse(text))
  })
}

/** The input as the headless host would receive it; null if JSON cannot represent it. */
function toJson(input: unknown): string | null {
  try {
    return JSON.stringify(input ?? null)
  } catch (error) {
    // A cyclic value or a bigint.
    if (error instanceof TypeError) return null
    throw error
  }
}

/** Forwards every event to the window that is open at that moment; call the result to stop. */
export function forwardEvents(
  listen: (listener: (event: StationEvent) => void) => () => void,
  receiver: () => EventReceiver | null,
): () => void {
  return listen((event) => {
    const window = receiver()
    if (window && !window.isDestroyed()) window.send(EVENT_CHANNEL, event)
  })
}

type Answer = (name: string, input: unknown) => Promise<Result<unknown>>

/** Answers the calls that concern the host and not the station; they use the same channel with the same checks. */
export function withDesktopCalls(
  answer: Answer,
  own: ReadonlyMap<string, (input: unknown) => unknown>,
): Answer {
  return async (name, input) => {
    const answerOwn = own.get(name)
    return answerOwn ? succeed((await answerOwn(input)) ?? {}) : answer(name, input)
  }
}

type RouteWindow = {
  isDestroyed(): boolean
  readonly webContents: {
    isLoading(): boolean
    once(event: 'did-finish-load', listener: () => void): unknown
    send(channel: string, route: DesktopRoute): void
  }
}

/** Sends the window to a route without a reload, so that drafts stay; a window that loads receives it afterwards. */
export function createRouteSender(window: RouteWindow): (route: DesktopRoute) => void {
  let pending: DesktopRoute | null = null
  const sendPending = (): void => {
    if (pending !== null && !window.isDestroyed()) window.webContents.send(ROUTE_CHANNEL, pending)
    pending = null
  }
  return (route) => {
    if (window.isDestroyed()) return
    const isScheduled = pending !== null
    pending = route
    if (!window.webContents.isLoading()) sendPending()
    else if (!isScheduled) window.webContents.once('did-finish-load', sendPending)
  }
}
