/** Opens the station and puts the parts of the host around it. Nothing here decides; it introduces, a line a part. */
import { uptime } from 'node:os'
import { join } from 'node:path'
import { app, ipcMain, powerMonitor, type BrowserWindow } from 'electron'
import { SECOND } from '../../src-shared/durations.ts'
import type { Place } from '../../src-shared/place.ts'
import type { Result } from '../../src-shared/result.ts'
import { answerCall } from '../station/answer-call.ts'
import { StorageError } from '../station/outbox/opening-trouble.ts'
import { systemClock } from '../station/system-clock.ts'
import { beginDesktopLife } from './begin-desktop-life.ts'
import { createStartAtLogin } from './begin-start-at-login.ts'
import { readCommandLine } from './command-line.ts'
import { chooseDataFolder, isWritableFolder, machineProgramData } from './data-folder.ts'
import { withDesktopCalls } from './desktop-calls.ts'
import { electronPorts } from './electron-ports.ts'
import { explainCloseOnce } from './explain-close.ts'
import { guardWindows } from './guard-windows.ts'
import { openHostSpeech } from './host-speech.ts'
import { serveCalls, tellEvents } from './ipc-host.ts'
import { showCloseExplanation, tellOfFailedScreens } from './life-dialogs.ts'
import type { Life } from './life.ts'
import { openLogFile } from './log-file.ts'
import { openDesktopStation } from './open-desktop-station.ts'
import { placeTeller } from './open-place.ts'
import { openRememberedWindow } from './open-remembered-window.ts'
import { watchPower } from './power.ts'
import { putIntoTray } from './put-into-tray.ts'
import { readManagedSetup } from './read-managed-setup.ts'
import { readRecentLog } from './read-log.ts'
import { recoveryPage } from './recovery-page.ts'
import { recoverRenderer } from './renderer-recovery.ts'
import { openRunBook, waitAfterCrash } from './run-book.ts'
import { hearSecondStarts } from './second-starts.ts'
import { requireSandbox } from './sandbox-required.ts'
import { serveScreens } from './serve-screens.ts'
import { wasOpenedAtLogin } from './start-at-login.ts'
import { systemNotifier } from './system-notifier.ts'
import { tellManagedTrouble } from './tell-managed-trouble.ts'
import { beginUpdates } from './updates/begin-updates.ts'
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
  const runs = openRunBook({
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

  const speech = await openHostSpeech({
    path: join(userData, 'language.json'),
    asked: commandLine.language,
    system: app.getPreferredSystemLanguages(),
    logger,
  })

  requireSandbox(app, speech.words().language)
  const updates = await beginUpdates({ clock, logger, commandLine })

  let window: BrowserWindow | null = null
  let life: Life | null = null
  const startAs = commandLine.isSafeMode || setup.startAs === 'safe' ? 'safe' : runs.start.as
  const isStartedHidden = commandLine.isHidden || wasOpenedAtLogin(app, process.platform)
  // That nothing is taken in or sent must not stay out of sight.
  let isFirstShown = !(isStartedHidden || updates.wasHidden) || startAs === 'safe'
  const show = (): void => {
    isFirstShown = true
    if (window && !window.isDestroyed() && life?.isRunning() === true) showWindow(window)
  }
  hearSecondStarts(app, logger, show)
  await waitAfterCrash(runs.start, clock, logger)
  let tellPlace: ((place: Place) => void) | null = null
  const showPlace = (place: Place): void => {
    show()
    tellPlace?.(place)
  }
  const startAtLogin = createStartAtLogin(logger, commandLine)
  const station = await openDesktopStation({
    dataFolder,
    config: setup.config,
    managed: setup.managed,
    ports: electronPorts({
      clock,
      logger,
      recentLog: () => readRecentLog(logFolder),
      startAtLogin: () => startAtLogin.found(),
      notifier: systemNotifier({ words: () => speech.words(), showPlace }),
      updates: updates.port,
    }),
    isRecovering: commandLine.isRecovering,
    startAs,
    words: () => speech.words(),
    onStopRequested: () => void life?.end('asked over the contract'),
  }).catch((error: unknown) => {
    // What a person is told in a sentence is no end by itself.
    if (error instanceof StorageError) {
      logger.error(error.message)
      runs.end('clean')
    }
    throw error
  })
  if (!station) {
    runs.end('clean')
    return app.exit(0)
  }
  const isWindowHidden = (): boolean => !window || window.isDestroyed() || !window.isVisible()
  const theLife = beginDesktopLife({
    station,
    clock,
    logger,
    runs,
    commandLine,
    startAs,
    words: () => speech.words(),
    isWindowHidden,
    lastly: () => {
      // The system's updater may end the process within it.
      runs.end('clean')
      return updates.installAtEnd()
    },
  })
  life = theLife
  void updates.attach({ station, isWindowHidden, ...theLife })

  const outside = guardWindows(logger)
  serveScreens(station, () => recoveryPage(speech.words(), logFolder))
  /** Never rejects; a bug becomes a failure and stands in the log. */
  const answer = (name: string, input: unknown): Promise<Result<unknown>> =>
    answerCall(station.handlers, logger, name, input)
  serveCalls(ipcMain, withDesktopCalls(outside.noting(answer), speech))

  const explainClose = explainCloseOnce({
    path: join(userData, 'close-explained.json'),
    logger,
    explain: () => showCloseExplanation(speech.words()),
  })
  window = await openRememberedWindow({
    life,
    logger,
    isHidden: () => !isFirstShown,
    onHidden: () => void explainClose(),
  })
  tellPlace = placeTeller(window)
  recoverRenderer({
    window,
    clock,
    logger,
    isEnding: () => !theLife.isRunning(),
    isSessionEnding: () => theLife.isSessionEnding(),
    tell: () => void tellOfFailedScreens(speech.words().life, logFolder),
  })
  tellEvents(
    (listener) => station.on(listener),
    () => (window && !window.isDestroyed() ? window.webContents : null),
  )
  watchPower({
    monitor: powerMonitor,
    window,
    logger,
    onResume: () => station.wakeUp(),
    onSessionEndAsked: () => theLife.sessionEndAsked(),
    markEnd: () => runs.end('clean'),
    onShutdown: (reason) => void theLife.end(reason),
  })
  const quit = (): void => void theLife.askToQuit('asked in the tray')
  await putIntoTray({ station, answer, window, speech, show, showPlace, quit })
  startAtLogin.follow(station)

  // Started at login nobody is there to read it; the log and the settings tell the same.
  if (!isStartedHidden || setup.startAs === 'safe') void tellManagedTrouble(station, () => speech.words())
}
