/** The composition root of the desktop: opens the station and wires the parts of the host around it. */
import { uptime } from 'node:os'
import { join } from 'node:path'
import { app, ipcMain, powerMonitor } from 'electron'
import { CHOOSE_CALL, LANGUAGE_CALL } from '../../src-shared/desktop.ts'
import { SECOND } from '../../src-shared/durations.ts'
import type { Result } from '../../src-shared/failure.ts'
import type { Station, StationOptions } from '../station/api.ts'
import { answerCall } from '../station/calls/calls.ts'
import { StorageError } from '../station/lib/storage-faults.ts'
import { recoverOutbox } from '../station/outbox/recovery/recover.ts'
import { limitOwnHeap, systemClock } from '../station/ports.ts'
import { openStation } from '../station/station.ts'
import { serveScreens } from './app-protocol.ts'
import { readCommandLine } from './command-line.ts'
import { openCrashHistory, recoverRenderer, waitAfterCrash } from './crashes.ts'
import {
  chooseDataFolder,
  isWritableFolder,
  machineProgramData,
  policyPath,
  readManagedSetup,
} from './machine.ts'
import {
  askForRecovery,
  choosePath,
  createCloseExplainer,
  showCloseExplanation,
  showManagedTrouble,
  showRecoveryResult,
  showScreensFailed,
} from './dialogs.ts'
import { forwardEvents, serveCalls, withDesktopCalls } from './ipc.ts'
import { openDesktopShutdown, watchPower } from './shutdown.ts'
import { openLogFile, readRecentLog } from './log.ts'
import { serveMetrics } from './metrics-server.ts'
import { createPorts } from './ports.ts'
import { createStartAtLogin, wasOpenedAtLogin } from './start-at-login.ts'
import { type HostTexts, onSecondStart, openLanguageSetting } from './texts.ts'
import { createNotifier, startTray } from './tray.ts'
import { startUpdates } from './updates/updates.ts'
import { installGuards, refuseUnsafeStart } from './window-security.ts'
import { createMainWindow } from './window.ts'

/**
 * Resolves once the window is there; rejects, with a sentence for a person, if the station cannot be opened.
 * `lockNote`: what the log should know of how the lock was taken.
 */
export async function boot(lockNote: string | null): Promise<void> {
  limitOwnHeap()
  const commandLine = readCommandLine(process.argv.slice(1))
  const { platform } = process
  const userData = app.getPath('userData')
  const programData = machineProgramData(process.env['ProgramData'], process.resourcesPath)
  const dataFolder =
    commandLine.dataFolder ??
    chooseDataFolder({ platform, programData, userData, canWrite: isWritableFolder })
  const clock = systemClock
  const logFolder = join(dataFolder, 'logs')
  const logger = openLogFile(logFolder, clock)
  if (lockNote !== null) logger.warn(lockNote)
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
    platform,
    policyPath: policyPath(platform, programData),
    logger,
  })
  const language = await openLanguageSetting({
    path: join(userData, 'language.json'),
    requested: commandLine.language,
    system: app.getPreferredSystemLanguages(),
    logger,
  })
  const texts = () => language.texts()

  refuseUnsafeStart(app, texts())
  const updates = await startUpdates({ clock, logger, commandLine })

  const startAs = commandLine.isSafeMode || setup.startAs === 'safe' ? 'safe' : crashHistory.start.as
  const isStartedHidden = commandLine.isHidden || wasOpenedAtLogin(app, platform)
  // That nothing is taken in or sent must not stay out of sight.
  const mainWindow = createMainWindow(!(isStartedHidden || updates.wasHidden) || startAs === 'safe')
  onSecondStart(app, logger, mainWindow.show)
  await waitAfterCrash(crashHistory.start, clock, logger)
  const startAtLogin = createStartAtLogin(logger, commandLine)
  const { promise: stopRequested, resolve: requestStop } = Promise.withResolvers<void>()
  const stationOptions = {
    dataFolder,
    config: setup.config,
    managed: setup.managed,
    ports: createPorts({
      clock,
      logger,
      recentLog: () => readRecentLog(logFolder),
      startAtLogin: () => startAtLogin.result(),
      notifier: createNotifier({ texts, showRoute: mainWindow.showRoute }),
      updates: updates.port,
    }),
    startAs,
    onStopRequested: () => requestStop(),
  } as const
  const { isRecovering } = commandLine
  const station = await openDesktopStation(stationOptions, isRecovering, texts).catch((error: unknown) => {
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
  const shutdown = openDesktopShutdown({
    station,
    clock,
    logger,
    crashHistory,
    startAs,
    texts,
    isWindowHidden: mainWindow.isHidden,
    beforeExit: () => {
      // The system's updater may end the process within it.
      crashHistory.end('clean')
      return updates.installAtEnd()
    },
  })
  void stopRequested.then(() => shutdown.end('asked over the contract'))
  void updates.attach({ station, isWindowHidden: mainWindow.isHidden, ...shutdown })

  const outsideLinks = installGuards(logger)
  serveScreens(station)
  /** Never rejects; a bug becomes a failure and is logged. */
  const answer = (name: string, input: unknown): Promise<Result<unknown>> =>
    answerCall(station.handlers, logger, name, input)
  const ownCalls = new Map<string, (input: unknown) => unknown>([
    [LANGUAGE_CALL, language.choose],
    [CHOOSE_CALL, (what) => choosePath(window, what)],
  ])
  serveCalls(ipcMain, withDesktopCalls(outsideLinks.remembering(answer), ownCalls))

  const explainClose = createCloseExplainer({
    path: join(userData, 'close-explained.json'),
    logger,
    explain: () => showCloseExplanation(texts()),
  })
  const window = mainWindow.open({ shutdown, onHidden: () => void explainClose() })
  recoverRenderer({
    window,
    clock,
    logger,
    shutdown,
    askToTryAgain: () => showScreensFailed(texts(), logFolder, window),
  })
  forwardEvents((listener) => station.on(listener), mainWindow.contents)
  watchPower({
    monitor: powerMonitor,
    window,
    logger,
    onResume: () => station.wakeUp(),
    markEnd: () => crashHistory.end('clean'),
    onShutdown: (reason) => void shutdown.end(reason),
  })
  const quit = (): void => void shutdown.askToQuit('asked in the tray')
  await startTray({
    station,
    answer,
    language,
    show: mainWindow.show,
    showRoute: mainWindow.showRoute,
    quit,
  })
  if (app.isPackaged) void startAtLogin.follow(station)
  void serveMetrics(station, logger)

  // After a start at login no one is there to read it; the log and the settings show the same.
  if (!isStartedHidden || setup.startAs === 'safe') void showManagedTrouble(station, texts)
}

/**
 * Opens the station, or null if a person would rather quit; rejects with a sentence for a person. Recovers only if a
 * person or the command line asks for it.
 */
export async function openDesktopStation(
  options: StationOptions,
  isRecovering: boolean,
  texts: () => HostTexts,
): Promise<Station | null> {
  try {
    if (!isRecovering)
      try {
        return await openStation(options)
      } catch (error) {
        if (!(error instanceof StorageError) || error.remedy !== 'recover') throw error
        if ((await askForRecovery(error, texts())) === 'quit') return null
      }
    const messages = await recoverOutbox(options.dataFolder, options.ports.clock.now())
    const station = await openStation(options)
    void showRecoveryResult(messages, texts())
    return station
  } catch (error) {
    if (!(error instanceof StorageError)) throw error
    throw new StorageError(texts().messageOf(error), { cause: error })
  }
}
