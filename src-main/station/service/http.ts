/**
 * Connections to the service: HTTP/1.1, no redirects, nothing sent twice. undici speaks HTTP/2 where a server
 * prefers it and then repeats requests by itself; allowH2 turns both off, and no retry or redirect interceptor is
 * ever composed.
 */
import tls from 'node:tls'
import { Client, type Dispatcher, Pool, ProxyAgent } from 'undici'
import { SECOND } from '../../../src-shared/durations.ts'
import type { Clock, Proxies } from '../ports.ts'
import type { ServiceAddress } from './address.ts'

/**
 * Node's own list of authorities together with the operating system's, where a clinic's IT keeps the authority of
 * its firewall. Null where neither can be read: then Node's defaults hold. Built once, because a list of hundreds
 * costs about 20 ms per connection otherwise; never empty, because an empty list would trust nobody.
 */
function trustedCertificates(): tls.SecureContext | null {
  const authorities = new Set([...certificates('default'), ...certificates('system')])
  return authorities.size === 0 ? null : tls.createSecureContext({ ca: [...authorities] })
}

/** Electron's TLS may lack the function, and a system store may be unreadable: the other list still counts. */
function certificates(kind: 'default' | 'system'): readonly string[] {
  if (typeof tls.getCACertificates !== 'function') return kind === 'default' ? tls.rootCertificates : []
  try {
    return tls.getCACertificates(kind)
  } catch {
    return kind === 'default' ? tls.rootCertificates : []
  }
}

const CONNECT_MS = 10 * SECOND

/** How many reads may run beside each other. */
const READ_CONNECTIONS = 4

/** A connection for one request and no other, so that a failure before the first byte proves that nothing left. */
export type SingleConnection = {
  readonly dispatcher: Dispatcher
  /** Ends it at once, whatever it is doing; the request, if still open, fails with the error. */
  end(error: Error): Promise<void>
}

export type Connections = {
  /** Connections that are kept open and shared: for GET only. */
  forReads(): Promise<Dispatcher>
  /** A fresh connection; whoever asks for it ends it. */
  single(): Promise<SingleConnection>
  close(): Promise<void>
}

type TlsOptions = ReturnType<typeof tlsOptions>

