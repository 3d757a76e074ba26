/**
 * The only bridge into the window. Built as one CommonJS file, because the sandbox can only load `electron`.
 *
 * Electron's own objects are never exposed: a page with `ipcRenderer` could use every channel, and the event of a
 * message carries its sender.
 */
import { contextBridge, ipcRenderer, type IpcRendererEvent } from 'electron'
import type { BytesKind, CallName } from '../../../src-shared/contract.ts'
import { BYTES_ADDRESS, CALL_CHANNEL, EVENT_CHANNEL, ROUTE_CHANNEL } from './bridge.ts'

/** Passes on the payloads of a channel without their events; call the result to stop. The page parses them. */
function listen(channel: string, listener: (payload: unknown) => void): () => void {
  const receive = (_event: IpcRendererEvent, payload: unknown): void => listener(payload)
  ipcRenderer.on(channel, receive)
  return () => {
    ipcRenderer.removeListener(channel, receive)
  }
}

const bridge = {
  call: (name: CallName, input: unknown): Promise<unknown> => ipcRenderer.invoke(CALL_CHANNEL, name, input),
  onEvent: (listener: (event: unknown) => void): (() => void) => listen(EVENT_CHANNEL, listener),
  onRoute: (listener: (route: unknown) => void): (() => void) => listen(ROUTE_CHANNEL, listener),
  bytesUrl: (kind: BytesKind, id: string): string => `${BYTES_ADDRESS}${kind}/${encodeURIComponent(id)}`,
}

contextBridge.exposeInMainWorld('fundusCourier', bridge)
