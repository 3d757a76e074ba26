/** Introduces what begins, guards and ends the life of the app to one another. */
import { app, powerSaveBlocker } from 'electron'
import type { StationStatus } from '../../src-shared/station-status.ts'
import type { Clock, Logger } from '../station/ports.ts'
import type { Station } from '../station/station-api.ts'
import { catchBugs } from './bug-catcher.ts'
import type { CommandLine } from './command-line.ts'
import { recoverGpu } from './gpu-recovery.ts'
import { keepAwakeWhileSending } from './keep-awake.ts'
import { askWhetherToQuit } from './life-dialogs.ts'
import { beginLife, type Life } from './life.ts'
import { onTheWayOf } from './on-the-way.ts'
import { wordsForRelaunch } from './relaunch.ts'
import type { RunBook } from './run-book.ts'
import type { HostWords } from './words/host-words.ts'

/** Of a station that cannot even say how it is: nobody is kept from ending it. */
const NOTHING_KNOWN = { count: 0, isSending: false }

export type DesktopLife = Life & {
  /** Are there screens only now? */
  isSafe(): boolean
  /** Starts the app again, as it is now, once it has ended. */
  comeBack(): void
}

export function beginDesktopLife(given: {
  readonly station: Station
  readonly clock: Clock
  readonly logger: Logger
  readonly runs: RunBook
  readonly commandLine: CommandLine
  readonly startAs: 'working' | 'safe'
  readonly words: () => HostWords
  readonly isWindowHidden: () => boolean
  /** What is to be done last, once the station has stopped. */
  readonly lastly: () => Promise<void>
}): DesktopLife {
  const { station, clock, logger, runs, commandLine, startAs, words, isWindowHidden } = given
  let isSafe = startAs === 'safe'
  const life = beginLife({
    app,
    clock,
    logger,
    stopStation: () => station.stop(),
    onTheWay: () =>
      station.handlers['station.status']({}).then(
        (status) => (status.ok ? onTheWayOf(status.value) : NOTHING_KNOWN),
        () => NOTHING_KNOWN,
      ),
    ask: (onTheWay) => askWhetherToQuit(onTheWay, words()),
    lastly: given.lastly,
    onEnded: (exitCode) => {
      if (exitCode === 0) runs.end('clean')
    },
  })
  const look = (status: StationStatus): void => {
    // The end of a station says nothing of how the next one is to begin.
    if (status.mode.kind !== 'stopping' && status.mode.kind !== 'stopped')
      isSafe = status.mode.kind === 'paused' && status.mode.why === 'safeMode'
    life.countChanged(onTheWayOf(status).count)
  }
  station.on((event) => {
    if (event.name === 'stationChanged') look(event.payload)
  })
  keepAwakeWhileSending(station, powerSaveBlocker)

  const startAgain = (add: readonly string[]): void =>
    app.relaunch({
      args: wordsForRelaunch(process.argv.slice(1), { isHidden: isWindowHidden(), isSafe, add }),
    })
  catchBugs({
    process,
    logger,
    isSafe: () => isSafe,
    mark: () => runs.end('crash'),
    end: (reason, exitCode) => life.end(reason, exitCode),
    relaunch: () => startAgain([]),
  })
  recoverGpu({
    app,
    clock,
    logger,
    isEnding: () => !life.isRunning() || life.isSessionEnding(),
    isGpuDisabled: commandLine.isGpuDisabled,
    restartWithoutGpu: () => {
      startAgain(['--disable-gpu'])
      void life.end('the graphics card is left out')
    },
  })
  return { ...life, isSafe: () => isSafe, comeBack: () => startAgain([]) }
}
