/** What the desktop lends its station: secrets, the proxies of the system, and the scripts of its workers. */
import { release, version } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { app, safeStorage, session, utilityProcess } from 'electron'
import {
  heapFlags,
  type Ports,
  type Proxies,
  type StartProcess,
  systemName,
  withSecretFromEnvironment,
} from '../station/ports.ts'
import { workerUrl } from './app-protocol.ts'
import { createSecrets } from './secrets.ts'

/** The events used of an object of Electron or Node; a misspelled one, which would never come, does not compile. */
export type Emitter<Name extends string> = {
  on(event: Name, listener: Parameters<NodeJS.EventEmitter['on']>[1]): unknown
}

type HostPorts = Pick<Ports, 'clock' | 'logger' | 'recentLog' | 'notifier' | 'updates' | 'startAtLogin'>

/** To be called once the app is ready: before that, neither the safe nor the session is there. */
export function createPorts(options: HostPorts): Ports {
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
    system: systemName(process.platform, version(), release()),
    runtime: `Electron ${process.versions.electron}`,
    secrets: withSecretFromEnvironment(secrets, process.env),
    proxies: systemProxies(),
    workers: {
      watch: workerUrl('watch-worker.js'),
      pictures: workerUrl('pictures-worker.js'),
      data: workerUrl('data-worker.js'),
      outbox: workerUrl('outbox-worker.js'),
    },
    startProcess: startUtilityProcess,
  }
}

/** Starts a program of the station as a utility process of Electron. */
export const startUtilityProcess: StartProcess = (program, { onMessage, onExit }, heapMb) => {
  const child = utilityProcess.fork(fileURLToPath(program), [], {
    serviceName: 'Fundus Courier reader',
    stdio: 'ignore',
    execArgv: [`--js-flags=${heapFlags(heapMb).join(' ')}`],
  })
  let isUnwanted = false
  const kill = (): void => {
    isUnwanted = true
    // Not there yet, or not any more.
    if (child.pid === undefined) return
    try {
      // `kill` of Electron asks politely, which a process deep in a decoder does not hear.
      process.kill(child.pid, 'SIGKILL')
    } catch {
      // It ended at this moment, or the system refuses: then it counts as alive.
    }
  }
  child.on('message', onMessage)
  // A full heap. Without a listener it would end the app; the exit follows.
  child.on('error', () => undefined)
  child.once('spawn', () => {
    if (isUnwanted) kill()
  })
  child.once('exit', (code) => onExit(`code ${code}`))
  return {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a process has no origin
    send: (message) => child.postMessage(message),
    kill,
  }
}

/** The proxy schemes of our HTTP client, and their default ports. */
const PROXY_SCHEMES: Readonly<
  Record<string, { readonly scheme: string; readonly port: number } | undefined>
> = {
  PROXY: { scheme: 'http', port: 80 },
  HTTP: { scheme: 'http', port: 80 },
  HTTPS: { scheme: 'https', port: 443 },
  SOCKS5: { scheme: 'socks5', port: 1080 },
}

/** The first usable way in an answer like `PROXY a.example:3128; DIRECT`, as a URL; null for a direct one or none. */
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

/** The proxies of the operating system, its auto-configuration included, as Chromium reads them. */
function systemProxies(): Proxies {
  return { proxyFor: async (url) => parsePacResult(await session.defaultSession.resolveProxy(url)) }
}
