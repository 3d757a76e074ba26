/** The station's contract over IPC: calls in, events out. Takes Electron's objects as parameters and needs no Electron. */
import type { StationEvent } from '../../src-shared/contract.ts'
import { type DesktopRoute, LANGUAGE_CALL } from '../../src-shared/desktop.ts'
import { fail, failureOf, type Result, succeed } from '../../src-shared/failure.ts'
import { isScreenAddress } from './app-address.ts'
import type { HostLanguageSetting } from './language-setting.ts'
import { CALL_CHANNEL, EVENT_CHANNEL, PLACE_CHANNEL } from './preload/bridge.ts'

/** Null once the frame has navigated away or is gone. */
type SenderFrame = { readonly url: string; readonly parent: unknown } | null

export type CallEvent = { readonly senderFrame: SenderFrame }

/** A call is some fields and ids; more than this is not one. The headless host has the same limit. */
const MAX_CALL_CHARACTERS = 4 * 1_024 * 1_024

/** The part of `ipcMain` that is needed. */
type CallReceiver = {
  handle(channel: string, listener: (event: CallEvent, ...parameters: unknown[]) => unknown): void
}

/** The part of `webContents` that is needed. */
type EventReceiver = {
  isDestroyed(): boolean
  send(channel: string, event: StationEvent): void
}

/**
 * Answers calls from the main frame of our own pages, and from nobody else: a report shown in a frame inside the
 * window has a channel to the main process, too.
 */
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

/** As it would travel to the headless host, so that both take the same; null for what JSON cannot say. */
function toJson(input: unknown): string | null {
  try {
    return JSON.stringify(input ?? null)
  } catch (error) {
    // A circle, or an integer without bounds.
    if (error instanceof TypeError) return null
    throw error
  }
}

/** Passes every event on to the window that is there at that moment; the answer ends it. */
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

/** Answers the calls that are for the host and not for its station; they come on the same channel, with its checks. */
export function withDesktopCalls(answer: Answer, language: Pick<HostLanguageSetting, 'choose'>): Answer {
  return (name, input) => {
    if (name !== LANGUAGE_CALL) return answer(name, input)
    language.choose(input)
    return Promise.resolve(succeed({}))
  }
}

// Leads a person to a place on the screens. The window is told where to go; nothing is loaded anew, so no draft is lost.

/** The part of a window that is needed. */
type RouteWindow = {
  isDestroyed(): boolean
  readonly webContents: {
    isLoading(): boolean
    once(event: 'did-finish-load', listener: () => void): unknown
    send(channel: string, route: DesktopRoute): void
  }
}

/** The answer tells a place to the window; to one that is still loading, once it has. */
export function createRouteSender(window: RouteWindow): (place: DesktopRoute) => void {
  /** Where to go after loading; of several, the latest. */
  let pending: DesktopRoute | null = null
  const sendPending = (): void => {
    if (pending !== null && !window.isDestroyed()) window.webContents.send(PLACE_CHANNEL, pending)
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
