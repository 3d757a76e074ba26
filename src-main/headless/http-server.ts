/** Serves a station over loopback HTTP and WebSocket. */
import { errorName } from '../station/lib/errors.ts'
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { sep } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { constants, createGzip } from 'node:zlib'
import { WebSocketServer } from 'ws'
import { isBytesKind } from '../../src-shared/contract.ts'
import { FILES_PATH, readUploadQuery } from '../../src-shared/desktop.ts'
import { fail, type FailureKind, failureOf } from '../../src-shared/failure.ts'
import type { ServedBytes, Station } from '../station/api.ts'
import { answerCall } from '../station/calls/calls.ts'
import { METRICS_TYPE } from '../station/metrics.ts'
import type { Logger } from '../station/ports.ts'
import { decodePart, findScreen, SCREEN_POLICY } from '../station/storage/served-bytes.ts'

const sha256 = (text: string): Buffer => createHash('sha256').update(text).digest()

/**
 * Web pages in a browser on this machine can reach loopback. So the Host must be one of `authorities`
 * (`127.0.0.1:4100`; DNS rebinding), the Origin too if there is one, and the token must match. Pure.
 */
export function createAccessGuard(authorities: readonly string[], token: string) {
  const expected = sha256(token)
  return {
    isOurs: (headers: IncomingHttpHeaders): boolean => {
      if (!authorities.includes(headers.host ?? '')) return false
      return (
        headers.origin === undefined ||
        authorities.some((authority) => headers.origin === `http://${authority}`)
      )
    },
    // Digests have equal length, so the comparison takes constant time.
    hasToken: (candidate: string | null): boolean =>
      candidate !== null && timingSafeEqual(sha256(candidate), expected),
  }
}

export function bearerToken(headers: IncomingHttpHeaders): string | null {
  return /^Bearer (.+)$/.exec(headers.authorization ?? '')?.[1] ?? null
}

/** A browser's WebSocket cannot carry headers, so its token travels as a subprotocol: `token.<token>`. */
export function subprotocolToken(headers: IncomingHttpHeaders): string | null {
  const offered = (headers['sec-websocket-protocol'] ?? '').split(',').map((one) => one.trim())
  return offered.find((one) => one.startsWith('token.'))?.slice('token.'.length) ?? null
}

/** A call is a few fields and ids; anything larger is not a call. */
const MAX_CALL_BYTES = 4 * 1024 * 1024

/** Far more than screens and scripts of one computer need, and far less than the handles that a system grants. */
const MAX_CONNECTIONS = 256

/** A connection that is silent for so long makes way for another. */
const HEADERS_WITHIN_MS = 10_000

/** A screen that does not read its events is disconnected; it reconnects and reads a snapshot. */
const MAX_UNSENT_BYTES = 16 * 1024 * 1024

export type HttpHost = { readonly url: string; readonly token: string; close(): Promise<void> }

type HttpHostOptions = {
  readonly station: Station
  readonly logger: Logger
  readonly address: string
  readonly port: number
  /** The folder of the built screens; if it is missing, `/` explains how to build them. */
  readonly screensFolder: string
  readonly headersWithinMs?: number
}

const PLAIN_HEADERS = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
}

function sendJson(response: ServerResponse, status: number, value: unknown): void {
  response.writeHead(status, {
    ...PLAIN_HEADERS,
    'content-type': 'application/json',
    'cache-control': 'no-store',
  })
  response.end(JSON.stringify(value))
}

function refuse(response: ServerResponse, status: number, kind: FailureKind, message?: string): void {
  sendJson(response, status, fail(failureOf(kind, message === undefined ? {} : { message })))
}

/** Streams a file as the whole answer, perhaps compressed; stops reading if the client disconnects. */
async function sendFile(
  response: ServerResponse,
  file: ServedBytes,
  headers: Readonly<Record<'cache-control' | 'content-security-policy', string>>,
  encoding: 'gzip' | 'plain' = 'plain',
): Promise<void> {
  const { contentType, sizeBytes } = file
  const ofFile = encoding === 'gzip' ? { 'content-encoding': encoding } : { 'content-length': sizeBytes }
  response.writeHead(200, { ...PLAIN_HEADERS, 'content-type': contentType, ...ofFile, ...headers })
  const content = createReadStream(file.path)
  const streams =
    encoding === 'gzip'
      ? [content, createGzip({ level: constants.Z_BEST_SPEED }), response]
      : [content, response]
  await pipeline(streams).catch((error: unknown) => {
    response.destroy(error instanceof Error ? error : undefined)
  })
}

