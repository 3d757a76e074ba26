/** TLS, proxies and protocols, against real servers of this machine. */
import { createSecureServer } from 'node:http2'
import {
  connect,
  createServer as createTcpServer,
  type AddressInfo,
  type Server,
  type Socket,
} from 'node:net'
import tls from 'node:tls'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import type { Proxies } from '../../../../src-main/station/ports.ts'
import type { PostEvidence, ServiceClient } from '../../../../src-main/station/service/service-client.ts'
import { makeBody } from './made-body.ts'
import { ManualClock } from './manual-clock.ts'
import { DIRECT, openClient } from './opened-client.ts'
import { makeSelfSigned } from './self-signed.ts'

const certificate = makeSelfSigned()
const SIZE = 1_000_000

type Listening = { readonly port: number; readonly sockets: ReadonlySet<Socket> }

async function listen(server: Server): Promise<Listening> {
  const sockets = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.on('error', () => socket.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy()
    await new Promise((resolve) => server.close(resolve))
  })
  return { port: (server.address() as AddressInfo).port, sockets }
}

/** A service that would rather speak HTTP/2, as many do. */
async function openSecureService(): Promise<Listening & { readonly versions: string[] }> {
  const versions: string[] = []
  const server = createSecureServer({ ...certificate, allowHTTP1: true }, (request, response) => {
    versions.push(request.httpVersion)
    request.resume()
    request.on('end', () => {
      response.setHeader('content-type', 'application/json')
      response.end(request.url === '/authorize' ? '{"token":"t1"}' : '{"id":55}')
    })
  })
  return { ...(await listen(server)), versions }
}

/** A proxy that answers CONNECT with a status; 200 opens the tunnel. */
async function openProxy(
  statusLine: string,
): Promise<{ readonly proxies: Proxies; readonly heads: string[] }> {
  const heads: string[] = []
  const server = createTcpServer((socket) => {
    socket.once('data', (data) => {
      heads.push(data.toString('latin1'))
      if (statusLine === '') return
      if (!statusLine.startsWith('200')) {
        socket.end(`HTTP/1.1 ${statusLine}\r\ncontent-length: 0\r\n\r\n`)
        return
      }
      const port = Number(/^CONNECT 127\.0\.0\.1:(\d+) /.exec(data.toString('latin1'))?.[1])
      const through = connect(port, '127.0.0.1')
      through.on('error', () => socket.destroy())
      socket.on('close', () => through.destroy())
      socket.write(`HTTP/1.1 ${statusLine}\r\n\r\n`)
      socket.pipe(through).pipe(socket)
    })
  })
  const { port } = await listen(server)
  return { proxies: { proxyFor: () => Promise.resolve(`http://127.0.0.1:${port}`) }, heads }
}

async function post(client: ServiceClient): Promise<PostEvidence> {
  return await client.postCase({
    body: makeBody({ sizeBytes: SIZE }),
    answerTimeoutMs: 60_000,
    beforeFirstByte: () => {},
    onHandedOver: () => {},
    signal: new AbortController().signal,
  })
}

describe('with an authority that this computer trusts', () => {
  const before = tls.getCACertificates('default')
  beforeAll(() => tls.setDefaultCACertificates([...before, certificate.cert]))
  afterAll(() => tls.setDefaultCACertificates(before))

  it('posts over HTTP/1.1, although the service prefers HTTP/2', async () => {
    const service = await openSecureService()
    const client = openClient({ baseUrl: `https://127.0.0.1:${service.port}` })
    expect(await post(client)).toMatchObject({ caseId: '55', handedOverBytes: SIZE })
    expect(await client.getCase('55')).toMatchObject({ ok: true })
    expect(service.versions).toEqual(['1.1', '1.1', '1.1'])
  })

  it('goes through a proxy, trusting the same authorities inside the tunnel', async () => {
    const service = await openSecureService()
    const { proxies, heads } = await openProxy('200 Connection established')
    const client = openClient({ baseUrl: `https://127.0.0.1:${service.port}`, proxies })
    expect(await post(client)).toMatchObject({ caseId: '55', handedOverBytes: SIZE })
    expect(await client.getCase('55')).toMatchObject({ ok: true })
    expect(service.versions).toEqual(['1.1', '1.1', '1.1'])
    expect(heads).toHaveLength(3)
    expect(heads.join()).not.toMatch(/authorization/i)
  })

  it('asks for the proxy anew, because networks change', async () => {
    const service = await openSecureService()
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
    const service = await openSecureService()
    const refusing = await openProxy(statusLine)
    let proxies = DIRECT
    const client = openClient({
      baseUrl: `https://127.0.0.1:${service.port}`,
      proxies: { proxyFor: (url) => proxies.proxyFor(url) },
    })
    await client.authorise({ isFresh: false })
    proxies = refusing.proxies
    expect(await post(client)).toMatchObject({
      handedOverBytes: 0,
      requestBytes: SIZE,
      answer: null,
      failure: { kind },
    })
    expect(await client.getCase('55')).toMatchObject({ ok: false, failure: { kind } })
    expect(service.versions).toEqual(['1.1'])
  })

  it('hands over nothing to a proxy that never answers', async () => {
    const service = await openSecureService()
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
    const posted = post(client)
    await expect.poll(() => silent.heads.length).toBe(1)
    clock.advance(60_000)
    expect(await posted).toMatchObject({
      handedOverBytes: 0,
      answer: null,
      failure: { kind: 'notAnswering' },
    })
  })

  it.each(['not an address', 'ftp://127.0.0.1:21'])(
    'says that the proxy %j cannot be used',
    async (proxy) => {
      const service = await openSecureService()
      const client = openClient({
        baseUrl: `https://127.0.0.1:${service.port}`,
        proxies: { proxyFor: () => Promise.resolve(proxy) },
      })
      expect(await client.listCases()).toMatchObject({ ok: false, failure: { kind: 'offline' } })
    },
  )
})

it('hands over nothing, not even the secret, where the certificate is not trusted', async () => {
  const service = await openSecureService()
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
