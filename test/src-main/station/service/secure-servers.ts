import { createSecureServer, type Http2ServerResponse } from 'node:http2'
import {
  type AddressInfo,
  connect,
  createServer as createTcpServer,
  type Server,
  type Socket,
} from 'node:net'
import { onTestFinished } from 'vitest'
import type { Proxies } from '../../../../src-main/station/ports.ts'
import type { PostEvidence, ServiceClient } from '../../../../src-main/station/service/client.ts'
import { makeBody } from './made-body.ts'

export const SIZE = 1_000_000

export type Listening = { readonly port: number; readonly sockets: ReadonlySet<Socket> }

/** Listens on a free port of this machine until the test ends. */
export async function listen(server: Server): Promise<Listening> {
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
export async function openSecureService(
  certificate: { readonly key: string; readonly cert: string },
  answerCase: (response: Http2ServerResponse) => void = (response) => response.end('{"id":55}'),
): Promise<Listening & { readonly versions: string[] }> {
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
  return { ...(await listen(server)), versions }
}

/** A proxy that answers CONNECT with a status; 200 opens the tunnel. */
export async function openProxy(
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

/** Posts a made case of `SIZE` bytes. */
export async function postTo(client: ServiceClient): Promise<PostEvidence> {
  return await client.postCase({
    body: makeBody({ sizeBytes: SIZE }),
    answerTimeoutMs: 60_000,
    beforeFirstByte: () => {},
    onHandedOver: () => {},
    signal: new AbortController().signal,
  })
}
