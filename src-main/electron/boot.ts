/** Opens the station and puts the parts of the host around it. Nothing here decides; it introduces, a line a part. */
import { release, uptime, version } from 'node:os'
import { join } from 'node:path'
import {
  app,
  type BrowserWindow,
  ipcMain,
  powerMonitor,
  powerSaveBlocker,
  safeStorage,
  session,
} from 'electron'
import type { DesktopRoute } from '../../src-shared/desktop.ts'
import { SECOND } from '../../src-shared/durations.ts'
import type { Result } from '../../src-shared/failure.ts'
import type { StationStatus } from '../../src-shared/station-status.ts'
import type { Station, StationOptions } from '../station/api.ts'
import { answerCall } from '../station/calls/calls.ts'
import { StorageError } from '../station/lib/errors.ts'
import { openStation } from '../station/station.ts'
import { recoverOutbox } from '../station/outbox/recovery/recover.ts'
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
import type { ConfigFile } from '../station/settings/config-file.ts'
import type { ManagedSetup } from '../station/settings/policy.ts'
import { serveScreens, workerUrl } from './app-protocol.ts'
import { type CommandLine, readCommandLine } from './command-line.ts'
import {
  catchBugs,
  type CrashHistory,
  openCrashHistory,
  recoverGpu,
  waitAfterCrash,
} from './crash-history.ts'
import { chooseDataFolder, isWritableFolder, machineProgramData } from './data-folder.ts'
import {
  askForRecovery,
  confirmQuit,
  createCloseExplainer,
  showCloseExplanation,
  showManagedTrouble,
  showRecoveryResult,
  showScreensFailed,
} from './dialogs.ts'
import { createRouteSender, forwardEvents, serveCalls, withDesktopCalls } from './ipc.ts'
import { type HostWords, onSecondStart, openLanguageSetting } from './language-setting.ts'
import { openLogFile, readRecentLog } from './log.ts'
import { readManagedSetup } from './managed-setup.ts'
import { keepAwakeWhileSending, watchPower } from './power.ts'
import { systemProxies } from './proxies.ts'
import { recoverRenderer, recoveryPage } from './renderer-recovery.ts'
import { createSecrets } from './secrets.ts'
import { countPending, createShutdown, type Shutdown } from './shutdown.ts'
import { createStartAtLogin, wasOpenedAtLogin } from './start-at-login.ts'
import { createNotifier } from './taskbar.ts'
import { saidAtStart } from './texts.ts'
import { startTray } from './tray.ts'
import { startUpdates } from './updates/begin-updates.ts'
import { installGuards, requireSandbox } from './window-security.ts'
import { restoreWindow, showWindow } from './window.ts'

/**
 * The words for the next start. A recovery was for this start only, and so is safe mode once somebody has left it: else
 * nothing would be sent any more after the next bug, unseen. A window that was out of sight stays so: nobody expects one
 * to open by itself beside a patient. Pure.
 */
export function relaunchArguments(
  args: readonly string[],
  { isHidden, isSafe = false, add = [] }: { isHidden: boolean; isSafe?: boolean; add?: readonly string[] },
): string[] {
  const dropped = ['--recover', '--hidden', ...(isSafe ? [] : ['--safe-mode']), ...add]
  return [...args.filter((arg) => !dropped.includes(arg)), ...(isHidden ? ['--hidden'] : []), ...add]
}

/** Of a station that cannot even say how it is: nobody is kept from ending it. */
const NOTHING_PENDING = { count: 0, isSending: false }

/** Introduces what begins, guards and ends the life of the app to one another. */
export type DesktopShutdown = Shutdown & {
  /** Are there screens only now? */
  isSafe(): boolean
  /** Starts the app again, as it is now, once it has ended. */
  restart(): void
}

