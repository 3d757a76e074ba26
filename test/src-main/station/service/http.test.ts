/** Addresses, TLS, proxies and protocols, against real servers of this machine. */
import { createServer as createTcpServer } from 'node:net'
import tls from 'node:tls'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Proxies } from '../../../../src-main/station/ports.ts'
import { readServiceAddress } from '../../../../src-main/station/service/http.ts'
import { MINUTE } from '../../../../src-shared/durations.ts'
import { baseUrlSchema } from '../../../../src-shared/settings.ts'
import { DIRECT, openClient, PATIENT } from './client-with.ts'
import { ManualClock } from './manual-clock.ts'
import { listening } from './loopback.ts'
import { makeSelfSigned, openProxy, openSecureService, postTo, SIZE } from './secure-servers.ts'

describe('readServiceAddress', () => {
  it.each([
    ['https://host.example', 'https://host.example/cases'],
    ['https://host.example/', 'https://host.example/cases'],
    ['https://host.example/eye/api', 'https://host.example/eye/api/cases'],
    ['https://host.example/eye/api/', 'https://host.example/eye/api/cases'],
    ['https://host.example/eye/api//', 'https://host.example/eye/api/cases'],
    ['https://host.example:8443/index.php', 'https://host.example:8443/index.php/cases'],
    ['http://127.0.0.1:8080/api', 'http://127.0.0.1:8080/api/cases'],
    ['http://localhost:8080', 'http://localhost:8080/cases'],
    ['http://[::1]:8080', 'http://[::1]:8080/cases'],
  ])('puts one slash between %s and its endpoints', (base, expected) => {
    expect(readServiceAddress(base).endpoint('cases').href).toBe(expected)
  })

  it.each([
    'http://host.example',
    'http://127.0.0.1.evil.example',
    'http://localhost.evil.example/api',
    'http://192.168.1.5/api',
    'ftp://127.0.0.1/',
    'https://user:secret@host.example/',
    'file:///etc/passwd',
    'https://host.example:99999',
    'nonsense',
  ])('refuses %s, and so do the settings', (base) => {
    expect(baseUrlSchema.safeParse(base).success).toBe(false)
    expect(() => readServiceAddress(base)).toThrow()
  })

  it('escapes what would leave its segment', () => {
    const address = readServiceAddress('https://host.example/api')
    expect(address.endpoint('cases', '../../x?y#z').href).toBe(
      'https://host.example/api/cases/..%2F..%2Fx%3Fy%23z',
    )
    expect(() => address.endpoint('cases', '..')).toThrow(TypeError)
  })

  it.each([
    ['?page=2', 'https://host.example/api/cases?page=2'],
    ['/api/cases?page=2#x', 'https://host.example/api/cases?page=2'],
    ['https://host.example/api/cases?page=2', 'https://host.example/api/cases?page=2'],
    ['http://host.example/api/cases?page=2', 'https://host.example/api/cases?page=2'],
    ['//host.example/x', 'https://host.example/x'],
    ['https://other.example/cases?page=2', null],
    ['//other.example/x', null],
    ['https://host.example:444/x', null],
    ['https://u:p@host.example/x', null],
    ['javascript:alert(1)', null],
    ['data:text/html,x', null],
    ['https://', null],
  ])('follows the link %s to %s', (link, expected) => {
    const address = readServiceAddress('https://host.example/api')
    expect(address.resolveLink(link, address.endpoint('cases'))?.href ?? null).toBe(expected)
  })
})

const certificate = makeSelfSigned()

const secureClient = (
  service: { readonly port: number },
  more: { clock?: ManualClock; proxies?: Proxies } = {},
) => openClient({ baseUrl: `https://127.0.0.1:${service.port}`, ...more })

/** The computer trusts the authority of the test while the specs of a `describe` run. */
function trustAuthority(): void {
  const before = tls.getCACertificates('default')
  beforeAll(() => tls.setDefaultCACertificates([...before, certificate.cert]))
  afterAll(() => tls.setDefaultCACertificates(before))
}