/** Opens the way to one service. The proxy is asked for anew for every request, because networks change. */
export function openConnections(address: ServiceAddress, proxies: Proxies): Connections {
  let tls: TlsOptions | null = null
  let shared: { readonly proxy: string | null; readonly dispatcher: Dispatcher } | null = null
  const open = (proxy: string | null, connections: number): Dispatcher => {
    tls ??= tlsOptions(address.isEncrypted)
    return proxy === null
      ? directDispatcher(address.origin, connections, tls)
      : proxyDispatcher(proxy, connections, tls)
  }
  // Plain http is allowed because it stays on this machine; a proxy would carry it elsewhere.
  const findProxy = async () => (address.isEncrypted ? await proxies.proxyFor(address.base) : null)
  return {
    forReads: async () => {
      const proxy = await findProxy()
      if (shared !== null && shared.proxy === proxy) return shared.dispatcher
      void shared?.dispatcher.close()
      shared = { proxy, dispatcher: open(proxy, READ_CONNECTIONS) }
      return shared.dispatcher
    },
    single: async () => {
      const dispatcher = open(await findProxy(), 1)
      return { dispatcher, end: (error) => dispatcher.destroy(error) }
    },
    close: async () => {
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
    // Said, because a variable of the environment would switch the check off where it is not.
    rejectUnauthorized: true,
    ...(secureContext === null ? {} : { secureContext }),
  }
}

/** All waiting is measured by the station's clock; undici's own timers are off, its checks are on. */
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

/** The authorities must be given for the tunnel too: `connect` is not used for the TLS inside it. */
function proxyDispatcher(proxy: string, connections: number, tls: TlsOptions): Dispatcher {
  if (!URL.canParse(proxy) || !PROXY_PROTOCOLS.has(new URL(proxy).protocol)) throw new ProxyNotUsableError()
  return new ProxyAgent({
    ...CLIENT_OPTIONS,
    uri: proxy,
    connections,
    connectTimeout: CONNECT_MS,
    requestTls: tls,
    proxyTls: tls,
    // Otherwise a proxy that never answers CONNECT would be waited for without an end.
    clientFactory: (origin, options) =>
      new Pool(origin, { ...options, allowH2: false, headersTimeout: 2 * CONNECT_MS }),
  })
}

/** Thrown where the system names a proxy that cannot be understood. */
class ProxyNotUsableError extends Error {
  override readonly name = 'ProxyNotUsableError'
  readonly code = 'ERR_PROXY_NOT_USABLE'

  constructor() {
    super('the proxy of this system cannot be used')
  }
}

/** What came of a body: the bytes up to the bound, and why it is not whole where it is not. */
type BoundedBody = {
  readonly bytes: Uint8Array
  readonly isComplete: boolean
  /** What ended it early; null where it is whole or was only too long. */
  readonly error: unknown
}

/** Reads at most `maxBytes`; a longer body is left, which ends its connection. Never rejects. */
export async function readBoundedBody(
  body: AsyncIterable<Uint8Array>,
  maxBytes: number,
): Promise<BoundedBody> {
  const parts: Uint8Array[] = []
  let sizeBytes = 0
  try {
    for await (const part of body) {
      const room = maxBytes - sizeBytes
      parts.push(part.byteLength <= room ? part : part.subarray(0, room))
      sizeBytes += part.byteLength
      if (sizeBytes > maxBytes) return { bytes: Buffer.concat(parts), isComplete: false, error: null }
    }
  } catch (error) {
    return { bytes: Buffer.concat(parts), isComplete: false, error }
  }
  return { bytes: Buffer.concat(parts), isComplete: true, error: null }
}

/** Headers with names in small letters and repeated ones joined, as HTTP allows it for all but cookies. */
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

/** Thrown where the client ends a request of its own accord; undici's own aborts have no telling code. */
export class StoppedError extends Error {
  override readonly name = 'StoppedError'
  readonly reason: StopReason

  constructor(reason: StopReason) {
    super(`the request was ended: ${reason}`)
    this.reason = reason
  }
}

/** Thrown where a body is shorter or longer than it was announced, or cannot be read: never the network's fault. */
export class BodyError extends Error {
  override readonly name = 'BodyError'
}

/** What ends a request from our side: one timer that can be set anew, the caller's wish, or the client's end. */
export type Deadline = {
  /** Aborted with a StoppedError. */
  readonly signal: AbortSignal
  /** Sets the timer anew; the former one is off. */
  arm(delayMs: number, reason: StopReason): void
  /** The promise's own end or, if it comes first, a rejection with the StoppedError. */
  race<Value>(promise: Promise<Value>): Promise<Value>
  /** Takes the timer and all listeners away. */
  dispose(): void
}

/** Opens a deadline; each of the wishes ends it as soon as it is aborted. */
export function openDeadline(clock: Clock, signals: readonly (AbortSignal | undefined)[]): Deadline {
  const controller = new AbortController()
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
    signal: controller.signal,
    arm: (delayMs, reason) => {
      disarm?.()
      disarm = controller.signal.aborted ? null : clock.after(delayMs, () => stop(reason))
    },
    race: (promise) => raceWith(promise, controller.signal),
    dispose: () => {
      disarm?.()
      for (const wish of signals) wish?.removeEventListener('abort', cancel)
    },
  }
}

/** undici notices an abort only after the connection stands, so waiting for the request alone could last. */
function raceWith<Value>(promise: Promise<Value>, signal: AbortSignal): Promise<Value> {
  return new Promise((resolve, reject) => {
    const onAbort = (): void => reject(signal.reason as StoppedError)
    if (signal.aborted) onAbort()
    signal.addEventListener('abort', onAbort, { once: true })
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort))
  })
}