export function openDesktopShutdown(options: {
  readonly station: Station
  readonly clock: Clock
  readonly logger: Logger
  readonly crashHistory: CrashHistory
  readonly commandLine: CommandLine
  readonly startAs: 'working' | 'safe'
  readonly texts: () => HostWords
  readonly isWindowHidden: () => boolean
  /** What is to be done last, once the station has stopped. */
  readonly beforeExit: () => Promise<void>
}): DesktopShutdown {
  const { station, clock, logger, crashHistory, commandLine, startAs, texts, isWindowHidden } = options
  let isSafe = startAs === 'safe'
  const shutdown = createShutdown({
    app,
    clock,
    logger,
    stopStation: () => station.stop(),
    pendingCases: () =>
      station.handlers['station.status']({}).then(
        (status) => (status.ok ? countPending(status.value) : NOTHING_PENDING),
        () => NOTHING_PENDING,
      ),
    askToQuit: (pending) => confirmQuit(pending, texts()),
    beforeExit: options.beforeExit,
    onEnded: (exitCode) => {
      if (exitCode === 0) crashHistory.end('clean')
    },
  })
  const update = (status: StationStatus): void => {
    // The end of a station says nothing of how the next one is to begin.
    if (status.mode.kind !== 'stopping' && status.mode.kind !== 'stopped')
      isSafe = status.mode.kind === 'paused' && status.mode.why === 'safeMode'
    shutdown.pendingChanged(countPending(status).count)
  }
  station.on((event) => {
    if (event.name === 'stationChanged') update(event.payload)
  })
  keepAwakeWhileSending(station, powerSaveBlocker)

  const relaunch = (add: readonly string[]): void =>
    app.relaunch({
      args: relaunchArguments(process.argv.slice(1), { isHidden: isWindowHidden(), isSafe, add }),
    })
  catchBugs({
    process,
    logger,
    isSafe: () => isSafe,
    recordCrash: () => crashHistory.end('crash'),
    end: (reason, exitCode) => shutdown.end(reason, exitCode),
    relaunch: () => relaunch([]),
  })
  recoverGpu({
    app,
    clock,
    logger,
    isEnding: () => !shutdown.isRunning() || shutdown.isSessionEnding(),
    isGpuDisabled: commandLine.isGpuDisabled,
    restartWithoutGpu: () => {
      relaunch(['--disable-gpu'])
      void shutdown.end('the graphics card is left out')
    },
  })
  return { ...shutdown, isSafe: () => isSafe, restart: () => relaunch([]) }
}

// What Electron lends the station.

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

/** Where the outbox is lost or damaged, a person decides whether it is built anew; nothing is done without asking. */
export type OpenOrRecover = {
  open(): Promise<Station>
  /** Builds the outbox anew; says in sentences what was done. */
  recover(): Promise<readonly string[]>
  /** Asks a person, who reads the sentence. */
  ask(message: string): Promise<'recover' | 'quit'>
  /** Shows what was done; nobody waits until it was read. */
  showResult(sentences: readonly string[]): void
}

/** Opens the station, or null where a person would rather quit. Rejects where recovery cannot help, too. */
export async function openOrRecover(options: OpenOrRecover): Promise<Station | null> {
  try {
    return await options.open()
  } catch (error) {
    if (!(error instanceof StorageError) || error.remedy !== 'recover') throw error
    if ((await options.ask(error.message)) === 'quit') return null
  }
  return recoverAndOpen(options)
}

/** Recovers first, as the command line asked. */
export async function recoverAndOpen(options: Omit<OpenOrRecover, 'ask'>): Promise<Station> {
  const sentences = await options.recover()
  const station = await options.open()
  options.showResult(sentences)
  return station
}

/** Opens the station of the desktop, or null where a person would rather quit; rejects with a sentence for a person. */
export async function openDesktopStation(options: {
  readonly dataFolder: string
  readonly config: ConfigFile | null
  readonly managed: ManagedSetup
  readonly ports: Ports
  readonly isRecovering: boolean
  readonly startAs: NonNullable<StationOptions['startAs']>
  readonly texts: () => HostWords
  readonly onStopRequested: () => void
}): Promise<Station | null> {
  const { dataFolder, config, managed, ports, startAs, texts, onStopRequested } = options
  const translate = (message: string): string => saidAtStart(message, texts().language)
  const steps = {
    open: () => openStation({ dataFolder, config, managed, ports, startAs, onStopRequested }),
    recover: () => recoverOutbox(dataFolder, ports.clock.now()),
    ask: (message: string) => askForRecovery(translate(message), texts().recovery),
    showResult: (sentences: readonly string[]) =>
      void showRecoveryResult(sentences.map(translate), texts().recovery),
  }
  try {
    return await (options.isRecovering ? recoverAndOpen(steps) : openOrRecover(steps))
  } catch (error) {
    if (!(error instanceof StorageError)) throw error
    throw new StorageError(translate(error.message), { cause: error })
  }
}

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
