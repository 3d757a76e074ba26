import type { BytesKind, CallInput, CallName, CallOutput } from '../../src-shared/contract.ts'
import { failureOf } from '../../src-shared/failure.ts'
import { fail, type Result } from '../../src-shared/result.ts'
import { createBroadcast } from './broadcast.ts'
import { openEventStream } from './event-stream.ts'
import { uploadPath, uploadWithProgress } from './hand-over.ts'
import { parseJson, readAnswer } from './read-answer.ts'
import { LOST_AFTER_MS } from './silence.ts'
import { BytesUnavailable, type LinkMessage, type Connection, type StationLink } from './station-link.ts'
import { t } from '../words/t.ts'

/** A call may wait for the service behind the station, which has its own limits; this is only the last resort. */
const CALL_TIMEOUT_MS = 120_000

export type HttpLinkOptions = { readonly origin: string; readonly token: string | null }

/** The link to a headless host: calls by POST, events by WebSocket, bytes by GET, the token with each. */
export function openHttpLink({ origin, token }: HttpLinkOptions): StationLink {
  const arrivals = createBroadcast<LinkMessage>()
  const connections = createBroadcast<Connection>()
  let connection: Connection =
    token === null ? { kind: 'lost', why: 'notAuthorised' } : { kind: 'connecting' }

  const headers = { Authorization: `Bearer ${token ?? ''}` }
  const post = (path: string, input: unknown, signal?: AbortSignal): Promise<Response> =>
    fetch(`${origin}${path}`, {
      method: 'POST',
      headers: { ...headers, 'Content-Type': 'application/json' },
      body: JSON.stringify(input),
      cache: 'no-store',
      ...(signal && { signal }),
    })

  const isAuthorised = async (): Promise<boolean> => {
    try {
      // A host that hangs would keep these questions, and a browser keeps few at once.
      const answer = await post('/call/station.status', {}, AbortSignal.timeout(LOST_AFTER_MS))
      return answer.status !== 401 && answer.status !== 403
    } catch (error) {
      if (error instanceof TypeError || error instanceof DOMException) return true
      throw error
    }
  }

  const readBytes = async (kind: BytesKind, id: string): Promise<Blob> => {
    try {
      const answer = await fetch(`${origin}/bytes/${kind}/${encodeURIComponent(id)}`, { headers })
      if (!answer.ok) throw new BytesUnavailable(`${kind}: status ${answer.status}`)
      return await answer.blob()
    } catch (error) {
      if (error instanceof BytesUnavailable) throw error
      throw new BytesUnavailable(`${kind}: no answer`, { cause: error })
    }
  }

  const closeStream =
    token === null
      ? () => undefined
      : openEventStream({
          origin,
          token,
          isAuthorised,
          onConnection: (next) => {
            connection = next
            connections.emit(next)
          },
          onMessage: (message) => {
            arrivals.emit(message)
          },
        })

  return {
    async call<Name extends CallName>(name: Name, input: CallInput<Name>): Promise<Result<CallOutput<Name>>> {
      // A station that hangs would take the question and answer minutes later, when nobody expects it any more.
      if (connection.kind === 'lost' && connection.why === 'unreachable')
        return fail(failureOf('notAllowed', { message: t('link:lost') }))
      try {
        const answer = await post(`/call/${name}`, input, AbortSignal.timeout(CALL_TIMEOUT_MS))
        return readAnswer(name, parseJson(await answer.text()))
      } catch (error) {
        if (error instanceof TypeError || error instanceof DOMException)
          return fail(failureOf('internal', { message: t('link:noAnswer') }))
        throw error
      }
    },
    onMessage: arrivals.subscribe,
    onConnection(listener) {
      listener(connection)
      return connections.subscribe(listener)
    },
    readBytes,
    async createBytesUrl(kind, id) {
      const url = URL.createObjectURL(await readBytes(kind, id))
      return { url, release: () => URL.revokeObjectURL(url) }
    },
    uploadFile: (file, onProgress) =>
      uploadWithProgress(`${origin}${uploadPath(file.name, file.size)}`, headers, file, onProgress),
    close: closeStream,
  }
}
