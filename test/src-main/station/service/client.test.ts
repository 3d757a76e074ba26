import { describe, expect, it } from 'vitest'
import { SecretsLockedError } from '../../../../src-main/station/ports.ts'
import type { ServiceClient } from '../../../../src-main/station/service/client.ts'
import { SECOND } from '../../../../src-shared/durations.ts'
import { openClient, openService, paths, PATIENT, SECRET, tokensSeen } from './client-with.ts'
import { type Answer, openHttpServer, openTcpServer } from './loopback.ts'

describe('what every request carries', () => {
  it('sends the credentials as they were issued, as a form', async () => {
    const service = await openService(() => ({ json: [] }))
    expect(await service.client.authorise({ isFresh: false })).toEqual({ ok: true, value: null })
    const [asked] = service.server.asked
    expect(asked?.headers['content-type']).toBe('application/x-www-form-urlencoded')
    expect(Object.fromEntries(new URLSearchParams(asked?.body.toString()))).toEqual({
      client_id: 'clinic one',
      client_secret: SECRET,
      grant_type: 'client_credentials',
    })
    expect(asked?.headers.authorization).toBeUndefined()
  })

  it('asks under the base address with its path, for JSON, under its own name and the token', async () => {
    const service = await openService(() => ({ json: { id: 55 } }))
    await service.client.getCase('55')
    expect(paths(service)).toEqual(['POST /eye/api/authorize', 'GET /eye/api/cases/55'])
    expect(service.server.asked[1]?.headers).toMatchObject({
      accept: 'application/json',
      'user-agent': 'FundusCourier/1.2.3',
      authorization: 'Bearer t1',
    })
  })

  it('says who it is for, without a slash at the end', async () => {
    const { client, server } = await openService(() => ({}))
    expect(client.identity).toEqual({ baseUrl: `${server.origin}/eye/api`, clientId: 'clinic one' })
  })
})

describe('the token', () => {
  it('is taken again when asked for, and not otherwise', async () => {
    const { client } = await openService(() => ({}))
    await client.authorise({ isFresh: false })
    await client.authorise({ isFresh: false })
    expect(client.tokenNumber()).toBe(1)
    await client.authorise({ isFresh: true })
    expect(client.tokenNumber()).toBe(2)
  })

  it.each<[string, Answer]>([
    ['401', { status: 401, json: { error: 'token expired' } }],
    ['403', { status: 403 }],
    ['success:false under 200', { json: { success: false, content: 'Token has expired' } }],
  ])('is replaced once when it is refused by %s, and the question repeated once', async (_name, refusal) => {
    const service = await openService(({ headers }) =>
      headers.authorization === 'Bearer t1' ? refusal : { json: [{ id: 1 }] },
    )
    expect(await service.client.listCases()).toMatchObject({ ok: true, value: { cases: [{ caseId: '1' }] } })
    expect(tokensSeen(service)).toEqual([undefined, 'Bearer t1', undefined, 'Bearer t2'])
  })

  it.each<[string, Answer]>([
    ['401', { status: 401, json: { error: 'no one knows you' } }],
    ['success:false under 200', { json: { success: false, content: 'Invalid token' } }],
  ])('is signed out when a new one is refused by %s, too', async (_name, refusal) => {
    const service = await openService(() => refusal)
    expect(await service.client.listCases()).toMatchObject({ ok: false, failure: { kind: 'signedOut' } })
    expect(await service.client.getReport('5')).toMatchObject({ ok: false, failure: { kind: 'signedOut' } })
    expect(await service.client.changeCenter('101')).toMatchObject({
      ok: false,
      failure: { kind: 'signedOut' },
    })
    expect(paths(service).filter((path) => path === 'GET /eye/api/cases')).toHaveLength(2)
    expect(paths(service).filter((path) => path === 'POST /eye/api/change-center')).toHaveLength(2)
  })

  it('does not sign the station out when one case alone is forbidden', async () => {
    const { client } = await openService(() => ({ status: 403, json: { message: 'other center' } }))
    const expected = {
      ok: false,
      failure: { kind: 'serviceRefused', status: 403, serviceSaid: 'other center' },
    }
    expect(await client.getCase('5')).toMatchObject(expected)
    expect(await client.getReport('5')).toMatchObject(expected)
  })

  it.each<[string, Answer, string]>([
    ['a refusal', { status: 401, json: { error: 'invalid_client' } }, 'signedOut'],
    ['a refusal under 200', { json: { success: false, content: 'Unknown client' } }, 'signedOut'],
    ['a page', { text: '<!doctype html><title>Welcome</title>' }, 'wrongAddress'],
    ['a redirect', { status: 302, headers: { location: 'https://elsewhere.example/' } }, 'wrongAddress'],
    ['nothing', {}, 'answerUnreadable'],
    ['an error of the server', { status: 500 }, 'notAnswering'],
    ['too many requests', { status: 429, headers: { 'retry-after': '7' } }, 'throttled'],
    ['an endless answer', { text: Buffer.alloc(100_000, 0x20) }, 'answerUnreadable'],
  ])('is not had from %s, and then nothing is asked', async (_name, answer, kind) => {
    const service = await openService(
      () => ({ json: [] }),
      () => answer,
    )
    expect(await service.client.listCases()).toMatchObject({ ok: false, failure: { kind } })
    expect(paths(service)).toEqual(['POST /eye/api/authorize'])
    expect(service.client.tokenNumber()).toBe(0)
  })

  it.each([
    ['without a secret', () => Promise.resolve(null), 'signedOut', 'The client secret is missing'],
    [
      'if the safe of the secret is locked',
      () => Promise.reject(new SecretsLockedError()),
      'secretsLocked',
      '',
    ],
  ])('is not asked for %s', async (_when, readSecret, kind, message) => {
    const server = await openHttpServer(() => ({}))
    const failure = { kind, message: expect.stringContaining(message) as string }
    const client = openClient({ baseUrl: server.origin, readSecret })
    expect(await client.listCases()).toMatchObject({ ok: false, failure })
    expect(server.connectionCount()).toBe(0)
  })
})

