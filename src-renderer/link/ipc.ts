/** The link inside the desktop window, over IPC. */
import type { CallInput, CallName, CallOutput } from '../../src-shared/contract.ts'
import { fail, type Result } from '../../src-shared/failure.ts'
import { t } from '../i18n/i18n.ts'
import {
  type Connection,
  createBroadcast,
  detectSilence,
  fetchBytes,
  readAnswer,
  readStreamMessage,
  readUploadAnswer,
  type StationLink,
  uploadPath,
} from './link.ts'

/** What the preload exposes as `window.fundusCourier`. Nothing that comes through it is trusted. */
export type DesktopBridge = {
  call(name: string, input: unknown): Promise<unknown>
  onEvent(listener: (event: unknown) => void): () => void
  /** The target of a clicked notification or of the tray. */
  onRoute(listener: (route: unknown) => void): () => void
  bytesUrl(kind: string, id: string): string
}

declare global {
  interface Window {
    readonly fundusCourier?: DesktopBridge
  }
}

/**
 * A name outside the contract: the main process rejects it at once without asking the station, which proves that it
 * responds. A hanging main process answers nothing.
 */
const PING_CALL = 'link.areYouThere'

/** Opens the link. It ends with the window; meanwhile the main process may hang. */
export function openIpcLink(bridge: DesktopBridge): StationLink {
  const unsubscribes = new Set<() => void>()
  const connections = createBroadcast<Connection>()
  let connection: Connection = { kind: 'open', revision: null }
  const become = (next: Connection): void => {
    if (connection.kind === next.kind) return
    connection = next
    connections.emit(next)
  }
  const markAlive = (): void => {
    silence.reset()
    become({ kind: 'open', revision: null })
  }
  let isAsking = false
  const ask = async (): Promise<void> => {
    // Requests to a hanging process would pile up.
    if (isAsking) return
    isAsking = true
    try {
      await bridge.call(PING_CALL, null)
      markAlive()
    } catch (error) {
      // No answer is the silence that is being watched.
      if (!(error instanceof Error)) throw error
    } finally {
      isAsking = false
    }
  }
  const silence = detectSilence({
    isListening: () => true,
    ask: () => void ask(),
    onSilent: () => become({ kind: 'lost', why: 'unreachable' }),
  })
  return {
    async call<Name extends CallName>(name: Name, input: CallInput<Name>): Promise<Result<CallOutput<Name>>> {
      if (connection.kind === 'lost') return fail({ kind: 'notAllowed', message: t('link:lost') })
      try {
        return readAnswer(name, await bridge.call(name, input))
      } catch (error) {
        // If a handler throws, the Error has Electron's own message, which is not meant for people.
        if (error instanceof Error) return fail({ kind: 'internal', message: t('link:noAnswer') })
        throw error
      }
    },
    onMessage(listener) {
      const stop = bridge.onEvent((value) => {
        markAlive()
        const message = readStreamMessage(value)
        if (message.kind === 'event' || message.kind === 'unreadable') listener(message)
      })
      unsubscribes.add(stop)
      return () => {
        unsubscribes.delete(stop)
        stop()
      }
    },
    onConnection(listener) {
      listener(connection)
      return connections.subscribe(listener)
    },
    readBytes: (kind, id) => fetchBytes(kind, bridge.bytesUrl(kind, id)),
    // The desktop host serves bytes to this window only, so their address needs no object URL.
    createBytesUrl: (kind, id) =>
      Promise.resolve({ url: bridge.bytesUrl(kind, id), release: () => undefined }),
    async uploadFile(file, onProgress) {
      try {
        // The host checks the window's own origin; upload progress is not worth an IPC channel.
        const answer = await fetch(uploadPath(file.name, file.size), { method: 'POST', body: file })
        onProgress(file.size)
        return readUploadAnswer(await answer.text(), file)
      } catch (error) {
        if (error instanceof TypeError || error instanceof DOMException)
          return fail({ kind: 'internal', message: t('link:notHandedOver') })
        throw error
      }
    },
    close() {
      silence.close()
      for (const stop of unsubscribes) stop()
      unsubscribes.clear()
    },
  }
}
