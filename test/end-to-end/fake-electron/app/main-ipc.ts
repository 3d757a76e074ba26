/** `ipcMain`: what pages ask, and what they send. */
import { EventEmitter } from 'node:events'
import { loud } from './loud.ts'
import type { Frame } from './messages.ts'
import { frameOf } from './web-contents.ts'
import { windowOf } from './windows.ts'

type Listener = (event: object, ...parameters: unknown[]) => unknown
const handlers = new Map<string, Listener>()

const emitter = Object.assign(new EventEmitter(), {
  handle(channel: string, listener: Listener) {
    if (handlers.has(channel)) throw new Error(`Attempted to register a second handler for '${channel}'`)
    handlers.set(channel, listener)
  },
  handleOnce(channel: string, listener: Listener) {
    emitter.handle(channel, (...parameters) => {
      handlers.delete(channel)
      return listener(...parameters)
    })
  },
  removeHandler: (channel: string) => void handlers.delete(channel),
})

export const ipcMain = loud('ipcMain', emitter)

function eventOf(window: number, frame: Frame): object {
  return {
    type: 'frame',
    sender: windowOf(window)?.webContents,
    senderFrame: frameOf(frame),
    frameId: 1,
    processId: 1,
    returnValue: undefined,
    reply: () => undefined,
  }
}

/** What a handler answers is cloned as Electron clones it; what cannot be is an error for who asked. */
export async function answerInvoke(
  window: number,
  frame: Frame,
  channel: string,
  parameters: readonly unknown[],
): Promise<unknown> {
  const handler = handlers.get(channel)
  if (!handler) throw new Error(`No handler registered for '${channel}'`)
  const answer = await handler(eventOf(window, frame), ...parameters)
  try {
    return structuredClone(answer)
  } catch {
    throw new Error('An object could not be cloned.')
  }
}

export function takeMessage(
  window: number,
  frame: Frame,
  channel: string,
  parameters: readonly unknown[],
): void {
  emitter.emit(channel, eventOf(window, frame), ...parameters)
}
