import { onTestFinished } from 'vitest'
import type { ServiceClient } from '../../../../src-main/station/service/client.ts'
import { type Answer, type Loopback, openHttpServer, type Respond } from './loopback.ts'
import { ManualClock } from './manual-clock.ts'
import { openClient } from './opened-client.ts'

export type Service = {
  readonly server: Loopback
  readonly client: ServiceClient
  readonly clock: ManualClock
}

/** A service under a path that hands out `t1`, `t2`, … for an hour each and answers everything else as told. */
export async function openService(respond: Respond, authorize?: () => Answer): Promise<Service> {
  let tokens = 0
  const server = await openHttpServer((asked, response) => {
    if (!asked.path.endsWith('/authorize')) return respond(asked, response)
    return authorize?.() ?? { json: { access_token: `t${++tokens}`, expires_in: 3600 } }
  })
  onTestFinished(() => server.close())
  const clock = new ManualClock()
  return { server, clock, client: openClient({ baseUrl: `${server.origin}/eye/api/`, clock }) }
}

/** What was asked so far, in order. */
export function paths({ server }: Service): string[] {
  return server.asked.map(({ method, path }) => `${method} ${path}`)
}

export function tokensSeen({ server }: Service): unknown[] {
  return server.asked.map(({ headers }) => headers.authorization)
}
