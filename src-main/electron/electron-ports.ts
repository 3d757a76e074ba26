/** What Electron lends the station. */
import { join } from 'node:path'
import { app, safeStorage, session } from 'electron'
import type { Clock, Logger, Notifier, Ports } from '../station/ports.ts'
import { workerUrl } from './app-files.ts'
import { withSecretFromEnvironment } from '../station/secrets-from-environment.ts'
import { createSecrets } from './secrets.ts'
import { systemProxies } from './system-proxies.ts'

/** May be asked once the app is ready: before that, neither the safe nor the session is there. */
export function electronPorts(lent: {
  readonly clock: Clock
  readonly logger: Logger
  readonly notifier: Notifier
}): Ports {
  const secrets = createSecrets({
    safe: safeStorage,
    // Sealed for this account, so it lies with the account and not with the machine's data.
    path: join(app.getPath('userData'), 'secrets.json'),
    platform: process.platform,
    logger: lent.logger,
  })
  return {
    ...lent,
    host: 'electron',
    version: app.getVersion(),
    secrets: withSecretFromEnvironment(secrets, process.env),
    proxies: systemProxies(session.defaultSession),
    workers: {
      watch: workerUrl('watch-worker.js'),
      photo: workerUrl('photo-worker.js'),
      outbox: workerUrl('outbox-worker.js'),
    },
  }
}
