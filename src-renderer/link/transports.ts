/** The two ways to a station: HTTP and WebSocket to a headless host, IPC in the desktop window. */
import { createStore, type StoreApi } from 'zustand/vanilla'
import type { BytesKind, CallInput, CallName, CallOutput } from '../../src-shared/contract.ts'
import { fail, type Result } from '../../src-shared/failure.ts'
import { t } from '../i18n/i18n.ts'
import {
  type Connection,
  createBroadcast,
  detectSilence,
  fetchBytes,
  type LinkMessage,
  LOST_AFTER_MS,
  parseJson,
  readAnswer,
  readStreamMessage,
  readToken,
  retryDelayMs,
  type StationLink,
  uploadTo,
} from './link.ts'

/**
 * Opens the event stream, a WebSocket that is reopened whenever it closes; call the result to close it for good.
 *
 * A browser can neither set headers on a WebSocket nor send pings. So the token travels as a subprotocol, and silence
 * is tested by an empty message, which the host answers: a hanging station and a dead socket both count as lost.
 */
export function openEventStream(
  origin: string,
  token: string,
  onMessage: (message: LinkMessage) => void,
  onConnection: (connection: Connection) => void,
): () => void {
  let socket: WebSocket | null = null
  let isOpen = false
  let tries = 0
  let retry: ReturnType<typeof setTimeout> | undefined
  let isClosed = false

  const connect = (): void => {
    const opened = new WebSocket(`${origin.replace(/^http/, 'ws')}/events`, [
      'fundus-courier',
      `token.${token}`,
    ])
    socket = opened
    silence.reset()
    opened.addEventListener('message', ({ data }) => {
      if (socket !== opened) return
      silence.reset()
      const message = readStreamMessage(data)
      if (message.kind === 'heard') return
      if (message.kind !== 'hello') return onMessage(message)
      tries = 0
      isOpen = true
      onConnection({ kind: 'open', revision: message.revision })
    })
    opened.addEventListener('close', () => {
      if (socket === opened) void lose()
    })
  }

  const lose = async (): Promise<void> => {
    const was = socket
    socket = null
    isOpen = false
    was?.close()
    if (isClosed) return
    onConnection({ kind: 'lost', why: 'unreachable' })
    retry = setTimeout(connect, retryDelayMs(tries))
    tries += 1
    // A refused WebSocket gives no reason.
    if (!(await isAuthorised(origin, token)) && !isClosed && !isOpen)
      onConnection({ kind: 'lost', why: 'notAuthorised' })
  }

  const silence = detectSilence({
    isListening: () => socket !== null,
    ask: () => {
      if (socket?.readyState === WebSocket.OPEN) socket.send('')
    },
    onSilent: () => void lose(),
  })

  connect()
  return () => {
    isClosed = true
    silence.close()
    clearTimeout(retry)
    socket?.close()
    socket = null
  }
}

/** A call may wait for the service behind the station, which has its own timeouts; this is the last resort. */
const CALL_TIMEOUT_MS = 120_000

