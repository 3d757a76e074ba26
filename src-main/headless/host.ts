/**
 * The headless host: a station in plain Node, its screens in a browser on the same machine. It lends the station proxies
 * of the environment, secrets in a file, and a log on stderr.
 */
import { fork } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { release, version } from 'node:os'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import pino from 'pino'
import { z } from 'zod'
import type { Station, StationOptions } from '../station/api.ts'
import { errorCode } from '../station/lib/errors.ts'
import { readJsonFile, writeDurably } from '../station/lib/files.ts'
import { StorageError } from '../station/lib/storage-faults.ts'
import { recoverOutbox } from '../station/outbox/recovery/recover.ts'
import {
  heapFlags,
  type LogFacts,
  type Logger,
  type LogLine,
  NOT_STARTED,
  type Ports,
  type Proxies,
  type SecretStore,
  systemClock,
  systemName,
  withSecretFromEnvironment,
  type StartProcess,
} from '../station/ports.ts'
import { fileStatus, parseConfig, readManagedFile, UNMANAGED } from '../station/settings/managed-files.ts'
import { openStation } from '../station/station.ts'
import { type HttpHost, openHttpHost } from './http-server.ts'

/** Reads the command line. Answers with the usage if it cannot be read. */
export function readCommandLine(args: readonly string[]) {
  const usage =
    'usage: npm run serve -- --config FILE [--data DIR] [--port N] [--address 127.0.0.1] [--recover]'
  try {
    const { values } = parseArgs({
      args: [...args],
      options: {
        config: { type: 'string' },
        data: { type: 'string', default: './fundus-courier-data' },
        port: { type: 'string', default: '0' },
        address: { type: 'string', default: '127.0.0.1' },
        recover: { type: 'boolean', default: false },
      },
    })
    const port = Number(values.port)
    if (!Number.isInteger(port) || port < 0 || port > 65_535) return { usage }
    return {
      configPath: values.config ?? null,
      dataFolder: values.data,
      port,
      address: values.address,
      /** Rebuild a lost or damaged outbox before the start. */
      isRecovering: values.recover,
    }
  } catch (error) {
    if (error instanceof TypeError) return { usage: `${error.message}\n${usage}` }
    throw error
  }
}

const USAGE_EXIT = 2

/** A clean end takes no longer; what hangs then is left to the next start, which is safe at any moment. */
const STOP_TIMEOUT_MS = 4_800

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

