import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { type WebSocket as Socket, WebSocketServer } from 'ws'
import { openEventStream } from '../../../src-renderer/link/transports.ts'
import type { Connection, LinkMessage } from '../../../src-renderer/link/link.ts'

let server: Server
let sockets: WebSocketServer
/** Does the host answer a question whether it is there? */
let isAlive: boolean
let close: () => void = () => undefined

beforeEach(async () => {
  isAlive = true
  server = createServer((_request, response) => response.end('{"ok":true}'))
  sockets = new WebSocketServer({ server })
  sockets.on('connection', (socket: Socket) => {
    socket.send('{"name":"hello","revision":7}')
    socket.on('message', () => isAlive && socket.send('{"name":"heard"}'))
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
})
afterEach(() => {
  close()
  for (const socket of sockets.clients) socket.terminate()
  sockets.close()
  server.close()
})

function open(): { readonly connections: Connection[]; readonly arrivals: LinkMessage[] } {
  const connections: Connection[] = []
  const arrivals: LinkMessage[] = []
  close = openEventStream(
    `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    'token',
    (message) => arrivals.push(message),
    (connection) => connections.push(connection),
  )
  return { connections, arrivals }
}

it('stays open through a silence in which the host still answers, and tells nothing of its answers', async () => {
  const { connections, arrivals } = open()
  await vi.waitFor(() => expect(connections).toHaveLength(1), 10_000)
  await new Promise((resolve) => {
    setTimeout(resolve, 2_600)
  })
  expect(connections).toEqual([{ kind: 'open', revision: 7 }])
  expect(arrivals).toEqual([])
})

it('finds a socket that died without a word, although the host answers on other ways, and opens another', async () => {
  const { connections } = open()
  await vi.waitFor(() => expect(connections).toHaveLength(1), 10_000)
  isAlive = false
  await vi.waitFor(() => expect(connections.at(1)).toEqual({ kind: 'lost', why: 'unreachable' }), 10_000)
  isAlive = true
  await vi.waitFor(() => expect(connections.at(2)).toEqual({ kind: 'open', revision: 7 }), 10_000)
})
