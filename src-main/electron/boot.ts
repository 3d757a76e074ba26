/** The composition root of the desktop: opens the station and wires the parts of the host around it. */
import { release, uptime, version } from 'node:os'
import { join } from 'node:path'
import { app, type BrowserWindow, ipcMain, powerMonitor, safeStorage, session } from 'electron'
import type { DesktopRoute } from '../../src-shared/desktop.ts'
import { SECOND } from '../../src-shared/durations.ts'
import type { Result } from '../../src-shared/failure.ts'
import { answerCall } from '../station/calls/calls.ts'
import { StorageError } from '../station/lib/storage-error.ts'
import {
  type Clock,
  type Logger,
  type LogLine,
  type Notifier,
  type Ports,
  systemClock,
  systemName,
  type Updates,
  withSecretFromEnvironment,
} from '../station/ports.ts'
import { serveScreens, workerUrl } from './app-protocol.ts'
import { readCommandLine } from './command-line.ts'
import { openCrashHistory, waitAfterCrash } from './crash-history.ts'
import { chooseDataFolder, isWritableFolder, machineProgramData } from './data-folder.ts'
import {
  askForRecovery,
  showRecoveryResult,
  createCloseExplainer,
  showCloseExplanation,
  showManagedTrouble,
  showScreensFailed,
} from './dialogs.ts'
import { createRouteSender, forwardEvents, serveCalls, withDesktopCalls } from './ipc.ts'
import { onSecondStart, openLanguageSetting } from './language-setting.ts'
import { openDesktopShutdown } from './life.ts'
import { openLogFile, readRecentLog } from './log.ts'
import { readManagedSetup } from './managed-setup.ts'
import { watchPower } from './power.ts'
import { systemProxies } from './proxies.ts'
import { openDesktopStation } from './recovery.ts'
import { recoverRenderer, recoveryPage } from './renderer-recovery.ts'
import { createSecrets } from './secrets.ts'
import type { Shutdown } from './shutdown.ts'
import { createStartAtLogin, wasOpenedAtLogin } from './start-at-login.ts'
import { createNotifier } from './taskbar.ts'
import { startTray } from './tray.ts'
import { startUpdates } from './updates/begin-updates.ts'
import { installGuards, requireSandbox } from './window-security.ts'
import { restoreWindow, showWindow } from './window.ts'

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

/**
 * Resolves once the window is there; rejects, with a sentence for a person, if the station cannot be opened.
 * `lockNote`: what the log should know of how the lock was taken.
 */
