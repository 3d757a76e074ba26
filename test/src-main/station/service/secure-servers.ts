/** Servers and proxies with a certificate made for the test. */
import { generateKeyPairSync, randomBytes, sign } from 'node:crypto'
import { createSecureServer, type Http2ServerResponse } from 'node:http2'
import { connect, createServer as createTcpServer, type Server, type Socket } from 'node:net'
import type { Proxies } from '../../../../src-main/station/ports.ts'
import type { PostEvidence, ServiceClient } from '../../../../src-main/station/service/client.ts'
import { makeBody, post } from './client-with.ts'
import { listening } from './loopback.ts'

export const SIZE = 1_000_000

/** A service that would rather speak HTTP/2, as many do. */
export async function openSecureService(
  certificate: { readonly key: string; readonly cert: string },
  answerCase: (response: Http2ServerResponse) => void = (response) => response.end('{"id":55}'),
): Promise<{ readonly port: number; readonly versions: string[] }> {
  const versions: string[] = []
  const server = createSecureServer({ ...certificate, allowHTTP1: true }, (request, response) => {
    versions.push(request.httpVersion)
    request.resume()
    request.on('end', () => {
      response.setHeader('content-type', 'application/json')
      if (request.url === '/authorize') response.end('{"token":"t1"}')
      else answerCase(response)
    })
  })
  return { port: (await listening(server)).port, versions }
}

/**
 * A proxy that answers CONNECT with a status; 200 opens the tunnel. With `wanted` it opens one only for that sign-in,
 * and answers 407 to all others.
 */
export async function openProxy(
  statusLine: string,
  {
    wanted,
    create = createTcpServer,
  }: { wanted?: string; create?: (serve: (socket: Socket) => void) => Server } = {},
): Promise<{ readonly proxies: Proxies; readonly heads: string[]; readonly port: number }> {
  const heads: string[] = []
  const server = create((socket) => {
    socket.on('error', () => socket.destroy())
    socket.once('data', (data: Buffer) => {
      const head = data.toString('latin1')
      heads.push(head)
      const sent = /proxy-authorization: ([^\r\n]+)/i.exec(head)?.[1]
      const status =
        wanted === undefined || sent === wanted ? statusLine : '407 Proxy Authentication Required'
      if (status === '') return
      if (!status.startsWith('200')) {
        socket.end(`HTTP/1.1 ${status}\r\nproxy-authenticate: Basic realm="x"\r\ncontent-length: 0\r\n\r\n`)
        return
      }
      const through = connect(Number(/^CONNECT 127\.0\.0\.1:(\d+) /.exec(head)?.[1]), '127.0.0.1')
      through.on('error', () => socket.destroy())
      socket.on('close', () => through.destroy())
      socket.write(`HTTP/1.1 ${status}\r\n\r\n`)
      socket.pipe(through).pipe(socket)
    })
  })
  const { port } = await listening(server)
  return { proxies: { proxyFor: () => Promise.resolve(`http://127.0.0.1:${port}`) }, heads, port }
}

/** Posts a made case of `SIZE` bytes. */
export async function postTo(client: ServiceClient): Promise<PostEvidence> {
  return (await post(client, makeBody({ sizeBytes: SIZE }), { answerTimeoutMs: 60_000 })).evidence
}

const ECDSA_WITH_SHA256 = Buffer.from('300a06082a8648ce3d040302', 'hex')

function der(tag: number, ...parts: readonly Uint8Array[]): Buffer {
  const content = Buffer.concat(parts)
  const length =
    content.length < 0x80
      ? Buffer.from([content.length])
      : Buffer.from([0x82, content.length >> 8, content.length & 0xff])
  return Buffer.concat([Buffer.from([tag]), length, content])
}

const sequence = (...parts: readonly Uint8Array[]): Buffer => der(0x30, ...parts)
const objectId = (hex: string): Buffer => der(0x06, Buffer.from(hex, 'hex'))
const extension = (id: string, value: Uint8Array): Buffer => sequence(objectId(id), der(0x04, value))
const time = (date: Date): Buffer =>
  der(0x17, Buffer.from(`${date.toISOString().replace(/\D/g, '').slice(2, 14)}Z`))

/** A fresh key and its own signature, in PEM; valid from yesterday for ten days. */
export function makeSelfSigned(): { readonly key: string; readonly cert: string } {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const name = sequence(der(0x31, sequence(objectId('550403'), der(0x0c, Buffer.from('courier-test')))))
  const day = 86_400_000
  const serial = Buffer.concat([Buffer.from([1]), randomBytes(8)])
  const alternatives = sequence(der(0x87, Buffer.from([127, 0, 0, 1])), der(0x82, Buffer.from('localhost')))
  const body = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, serial),
    ECDSA_WITH_SHA256,
    name,
    sequence(time(new Date(Date.now() - day)), time(new Date(Date.now() + 9 * day))),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(
      0xa3,
      sequence(
        extension('551d11', alternatives),
        extension('551d13', sequence(der(0x01, Buffer.from([0xff])))),
      ),
    ),
  )
  const signature = der(0x03, Buffer.from([0]), sign('sha256', body, privateKey))
  const certificate = sequence(body, ECDSA_WITH_SHA256, signature).toString('base64')
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    cert: `-----BEGIN CERTIFICATE-----\n${certificate.replace(/.{64}/g, '$&\n')}\n-----END CERTIFICATE-----\n`,
  }
}
