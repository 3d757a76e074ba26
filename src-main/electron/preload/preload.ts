/**
 * The only bridge into the window. Built as one CommonJS file: the sandbox has no module loader beyond `electron`.
 *
 * Electron's own objects stay on this side: a page that held `ipcRenderer` could speak on every channel, and the
 * event of a message carries its sender.
 */
import { contextBridge, ipcRenderer, type IpcRendererEvent } from 'electron'
import type { BytesKind, CallName, StationEvent } from '../../../src-shared/contract.ts'
import { BYTES_ADDRESS, CALL_CHANNEL, EVENT_CHANNEL } from './bridge-words.ts'

const bridge = {
  call: (name: CallName, input: unknown): Promise<unknown> => ipcRenderer.invoke(CALL_CHANNEL, name, input),
  onEvent: (listener: (event: StationEvent) => void): (() => void) => {
    const receive = (_event: IpcRendererEvent, stationEvent: StationEvent): void => listener(stationEvent)
    ipcRenderer.on(EVENT_CHANNEL, receive)
    return () => {
      ipcRenderer.removeListener(EVENT_CHANNEL, receive)
    }
  },
  bytesUrl: (kind: BytesKind, id: string): string => `${BYTES_ADDRESS}${kind}/${encodeURIComponent(id)}`,
}

contextBridge.exposeInMainWorld('fundusCourier', bridge)
