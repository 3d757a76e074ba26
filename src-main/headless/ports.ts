/** What the headless host lends a station: proxies of the environment, secrets in a file, and a log on stderr. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import pino from 'pino'
import { z } from 'zod'
import { errorCode } from '../station/lib/errors.ts'
import { writeDurably } from '../station/lib/files.ts'
import type { LogFacts, Logger, LogLine, Proxies, SecretStore } from '../station/ports.ts'

/** Names with or without a port; a domain may be written `example`, `.example` or `*.example`, and means itself, too. */
function isExempt(host: string, port: string, exceptions: string): boolean {
  return exceptions
    .toLowerCase()
    .split(/[\s,]+/)
    .filter((entry) => entry !== '')
    .some((entry) => {
      if (entry === '*') return true
      const [, name = '', onlyPort] = /^(?:\*?\.)?(.+?)(?::(\d+))?$/.exec(entry) ?? []
      if (onlyPort !== undefined && onlyPort !== port) return false
      return host === name || host.endsWith(`.${name}`)
    })
}

const LOOPBACK_HOSTS: readonly string[] = ['localhost', '127.0.0.1', '[::1]']

/** The proxies of the environment, as command-line programs understand it: HTTPS_PROXY, HTTP_PROXY, NO_PROXY. */
export function environmentProxies(environment: NodeJS.ProcessEnv): Proxies {
  const read = (name: string): string | undefined => environment[name.toLowerCase()] ?? environment[name]
  return {
    proxyFor: (url) => {
      const { protocol, hostname, port } = new URL(url)
      const usedPort = port === '' ? (protocol === 'https:' ? '443' : '80') : port
      const proxy = protocol === 'https:' ? read('HTTPS_PROXY') : read('HTTP_PROXY')
      const isDirect =
        LOOPBACK_HOSTS.includes(hostname) ||
        isExempt(hostname.toLowerCase(), usedPort, read('NO_PROXY') ?? '')
      return Promise.resolve(isDirect || proxy === undefined || proxy === '' ? null : proxy)
    },
  }
}

const secretsSchema = z.record(z.string(), z.string())

/** Secrets in a file that only its owner can read: plain Node has no keychain to offer. */
export function openFileSecrets(dataFolder: string): SecretStore {
  const path = join(dataFolder, 'secrets.json')
  const readSecrets = async (): Promise<Record<string, string>> => {
    const text = await readFile(path, 'utf8').catch((error: unknown) => {
      if (errorCode(error) === 'ENOENT') return '{}'
      throw error
    })
    // A file that cannot be understood is a secret that must be entered again, and nothing worse.
    try {
      return secretsSchema.parse(JSON.parse(text))
    } catch {
      return {}
    }
  }
  return {
    read: async (name) => (await readSecrets())[name] ?? null,
    storedIn: () => Promise.resolve('privateFile'),
    write: async (name, value) =>
      writeDurably(path, JSON.stringify({ ...(await readSecrets()), [name]: value })),
  }
}

/** As many lines stay in memory as the diagnostics show, and some for what is written while they are made. */
const MAX_LINES = 500

/** Logs as JSON lines on stderr; stdout carries the one line that scripts wait for. The latest lines can be had again. */
export function createJsonLogger(): Logger & { recentLog(): Promise<readonly LogLine[]> } {
  const log = pino(
    { base: null, timestamp: pino.stdTimeFunctions.isoTime },
    pino.destination({ fd: 2, sync: true }),
  )
  const recent: LogLine[] = []
  const write =
    (level: LogLine['level']) =>
    (message: string, facts: LogFacts = {}): void => {
      log[level](facts, message)
      recent.push({ at: Date.now(), level, message, facts })
      if (recent.length > MAX_LINES) recent.shift()
    }
  return {
    info: write('info'),
    warn: write('warn'),
    error: write('error'),
    recentLog: () => Promise.resolve(recent.slice()),
  }
}
