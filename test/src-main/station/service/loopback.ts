import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import { type AddressInfo, createServer as createTcpServer, type Server, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'

export type Asked = {
  readonly method: string
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
}

/** What a server answers: a status with JSON or text, or what the function does itself. */
export type Answer = {
  readonly status?: number
  readonly json?: unknown
  readonly text?: string | Buffer
  readonly headers?: Readonly<Record<string, string>>
}
export type Respond = (asked: Asked, response: ServerResponse) => Answer | Promise<Answer> | null

export type Loopback = {
  readonly origin: string
  readonly port: number
  readonly asked: readonly Asked[]
  connectionCount(): number
  close(): Promise<void>
}

/** An HTTP server on a free port of this machine that reads every body and notes every request. */
export async function openHttpServer(respond: Respond): Promise<Loopback> {
  const asked: Asked[] = []
  const server = createServer((request, response) => {
    void answer(request, response, respond, asked)
  })
  return await listening(server, asked)
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  respond: Respond,
  asked: Asked[],
): Promise<void> {
  const parts: Buffer[] = []
  for await (const part of request) parts.push(part as Buffer)
  const { method = '', url: path = '', headers } = request
  const question = { method, path, headers, body: Buffer.concat(parts) }
  asked.push(question)
  const answered = await respond(question, response)
  if (answered === null) return
  const text = answered.json === undefined ? (answered.text ?? '') : JSON.stringify(answered.json)
  const type = answered.json === undefined ? {} : { 'content-type': 'application/json' }
  response.writeHead(answered.status ?? 200, { ...type, ...answered.headers })
  response.end(text)
}

/** What a bare connection sees of one request. */
export type Incoming = {
  readonly socket: Socket
  readonly head: string
  /** Bytes of the body that have come so far. */
  bodyBytes(): number
  readonly contentLength: number
}

type TcpBehaviour = {
  /** The first connection, for the token, is number 1. */
  readonly onConnect?: (socket: Socket, number: number) => void
  /** When the head is there, before anything else is read. */
  readonly onHead?: (incoming: Incoming) => void
  readonly onData?: (incoming: Incoming) => void
  readonly onWholeBody?: (incoming: Incoming) => void
}

const TOKEN = '{"token":"t1"}'

/**
 * A server that speaks no HTTP on its own, for all the ways in which a connection can break. It hands out a token
 * if it is asked for one; everything else is the test's.
 */
export async function openTcpServer(behaviour: TcpBehaviour): Promise<Loopback> {
  let connections = 0
  const server = createTcpServer({ allowHalfOpen: true }, (socket) => {
    socket.on('error', () => socket.destroy())
    socket.on('end', () => socket.end())
    behaviour.onConnect?.(socket, ++connections)
    let head = ''
    let incoming: Incoming | null = null
    let bodyBytes = 0
    let isWhole = false
    socket.on('data', (data) => {
      if (incoming === null) {
        head += data.toString('latin1')
        const end = head.indexOf('\r\n\r\n')
        if (end < 0) return
        if (head.startsWith('POST /authorize ')) {
          socket.end(`HTTP/1.1 200 OK\r\ncontent-length: ${TOKEN.length}\r\n\r\n${TOKEN}`)
          return
        }
        const contentLength = Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0)
        bodyBytes = head.length - end - 4
        incoming = { socket, head, contentLength, bodyBytes: () => bodyBytes }
        behaviour.onHead?.(incoming)
      } else bodyBytes += data.length
      behaviour.onData?.(incoming)
      if (bodyBytes === incoming.contentLength && !isWhole) {
        isWhole = true
        behaviour.onWholeBody?.(incoming)
      }
    })
  })
  return await listening(server)
}

/** Listens on a free port of this machine until the test ends. */
export async function listening(server: Server, asked: readonly Asked[] = []): Promise<Loopback> {
  const sockets = new Set<Socket>()
  let connections = 0
  server.on('connection', (socket: Socket) => {
    connections++
    sockets.add(socket)
    socket.on('error', () => socket.destroy())
    socket.on('close', () => sockets.delete(socket))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const close = async (): Promise<void> => {
    for (const socket of sockets) socket.destroy()
    await new Promise((resolve) => server.close(resolve))
  }
  onTestFinished(close)
  return { origin: `http://127.0.0.1:${port}`, port, asked, connectionCount: () => connections, close }
}