function post(origin: string, token: string | null, path: string, input: unknown, timeoutMs: number) {
  return fetch(`${origin}${path}`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${token ?? ''}`, 'Content-Type': 'application/json' },
    body: JSON.stringify(input),
    cache: 'no-store',
    signal: AbortSignal.timeout(timeoutMs),
  })
}

async function isAuthorised(origin: string, token: string): Promise<boolean> {
  try {
    // A hanging host would accumulate these requests, and browsers allow only a few at a time.
    const { status } = await post(origin, token, '/call/station.status', {}, LOST_AFTER_MS)
    return status !== 401 && status !== 403
  } catch (error) {
    if (error instanceof TypeError || error instanceof DOMException) return true
    throw error
  }
}

/** Calls the listener at once, then on every change. */
function follow(connection: StoreApi<Connection>, listener: (now: Connection) => void): () => void {
  listener(connection.getState())
  return connection.subscribe(listener)
}

/** Opens the link: calls by POST, events by WebSocket, bytes by GET, each with the token. */
export function openHttpLink(origin: string, token: string | null): StationLink {
  const arrivals = createBroadcast<LinkMessage>()
  const connection = createStore<Connection>(() =>
    token === null ? { kind: 'lost', why: 'notAuthorised' } : { kind: 'connecting' },
  )
  const become = (next: Connection): void => connection.setState(next, true)
  const closeStream = token === null ? null : openEventStream(origin, token, arrivals.emit, become)
  const headers = { Authorization: `Bearer ${token ?? ''}` }
  const readBytes = (kind: BytesKind, id: string): Promise<Blob> =>
    fetchBytes(kind, `${origin}/bytes/${kind}/${encodeURIComponent(id)}`, { headers })

  return {
    async call<Name extends CallName>(name: Name, input: CallInput<Name>): Promise<Result<CallOutput<Name>>> {
      // A hanging station would queue the request and answer minutes later, when it is no longer expected.
      const now = connection.getState()
      if (now.kind === 'lost' && now.why === 'unreachable')
        return fail({ kind: 'notAllowed', message: t('link:lost') })
      try {
        const answer = await post(origin, token, `/call/${name}`, input, CALL_TIMEOUT_MS)
        return readAnswer(name, parseJson(await answer.text()))
      } catch (error) {
        if (error instanceof TypeError || error instanceof DOMException)
          return fail({ kind: 'internal', message: t('link:noAnswer') })
        throw error
      }
    },
    onMessage: arrivals.subscribe,
    onConnection: (listener) => follow(connection, listener),
    readBytes,
    async createBytesUrl(kind, id) {
      const url = URL.createObjectURL(await readBytes(kind, id))
      return { url, release: () => URL.revokeObjectURL(url) }
    },
    uploadFile: (file) => uploadTo(origin, file, headers),
    close: () => closeStream?.(),
  }
}

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

/** A name outside the contract: a main process that responds rejects it at once, without asking the station. */
const PING_CALL = 'link.areYouThere'

/** Opens the link. It ends with the window; meanwhile the main process may hang. */
export function openIpcLink(bridge: DesktopBridge): StationLink {
  const arrivals = createBroadcast<LinkMessage>()
  const connection = createStore<Connection>(() => ({ kind: 'open', revision: null }))
  const become = (next: Connection): void => {
    if (connection.getState().kind !== next.kind) connection.setState(next, true)
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
  const stopEvents = bridge.onEvent((value) => {
    markAlive()
    const message = readStreamMessage(value)
    if (message.kind === 'event' || message.kind === 'unreadable') arrivals.emit(message)
  })
  return {
    async call<Name extends CallName>(name: Name, input: CallInput<Name>): Promise<Result<CallOutput<Name>>> {
      if (connection.getState().kind === 'lost') return fail({ kind: 'notAllowed', message: t('link:lost') })
      try {
        return readAnswer(name, await bridge.call(name, input))
      } catch (error) {
        // If a handler throws, the Error has Electron's own message, which is not meant for people.
        if (error instanceof Error) return fail({ kind: 'internal', message: t('link:noAnswer') })
        throw error
      }
    },
    onMessage: arrivals.subscribe,
    onConnection: (listener) => follow(connection, listener),
    readBytes: (kind, id) => fetchBytes(kind, bridge.bytesUrl(kind, id)),
    // The desktop host serves bytes to this window only, so their address needs no object URL.
    createBytesUrl: (kind, id) =>
      Promise.resolve({ url: bridge.bytesUrl(kind, id), release: () => undefined }),
    // The host checks the window's own origin.
    uploadFile: (file) => uploadTo('', file),
    close() {
      silence.close()
      stopEvents()
    },
  }
}

/** The link of this window: the preload's bridge in the desktop host, else HTTP to the page's origin. */
export function openLink(page: Window): StationLink {
  if (page.fundusCourier) return openIpcLink(page.fundusCourier)
  return openHttpLink(page.location.origin, readToken(page.location, page.sessionStorage, page.history))
}
