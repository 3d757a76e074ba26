/** Opens the station and puts the parts of the host around it. Nothing here decides; it introduces, a line a part. */
import { join } from 'node:path'
import { app, dialog, ipcMain, type BrowserWindow } from 'electron'
import type { Place } from '../../src-shared/place.ts'
import type { Result } from '../../src-shared/result.ts'
import { answerCall } from '../station/answer-call.ts'
import { readConfigFile } from '../station/config-file.ts'
import { systemClock } from '../station/system-clock.ts'
import { beginStartAtLogin } from './begin-start-at-login.ts'
import { catchBugs } from './bug-catcher.ts'
import { readCommandLine } from './command-line.ts'
import { chooseDataFolder, isWritableFolder } from './data-folder.ts'
import { withDesktopCalls } from './desktop-calls.ts'
import { electronPorts } from './electron-ports.ts'
import { guardWindows } from './guard-windows.ts'
import { openHostSpeech } from './host-speech.ts'
import { serveCalls, tellEvents } from './ipc-host.ts'
import { beginLife } from './life.ts'
import { openLogFile } from './log-file.ts'
import { openDesktopStation } from './open-desktop-station.ts'
import { placeTeller } from './open-place.ts'
import { openRememberedWindow } from './open-remembered-window.ts'
import { watchPower } from './power.ts'
import { putIntoTray } from './put-into-tray.ts'
import { readRecentLog } from './read-log.ts'
import { recoverRenderer } from './renderer-recovery.ts'
import { serveScreens } from './serve-screens.ts'
import { systemNotifier } from './system-notifier.ts'
import { showWindow } from './window.ts'

/** Resolves once the window is there; rejects, with a sentence for a person, where the station cannot be opened. */
export async function boot(): Promise<void> {
  const commandLine = readCommandLine(process.argv.slice(1))
  const dataFolder =
    commandLine.dataFolder ??
    chooseDataFolder({
      platform: process.platform,
      programData: process.env['ProgramData'],
      userData: app.getPath('userData'),
      canWrite: isWritableFolder,
    })
  const clock = systemClock
  const logFolder = join(dataFolder, 'logs')
  const logger = openLogFile(logFolder, clock)
  const reading = commandLine.configPath === null ? null : await readConfigFile(commandLine.configPath)

  const speech = await openHostSpeech({
    path: join(app.getPath('userData'), 'language.json'),
    asked: commandLine.language,
    system: app.getPreferredSystemLanguages(),
    logger,
  })

  let window: BrowserWindow | null = null
  const show = (): void => {
    if (window && !window.isDestroyed()) showWindow(window)
  }
  let tellPlace: ((place: Place) => void) | null = null
  const showPlace = (place: Place): void => {
    show()
    tellPlace?.(place)
  }
  const station = await openDesktopStation({
    dataFolder,
    config: reading?.kind === 'read' ? reading.config : null,
    ports: electronPorts({
      clock,
      logger,
      recentLog: () => readRecentLog(logFolder),
      notifier: systemNotifier(show),
    }),
    isRecovering: commandLine.isRecovering,
    words: () => speech.words(),
    onStopRequested: () => void life.end('asked over the contract'),
  })
  if (!station) return app.exit(0)
  const life = beginLife({ app, clock, logger, stopStation: () => station.stop() })
  catchBugs({
    process,
    clock,
    logger,
    end: (reason, exitCode) => life.end(reason, exitCode),
    relaunch: () => app.relaunch(),
  })

  const outside = guardWindows(logger)
  serveScreens(station)
  /** Never rejects; a bug becomes a failure and stands in the log. */
  const answer = (name: string, input: unknown): Promise<Result<unknown>> =>
    answerCall(station.handlers, logger, name, input)
  serveCalls(ipcMain, withDesktopCalls(outside.noting(answer), speech))

  window = await openRememberedWindow({ life, logger, isHidden: commandLine.isHidden })
  tellPlace = placeTeller(window)
  recoverRenderer(window, clock, logger)
  tellEvents(
    (listener) => station.on(listener),
    () => (window && !window.isDestroyed() ? window.webContents : null),
  )
  watchPower(window, {
    onResume: () => station.wakeUp(),
    onShutdown: (reason) => void life.end(reason),
  })
  const quit = (): void => void life.end('asked in the tray')
  await putIntoTray({ station, answer, window, speech, show, showPlace, quit })
  beginStartAtLogin(station, logger, commandLine)
  app.on('second-instance', show)
  app.on('activate', show)

  // A broken file from IT must not stop a station that works: it goes on with what it has, and says so.
  if (reading?.kind === 'unusable') {
    logger.error(reading.message)
    dialog.showErrorBox('Fundus Courier', reading.message)
  }
}