describe('a bad line', () => {
  it.each(['does not come', 'drips'])('gives up on an answer that %s', async (what) => {
    const { client, clock, server } = await openService((_asked, response) => {
      if (what === 'drips') response.writeHead(200, { 'content-type': 'application/json' }).write('[')
      return null
    })
    const listed = client.listCases()
    await expect.poll(() => server.asked.length, PATIENT).toBe(2)
    clock.advance(30 * SECOND)
    expect(await listed).toMatchObject({ ok: false, failure: { kind: 'notAnswering' } })
    expect(clock.timerCount).toBe(0)
  })

  it.each(['asked to', 'closed'])('stops when it is %s', async (how) => {
    const { client, server } = await openService(() => null)
    const wish = new AbortController()
    const listed = client.listCases(wish.signal)
    await expect.poll(() => server.asked.length, PATIENT).toBe(2)
    if (how === 'closed') await client.close()
    else wish.abort()
    expect(await listed).toMatchObject({ ok: false, failure: { kind: 'interrupted' } })
    if (how === 'closed')
      expect(await client.listCases()).toMatchObject({ ok: false, failure: { kind: 'interrupted' } })
  })

  it('takes no more of an answer than it can hold', async () => {
    const { client } = await openService(() => ({ text: Buffer.alloc(17 * 1_024 * 1_024, 0x20) }))
    expect(await client.listCases()).toMatchObject({ ok: false, failure: { kind: 'answerUnreadable' } })
  })

  it.each<[string, string, string]>([
    ['a cut answer', 'HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n[{"id":1}', 'notAnswering'],
    ['rubbish', 'SSH-2.0-OpenSSH_9.2\r\n', 'answerUnreadable'],
    ['nothing', '', 'notAnswering'],
  ])('fails with %s', async (_name, bytes, kind) => {
    const server = await openTcpServer({ onWholeBody: ({ socket }) => void socket.end(bytes) })
    const client = openClient({ baseUrl: server.origin })
    expect(await client.listCases()).toMatchObject({ ok: false, failure: { kind } })
  })
})

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
  getReport: (client) => client.getReport('7'),
  listCenters: (client) => client.listCenters(),
  changeCenter: (client) => client.changeCenter('101'),
}

const PORTAL_CALLS = ['listCases', 'getCase', 'listCenters', 'changeCenter']

