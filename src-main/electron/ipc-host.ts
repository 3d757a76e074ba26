/** The station's contract over IPC: calls in, events out. Takes Electron's objects as parameters and needs no Electron. */
import type { StationEvent } from '../../src-shared/contract.ts'
import { failureOf } from '../../src-shared/failure.ts'
import { fail, type Result } from '../../src-shared/result.ts'
import { isScreenAddress } from './app-address.ts'
import { CALL_CHANNEL, EVENT_CHANNEL } from './preload/bridge-words.ts'

/** Null once the frame has navigated away or is gone. */
type SenderFrame = { readonly url: string; readonly parent: unknown } | null

export type CallEvent = { readonly senderFrame: SenderFrame }

/** A call is some fields and ids; more than this is not one. The headless host has the same limit. */
const MAX_CALL_CHARACTERS = 4 * 1_024 * 1_024

/** The part of `ipcMain` that is needed. */
export type CallReceiver = {
  handle(channel: string, listener: (event: CallEvent, ...parameters: unknown[]) => unknown): void
}

/** The part of `webContents` that is needed. */
export type EventReceiver = {
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