/** The requested URL; null if it is malformed. */
function addressOf(request: IncomingMessage): URL | null {
  return URL.parse(`http://station${request.url ?? '/'}`)
}

function pathOf(request: IncomingMessage): string {
  return addressOf(request)?.pathname ?? ''
}

async function readBody(request: IncomingMessage): Promise<string | null> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    length += chunk.length
    if (length > MAX_CALL_BYTES) return null
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

async function handleCall(
  options: HttpHostOptions,
  request: IncomingMessage,
  response: ServerResponse,
  name: string,
): Promise<void> {
  const body = await readBody(request)
  if (body === null) return refuse(response, 413, 'badRequest')
  let input: unknown
  try {
    input = body === '' ? {} : JSON.parse(body)
  } catch {
    return refuse(response, 400, 'badRequest', 'The request is not valid JSON. Nothing was changed.')
  }
  sendJson(response, 200, await answerCall(options.station.handlers, options.logger, name, input))
}

/** Streams the body into an upload. A refusal closes the connection, because the rest of the body is useless. */
async function handleUpload(
  options: HttpHostOptions,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const contentLength = request.headers['content-length']
  const { name, sizeBytes } = readUploadQuery(addressOf(request)?.searchParams ?? new URLSearchParams())
  const saved = await options.station.saveUpload({
    name,
    sizeBytes: contentLength === undefined ? sizeBytes : Number(contentLength),
    bytes: request,
  })
  if (!saved.ok && !request.complete) response.setHeader('connection', 'close')
  sendJson(response, 200, saved)
}

async function handleBytes(
  options: HttpHostOptions,
  response: ServerResponse,
  kind: string,
  id: string,
): Promise<void> {
  const found = isBytesKind(kind) ? await options.station.bytes(kind, id) : null
  if (!found) return refuse(response, 404, 'notFound')
  await sendFile(response, found, {
    'cache-control': 'private, no-store',
    // Reports are untrusted: opened directly, one may do nothing at all.
    'content-security-policy': "default-src 'none'; sandbox",
  })
}

/** Compressed, scripts and styles are a quarter as long. */
const IS_TEXT = /^(?:text\/|application\/(?:json|wasm)|image\/svg)/

/** The page is always revalidated; files named by their content hash never change. */
function cacheControlFor(path: string): string {
  if (path.endsWith('.html')) return 'no-store'
  return path.includes(`${sep}assets${sep}`) ? 'public, max-age=31536000, immutable' : 'no-cache'
}

const METRICS_PATH = '/metrics'

async function sendMetrics(station: Station, response: ServerResponse): Promise<void> {
  const text = await station.metrics()
  response.writeHead(200, { ...PLAIN_HEADERS, 'content-type': METRICS_TYPE, 'cache-control': 'no-store' })
  response.end(text)
}

const HEARTBEAT_REPLY = JSON.stringify({ name: 'heard' })

const MISSING_SCREENS = 'The screens are not built. Run "npm run build" and load this page again.\n'

