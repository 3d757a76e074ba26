/** A client of the service with a server of this machine, and bodies to post. */
import { onTestFinished } from 'vitest'
import type { Clock, Logger, Proxies } from '../../../../src-main/station/ports.ts'
import type { PostOptions, RequestBody, ServiceClient } from '../../../../src-main/station/service/client.ts'
import type { ReadLongPage } from '../../../../src-main/station/service/case-lists.ts'
import { shownPageIn } from '../../../../src-main/station/service/cases.ts'
import { openServiceClient } from '../../../../src-main/station/service/service.ts'
import { MINUTE } from '../../../../src-shared/durations.ts'
import { createRecordingLogger } from '../../../tools/recording-logger.ts'
import { type Answer, type Loopback, openHttpServer, type Respond } from './loopback.ts'
import { ManualClock } from './manual-clock.ts'

export const DIRECT: Proxies = { proxyFor: () => Promise.resolve(null) }
/** As a process of the station reads a long page, here. */
export const readLongPage: ReadLongPage = async (answer, take) => {
  const shown = shownPageIn(answer)
  take((shown?.page.cases ?? []).map((one) => JSON.stringify(one)))
  return { shown }
}
export const SECRET = 'issued-s3cret+/='

type Opening = {
  readonly baseUrl: string
  readonly clientId?: string
  readonly clock?: Clock
  readonly proxies?: Proxies
  readonly readSecret?: () => Promise<string | null>
  readonly logger?: Logger
  readonly readLongPage?: ReadLongPage
}

/** A client that the end of the test closes. */
export function openClient(opening: Opening): ServiceClient {
  const client = openServiceClient(
    {
      proxies: opening.proxies ?? DIRECT,
      clock: opening.clock ?? new ManualClock(),
      logger: opening.logger ?? createRecordingLogger(),
      version: '1.2.3',
      readLongPage: opening.readLongPage ?? readLongPage,
    },
    { baseUrl: opening.baseUrl, clientId: opening.clientId ?? 'clinic one' },
    opening.readSecret ?? (() => Promise.resolve(SECRET)),
  )
  onTestFinished(() => client.close())
  return client
}

/** A service under a path that hands out `t1`, `t2`, … for an hour each and answers everything else by `respond`. */
export async function openService(respond: Respond, authorize?: () => Answer) {
  let tokens = 0
  const server = await openHttpServer((asked, response) => {
    if (!asked.path.endsWith('/authorize')) return respond(asked, response)
    return authorize?.() ?? { json: { access_token: `t${++tokens}`, expires_in: 3600 } }
  })
  const clock = new ManualClock()
  return { server, clock, client: openClient({ baseUrl: `${server.origin}/eye/api/`, clock }) }
}

type Service = Awaited<ReturnType<typeof openService>>

/** What was asked so far, in order. */
export function paths({ server }: Service): string[] {
  return server.asked.map(({ method, path }) => `${method} ${path}`)
}

export function tokensSeen({ server }: Service): unknown[] {
  return server.asked.map(({ headers }) => headers.authorization)
}

export type MadeBody = RequestBody & {
  streamCount(): number
  /** Whether the writer's `finally` has run. */
  isClosed(): boolean
}

type Making = {
  readonly sizeBytes: number
  readonly announcedBytes?: number
  readonly breaksAt?: { readonly bytes: number; readonly error: Error }
}

const PIECE = Buffer.alloc(256 * 1_024, 0x61)

/** A body of so many bytes in pieces of 256 KiB, as the delivery writes it. */
export function makeBody({ sizeBytes, announcedBytes, breaksAt }: Making): MadeBody {
  let streams = 0
  let closed = false
  return {
    contentType: 'multipart/form-data; boundary=made',
    contentLength: announcedBytes ?? sizeBytes,
    stream: async function* () {
      streams++
      try {
        for (let sent = 0; sent < sizeBytes; sent += PIECE.length) {
          if (breaksAt !== undefined && sent >= breaksAt.bytes) throw breaksAt.error
          yield PIECE.subarray(0, Math.min(PIECE.length, sizeBytes - sent))
        }
      } finally {
        closed = true
      }
    },
    streamCount: () => streams,
    isClosed: () => closed,
  }
}

export const MEBIBYTE = 1_024 * 1_024
export const SMALL = 100_000
/** More than the buffers of both ends of a loopback connection hold. */
export const LARGE = 64 * MEBIBYTE
export const ANSWER_TIMEOUT = 10 * MINUTE

/** Posts a body as the delivery does. */
export async function post<Body extends RequestBody>(
  client: ServiceClient,
  body: Body,
  more: Partial<PostOptions> = {},
) {
  const released: number[] = []
  const evidence = await client.postCase({
    body,
    answerTimeoutMs: ANSWER_TIMEOUT,
    beforeFirstByte: () => Promise.resolve(),
    onReleased: (bytes) => released.push(bytes),
    signal: new AbortController().signal,
    ...more,
  })
  return { evidence, body, released }
}

/** A client of the server; both end with the test. */
export function clientOf(server: Loopback, clock = new ManualClock()): ServiceClient {
  return openClient({ baseUrl: server.origin, clock })
}

/** A service that answers a whole post in this way. */
export async function answering(answer: Answer): Promise<{ server: Loopback; client: ServiceClient }> {
  const server = await openHttpServer(({ path }) =>
    path === '/authorize' ? { json: { token: 't1' } } : answer,
  )
  return { server, client: clientOf(server) }
}

export const PATIENT = { timeout: 10_000, interval: 10 }
