/** TLS, proxies and protocols, against real servers of this machine. */
import { createServer as createTcpServer } from 'node:net'
import tls from 'node:tls'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { MINUTE } from '../../../../src-shared/durations.ts'
import { ManualClock } from './manual-clock.ts'
import { PATIENT } from './patience.ts'
import { DIRECT, openClient } from './opened-client.ts'
import { listen, openProxy, openSecureService, postTo, SIZE } from './secure-servers.ts'
import { makeSelfSigned } from './self-signed.ts'

const certificate = makeSelfSigned()

describe('with an authority that this computer trusts', () => {
  const before = tls.getCACertificates('default')
  beforeAll(() => tls.setDefaultCACertificates([...before, certificate.cert]))
  afterAll(() => tls.setDefaultCACertificates(before))

  it('posts over HTTP/1.1, although the service prefers HTTP/2', async () => {
    const service = await openSecureService(certificate)
    const client = openClient({ baseUrl: `https://127.0.0.1:${service.port}` })
    expect(await postTo(client)).toMatchObject({ caseId: '55', handedOverBytes: SIZE })
    expect(await client.getCase('55')).toMatchObject({ ok: true })
    expect(service.versions).toEqual(['1.1', '1.1', '1.1'])
  })

  it('goes through a proxy, trusting the same authorities inside the tunnel', async () => {
    const service = await openSecureService(certificate)
    const { proxies, heads } = await openProxy('200 Connection established')
    const client = openClient({ baseUrl: `https://127.0.0.1:${service.port}`, proxies })
    expect(await postTo(client)).toMatchObject({ caseId: '55', handedOverBytes: SIZE })
    expect(await client.getCase('55')).toMatchObject({ ok: true })
    expect(service.versions).toEqual(['1.1', '1.1', '1.1'])
    expect(heads).toHaveLength(3)
    expect(heads.join()).not.toMatch(/authorization/i)
  })

  it('asks for the proxy anew, because networks change', async () => {
    const service = await openSecureService(certificate)
    const { proxies, heads } = await openProxy('200 OK')
    let isProxied = false
    const client = openClient({
      baseUrl: `https://127.0.0.1:${service.port}`,
      proxies: { proxyFor: (url) => (isProxied ? proxies : DIRECT).proxyFor(url) },
    })
    expect(await client.getCase('55')).toMatchObject({ ok: true })
    expect(heads).toHaveLength(0)
    isProxied = true
    expect(await client.getCase('55')).toMatchObject({ ok: true })
    expect(heads).toHaveLength(1)
  })

  it.each<[string, string]>([
    ['407 Proxy Authentication Required', 'proxySignIn'],
    ['403 Forbidden', 'offline'],
    ['502 Bad Gateway', 'offline'],
  ])('hands over nothing to a proxy that answers %s', async (statusLine, kind) => {
    const service = await openSecureService(certificate)
    const refusing = await openProxy(statusLine)
    let proxies = DIRECT
    const client = openClient({
      baseUrl: `https://127.0.0.1:${service.port}`,
      proxies: { proxyFor: (url) => proxies.proxyFor(url) },
    })
    await client.authorise({ isFresh: false })
    proxies = refusing.proxies
    expect(await postTo(client)).toMatchObject({
      handedOverBytes: 0,
      requestBytes: SIZE,
      answer: null,
      failure: { kind },
    })
    expect(await client.getCase('55')).toMatchObject({ ok: false, failure: { kind } })
    expect(service.versions).toEqual(['1.1'])
  })

  it('hands over nothing to a proxy that never answers', async () => {
    const service = await openSecureService(certificate)
    const silent = await openProxy('')
    let proxies = DIRECT
    const clock = new ManualClock()
    const client = openClient({
      baseUrl: `https://127.0.0.1:${service.port}`,
      clock,
      proxies: { proxyFor: (url) => proxies.proxyFor(url) },
    })
    await client.authorise({ isFresh: false })
    proxies = silent.proxies
    const posted = postTo(client)
    await expect.poll(() => silent.heads.length, PATIENT).toBe(1)
    clock.advance(60_000)
    expect(await posted).toMatchObject({
      handedOverBytes: 0,
      answer: null,
      failure: { kind: 'notAnswering' },
    })
  })

  it('says that it was stopped itself, also amid an answer that drips through a tunnel', async () => {
    const service = await openSecureService(certificate, (response) => {
      response.writeHead(201, { 'content-length': 100 })
      response.write('{')
    })
    const { proxies } = await openProxy('200 OK')
    const clock = new ManualClock()
    const client = openClient({ baseUrl: `https://127.0.0.1:${service.port}`, clock, proxies })
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
      const client = openClient({
        baseUrl: `https://127.0.0.1:${service.port}`,
        proxies: { proxyFor: () => Promise.resolve(proxy) },
      })
      expect(await client.listCases()).toMatchObject({ ok: false, failure: { kind: 'offline' } })
    },
  )
})

it('hands over nothing, not even the secret, where the certificate is not trusted', async () => {
  const service = await openSecureService(certificate)
  const client = openClient({ baseUrl: `https://127.0.0.1:${service.port}` })
  expect(await client.authorise({ isFresh: false })).toMatchObject({
    ok: false,
    failure: { kind: 'notTrusted' },
  })
  expect(service.versions).toEqual([])
})

it('says that the address is wrong where plain HTTP answers to https', async () => {
  const server = createTcpServer((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'))
  const { port } = await listen(server)
  const client = openClient({ baseUrl: `https://127.0.0.1:${port}` })
  expect(await client.authorise({ isFresh: false })).toMatchObject({
    ok: false,
    failure: { kind: 'wrongAddress' },
  })
})

it('never takes plain http to a proxy', async () => {
  const { proxies, heads } = await openProxy('200 OK')
  const server = createTcpServer((socket) => socket.end('HTTP/1.1 500 x\r\ncontent-length: 0\r\n\r\n'))
  const { port } = await listen(server)
  const client = openClient({ baseUrl: `http://127.0.0.1:${port}`, proxies })
  expect(await client.authorise({ isFresh: false })).toMatchObject({ ok: false, failure: { status: 500 } })
  expect(heads).toEqual([])
})
