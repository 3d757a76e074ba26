/** The headless host: a station in plain Node, its screens in a browser on the same machine. */
import { readFileSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { openStation } from '../station/open-station.ts'
import { StorageError } from '../station/outbox/open-database.ts'
import type { Ports } from '../station/ports.ts'
import { systemClock } from '../station/system-clock.ts'
import { readCommandLine } from './command-line.ts'
import { environmentProxies } from './environment-proxies.ts'
import { openFileSecrets } from './file-secrets.ts'
import { createJsonLogger } from './json-logger.ts'
import { openHttpHost } from './open-http-host.ts'
import { ConfigError, readConfig } from './read-config.ts'

const USAGE_EXIT = 2
/** A clean end takes no longer; what hangs then is left to the next start, which is safe at any moment. */
const STOP_WITHIN_MS = 4_800

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url))

function versionOfProgram(): string {
  const { version } = JSON.parse(readFileSync(here('../../package.json'), 'utf8')) as { version: string }
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
  const config =
    commandLine.configPath === null ? null : await readConfig(commandLine.configPath, process.env)
  const ports: Ports = {
    host: 'headless',
    version: versionOfProgram(),
    clock: systemClock,
    logger,
    secrets: openFileSecrets(dataFolder),
    proxies: environmentProxies(process.env),
    notifier: {
      notify: (notice) => logger.info('notice', { kind: notice.kind, submission: notice.submissionId }),
    },
    workers: { watch: new URL('../station/watch/watch-worker.ts', import.meta.url) },
  }

  const { promise: stopRequested, resolve: requestStop } = Promise.withResolvers<void>()
  const station = await openStation({ dataFolder, config, ports, onStopRequested: () => requestStop() })
  const host = await openHttpHost({
    station,
    logger,
    address: commandLine.address,
    port: commandLine.port,
    screensFolder: here('../../out/renderer'),
  })
  process.once('SIGTERM', () => requestStop())
  process.once('SIGINT', () => requestStop())
  process.stdout.write(`${JSON.stringify({ listening: host.url, token: host.token })}\n`)

  await stopRequested
  setTimeout(() => {
    logger.warn('the station did not stop in time')
    process.exit(1)
  }, STOP_WITHIN_MS).unref()
  await host.close()
  await station.stop()
}

try {
  await serve(process.argv.slice(2))
} catch (error) {
  if (!(error instanceof ConfigError) && !(error instanceof StorageError)) throw error
  console.error(error.message)
  process.exitCode = 1
}
