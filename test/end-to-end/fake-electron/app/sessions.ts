/** `session` and `protocol`: the one session with its permissions and proxies, and the scheme of the app. */
import { EventEmitter } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ReadableStream as NodeReadableStream } from 'node:stream/web'
import {
  around,
  isReady,
  needsNotReady,
  needsReady,
  order,
  record,
  send,
  strict,
  unknownMember,
} from './link.ts'
import type { Question } from './messages.ts'

/** What Electron asks for, as far as a page can ask for it in a browser without devices. */
const PERMISSIONS =
  `clipboard-read clipboard-sanitized-write display-capture fullscreen geolocation idle-detection media midi
  notifications pointerLock storage-access`.split(/\s+/)

type RequestHandler = (
  contents: unknown,
  permission: string,
  answer: (isGranted: boolean) => void,
  details: object,
) => void
type CheckHandler = (contents: unknown, permission: string, origin: string, details: object) => boolean

let onRequest: RequestHandler | null = null
let onCheck: CheckHandler | null = null

/** Electron grants what no handler forbids. The browser is updated whenever a handler is set. */
function updatePermissions(): void {
  const details = { isMainFrame: true, requestingUrl: 'app://station/index.html' }
  const granted = PERMISSIONS.filter((permission) => {
    let isGranted = onRequest === null
    onRequest?.(null, permission, (answer) => void (isGranted = answer), details)
    const isChecked = onCheck?.(null, permission, 'app://station', details) ?? true
    record('permission', { permission, isGranted: isGranted && isChecked })
    return isGranted && isChecked
  })
  void order({ kind: 'permissions', granted }).catch(() => undefined)
}

type Handler = (request: Request) => Response | Promise<Response>
const handlers = new Map<string, Handler>()
const privileged = new Set<string>()

export const protocol = strict('protocol', {
  registerSchemesAsPrivileged(
    schemes: readonly { readonly scheme: string; readonly privileges?: Record<string, boolean> }[],
  ) {
    needsNotReady('protocol.registerSchemesAsPrivileged')
    for (const { scheme, privileges = {} } of schemes) {
      privileged.add(scheme)
      record('scheme', { scheme, privileges })
    }
  },
  handle(scheme: string, handler: Handler) {
    needsReady('protocol.handle')
    if (handlers.has(scheme)) throw new Error(`Failed to register protocol: ${scheme}`)
    if (!privileged.has(scheme))
      throw new Error(`The fake electron has registered schemes only, not ${scheme}`)
    handlers.set(scheme, handler)
    serveScheme(scheme, handler)
  },
})

/** Asks the handler of a scheme as Chromium would, without a page. */
export async function fetchByHandler(question: Extract<Question, { kind: 'fetch' }>): Promise<unknown> {
  const { address, method, headers, body } = question
  const handler = handlers.get(address.split(':')[0] ?? '')
  if (!handler) throw new Error(`nothing handles ${address}`)
  const response = await handler(new Request(address, { method, headers, ...(body !== null && { body }) }))
  const text = await response.text()
  return { status: response.status, headers: Object.fromEntries(response.headers), text }
}

/** Added by the network, of which a custom scheme has none. */
const OF_THE_NETWORK =
  /^(host|connection|content-length|transfer-encoding|accept-encoding|upgrade-insecure-requests|sec-.*)$/

/**
 * Chromium has no `app://` without Electron, so a server on this machine takes its place. Headers of the answer act for
 * real (the content policy above all); those of a request come as Electron passes them to a handler.
 */
function serveScheme(scheme: string, handler: Handler): void {
  const server = createServer((incoming, outgoing) => {
    answer(scheme, handler, incoming, outgoing).catch((error: unknown) => {
      process.stderr.write(`The handler of ${scheme}: ended with ${String(error)}\n`)
      outgoing.destroy()
    })
  })
  server.listen(0, '127.0.0.1', () =>
    send({ kind: 'scheme', scheme, port: (server.address() as AddressInfo).port }),
  )
  server.unref()
}

async function answer(
  scheme: string,
  handler: Handler,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Promise<void> {
  const local = `http://${incoming.headers.host}`
  // The host of the scheme is the first label of ours: station.localhost.
  const origin = `${scheme}://${(incoming.headers.host ?? '').split('.')[0]}`
  const headers = new Headers()
  for (const [name, value] of Object.entries(incoming.headers))
    if (typeof value === 'string' && !OF_THE_NETWORK.test(name))
      headers.set(name, value.replace(local, origin))
  const method = incoming.method ?? 'GET'
  const hasBody = method !== 'GET' && method !== 'HEAD'
  const body = hasBody && { body: Readable.toWeb(incoming) as ReadableStream, duplex: 'half' as const }
  const response = await handler(new Request(`${origin}${incoming.url}`, { method, headers, ...body }))
  outgoing.writeHead(response.status, Object.fromEntries(response.headers))
  if (response.body === null) return void outgoing.end()
  await pipeline(Readable.fromWeb(response.body as NodeReadableStream), outgoing).catch(
    (error: NodeJS.ErrnoException) => {
      // A page that leaves, or an image that is not wanted any more.
      if (error.code !== 'ERR_STREAM_PREMATURE_CLOSE') throw error
    },
  )
}

type RequestListener = (
  details: { readonly url: string },
  answer: (response: { readonly cancel?: boolean }) => void,
) => void
let onBeforeRequest: RequestListener | null = null

/** May a page load this? Asked for what is not of the app's own scheme. */
export async function mayRequest(url: string): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>()
  if (onBeforeRequest === null) resolve(true)
  else onBeforeRequest({ url }, ({ cancel }) => resolve(cancel !== true))
  return promise
}

export const defaultSession = strict(
  'session',
  Object.assign(new EventEmitter(), {
    webRequest: strict('webRequest', {
      onBeforeRequest(listener: RequestListener | null, ...more: readonly unknown[]) {
        if (more.length > 0) unknownMember('webRequest.onBeforeRequest with a filter')
        onBeforeRequest = listener
        record('app', { what: 'onBeforeRequest', parameters: [] })
      },
    }),
    setPermissionRequestHandler(handler: RequestHandler | null) {
      onRequest = handler
      updatePermissions()
    },
    setPermissionCheckHandler(handler: CheckHandler | null) {
      onCheck = handler
      updatePermissions()
    },
    setDevicePermissionHandler: () => undefined,
    setSpellCheckerEnabled: () => undefined,
    resolveProxy: (url: string) =>
      Promise.resolve(
        Object.entries(around().proxies).find(([beginning]) => url.startsWith(beginning))?.[1] ?? 'DIRECT',
      ),
  }),
)

export const session = strict('session module', {
  get defaultSession() {
    if (!isReady()) throw new Error('Session can only be received when app is ready')
    return defaultSession
  },
})
