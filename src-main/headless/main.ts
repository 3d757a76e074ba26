/** The headless host: a station in plain Node, its screens in a browser on the same machine. */
import { readFileSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { release, version } from 'node:os'
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { errorCode } from '../station/lib/errors.ts'
import { StorageError } from '../station/lib/storage-error.ts'
import { openStation } from '../station/station.ts'
import { recoverOutbox } from '../station/outbox/recovery/recover.ts'
import { type Ports, systemClock, systemName, withSecretFromEnvironment } from '../station/ports.ts'
import { readConfigFile } from '../station/settings/config-file.ts'
import { configurationStatus, UNMANAGED } from '../station/settings/policy.ts'
import { readCommandLine } from './command-line.ts'
import { openHttpHost } from './http-server.ts'
import { createJsonLogger, environmentProxies, openFileSecrets } from './ports.ts'

const USAGE_EXIT = 2

/** A clean end takes no longer; what hangs then is left to the next start, which is safe at any moment. */
const STOP_TIMEOUT_MS = 4_800

const resolvePath = (path: string): string => fileURLToPath(new URL(path, import.meta.url))

function readVersion(): string {
  const { version } = JSON.parse(readFileSync(resolvePath('../../package.json'), 'utf8')) as {
    version: string
  }
  return version
}

async function serve(args: readonly string[]): Promise<void> {
  const commandLine = readCommandLine(args)
  if ('usage' in commandLine) {
    console.error(commandLine.usage)
    process.exitCode = USAGE_EXIT
    return
  }
  const logger = createJsonLogger()
  const dataFolder = resolve(commandLine.dataFolder)
  await mkdir(dataFolder, { recursive: true, mode: 0o700 })
  const { configPath } = commandLine
  const reading = configPath === null ? null : await readConfigFile(configPath)
  if (reading?.kind === 'unusable') {
    console.error(reading.message)
    process.exitCode = 1
    return
  }
  const ports: Ports = {
    host: 'headless',
    version: readVersion(),
    system: systemName({ platform: process.platform, version: version(), release: release() }),
    runtime: `Node ${process.versions.node}`,
    clock: systemClock,
    logger,
    recentLog: () => logger.recentLog(),
    secrets: withSecretFromEnvironment(openFileSecrets(dataFolder), process.env),
    proxies: environmentProxies(process.env),
    notifier: {
      notify: ({ kind, count }) => logger.info('notice', { kind, count }),
    },
    workers: {
      watch: new URL('../station/watch/watch-worker.ts', import.meta.url),
      photo: new URL('../station/intake/images/photo-worker.ts', import.meta.url),
      outbox: new URL('../station/outbox/outbox-worker.ts', import.meta.url),
    },
  }

  if (commandLine.isRecovering)
    for (const { message } of await recoverOutbox(dataFolder, systemClock.now())) console.error(message)

  const { promise: stopRequested, resolve: requestStop } = Promise.withResolvers<void>()
  const station = await openStation({
    dataFolder,
    config: reading?.config ?? null,
    managed: {
      ...UNMANAGED,
      files:
        configPath === null || reading === null ? [] : [configurationStatus(resolve(configPath), reading)],
    },
    ports,
    onStopRequested: () => requestStop(),
  })
  const host = await openHttpHost({
    station,
    logger,
    address: commandLine.address,
    port: commandLine.port,
    screensFolder: resolvePath('../../out/renderer'),
  }).catch(async (error: unknown) => {
    // Without its address no one could see or stop this station.
    await station.stop()
    throw error
  })
  process.once('SIGTERM', () => requestStop())
  process.once('SIGINT', () => requestStop())
  process.stdout.write(`${JSON.stringify({ listening: host.url, token: host.token })}\n`)

  await stopRequested
  setTimeout(() => {
    logger.warn('the station did not stop in time')
    process.exit(1)
  }, STOP_TIMEOUT_MS).unref()
  await host.close()
  await station.stop()
  // All is done. Node, left to end on its own, can wait for ever for a connection that broke in a bad moment.
  process.exit(0)
}

/** How this host is asked to do what the sentence before it offers. */
const RECOVER_HINT = 'To do that, start once with --recover; what is there is set aside and never deleted.'

/** What the system says no with, in a sentence; anything else is a defect. */
function messageFor(error: unknown): string | null {
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

/** A defect ends the process: what goes on in an unknown state could send twice. The next start is safe at any moment. */
function exitOnDefect(error: unknown): void {
  // Names and places in our own code only: a message may carry what a patient's file is called.
  const frame =
    error instanceof Error ? (error.stack?.split('\n').find((line) => line.includes('/src-main/')) ?? '') : ''
  const at = /src-main\/[^):]+:\d+/.exec(frame)?.[0] ?? null
  createJsonLogger().error('a defect ended the station', {
    error: error instanceof Error ? error.name : 'unknown',
    at,
  })
  process.exit(1)
}

process.on('uncaughtException', exitOnDefect)

process.on('unhandledRejection', exitOnDefect)

try {
  await serve(process.argv.slice(2))
} catch (error) {
  const sentence = messageFor(error)
  if (sentence === null) exitOnDefect(error)
  console.error(sentence)
  process.exitCode = 1
}