async function handleRequest(
  options: HttpHostOptions,
  guard: ReturnType<typeof createAccessGuard>,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  if (!guard.isOurs(request.headers))
    return refuse(response, 403, 'notAllowed', 'This address is for this computer only.')
  const pathname = pathOf(request)
  const [, area, first, second] = pathname.split('/')
  if (pathname === '/health' && request.method === 'GET') return sendJson(response, 200, { ok: true })
  if (area === 'call' || area === 'bytes' || pathname === FILES_PATH || pathname === METRICS_PATH) {
    if (!guard.hasToken(bearerToken(request.headers)))
      return refuse(response, 401, 'notAllowed', 'The token is missing or wrong.')
    if (area === 'call' && request.method === 'POST' && first !== undefined)
      return handleCall(options, request, response, first)
    if (area === 'bytes' && request.method === 'GET' && first !== undefined && second !== undefined)
      return handleBytes(options, response, first, second)
    if (pathname === METRICS_PATH && request.method === 'GET') return sendMetrics(options.station, response)
    if (pathname === FILES_PATH && request.method === 'POST') return handleUpload(options, request, response)
    return refuse(response, 404, 'notFound')
  }
  if (request.method !== 'GET') return refuse(response, 405, 'badRequest')
  const path = decodePart(pathname === '/' ? '/index.html' : pathname)
  const screen = path === null ? null : await findScreen(options.screensFolder, path)
  if (screen) {
    const isTaken = /\bgzip\b/.test(request.headers['accept-encoding']?.toString() ?? '')
    response.setHeader('vary', 'accept-encoding')
    return sendFile(
      response,
      screen,
      { 'cache-control': cacheControlFor(screen.path), 'content-security-policy': SCREEN_POLICY },
      isTaken && IS_TEXT.test(screen.contentType) ? 'gzip' : 'plain',
    )
  }
  response.writeHead(404, { ...PLAIN_HEADERS, 'content-type': 'text/plain; charset=utf-8' })
  response.end(pathname === '/' ? MISSING_SCREENS : 'There is nothing of this name.\n')
}

/** Listens and returns the address and a new token. The caller closes the host before the station. */
export async function openHttpHost(options: HttpHostOptions): Promise<HttpHost> {
  const { headersWithinMs = HEADERS_WITHIN_MS } = options
  const token = randomBytes(32).toString('base64url')
  const server = createServer({
    headersTimeout: headersWithinMs,
    connectionsCheckingInterval: headersWithinMs / 5,
  })
  server.maxConnections = MAX_CONNECTIONS
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(options.port, options.address, resolve)
  })
  const { port } = server.address() as AddressInfo
  // RFC 3986: an IPv6 address is in brackets before its port.
  const own = options.address.includes(':') ? `[${options.address}]` : options.address
  const authorities = [`${own}:${port}`, `localhost:${port}`, `127.0.0.1:${port}`]
  const guard = createAccessGuard(authorities, token)

  server.on('request', (request, response) => {
    handleRequest(options, guard, request, response).catch((error: unknown) => {
      options.logger.error('a request stopped unexpectedly', { error: errorName(error) })
      if (!response.headersSent) refuse(response, 500, 'internal')
      else response.destroy()
    })
  })

  const sockets = new WebSocketServer({
    noServer: true,
    maxPayload: 1_024,
    handleProtocols: (offered) => (offered.has('fundus-courier') ? 'fundus-courier' : false),
  })
  server.on('upgrade', (request, socket, head) => {
    const pathname = pathOf(request)
    const isAllowed =
      pathname === '/events' &&
      guard.isOurs(request.headers) &&
      guard.hasToken(bearerToken(request.headers) ?? subprotocolToken(request.headers))
    // A client that hangs up during the handshake is of no concern.
    socket.on('error', () => socket.destroy())
    if (!isAllowed) {
      socket.end('HTTP/1.1 401 Unauthorized\r\nconnection: close\r\ncontent-length: 0\r\n\r\n')
      return
    }
    sockets.handleUpgrade(request, socket, head, (client) => {
      client.on('error', () => client.terminate())
      // Browsers cannot send pings: the client sends an empty message and expects any reply.
      client.on('message', () => client.send(HEARTBEAT_REPLY))
      client.send(JSON.stringify({ name: 'hello', revision: options.station.revision() }))
    })
  })
  const stopListening = options.station.on((event) => {
    const message = JSON.stringify(event)
    for (const client of sockets.clients) {
      if (client.bufferedAmount > MAX_UNSENT_BYTES) client.terminate()
      else client.send(message)
    }
  })

  return {
    url: `http://${own}:${port}`,
    token,
    close: async () => {
      stopListening()
      for (const client of sockets.clients) client.close(1001)
      server.closeIdleConnections()
      await new Promise<void>((resolve) => {
        server.close(() => resolve())
        setTimeout(() => {
          for (const client of sockets.clients) client.terminate()
          server.closeAllConnections()
        }, CLOSE_TIMEOUT_MS).unref()
      })
    },
  }
}

/** Long enough for an answer in progress, short compared with the five seconds of a shutdown. */
const CLOSE_TIMEOUT_MS = 300
