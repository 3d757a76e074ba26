import { onTestFinished } from 'vitest'
import type { Clock, Proxies } from '../../../../src-main/station/ports.ts'
import type { ServiceClient } from '../../../../src-main/station/service/client.ts'
import { openServiceClient } from '../../../../src-main/station/service/service.ts'
import { ManualClock } from './manual-clock.ts'

export const DIRECT: Proxies = { proxyFor: () => Promise.resolve(null) }
export const SECRET = 'issued-s3cret+/='

type Opening = {
  readonly baseUrl: string
  readonly clock?: Clock
  readonly proxies?: Proxies
  readonly readSecret?: () => Promise<string | null>
}

/** A client that the end of the test closes. */
export function openClient(opening: Opening): ServiceClient {
  const client = openServiceClient({
    settings: { baseUrl: opening.baseUrl, clientId: 'clinic one' },
    readSecret: opening.readSecret ?? (() => Promise.resolve(SECRET)),
    proxies: opening.proxies ?? DIRECT,
    clock: opening.clock ?? new ManualClock(),
    version: '1.2.3',
  })
  onTestFinished(() => client.close())
  return client
}
