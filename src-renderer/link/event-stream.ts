/**
 * The events of a station over a WebSocket that is opened again whenever it ends.
 *
 * A browser can neither set headers on a WebSocket nor ping through it. So the token travels as a subprotocol,
 * and silence is tested by small questions to `/health`: a station that hangs looks like one that is gone.
 */
import type { StreamMessage } from './read-answer.ts'
import { readStreamMessage } from './read-answer.ts'
import { delayBeforeTry } from './retry-delay.ts'
import type { Connection } from './station-link.ts'

/** Together these show a lost station within two seconds. */
const TICK_MS = 300
const ASK_AFTER_MS = 800
const LOST_AFTER_MS = 1_600
/** A tab in the background ticks seldom, and a computer sleeps: then silence says nothing about the station. */
const SLEPT_AFTER_MS = 1_200

export type EventStreamOptions = {
  readonly origin: string
  readonly token: string
  readonly onMessage: (message: StreamMessage) => void
  readonly onConnection: (connection: Connection) => void
  /** Does the station still accept the token? Asked after a refused WebSocket, which itself says nothing. */
  readonly isAuthorised: () => Promise<boolean>
}

/** Opens the stream; the answer closes it for good. */
export function openEventStream(options: EventStreamOptions): () => void {
  let socket: WebSocket | null = null
  let isOpen = false
  let tries = 0
  let lastHeardAt = performance.now()
  let lastTickAt = lastHeardAt
  let isAsking = false
  let retry: ReturnType<typeof setTimeout> | undefined
  let isClosed = false

  const connect = (): void => {
    const opened = new WebSocket(`${options.origin.replace(/^http/, 'ws')}/events`, [
      'fundus-courier',
      `token.${options.token}`,
    ])
    socket = opened
    lastHeardAt = performance.now()
    opened.addEventListener('message', ({ data }) => {
      if (socket !== opened) return
      lastHeardAt = performance.now()
      const message = readStreamMessage(data)
      if (message.kind !== 'hello') return options.onMessage(message)
      tries = 0
      isOpen = true
      options.onConnection({ kind: 'open', revision: message.revision })
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
    options.onConnection({ kind: 'lost', why: 'unreachable' })
    retry = setTimeout(connect, delayBeforeTry(tries))
    tries += 1
    if (!(await options.isAuthorised()) && !isClosed && !isOpen)
      options.onConnection({ kind: 'lost', why: 'notAuthorised' })
  }

  const ask = async (): Promise<void> => {
    isAsking = true
    try {
      await fetch(`${options.origin}/health`, {
        cache: 'no-store',
        signal: AbortSignal.timeout(LOST_AFTER_MS),
      })
      lastHeardAt = performance.now()
    } catch (error) {
      // No answer is the silence that the tick measures; anything else is a fault of ours.
      if (!(error instanceof TypeError || error instanceof DOMException)) throw error
    } finally {
      isAsking = false
    }
  }

  const tick = setInterval(() => {
    const now = performance.now()
    const slept = now - lastTickAt > SLEPT_AFTER_MS
    lastTickAt = now
    if (!socket) return
    if (slept) lastHeardAt = now
    else if (now - lastHeardAt > LOST_AFTER_MS) void lose()
    if (socket && !isAsking && now - lastHeardAt >= ASK_AFTER_MS) void ask()
  }, TICK_MS)

  connect()
  return () => {
    isClosed = true
    clearInterval(tick)
    clearTimeout(retry)
    socket?.close()
    socket = null
  }
}
