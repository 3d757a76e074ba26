/** A guest network or a firewall answers in place of the service: no call takes that for a success. */
import { expect, it } from 'vitest'
import type { ServiceClient } from '../../../../src-main/station/service/client.ts'
import type { Answer } from './loopback.ts'
import { makeBody } from './made-body.ts'
import { openService } from './opened-service.ts'
import { post } from './posted.ts'

const PAGE = '<!doctype html><html><body>Welcome to the guest network. Sign in 12345.</body></html>'
const PORTALS: readonly [name: string, answer: Answer][] = [
  ['a page with 200', { text: PAGE, headers: { 'content-type': 'text/html' } }],
  ['a page that calls itself JSON', { text: PAGE, headers: { 'content-type': 'application/json' } }],
  ['a redirect', { status: 302, headers: { location: 'https://portal.example/' } }],
  ['511', { status: 511, text: PAGE }],
]
const CALLS: Readonly<Record<string, (client: ServiceClient) => Promise<{ ok: boolean }>>> = {
  listCases: (client) => client.listCases(),
  getCase: (client) => client.getCase('7'),
  listCenters: (client) => client.listCenters(),
  changeCenter: (client) => client.changeCenter('101'),
}

it.each(PORTALS.flatMap(([name, answer]) => Object.keys(CALLS).map((call) => [name, call, answer] as const)))(
  '%s is no answer to %s',
  async (_name, call, answer) => {
    const { client } = await openService(() => answer)
    const kinds = ['wrongAddress', 'centerNotChanged']
    const answered = await CALLS[call]?.(client)
    expect(answered).toMatchObject({ ok: false, failure: { kind: expect.toBeOneOf(kinds) as string } })
  },
)

it.each(PORTALS)('%s is no token', async (_name, answer) => {
  const { client } = await openService(
    () => ({ json: [] }),
    () => answer,
  )
  expect(await client.authorise({ isFresh: false })).toMatchObject({
    ok: false,
    failure: { kind: 'wrongAddress' },
  })
})

it.each(PORTALS)('%s is no receipt for a case', async (_name, answer) => {
  const { client } = await openService(() => answer)
  const { evidence } = await post(client, makeBody({ sizeBytes: 1_000 }))
  expect(evidence.caseId).toBeNull()
  expect(evidence.failure).not.toBeNull()
})