it.each(PORTALS.flatMap(([name, answer]) => PORTAL_CALLS.map((call) => [name, call, answer] as const)))(
  '%s is no answer to %s',
  async (_name, call, answer) => {
    const { client } = await openService(() => answer)
    const kinds = ['wrongAddress', 'centerNotChanged']
    const answered = await CALLS[call]?.(client)
    expect(answered).toMatchObject({ ok: false, failure: { kind: expect.toBeOneOf(kinds) as string } })
  },
)

describe('listCases', () => {
  it('follows the links of its own origin, with the token, and says that the list is whole', async () => {
    const service = await openService(({ path }) => {
      if (path === '/eye/api/cases') return { json: { data: [{ id: 1 }], links: { next: '?page=2' } } }
      if (path === '/eye/api/cases?page=2') {
        return { json: [{ id: 2 }, { id: 1 }], headers: { link: '</eye/api/cases?page=3>; rel="next"' } }
      }
      return { json: { data: [{ id: 3 }], links: { next: null } } }
    })
    const list = await service.client.listCases()
    expect(list).toMatchObject({ ok: true, value: { isComplete: true } })
    expect(list.ok && list.value.cases.map((item) => item.caseId)).toEqual(['1', '2', '3'])
    expect(new Set(tokensSeen(service).slice(1))).toEqual(new Set(['Bearer t1']))
  })

  it('never takes the token to another origin, and says that the list is not whole', async () => {
    const other = await openHttpServer(() => ({ json: [{ id: 2 }] }))
    const { client } = await openService(() => ({
      json: { data: [{ id: 1 }], next: `${other.origin}/cases?page=2` },
    }))
    expect(await client.listCases()).toMatchObject({
      ok: true,
      value: { cases: [{ caseId: '1' }], isComplete: false },
    })
    expect(other.connectionCount()).toBe(0)
  })

  it.each<[string, (path: string) => Answer]>([
    ['a link in a circle', () => ({ json: { data: [{ id: 1 }], next: '?page=1' } })],
    [
      'pages that bring nothing new',
      (path) => ({ json: { data: [{ id: 1 }], next: `?page=${path.length}` } }),
    ],
    ['a total beyond the page', () => ({ json: { data: [{ id: 1 }], total: 100 } })],
    ['an item without an id', () => ({ json: { data: [{ id: 1 }, { state: 'x' }] } })],
  ])('comes to an end with %s, and says that the list is not whole', async (_name, answer) => {
    const service = await openService(({ path }) => answer(path))
    expect(await service.client.listCases()).toMatchObject({ ok: true, value: { isComplete: false } })
    expect(service.server.asked.length).toBeLessThan(6)
  })

  it('comes to an end if there is always another page', async () => {
    let page = 0
    const service = await openService(() => ({ json: { data: [{ id: ++page }], next: `?page=${page}` } }))
    const list = await service.client.listCases()
    expect(list.ok && [list.value.cases.length, list.value.isComplete]).toEqual([200, false])
  })

  it('takes an empty page after the last for the end', async () => {
    const { client } = await openService(({ path }) => ({
      json: path.includes('page') ? { data: [], next: '?page=3' } : { data: [{ id: 1 }], next: '?page=2' },
    }))
    expect(await client.listCases()).toMatchObject({
      ok: true,
      value: { cases: [{ caseId: '1' }], isComplete: true },
    })
  })

  it('reads 204 as no cases', async () => {
    const { client } = await openService(() => ({ status: 204 }))
    expect(await client.listCases()).toEqual({ ok: true, value: { cases: [], isComplete: true } })
  })
})

describe('getCase', () => {
  it('escapes an id, and asks nothing for one that is a step in a path', async () => {
    const service = await openService(() => ({ json: { id: 'a/b' } }))
    await service.client.getCase('a/b?c')
    expect(paths(service).at(-1)).toBe('GET /eye/api/cases/a%2Fb%3Fc')
    expect(await service.client.getCase('..')).toMatchObject({ ok: false, failure: { kind: 'notFound' } })
    expect(await service.client.getReport('')).toMatchObject({ ok: false, failure: { kind: 'notFound' } })
    expect(service.server.asked).toHaveLength(2)
  })
})

