import { onTestFinished } from 'vitest'
import type { PostEvidence, PostOptions, ServiceClient } from '../../../../src-main/station/service/client.ts'
import { MINUTE } from '../../../../src-shared/durations.ts'
import { type Answer, type Loopback, openHttpServer } from './loopback.ts'
import type { MadeBody } from './made-body.ts'
import { ManualClock } from './manual-clock.ts'
import { openClient } from './opened-client.ts'

export const MEBIBYTE = 1_024 * 1_024
export const SMALL = 100_000
/** More than the buffers of both ends of a loopback connection hold. */
export const LARGE = 64 * MEBIBYTE
export const ANSWER_TIMEOUT = 10 * MINUTE

type Posted = {
  readonly evidence: PostEvidence
  readonly body: MadeBody
  /** What `onHandedOver` was told. */
  readonly told: readonly number[]
}

/** Posts a body as the delivery does. */
export async function post(
  client: ServiceClient,
  body: MadeBody,
  more: Partial<PostOptions> = {},
): Promise<Posted> {
  const told: number[] = []
  const evidence = await client.postCase({
    body,
    answerTimeoutMs: ANSWER_TIMEOUT,
    beforeFirstByte: () => {},
    onHandedOver: (bytes) => told.push(bytes),
    signal: new AbortController().signal,
    ...more,
  })
  return { evidence, body, told }
}

/** A client of the server; both end with the test. */
export function clientOf(server: Loopback, clock = new ManualClock()): ServiceClient {
  onTestFinished(() => server.close())
  return openClient({ baseUrl: server.origin, clock })
}

/** A service that answers a whole post as told. */
export async function answering(answer: Answer): Promise<{ server: Loopback; client: ServiceClient }> {
  const server = await openHttpServer(({ path }) =>
    path === '/authorize' ? { json: { token: 't1' } } : answer,
  )
  return { server, client: clientOf(server) }
}
