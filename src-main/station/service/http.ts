/**
 * Connections to the service: HTTP/1.1, no redirects, nothing sent twice. undici uses HTTP/2 if a server prefers
 * it, and then repeats requests automatically: `allowH2: false` prevents both, and no retry or redirect
 * interceptor is ever composed.
 */
import tls from 'node:tls'
import { promisify } from 'node:util'
import zlib from 'node:zlib'
import { Client, type Dispatcher, Pool, ProxyAgent } from 'undici'
import { SECOND } from '../../../src-shared/durations.ts'
import { baseUrlSchema, type ServiceSettings } from '../../../src-shared/settings.ts'
import type { ServiceIdentity } from '../outbox/cases-and-centers.ts'
import type { Clock, Proxies } from '../ports.ts'

export type ServiceAddress = ReturnType<typeof readServiceAddress>

/** Parses a base address. Throws unless it is https, or http to this machine. */
export function readServiceAddress(baseUrl: string) {
  const url = new URL(baseUrlSchema.parse(baseUrl))
  const base = url.origin + url.pathname.replace(/\/+$/, '')
  return {
    /** Without a trailing slash. */
    base,
    origin: url.origin,
    isEncrypted: url.protocol === 'https:',
    endpoint: (...segments: readonly string[]) => new URL([base, ...segments.map(escapeSegment)].join('/')),
    /** Resolves a link from an answer against the page that contained it; null if it leads to another origin. */
    resolveLink: (link: string, from: URL) => resolveSameOrigin(link, from, url),
    /**
     * The next page of a list, always at our own address, which a service behind a gateway does not know: a link that names
     * another host, or lies outside of our path, counts by its query if it ends as a list of cases does. Null if it leads to
     * anything else.
     */
    resolvePage: (link: string, from: URL): URL | null => {
      const own = resolveSameOrigin(link, from, url)
      if (own?.href.startsWith(`${base}/`) === true || !URL.canParse(link, from.href)) return own
      const { pathname, search } = new URL(link, from)
      if (!/\/cases\/?$/.test(pathname)) return own
      const next = new URL(from)
      next.search = search
      return next
    },
  }
}

function escapeSegment(segment: string): string {
  // URL resolves these two as steps, escaped or not, and would leave the base path.
  if (segment === '.' || segment === '..') throw new TypeError('no segment of an endpoint')
  return encodeURIComponent(segment.toWellFormed())
}

/** Upgrades http links to https if the base is: a service behind a gateway often does not know its public scheme. */
function resolveSameOrigin(link: string, from: URL, base: URL): URL | null {
  if (!URL.canParse(link, from.href)) return null
  const url = new URL(link, from)
  if (base.protocol === 'https:' && url.protocol === 'http:' && url.port === '') url.protocol = 'https:'
  url.hash = ''
  return url.origin === base.origin && url.username === '' && url.password === '' ? url : null
}

/** The service that is set, as attempts name it; null if none is. */
export function serviceIdentity(service: ServiceSettings | undefined): ServiceIdentity | null {
  return service ? { baseUrl: readServiceAddress(service.baseUrl).base, clientId: service.clientId } : null
}

const CONNECT_MS = 10 * SECOND

/** Concurrent reads. */
const READ_CONNECTIONS = 4

/** A connection for exactly one request, so that a failure before the first byte proves that nothing left. */
export type SingleConnection = {
  readonly dispatcher: Dispatcher
  /** Closes it immediately; a pending request fails with the error. */
  end(error: Error): Promise<void>
}

export type Connections = ReturnType<typeof openConnections>

type TlsOptions = ReturnType<typeof tlsOptions>

/** Opens connections to one service. The proxy is looked up for every request, because networks change. */
export function openConnections(address: ServiceAddress, proxies: Proxies) {
  let tls: TlsOptions | null = null
  let shared: { readonly proxy: string | null; readonly dispatcher: Dispatcher } | null = null
  const open = (proxy: string | null, connections: number): Dispatcher => {
    tls ??= tlsOptions(address.isEncrypted)
    return proxy === null
      ? directDispatcher(address.origin, connections, tls)
      : proxyDispatcher(proxy, connections, tls)
  }
  // Plain http is allowed only to this machine; a proxy would carry it elsewhere.
  const findProxy = async () => (address.isEncrypted ? await proxies.proxyFor(address.base) : null)
  return {
    /** Shared keep-alive connections, for GET only. */
    forReads: async (): Promise<Dispatcher> => {
      const proxy = await findProxy()
      if (shared !== null && shared.proxy === proxy) return shared.dispatcher
      void shared?.dispatcher.close()
      shared = { proxy, dispatcher: open(proxy, READ_CONNECTIONS) }
      return shared.dispatcher
    },
    /** Opens a fresh connection; the caller ends it. */
    single: async (): Promise<SingleConnection> => {
      const dispatcher = open(await findProxy(), 1)
      return { dispatcher, end: (error) => dispatcher.destroy(error) }
    },
    close: async (): Promise<void> => {
      const dispatcher = shared?.dispatcher
      shared = null
      await dispatcher?.destroy()
    },
  }
}

