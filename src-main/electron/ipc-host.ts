/** The station's contract over IPC: calls in, events out. Takes Electron's objects as parameters and needs no Electron. */
import type { StationEvent } from '../../src-shared/contract.ts'
import { failureOf } from '../../src-shared/failure.ts'
import { fail, type Result } from '../../src-shared/result.ts'
import { isAppAddress } from './app-address.ts'
import { CALL_CHANNEL, EVENT_CHANNEL } from './preload/bridge-words.ts'

/** Null once the frame has navigated away or is gone. */
type SenderFrame = { readonly url: string; readonly parent: unknown } | null

export type CallEvent = { readonly senderFrame: SenderFrame }

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
    if (!frame || frame.parent !== null || !isAppAddress(frame.url)) return fail(failureOf('notAllowed'))
    if (typeof name !== 'string') return fail(failureOf('badRequest'))
    return answer(name, input)
  })
}

/** Passes every event on to the window that is there at that moment; the answer ends it. */
export function tellEvents(
  listen: (listener: (event: StationEvent) => void) => () => void,
  receiver: () => EventReceiver | null,
): () => void {
  return listen((event) => {
    const window = receiver()
    if (window && !window.isDestroyed()) window.send(EVENT_CHANNEL, event)
  })
}
