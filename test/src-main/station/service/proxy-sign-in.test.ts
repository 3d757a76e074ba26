/** Proxies that want a name and a password, as hospitals have them; over HTTP and over HTTPS. */
import { connect, createServer as createTcpServer, type Socket } from 'node:net'
import tls from 'node:tls'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Proxies } from '../../../../src-main/station/ports.ts'
import { openClient } from './opened-client.ts'
import { listen, openSecureService, postTo, SIZE } from './secure-servers.ts'
import { makeSelfSigned } from './self-signed.ts'

const certificate = makeSelfSigned()
const before = tls.getCACertificates('default')
beforeAll(() => tls.setDefaultCACertificates([...before, certificate.cert]))
afterAll(() => tls.setDefaultCACertificates(before))

const NAME = 'clinic\\user@site'
const PASSWORD = 'p:ä ss/%'
const WANTED = `Basic ${Buffer.from(`${NAME}:${PASSWORD}`).toString('base64')}`

/** A proxy that opens a tunnel for who signs in, and says 407 to everybody else. */
async function openGuardedProxy(scheme: 'http' | 'https'): Promise<{ origin: string; asked: string[] }> {
  const asked: string[] = []
  const serve = (socket: Socket): void => {
    socket.on('error', () => socket.destroy())
    socket.once('data', (data: Buffer) => {
      const head = data.toString('latin1')
      const given = /proxy-authorization: ([^\r\n]+)/i.exec(head)?.[1] ?? 'nothing'
      asked.push(given)
      if (given !== WANTED) {
        socket.end(
          'HTTP/1.1 407 Proxy Authentication Required\r\nproxy-authenticate: Basic realm="x"\r\ncontent-length: 0\r\n\r\n',
        )
        return
      }
      const through = connect(Number(/^CONNECT 127\.0\.0\.1:(\d+) /.exec(head)?.[1]), '127.0.0.1')
      through.on('error', () => socket.destroy())
      socket.on('close', () => through.destroy())
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n')
      socket.pipe(through).pipe(socket)
    })
  }
  const server = scheme === 'http' ? createTcpServer(serve) : tls.createServer(certificate, serve)
  const { port } = await listen(server)
  return { origin: `127.0.0.1:${port}`, asked }
}

const through = (url: string): Proxies => ({ proxyFor: () => Promise.resolve(url) })
const credentials = `${encodeURIComponent(NAME)}:${encodeURIComponent(PASSWORD)}`

it.each(['http', 'https'] as const)(
  'signs in at a proxy over %s with what its address says',
  async (scheme) => {
    const service = await openSecureService(certificate)
    const proxy = await openGuardedProxy(scheme)
    const proxies = through(`${scheme}://${credentials}@${proxy.origin}`)
    const client = openClient({ baseUrl: `https://127.0.0.1:${service.port}`, proxies })
    expect(await postTo(client)).toMatchObject({ caseId: '55', handedOverBytes: SIZE })
    expect(await client.getCase('55')).toMatchObject({ ok: true })
    expect(new Set(proxy.asked)).toEqual(new Set([WANTED]))
  },
)

it.each([
  ['http', ''],
  ['http', 'somebody:else@'],
  ['https', ''],
] as const)(
  'tells a refused sign-in at a proxy over %s (%s) apart, in reads and in posts',
  async (scheme, given) => {
    const service = await openSecureService(certificate)
    const proxy = await openGuardedProxy(scheme)
    let url: string | null = null
    const client = openClient({
      baseUrl: `https://127.0.0.1:${service.port}`,
      proxies: { proxyFor: () => Promise.resolve(url) },
    })
    expect(await client.authorise({ isFresh: false })).toMatchObject({ ok: true })
    url = `${scheme}://${given}${proxy.origin}`
    expect(await client.getCase('55')).toMatchObject({ ok: false, failure: { kind: 'proxySignIn' } })
    expect(await postTo(client)).toMatchObject({
      handedOverBytes: 0,
      answer: null,
      failure: { kind: 'proxySignIn' },
    })
  },
)