function tlsOptions(isEncrypted: boolean) {
  const secureContext = isEncrypted ? trustedCertificates() : null
  return {
    allowH2: false,
    timeout: CONNECT_MS,
    // Explicit, because an environment variable can turn off the default.
    rejectUnauthorized: true,
    ...(secureContext === null ? {} : { secureContext }),
  }
}

/**
 * Node's authorities plus the system's, which include a clinic's firewall. Null (Node's defaults) if unreadable: an
 * empty list would trust no one. Built once: parsing hundreds costs 20 ms a connection.
 */
function trustedCertificates(): tls.SecureContext | null {
  const authorities = new Set([...certificates('default'), ...certificates('system')])
  return authorities.size === 0 ? null : tls.createSecureContext({ ca: [...authorities] })
}

/** Electron's TLS may lack the function, and the system store may be unreadable: the other list still counts. */
function certificates(kind: 'default' | 'system'): readonly string[] {
  if (typeof tls.getCACertificates !== 'function') return kind === 'default' ? tls.rootCertificates : []
  try {
    return tls.getCACertificates(kind)
  } catch {
    return kind === 'default' ? tls.rootCertificates : []
  }
}

/** The station's clock measures every timeout, so undici's own timers are off. Its checks are on. */
const CLIENT_OPTIONS = {
  allowH2: false,
  headersTimeout: 0,
  bodyTimeout: 0,
  pipelining: 1,
  strictContentLength: true,
}

function directDispatcher(origin: string, connections: number, tls: TlsOptions): Dispatcher {
  return connections === 1
    ? new Client(origin, { ...CLIENT_OPTIONS, connect: tls })
    : new Pool(origin, { ...CLIENT_OPTIONS, connect: tls, connections })
}

const PROXY_PROTOCOLS = new Set(['http:', 'https:', 'socks5:', 'socks:'])

/** The authorities go into `requestTls` too: TLS inside the tunnel does not use `connect`. */
function proxyDispatcher(proxy: string, connections: number, tls: TlsOptions): Dispatcher {
  if (!URL.canParse(proxy) || !PROXY_PROTOCOLS.has(new URL(proxy).protocol))
    throw Object.assign(new Error('the proxy of this system cannot be used'), {
      code: 'ERR_PROXY_NOT_USABLE',
    })
  return new ProxyAgent({
    ...CLIENT_OPTIONS,
    uri: proxy,
    connections,
    connectTimeout: CONNECT_MS,
    requestTls: tls,
    proxyTls: tls,
    // Otherwise a proxy that never answers CONNECT would be waited for forever.
    clientFactory: (origin, options) =>
      new Pool(origin, { ...options, allowH2: false, headersTimeout: 2 * CONNECT_MS }),
  })
}

type BoundedBody = {
  readonly bytes: Uint8Array
  readonly isComplete: boolean
  /** What ended the body early; null if it is complete or merely too long. */
  readonly error: unknown
}

/** At most `maxBytes`, also decoded. A longer one is abandoned with its connection. Never rejects. */
export async function readBoundedBody(
  body: AsyncIterable<Uint8Array>,
  maxBytes: number,
): Promise<BoundedBody> {
  const parts: Uint8Array[] = []
  let sizeBytes = 0
  try {
    for await (const part of body) {
      const remaining = maxBytes - sizeBytes
      parts.push(part.byteLength <= remaining ? part : part.subarray(0, remaining))
      sizeBytes += part.byteLength
      if (sizeBytes > maxBytes) return { bytes: Buffer.concat(parts), isComplete: false, error: null }
    }
  } catch (error) {
    return { bytes: Buffer.concat(parts), isComplete: false, error }
  }
  return await decodeBody(Buffer.concat(parts), maxBytes)
}

type Decode = (bytes: Uint8Array, options: { maxOutputLength: number; info: true }) => Promise<unknown>

/** As `info: true` answers: the engine knows how much of the input it has used. */
type Decoded = { readonly buffer: Buffer; readonly engine: { readonly bytesWritten: number } }

const GUNZIP = [promisify(zlib.gunzip) as Decode]
const UNZSTD = [promisify(zlib.zstdDecompress) as Decode]

/** These have no mark of their own. */
const UNMARKED = [zlib.inflate, zlib.inflateRaw, zlib.brotliDecompress].map((one) => promisify(one) as Decode)

/** More encodings one over the other than any server applies by mistake. */
const MAX_ENCODINGS = 4

/**
 * Decodes a body, also if several programs on its way have encoded it. What it is follows from its bytes: a server
 * that compresses what was asked for as it is may label it wrong, or not at all. Bytes that no encoding fits stay.
 */