describe('getReport', () => {
  it('fetches a report and asks for any kind of it', async () => {
    const service = await openService(() => ({ text: '%PDF-1.4', headers: { 'content-type': 'text/plain' } }))
    expect(await service.client.getReport('5')).toMatchObject({
      ok: true,
      value: { kind: 'report', reportKind: 'pdf' },
    })
    expect(service.server.asked[1]).toMatchObject({
      path: '/eye/api/cases/report/5',
      headers: { accept: 'application/json, application/pdf;q=0.9, */*;q=0.5' },
    })
  })

  it('follows a link of its own origin, under the token', async () => {
    const service = await openService(({ path }) =>
      path.endsWith('/report/5') ? { json: { url: '/files/5.pdf' } } : { text: '%PDF-1.4' },
    )
    expect(await service.client.getReport('5')).toMatchObject({ ok: true, value: { reportKind: 'pdf' } })
    expect(service.server.asked.at(-1)).toMatchObject({
      path: '/files/5.pdf',
      headers: { authorization: 'Bearer t1' },
    })
  })

  it('leaves a link of another origin to the person', async () => {
    const other = await openHttpServer(() => ({ text: '%PDF-1.4' }))
    const service = await openService(() => ({ json: { url: `${other.origin}/5.pdf` } }))
    const report = await service.client.getReport('5')
    expect(report).toMatchObject({ ok: true, value: { reportKind: 'link' } })
    expect(paths(service)).toEqual(['POST /eye/api/authorize', 'GET /eye/api/cases/report/5'])
    expect(other.connectionCount()).toBe(0)
  })

  it('gives the whole address of a link that cannot be fetched', async () => {
    const { client, server } = await openService(({ path }) =>
      path.endsWith('/report/5') ? { json: { url: '/files/5.pdf' } } : { status: 404 },
    )
    const report = await client.getReport('5')
    const address = report.ok && report.value.kind === 'report' && Buffer.from(report.value.bytes).toString()
    expect(address).toBe(`${server.origin}/files/5.pdf`)
  })
})

describe('centers', () => {
  it('lists them', async () => {
    const { client } = await openService(() => ({
      json: { centers: [{ id: 101, name: 'North', current: true }] },
    }))
    expect(await client.listCenters()).toEqual({
      ok: true,
      value: [{ centerId: '101', name: 'North', isCurrent: true }],
    })
  })

  it.each<[string, Answer]>([
    ['204', { status: 204 }],
    ['an empty 200', {}],
    ['an envelope', { json: { success: true, content: 'Center changed.' } }],
  ])('changes the center with a form, and takes %s as done', async (_name, answer) => {
    const { client, server } = await openService(() => answer)
    expect(await client.changeCenter('101')).toEqual({ ok: true, value: null })
    expect(server.asked.at(-1)).toMatchObject({ method: 'POST', path: '/eye/api/change-center' })
    expect(server.asked.at(-1)?.body.toString()).toBe('center_id=101')
  })
})

it.each<[string, string, Answer, string]>([
  ['getCase', '404', { status: 404 }, 'notFound'],
  ['getCase', 'an empty array', { json: [] }, 'notFound'],
  ['getCase', 'an envelope around nothing', { json: { success: true, content: null } }, 'notFound'],
  ['getCase', 'success:false', { json: { success: false, content: 'no such case' } }, 'serviceRefused'],
  ['getReport', 'an error of the server', { status: 500 }, 'notAnswering'],
  ['getReport', 'a sign-in page', { text: '<html><input type=password></html>' }, 'wrongAddress'],
  ['getReport', 'bytes of no kind', { text: Buffer.from([0, 1, 2]) }, 'answerUnreadable'],
  ['changeCenter', 'success:false', { json: { success: false, content: 'unknown' } }, 'centerNotChanged'],
  ['changeCenter', '422', { status: 422, json: { error: 'unknown center' } }, 'centerNotChanged'],
  ['changeCenter', '500', { status: 500 }, 'notAnswering'],
])('%s fails with %s', async (call, _name, answer, kind) => {
  const { client } = await openService(() => answer)
  expect(await CALLS[call]?.(client)).toMatchObject({ ok: false, failure: { kind } })
})
