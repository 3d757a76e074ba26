/** What Electron lends the station. */
import { release, version } from 'node:os'
import { join } from 'node:path'
import { app, safeStorage, session } from 'electron'
import {
  type Clock,
  type Logger,
  type LogLine,
  type Notifier,
  type Ports,
  type Proxies,
  systemName,
  type Updates,
  withSecretFromEnvironment,
} from '../station/ports.ts'
import { workerUrl } from './app-protocol.ts'
import { createSecrets } from './secrets.ts'

/*
 * Reads what `session.resolveProxy` answers: the words of a proxy auto-configuration file, such as
 * `PROXY a.example:3128; SOCKS5 b.example; DIRECT`, in the order in which they are to be tried.
 */

/** The schemes that our HTTP client can use a proxy by, and their ports where none is given. */
const PROXY_SCHEMES: Readonly<
  Record<string, { readonly scheme: string; readonly port: number } | undefined>
> = {
  PROXY: { scheme: 'http', port: 80 },
  HTTP: { scheme: 'http', port: 80 },
  HTTPS: { scheme: 'https', port: 443 },
  SOCKS5: { scheme: 'socks5', port: 1080 },
}

/** The first way that can be used, as a URL; null for a direct one, also where nothing usable is named. */
export function parsePacResult(answer: string): string | null {
  for (const entry of answer.split(';')) {
    const [kind = '', address = ''] = entry.trim().split(/\s+/)
    if (kind.toUpperCase() === 'DIRECT') return null
    const scheme = PROXY_SCHEMES[kind.toUpperCase()]
    if (!scheme || address === '') continue
    const url = URL.parse(`${scheme.scheme}://${address}`)
    if (!url || url.username !== '' || url.pathname.replace('/', '') !== '') continue
    const host = address.replace(/:\d+$/, '')
    const port = /:(\d+)$/.exec(address)?.[1] ?? String(scheme.port)
    return `${scheme.scheme}://${host}:${port}`
  }
  return null
}

/** The part of `session` that is needed. */
type ProxyResolver = { resolveProxy(url: string): Promise<string> }

/** The proxies of the operating system, its auto-configuration included, as Chromium reads them. */
function systemProxies(resolver: ProxyResolver): Proxies {
  return { proxyFor: async (url) => parsePacResult(await resolver.resolveProxy(url)) }
}

/** May be asked once the app is ready: before that, neither the safe nor the session is there. */
export function createPorts(options: {
  readonly clock: Clock
  readonly logger: Logger
  readonly recentLog: () => Promise<readonly LogLine[]>
  readonly notifier: Notifier
  readonly updates: Updates
  readonly startAtLogin: NonNullable<Ports['startAtLogin']>
}): Ports {
  const secrets = createSecrets({
    safe: safeStorage,
    // Sealed for this account, so it lies with the account and not with the machine's data.
    path: join(app.getPath('userData'), 'secrets.json'),
    platform: process.platform,
    clock: options.clock,
    logger: options.logger,
  })
  return {
    ...options,
    host: 'electron',
    version: app.getVersion(),
    system: systemName({ platform: process.platform, version: version(), release: release() }),
    runtime: `Electron ${process.versions.electron}`,
    secrets: withSecretFromEnvironment(secrets, process.env),
    proxies: systemProxies(session.defaultSession),
    workers: {
      watch: workerUrl('watch-worker.js'),
      photo: workerUrl('photo-worker.js'),
      outbox: workerUrl('outbox-worker.js'),
    },
  }
}
