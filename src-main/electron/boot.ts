/** The composition root of the desktop: opens the station and wires the parts of the host around it. */
import { uptime } from 'node:os'
import { join } from 'node:path'
import { app, type BrowserWindow, ipcMain, powerMonitor } from 'electron'
import type { DesktopRoute } from '../../src-shared/desktop.ts'
import { SECOND } from '../../src-shared/durations.ts'
import type { Result } from '../../src-shared/failure.ts'
import { answerCall } from '../station/calls/calls.ts'
import { StorageError } from '../station/lib/errors.ts'
import { systemClock } from '../station/ports.ts'
import { serveScreens } from './app-protocol.ts'
import { readCommandLine } from './command-line.ts'
import { openCrashHistory, waitAfterCrash } from './crash-history.ts'
import { chooseDataFolder, isWritableFolder, machineProgramData } from './data-folder.ts'
import {
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
import { createPorts } from './ports.ts'
import { watchPower } from './power.ts'
import { openDesktopStation } from './recovery.ts'
import { recoverRenderer, recoveryPage } from './renderer-recovery.ts'
import type { Shutdown } from './shutdown.ts'
import { createStartAtLogin, wasOpenedAtLogin } from './start-at-login.ts'
import { createNotifier } from './taskbar.ts'
import { startTray } from './tray.ts'
import { startUpdates } from './updates/begin-updates.ts'
import { installGuards, requireSandbox } from './window-security.ts'
import { restoreWindow, showWindow } from './window.ts'

/**
 * Resolves once the window is there; rejects, with a sentence for a person, where the station cannot be opened.
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

  requireSandbox(app, language.texts().language)
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
    startAs,
    texts: () => language.texts(),
    onStopRequested: () => void shutdown?.end('asked over the contract'),
  }).catch((error: unknown) => {
    // What a person is told in a sentence is no end by itself.
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
  /** Never rejects; a bug becomes a failure and stands in the log. */
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
    showFailure: () => void showScreensFailed(language.texts().life, logFolder),
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

  // Started at login nobody is there to read it; the log and the settings tell the same.
  if (!isStartedHidden || setup.startAs === 'safe') void showManagedTrouble(station, () => language.texts())
}