describe('with an authority that this computer trusts', () => {
  trustAuthority()

  it('posts over HTTP/1.1, although the service prefers HTTP/2', async () => {
    const service = await openSecureService(certificate)
    const client = secureClient(service)
    expect(await postTo(client)).toMatchObject({ caseId: '55', handedOverBytes: SIZE })
    expect(await client.getCase('55')).toMatchObject({ ok: true })
    expect(service.versions).toEqual(['1.1', '1.1', '1.1'])
  })

  it('goes through a proxy, trusting the same authorities inside the tunnel', async () => {
    const service = await openSecureService(certificate)
    const { proxies, heads } = await openProxy('200 Connection established')
    const client = secureClient(service, { proxies })
    expect(await postTo(client)).toMatchObject({ caseId: '55', handedOverBytes: SIZE })
    expect(await client.getCase('55')).toMatchObject({ ok: true })
    expect(service.versions).toEqual(['1.1', '1.1', '1.1'])
    expect(heads).toHaveLength(3)
    expect(heads.join()).not.toMatch(/authorization/i)
  })

  it('asks for the proxy each time, because networks change', async () => {
    const service = await openSecureService(certificate)
    const { proxies, heads } = await openProxy('200 OK')
    let isProxied = false
    const client = secureClient(service, {
      proxies: { proxyFor: (url) => (isProxied ? proxies : DIRECT).proxyFor(url) },
    })
    expect(await client.getCase('55')).toMatchObject({ ok: true })
    expect(heads).toHaveLength(0)
    isProxied = true
    expect(await client.getCase('55')).toMatchObject({ ok: true })
    expect(heads).toHaveLength(1)
  })

  it.each<[string, string, statusLine: string]>([
    ['requires a sign-in', 'proxySignIn', '407 Proxy Authentication Required'],
    ['forbids', 'offline', '403 Forbidden'],
    ['reaches no one', 'offline', '502 Bad Gateway'],
    ['never answers', 'notAnswering', ''],
  ])('hands over nothing to a proxy that %s', async (_what, kind, statusLine) => {
    const service = await openSecureService(certificate)
    const refusing = await openProxy(statusLine)
    let proxies = DIRECT
    const clock = new ManualClock()
    const client = secureClient(service, { clock, proxies: { proxyFor: (url) => proxies.proxyFor(url) } })
    await client.authorise({ isFresh: false })
    proxies = refusing.proxies
    const nothing = { handedOverBytes: 0, requestBytes: SIZE, answer: null }
    const posted = postTo(client)
    await expect.poll(() => refusing.heads.length, PATIENT).toBe(1)
    if (statusLine === '') clock.advance(60_000)
    expect(await posted).toMatchObject({ ...nothing, failure: { kind } })
    expect(service.versions).toEqual(['1.1'])
    if (statusLine === '') return
    expect(await client.getCase('55')).toMatchObject({ ok: false, failure: { kind } })
    expect(service.versions).toEqual(['1.1'])
  })

  it('says that it was stopped itself, also amid an answer that drips through a tunnel', async () => {
    const service = await openSecureService(certificate, (response) => {
      response.writeHead(201, { 'content-length': 100 })
      response.write('{')
    })
    const { proxies } = await openProxy('200 OK')
    const clock = new ManualClock()
    const client = secureClient(service, { clock, proxies })
    const posted = postTo(client)
    await expect.poll(() => clock.hasTimer(2 * MINUTE), PATIENT).toBe(true)
    await client.close()
    expect(await posted).toMatchObject({
      handedOverBytes: SIZE,
      answer: { status: 201, isComplete: false },
      failure: { kind: 'interrupted', status: 201 },
    })
  })

  it.each(['not an address', 'ftp://127.0.0.1:21'])(
    'says that the proxy %j cannot be used',
    async (proxy) => {
      const service = await openSecureService(certificate)
      const client = secureClient(service, { proxies: { proxyFor: () => Promise.resolve(proxy) } })
      expect(await client.listCases()).toMatchObject({ ok: false, failure: { kind: 'offline' } })
    },
  )
})

it('says that the address is wrong where plain HTTP answers to https', async () => {
  const server = createTcpServer((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'))
  const { port } = await listening(server)
  const client = openClient({ baseUrl: `https://127.0.0.1:${port}` })
  expect(await client.authorise({ isFresh: false })).toMatchObject({
    ok: false,
    failure: { kind: 'wrongAddress' },
  })
})

it('never takes plain http to a proxy', async () => {
  const { proxies, heads } = await openProxy('200 OK')
  const server = createTcpServer((socket) => socket.end('HTTP/1.1 500 x\r\ncontent-length: 0\r\n\r\n'))
  const { port } = await listening(server)
  const client = openClient({ baseUrl: `http://127.0.0.1:${port}`, proxies })
  expect(await client.authorise({ isFresh: false })).toMatchObject({ ok: false, failure: { status: 500 } })
  expect(heads).toEqual([])
})

const NAME = 'clinic\\user@site'
const PASSWORD = 'p:ä ss/%'
const WANTED = `Basic ${Buffer.from(`${NAME}:${PASSWORD}`).toString('base64')}`

/** A proxy that opens a tunnel for who signs in. */
const openGuardedProxy = (scheme: 'http' | 'https') =>
  openProxy('200 Connection established', {
    wanted: WANTED,
    ...(scheme === 'https' && { create: (serve) => tls.createServer(certificate, serve) }),
  })

const through = (url: string): Proxies => ({ proxyFor: () => Promise.resolve(url) })
const credentials = `${encodeURIComponent(NAME)}:${encodeURIComponent(PASSWORD)}`

describe('a proxy that requires a sign-in', () => {
  trustAuthority()

  it.each(['http', 'https'] as const)(
    'signs in at a proxy over %s with what its address says',
    async (scheme) => {
      const service = await openSecureService(certificate)
      const proxy = await openGuardedProxy(scheme)
      const proxies = through(`${scheme}://${credentials}@127.0.0.1:${proxy.port}`)
      const client = secureClient(service, { proxies })
      expect(await postTo(client)).toMatchObject({ caseId: '55', handedOverBytes: SIZE })
      expect(await client.getCase('55')).toMatchObject({ ok: true })
      expect(proxy.heads.every((head) => head.includes(WANTED))).toBe(true)
    },
  )

  it.each([
    ['http', ''],
    ['http', 'another:person@'],
    ['https', ''],
  ] as const)(
    'reports a refused sign-in at a proxy over %s (%s), in reads and in posts',
    async (scheme, credential) => {
      const service = await openSecureService(certificate)
      const proxy = await openGuardedProxy(scheme)
      let url: string | null = null
      const client = secureClient(service, { proxies: { proxyFor: () => Promise.resolve(url) } })
      expect(await client.authorise({ isFresh: false })).toMatchObject({ ok: true })
      url = `${scheme}://${credential}127.0.0.1:${proxy.port}`
      expect(await client.getCase('55')).toMatchObject({ ok: false, failure: { kind: 'proxySignIn' } })
      expect(await postTo(client)).toMatchObject({
        handedOverBytes: 0,
        answer: null,
        failure: { kind: 'proxySignIn' },
      })
    },
  )
})
