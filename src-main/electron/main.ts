/**
 * What must happen before Electron is ready, synchronously and without anything behind a dynamic import; the rest
 * is in boot.ts. Nothing here may be awaited at the top: Electron becomes ready only after this file has run.
 */
import { app, dialog, protocol } from 'electron'
import { APP_SCHEME, APP_SCHEME_PRIVILEGES } from './preload/bridge.ts'
import { applyEarlyOptions, readCommandLine } from './command-line.ts'
import { acquireLock, type LockResult } from './single-instance.ts'

app.enableSandbox()
protocol.registerSchemesAsPrivileged([{ scheme: APP_SCHEME, privileges: APP_SCHEME_PRIVILEGES }])
// Windows shows no notice without it; the same as `appId` in electron-builder.yml.
app.setAppUserModelId('com.fundus-courier.station')

const commandLine = readCommandLine(process.argv.slice(1))
applyEarlyOptions(app, commandLine)
start(acquireLock(app))

function start(lock: LockResult): void {
  if (lock.kind === 'first') {
    app
      .whenReady()
      .then(() => import('./boot.ts'))
      .then(({ boot }) => boot(lock.note))
      .catch(showStartFailure)
    return
  }
  const { why } = lock
  if (why.kind === 'running') {
    process.stderr.write('Fundus Courier is running already; its window is shown.\n')
    return app.exit(0)
  }
  // Shows a person the reason; nothing of the station is loaded for that.
  process.stderr.write(`Fundus Courier is running already (${why.kind}).\n`)
  app
    .whenReady()
    .then(() => import('./texts.ts'))
    .then(({ showSecondStart }) => showSecondStart(why, commandLine.language))
    .then(() => app.exit(1))
    .catch(showStartFailure)
}

function showStartFailure(error: unknown): void {
  dialog.showErrorBox(
    'Fundus Courier could not start',
    error instanceof Error ? error.message : String(error),
  )
  app.exit(1)
}