async function decodeBody(body: Uint8Array, maxBytes: number): Promise<BoundedBody> {
  let bytes = body
  for (let encodings = 0; encodings < MAX_ENCODINGS; encodings++) {
    const decoded = await decodeOnce(bytes, maxBytes)
    if (decoded === 'tooLong') return { bytes: new Uint8Array(), isComplete: false, error: null }
    if (decoded === null) break
    bytes = decoded
  }
  return { bytes, isComplete: true, error: null }
}

async function decodeOnce(
  bytes: Uint8Array,
  maxOutputLength: number,
): Promise<Uint8Array | 'tooLong' | null> {
  const decoders = decodersOf(bytes)
  for (const decode of decoders) {
    try {
      const { buffer, engine } = (await decode(bytes, { maxOutputLength, info: true })) as Decoded
      // What has no mark and stops amid the bytes has met its own end by chance.
      if (decoders !== UNMARKED || engine.bytesWritten === bytes.byteLength) return buffer
    } catch (error) {
      if (error instanceof RangeError) return 'tooLong'
    }
  }
  return null
}

function decodersOf(bytes: Uint8Array): readonly Decode[] {
  const [first, second, third, fourth] = bytes
  if (first === 0x1f && second === 0x8b) return GUNZIP
  if (first === 0x28 && second === 0xb5 && third === 0x2f && fourth === 0xfd) return UNZSTD
  return isPlainText(bytes) ? [] : UNMARKED
}

/** Its beginning will do: what is compressed is no text for long. */
const TEXT_SAMPLE_BYTES = 1_024

function isPlainText(bytes: Uint8Array): boolean {
  try {
    const decoder = new TextDecoder('utf-8', { fatal: true })
    const text = decoder.decode(bytes.subarray(0, TEXT_SAMPLE_BYTES), { stream: true })
    // oxlint-disable-next-line no-control-regex -- a text holds none of these
    return !/[\0-\x08\x0e-\x1f]/.test(text)
  } catch {
    return false
  }
}

/** Lowercases header names and joins repeated headers, which HTTP allows for all but cookies. */
export function rawHeaders(
  headers: Readonly<Record<string, string | string[] | undefined>>,
): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(headers)
      .filter(([name]) => name.toLowerCase() !== 'set-cookie')
      .map(([name, value]) => [name.toLowerCase(), Array.isArray(value) ? value.join(', ') : (value ?? '')]),
  )
}

/** Why the client itself ended a request. */
export type StopReason = 'cancelled' | 'timeOver' | 'stalled' | 'notConnected'

/** The client ended the request on purpose; undici's own abort errors do not say why. */
export class StoppedError extends Error {
  override readonly name = 'StoppedError'
  readonly reason: StopReason

  constructor(reason: StopReason) {
    super(`the request was ended: ${reason}`)
    this.reason = reason
  }
}

/** A body could not be read, or differs from its announced length: never the network's fault. */
export class BodyError extends Error {
  override readonly name = 'BodyError'
}

export type Deadline = ReturnType<typeof openDeadline>

/** Ends a request from our side: by its timer, or by one of these signals, such as the closing of the client. */
export function openDeadline(clock: Clock, signals: readonly (AbortSignal | undefined)[]) {
  const controller = new AbortController()
  const ended: AbortSignal = controller.signal
  let disarm: (() => void) | null = null
  const stop = (reason: StopReason): void => {
    disarm?.()
    controller.abort(new StoppedError(reason))
  }
  const cancel = (): void => stop('cancelled')
  for (const wish of signals) {
    if (wish?.aborted === true) cancel()
    else wish?.addEventListener('abort', cancel, { once: true })
  }
  return {
    /** Aborted with a StoppedError. */
    signal: ended,
    /** Restarts the timer with a new delay, in milliseconds. */
    arm: (delayMs: number, reason: StopReason): void => {
      disarm?.()
      disarm = ended.aborted ? null : clock.after(delayMs, () => stop(reason))
    },
    /** Settles as the promise does, or rejects with the StoppedError if that comes first. */
    race: <Value>(promise: Promise<Value>): Promise<Value> => raceWith(promise, ended),
    /** Removes the timer and all listeners. */
    dispose: (): void => {
      disarm?.()
      for (const wish of signals) wish?.removeEventListener('abort', cancel)
    },
  }
}

/** undici notices an abort only once connected, so awaiting the request alone could take long. */
function raceWith<Value>(promise: Promise<Value>, signal: AbortSignal): Promise<Value> {
  return new Promise((resolve, reject) => {
    const onAbort = (): void => reject(signal.reason as StoppedError)
    if (signal.aborted) onAbort()
    signal.addEventListener('abort', onAbort, { once: true })
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort))
  })
}
