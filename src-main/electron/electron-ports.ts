/** What Electron lends the station. */
import { release, version } from 'node:os'
import { join } from 'node:path'
import { app, safeStorage, session } from 'electron'
import type { Clock, Logger, LogLine, Notifier, Ports, Updates } from '../station/ports.ts'
import { workerUrl } from './app-files.ts'
import { withSecretFromEnvironment } from '../station/secrets-from-environment.ts'
import { systemName } from '../station/system-name.ts'
import { createSecrets } from './secrets.ts'
import { systemProxies } from './system-proxies.ts'

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
