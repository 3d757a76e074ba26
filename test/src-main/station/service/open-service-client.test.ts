import { describe, expect, it, onTestFinished } from 'vitest'
import { SecretsLockedError } from '../../../../src-main/station/ports.ts'
import { HOUR, SECOND } from '../../../../src-shared/durations.ts'
import { type Answer, openHttpServer, openTcpServer } from './loopback.ts'
import { makeBody } from './made-body.ts'
import { openClient, SECRET } from './opened-client.ts'
import { openService, paths, tokensSeen } from './opened-service.ts'
import { PATIENT } from './patience.ts'
import { post } from './posted.ts'

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
  it('is taken once for all who ask at once and kept until its end', async () => {
    const service = await openService(() => ({ json: [] }))
    const { client, clock } = service
    await Promise.all([client.listCases(), client.listCenters(), client.listCases()])
    expect(client.tokenNumber()).toBe(1)
    clock.advance(HOUR)
    await client.listCases()
    expect(client.tokenNumber()).toBe(2)
  })

  it('is taken anew when asked for, and not otherwise', async () => {
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
    ['401', { status: 401, json: { error: 'nobody knows you' } }],
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

  it('is not asked for without a secret', async () => {
    const server = await openHttpServer(() => ({}))
    onTestFinished(() => server.close())
    const client = openClient({ baseUrl: server.origin, readSecret: () => Promise.resolve(null) })
    expect(await client.listCases()).toMatchObject({
      ok: false,
      failure: { kind: 'signedOut', message: expect.stringContaining('Enter the client secret again') },
    })
    expect(server.connectionCount()).toBe(0)
  })

  it('is waited for where the safe that holds the secret is locked', async () => {
    const server = await openHttpServer(() => ({}))
    onTestFinished(() => server.close())
    const readSecret = () => Promise.reject(new SecretsLockedError())
    const client = openClient({ baseUrl: server.origin, readSecret })
    expect(await client.listCases()).toMatchObject({ ok: false, failure: { kind: 'secretsLocked' } })
    expect(server.connectionCount()).toBe(0)
  })
})

describe('a bad line', () => {
  it('gives up on an answer that does not come', async () => {
    const { client, clock, server } = await openService(() => null)
    await client.authorise({ isFresh: false })
    const listed = client.listCases()
    await expect.poll(() => server.asked.length, PATIENT).toBe(2)
    clock.advance(30 * SECOND)
    expect(await listed).toMatchObject({ ok: false, failure: { kind: 'notAnswering' } })
    expect(clock.timerCount).toBe(0)
  })

  it('gives up on an answer that drips', async () => {
    const { client, clock, server } = await openService((_asked, response) => {
      response.writeHead(200, { 'content-type': 'application/json' })
      response.write('[')
      return null
    })
    const listed = client.listCases()
    await expect.poll(() => server.asked.length, PATIENT).toBe(2)
    clock.advance(30 * SECOND)
    expect(await listed).toMatchObject({ ok: false, failure: { kind: 'notAnswering' } })
  })

  it('stops when it is told to', async () => {
    const { client, server } = await openService(() => null)
    const wish = new AbortController()
    const listed = client.listCases(wish.signal)
    await expect.poll(() => server.asked.length, PATIENT).toBe(2)
    wish.abort()
    expect(await listed).toMatchObject({ ok: false, failure: { kind: 'interrupted' } })
  })

  it('stops when it is closed', async () => {
    const { client, server } = await openService(() => null)
    const listed = client.listCases()
    await expect.poll(() => server.asked.length, PATIENT).toBe(2)
    await client.close()
    expect(await listed).toMatchObject({ ok: false, failure: { kind: 'interrupted' } })
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
    onTestFinished(() => server.close())
    const client = openClient({ baseUrl: server.origin })
    expect(await client.listCases()).toMatchObject({ ok: false, failure: { kind } })
  })

  it('says that nobody is there', async () => {
    const server = await openHttpServer(() => ({}))
    await server.close()
    const client = openClient({ baseUrl: server.origin })
    expect(await client.listCases()).toMatchObject({ ok: false, failure: { kind: 'notAnswering' } })
  })
})

it.each(['https://host.example:99999', 'http://host.example/api'])(
  'says that %s cannot be used, and sends nothing',
  async (baseUrl) => {
    const client = openClient({ baseUrl })
    const refusal = { kind: 'wrongAddress', message: expect.stringMatching(/cannot be used/) }
    expect(await client.authorise({ isFresh: true })).toMatchObject({ ok: false, failure: refusal })
    expect(await client.listCases()).toMatchObject({ ok: false, failure: refusal })
    const { evidence, body } = await post(client, makeBody({ sizeBytes: 100 }))
    expect(evidence).toMatchObject({ handedOverBytes: 0, requestBytes: 100, answer: null, failure: refusal })
    expect(body.streamCount()).toBe(0)
  },
)