export async function boot(lockNote: string | null): Promise<void> {
  const commandLine = readCommandLine(process.argv.slice(1))
  const programData = machineProgramData({
    programData: process.env['ProgramData'],
    resourcesFolder: process.resourcesPath,
  })
  const dataFolder =
    commandLine.dataFolder ??
    chooseDataFolder({
      platform: process.platform,
      programData,
      userData: app.getPath('userData'),
      canWrite: isWritableFolder,
    })
  const clock = systemClock
  const logFolder = join(dataFolder, 'logs')
  const logger = openLogFile(logFolder, clock)
  if (lockNote !== null) logger.warn(lockNote)
  const userData = app.getPath('userData')
  const crashHistory = openCrashHistory({
    path: join(userData, 'runs.json'),
    clock,
    bootedAt: clock.now() - uptime() * SECOND,
    pid: process.pid,
    dataFolder,
    onTrouble: () => logger.warn('that the app runs could not be written down'),
  })
  const setup = await readManagedSetup({
    commandLine,
    dataFolder,
    platform: process.platform,
    programData,
    logger,
  })

  const language = await openLanguageSetting({
    path: join(userData, 'language.json'),
    requested: commandLine.language,
    system: app.getPreferredSystemLanguages(),
    logger,
  })

  requireSandbox(app, language.texts())
  const updates = await startUpdates({ clock, logger, commandLine })

  let window: BrowserWindow | null = null
  let shutdown: Shutdown | null = null
  const startAs = commandLine.isSafeMode || setup.startAs === 'safe' ? 'safe' : crashHistory.start.as
  const isStartedHidden = commandLine.isHidden || wasOpenedAtLogin(app, process.platform)
  // That nothing is taken in or sent must not stay out of sight.
  let isFirstShown = !(isStartedHidden || updates.wasHidden) || startAs === 'safe'
  const show = (): void => {
    isFirstShown = true
    if (window && !window.isDestroyed() && shutdown?.isRunning() === true) showWindow(window)
  }
  onSecondStart(app, logger, show)
  await waitAfterCrash(crashHistory.start, clock, logger)
  let sendRoute: ((route: DesktopRoute) => void) | null = null
  const showRoute = (route: DesktopRoute): void => {
    show()
    sendRoute?.(route)
  }
  const startAtLogin = createStartAtLogin(logger, commandLine)
  const station = await openDesktopStation({
    dataFolder,
    config: setup.config,
    managed: setup.managed,
    ports: createPorts({
      clock,
      logger,
      recentLog: () => readRecentLog(logFolder),
      startAtLogin: () => startAtLogin.result(),
      notifier: createNotifier({ texts: () => language.texts(), showRoute }),
      updates: updates.port,
    }),
    isRecovering: commandLine.isRecovering,
    dialogs: { askForRecovery, showRecoveryResult },
    startAs,
    texts: () => language.texts(),
    onStopRequested: () => void shutdown?.end('asked over the contract'),
  }).catch((error: unknown) => {
    // A failure that a sentence explains to a person is no crash.
    if (error instanceof StorageError) {
      logger.error(error.message)
      crashHistory.end('clean')
    }
    throw error
  })
  if (!station) {
    crashHistory.end('clean')
    return app.exit(0)
  }
  const isWindowHidden = (): boolean => !window || window.isDestroyed() || !window.isVisible()
  const openShutdown = openDesktopShutdown({
    station,
    clock,
    logger,
    crashHistory,
    commandLine,
    startAs,
    texts: () => language.texts(),
    isWindowHidden,
    beforeExit: () => {
      // The system's updater may end the process within it.
      crashHistory.end('clean')
      return updates.installAtEnd()
    },
  })
  shutdown = openShutdown
  void updates.attach({ station, isWindowHidden, ...openShutdown })

  const outsideLinks = installGuards(logger)
  serveScreens(station, () => recoveryPage(language.texts(), logFolder))
  /** Never rejects; a bug becomes a failure and is logged. */
  const answer = (name: string, input: unknown): Promise<Result<unknown>> =>
    answerCall(station.handlers, logger, name, input)
  serveCalls(ipcMain, withDesktopCalls(outsideLinks.remembering(answer), language))

  const explainClose = createCloseExplainer({
    path: join(userData, 'close-explained.json'),
    logger,
    explain: () => showCloseExplanation(language.texts()),
  })
  window = await restoreWindow({
    shutdown,
    logger,
    isHidden: () => !isFirstShown,
    onHidden: () => void explainClose(),
  })
  sendRoute = createRouteSender(window)
  recoverRenderer({
    window,
    clock,
    logger,
    isEnding: () => !openShutdown.isRunning(),
    isSessionEnding: () => openShutdown.isSessionEnding(),
    showFailure: () => void showScreensFailed(language.texts(), logFolder),
  })
  forwardEvents(
    (listener) => station.on(listener),
    () => (window && !window.isDestroyed() ? window.webContents : null),
  )
  watchPower({
    monitor: powerMonitor,
    window,
    logger,
    onResume: () => station.wakeUp(),
    onSessionEndAsked: () => openShutdown.sessionEndAsked(),
    markEnd: () => crashHistory.end('clean'),
    onShutdown: (reason) => void openShutdown.end(reason),
  })
  const quit = (): void => void openShutdown.askToQuit('asked in the tray')
  await startTray({ station, answer, window, speech: language, show, showRoute, quit })
  startAtLogin.follow(station)

  // After a start at login no one is there to read it; the log and the settings show the same.
  if (!isStartedHidden || setup.startAs === 'safe') void showManagedTrouble(station, () => language.texts())
}
