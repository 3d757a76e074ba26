/** What begins, guards and ends the life of the app, wired to one another. */
import { app, powerSaveBlocker } from 'electron'
import type { StationStatus } from '../../src-shared/station-status.ts'
import type { Station } from '../station/api.ts'
import type { Clock, Logger } from '../station/ports.ts'
import { type CommandLine, relaunchArguments } from './command-line.ts'
import { catchBugs, type CrashHistory, recoverGpu } from './crash-history.ts'
import { confirmQuit } from './dialogs.ts'
import type { HostTexts } from './texts.ts'
import { preventSleepWhileSending } from './power.ts'
import { countPending, createShutdown, type Shutdown } from './shutdown.ts'

/** The pending cases of a station that cannot report its state: it must not prevent its own end. */
const NOTHING_PENDING = { count: 0, isSending: false }

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
  readonly texts: () => HostTexts
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
  preventSleepWhileSending(station, powerSaveBlocker)

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
