/**
 * The events of a station over a WebSocket that is opened again whenever it ends.
 *
 * A browser can neither set headers on a WebSocket nor ping through it. So the token travels as a subprotocol, and
 * silence is tested by an empty message, which the host answers: a station that hangs looks like one that is gone, and
 * so does a socket that died without a word.
 */
import { readStreamMessage } from './read-answer.ts'
import { retryDelayMs } from './retry-delay.ts'
import { detectSilence } from './silence.ts'
import type { LinkMessage, Connection } from './station-link.ts'

export type EventStreamOptions = {
  readonly origin: string
  readonly token: string
  readonly onMessage: (message: LinkMessage) => void
  readonly onConnection: (connection: Connection) => void
  /** Does the station still accept the token? Asked after a refused WebSocket, which itself says nothing. */
  readonly isAuthorised: () => Promise<boolean>
}

/** Opens the stream; the answer closes it for good. */
export function openEventStream(options: EventStreamOptions): () => void {
  let socket: WebSocket | null = null
  let isOpen = false
  let tries = 0
  let retry: ReturnType<typeof setTimeout> | undefined
  let isClosed = false

  const connect = (): void => {
    const opened = new WebSocket(`${options.origin.replace(/^http/, 'ws')}/events`, [
      'fundus-courier',
      `token.${options.token}`,
    ])
    socket = opened
    silence.reset()
    opened.addEventListener('message', ({ data }) => {
      if (socket !== opened) return
      silence.reset()
      const message = readStreamMessage(data)
      if (message.kind === 'heard') return
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
    retry = setTimeout(connect, retryDelayMs(tries))
    tries += 1
    if (!(await options.isAuthorised()) && !isClosed && !isOpen)
      options.onConnection({ kind: 'lost', why: 'notAuthorised' })
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
