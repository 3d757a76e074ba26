/** Somewhere on the network that a hostile page would reach: every connection is noted, also one that asks nothing. */
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'

export type Beacon = {
  /** `http://127.0.0.1:PORT` */
  readonly origin: string
  /** The first line of each request, or `connected` where none came. */
  readonly touched: readonly string[]
  close(): Promise<void>
}

export async function openBeacon(): Promise<Beacon> {
  const touched: string[] = []
  const server = createServer((socket) => {
    const place = touched.push('connected') - 1
    socket.on('data', (bytes) => {
      touched[place] = bytes.toString('latin1').split('\r\n')[0] ?? ''
      socket.end('HTTP/1.1 200 OK\r\nAccess-Control-Allow-Origin: *\r\nContent-Length: 0\r\n\r\n')
    })
    socket.on('error', () => undefined)
  })
  await new Promise<void>((listening) => void server.listen(0, '127.0.0.1', listening))
  const { port } = server.address() as AddressInfo
  return {
    origin: `http://127.0.0.1:${port}`,
    touched,
    close: () => new Promise((closed) => void server.close(() => closed())),
  }
}
