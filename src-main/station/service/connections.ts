/**
 * Connections to the service: HTTP/1.1, no redirects, nothing sent twice. undici speaks HTTP/2 where a server
 * prefers it and then repeats requests by itself; allowH2 turns both off, and no retry or redirect interceptor is
 * ever composed.
 */
import { Client, Pool, ProxyAgent, type Dispatcher } from 'undici'
import { SECOND } from '../../../src-shared/durations.ts'
import type { Proxies } from '../ports.ts'
import type { ServiceAddress } from './service-address.ts'
import { trustedCertificates } from './trusted-certificates.ts'

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
export class ProxyNotUsableError extends Error {
  override readonly name = 'ProxyNotUsableError'
  readonly code = 'ERR_PROXY_NOT_USABLE'

  constructor() {
    super('the proxy of this system cannot be used')
  }
}
