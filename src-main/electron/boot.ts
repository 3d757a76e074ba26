/** Opens the station and puts the parts of the host around it. Nothing here decides; it introduces, a line a part. */
import { uptime } from 'node:os'
import { join } from 'node:path'
import { app, ipcMain, powerMonitor, type BrowserWindow } from 'electron'
import { SECOND } from '../../src-shared/durations.ts'
import type { DesktopRoute } from '../../src-shared/place.ts'
import type { Result } from '../../src-shared/result.ts'
import { answerCall } from '../station/answer-call.ts'
import { StorageError } from '../station/outbox/opening-trouble.ts'
import { systemClock } from '../station/system-clock.ts'
import { openDesktopShutdown } from './begin-desktop-life.ts'
import { createStartAtLogin } from './begin-start-at-login.ts'
import { readCommandLine } from './command-line.ts'
import { chooseDataFolder, isWritableFolder, machineProgramData } from './data-folder.ts'
import { withDesktopCalls } from './desktop-calls.ts'
import { createPorts } from './electron-ports.ts'
import { createCloseExplainer } from './explain-close.ts'
import { installGuards } from './guard-windows.ts'
import { openLanguageSetting } from './host-speech.ts'
import { serveCalls, forwardEvents } from './ipc-host.ts'
import { showCloseExplanation, showScreensFailed } from './life-dialogs.ts'
import type { Shutdown } from './life.ts'
import { openLogFile } from './log-file.ts'
import { openDesktopStation } from './open-desktop-station.ts'
import { createRouteSender } from './open-place.ts'
import { restoreWindow } from './open-remembered-window.ts'
import { watchPower } from './power.ts'
import { startTray } from './put-into-tray.ts'
import { readManagedSetup } from './read-managed-setup.ts'
import { readRecentLog } from './read-log.ts'
import { recoveryPage } from './recovery-page.ts'
import { recoverRenderer } from './renderer-recovery.ts'
import { openCrashHistory, waitAfterCrash } from './run-book.ts'
import { onSecondStart } from './second-starts.ts'
import { requireSandbox } from './sandbox-required.ts'
import { serveScreens } from './serve-screens.ts'
import { wasOpenedAtLogin } from './start-at-login.ts'
import { createNotifier } from './system-notifier.ts'
import { showManagedTrouble } from './tell-managed-trouble.ts'
import { startUpdates } from './updates/begin-updates.ts'
import { showWindow } from './window.ts'

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
  await startTray({ station, answer, window, speech: language, show, showPlace: showRoute, quit })
  startAtLogin.follow(station)

  // Started at login nobody is there to read it; the log and the settings tell the same.
  if (!isStartedHidden || setup.startAs === 'safe') void showManagedTrouble(station, () => language.texts())
}