/** The secret in a file that only its owner can read: plain Node has no keychain to offer. */
export function openFileSecrets(dataFolder: string): SecretStore {
  const path = join(dataFolder, 'secrets.json')
  return {
    // A file that cannot be understood is a secret that must be entered again, and nothing worse.
    read: () => readJsonFile(path, z.string()),
    storedIn: () => Promise.resolve('privateFile'),
    write: (value) => writeDurably(path, JSON.stringify(value)),
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

/** Starts a program of the station as a child of Node. */
export const startNodeProcess: StartProcess = (program, { onMessage, onExit }, heapMb) => {
  let child: ReturnType<typeof fork>
  try {
    child = fork(fileURLToPath(program), {
      execArgv: [...process.execArgv, ...heapFlags(heapMb)],
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      windowsHide: true,
    })
  } catch {
    // The system lacks memory for one more.
    setImmediate(() => onExit(NOT_STARTED))
    return { send: () => undefined, kill: () => undefined }
  }
  child.on('message', onMessage)
  // If it could not be started, no exit is reported; one that cannot be killed goes on.
  child.on('error', () => {
    if (child.pid === undefined) onExit(NOT_STARTED)
  })
  // After its last message, which says what it read.
  child.once('close', (code, signal) => {
    if (child.pid !== undefined) onExit(signal ?? `code ${code}`)
  })
  return {
    // A message to a process that is ending is lost with it.
    send: (message) => void (child.connected && child.send(message as object, () => undefined)),
    kill: () => void child.kill('SIGKILL'),
  }
}

const resolvePath = (path: string): string => fileURLToPath(new URL(path, import.meta.url))

function createPorts(dataFolder: string): Ports {
  const logger = createJsonLogger()
  const manifest = JSON.parse(readFileSync(resolvePath('../../package.json'), 'utf8')) as { version: string }
  return {
    host: 'headless',
    version: manifest.version,
    system: systemName(process.platform, version(), release()),
    runtime: `Node ${process.versions.node}`,
    clock: systemClock,
    logger,
    recentLog: () => logger.recentLog(),
    secrets: withSecretFromEnvironment(openFileSecrets(dataFolder), process.env),
    proxies: environmentProxies(process.env),
    notifier: { notify: ({ kind, count }) => logger.info('notice', { kind, count }) },
    workers: {
      watch: new URL('../reader/watch-worker.ts', import.meta.url),
      pictures: new URL('../reader/pictures-worker.ts', import.meta.url),
      data: new URL('../station/readers/data-worker.ts', import.meta.url),
      outbox: new URL('../station/outbox/outbox-worker.ts', import.meta.url),
    },
    startProcess: startNodeProcess,
  }
}

/** Opens a station and its server. Rejects with neither of them open. */
export async function openHost(
  options: StationOptions,
  { address, port }: { readonly address: string; readonly port: number },
): Promise<{ readonly station: Station; readonly server: HttpHost }> {
  const station = await openStation(options)
  try {
    const { logger } = options.ports
    const screensFolder = resolvePath('../../out/renderer')
    return { station, server: await openHttpHost({ station, logger, address, port, screensFolder }) }
  } catch (error) {
    // Without its address no one could see or stop this station.
    await station.stop()
    throw error
  }
}

/** Serves until it is asked to stop, and then ends the process. */
export async function serve(args: readonly string[]): Promise<void> {
  const commandLine = readCommandLine(args)
  if ('usage' in commandLine) {
    console.error(commandLine.usage)
    process.exitCode = USAGE_EXIT
    return
  }
  const dataFolder = resolve(commandLine.dataFolder)
  await mkdir(dataFolder, { recursive: true, mode: 0o700 })
  const { configPath } = commandLine
  const reading = configPath === null ? null : await readManagedFile(configPath, parseConfig)
  if (reading !== null && reading.state !== 'read') {
    console.error(`The configuration file ${configPath} cannot be used: ${reading.detail}`)
    process.exitCode = 1
    return
  }
  const ports = createPorts(dataFolder)

  if (commandLine.isRecovering)
    for (const { message } of await recoverOutbox(dataFolder, systemClock.now())) console.error(message)

  const { promise: stopRequested, resolve: requestStop } = Promise.withResolvers<void>()
  const files =
    configPath === null || reading === null
      ? []
      : [fileStatus('configuration', resolve(configPath), reading, 'this')]
  const { station, server } = await openHost(
    {
      dataFolder,
      config: reading?.content ?? null,
      managed: { ...UNMANAGED, files },
      ports,
      onStopRequested: () => requestStop(),
    },
    commandLine,
  )
  process.once('SIGTERM', () => requestStop())
  process.once('SIGINT', () => requestStop())
  process.stdout.write(`${JSON.stringify({ listening: server.url, token: server.token })}\n`)

  await stopRequested
  setTimeout(() => {
    ports.logger.warn('the station did not stop in time')
    // `exit` waits for calls that hang, as of a disk that died.
    process.kill(process.pid, 'SIGKILL')
  }, STOP_TIMEOUT_MS).unref()
  await server.close()
  await station.stop()
  // All is done. Node, left to end on its own, can wait for ever for a connection that broke in a bad moment.
  process.exit(0)
}

/** How this host is asked to do what the sentence before it offers. */
const RECOVER_HINT = 'To do that, start once with --recover; what is there is set aside and never deleted.'

/** What the system says no with, in a sentence; anything else is a defect. */
export function messageFor(error: unknown): string | null {
  if (error instanceof StorageError)
    return error.remedy === 'recover' ? `${error.message} ${RECOVER_HINT}` : error.message
  const code = errorCode(error)
  switch (code) {
    case 'EADDRINUSE':
      return 'This port is taken already. Choose another with --port, or leave it out for any free one.'
    case 'EADDRNOTAVAIL':
      return 'This computer does not have that address. Leave --address out for this computer only.'
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
      return 'The data folder may not be written, or the port may not be used. Choose others with --data and --port.'
    case 'ENOSPC':
      return 'There is no space left on the disk of the data folder. Free some space and start again.'
    default:
      return null
  }
}

/** A frame in our own code: in a source, or in a file of the bundle. */
const OWN_FRAME = /^\s+at .*\/(src-main\/[^):]+\.ts|(?:headless|station\/chunks)\/[^/):]+\.js)(:\d+:\d+)\)?$/

/** Where in our own code an error began, without its message, which may contain the name of a patient's file. */
export function positionOf(error: unknown): string | null {
  const lines = error instanceof Error ? (error.stack ?? '').split('\n') : []
  const [, file, position] = lines.map((line) => OWN_FRAME.exec(line)).find((found) => found !== null) ?? []
  return file === undefined || position === undefined ? null : `${file}${position}`
}
