/** The disk of the data folder: its free space, a reserve file for when it is full, and the state of the outbox. */
import { randomFillSync } from 'node:crypto'
import { closeSync, fsyncSync, openSync, rmSync, statSync, truncateSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { SECOND } from '../../../src-shared/durations.ts'
import { type Failure, failureOf } from '../../../src-shared/failure.ts'
import { worded } from '../../../src-shared/wording.ts'
import type { StorageSettings } from '../../../src-shared/settings.ts'
import { errorName, isForLackOfSpace, isFullDisk } from '../lib/errors.ts'
import { askFreeBytes, openWithRetry, removeBestEffort } from '../lib/files.ts'
import { createSignal } from '../lib/part.ts'
import { limitedWaits, type Loop, openLoop } from '../lib/schedule.ts'
import { storageFailureOf, type StorageHooks, type StorageState } from '../lib/storage-faults.ts'
import type { Outbox } from '../outbox/outbox.ts'
import type { Clock, Logger } from '../ports.ts'
import { openRetention } from './retention.ts'

const CHECK_INTERVAL_MS = 30 * SECOND

/** A volume that does not answer must not block the station. */
const ANSWER_TIMEOUT_MS = 5 * SECOND

/** Space counts as sufficient again only ten percent above the limit, so that one file does not flip it back. */
const MARGIN = 1.1

/** The copy, and the converted picture that some images need. */
const COPIES_OF_A_FILE = 2

const UNITS = ['bytes', 'KB', 'MB', 'GB', 'TB'] as const

/** For people: `812 MB`, `1.4 GB`. */
function formatBytes(bytes: number): string {
  let [value, unit] = [Math.max(bytes, 0), 0]
  while (value >= 1_000 && unit < UNITS.length - 1) {
    value /= 1_024
    unit += 1
  }
  const digits = unit === 0 || value >= 10 ? 0 : 1
  return `${value.toFixed(digits)} ${UNITS[unit] ?? ''}`
}

const PROBE_NAME = 'space-trial'

/** More than SQLite writes at once. */
const PROBE_BYTES = 65_536

/** Is a small file refused for lack of space? With an exhausted quota, free bytes are reported nevertheless. Blocks. */
export function isOutOfSpace(folder: string): boolean {
  const path = join(folder, PROBE_NAME)
  try {
    const file = openSync(path, 'w', 0o600)
    try {
      for (let left = PROBE_BYTES; left > 0;) left -= writeSync(file, Buffer.alloc(left, 1))
      // Some volumes fail only on flush.
      fsyncSync(file)
    } finally {
      closeSync(file)
    }
    return false
  } catch (error) {
    return isFullDisk(error)
  } finally {
    try {
      rmSync(path, { force: true })
    } catch {
      // The next probe overwrites it.
    }
  }
}

/** With less than this, a database cannot be expected to work. */
const MIN_USABLE_BYTES = 1_024 * 1_024

/** Space that can be released so that files on a full disk can be opened. */
export type SpaceReserve = {
  /** Releases space; false if there is none. */
  readonly giveUp: () => boolean
  /** Bytes that may still be written; null if unknown. */
  readonly askFree: () => Promise<number | null>
}

/** Opens; on a full disk releases space and opens once more. The error of a thread may have lost its cause. */
export async function openWithSpace<Opened>(
  open: () => Opened | Promise<Opened>,
  space: SpaceReserve,
): Promise<Opened> {
  try {
    return await open()
  } catch (error) {
    const freeBytes = await space.askFree()
    const isFull = isForLackOfSpace(error) || (freeBytes !== null && freeBytes < MIN_USABLE_BYTES)
    if (!isFull || !space.giveUp()) throw error
    return open()
  }
}

const BALLAST_NAME = 'ballast'

const CHUNK_BYTES = 1_024 * 1_024

/** A file that only reserves space. Released when the disk is full, so that decisions and outcomes can be written. */
export function createBallast(dataFolder: string) {
  const path = join(dataFolder, BALLAST_NAME)
  /** Changes whenever the ballast is released, so that a creation in progress notices. */
  let turn = 0

  /** How many bytes it holds now. */
  const sizeBytes = (): number => statSync(path, { throwIfNoEntry: false })?.size ?? 0

  /** Releases its space at once; false if there is none. Never throws. */
  const giveUp = (): boolean => {
    turn += 1
    try {
      if (sizeBytes() === 0) return false
      // Truncating frees the space even if another program holds the file.
      truncateSync(path, 0)
      rmSync(path, { force: true })
      return true
    } catch {
      return sizeBytes() === 0
    }
  }

  /** Filled with random bytes: a file system that compresses or deduplicates would reserve no space otherwise. */
  const write = async (bytes: number): Promise<boolean> => {
    const mine = (turn += 1)
    const chunk = randomFillSync(Buffer.alloc(Math.min(CHUNK_BYTES, bytes)))
    const file = await openWithRetry(path, 'w', 0o600)
    try {
      for (let written = 0; written < bytes;) {
        // The space was needed meanwhile: stop.
        if (turn !== mine) return false
        const { bytesWritten } = await file.write(chunk, 0, Math.min(chunk.length, bytes - written), written)
        written += bytesWritten
      }
      await file.sync()
      return turn === mine
    } finally {
      await file.close()
    }
  }

  return {
    giveUp,
    sizeBytes,
    /** Gives it this size, 0 for none; false if the disk refuses, or if it is released meanwhile. */
    make: async (bytes: number): Promise<boolean> => {
      if (sizeBytes() === bytes) return true
      let isMade = false
      try {
        isMade = bytes === 0 || (await write(bytes))
        return isMade
      } catch {
        return false
      } finally {
        // A partial file would misstate the reserve.
        if (!isMade || bytes === 0) await removeBestEffort(path)
      }
    },
  }
}

type WatchOptions = {
  readonly outbox: Outbox
  /** See `OpenOutbox`. */
  readonly hasItsFiles: () => boolean
  readonly spoolFolder: string
  readonly thumbnailOf: (spoolName: string) => string
  readonly settings: () => StorageSettings
  /** May images be removed after their retention time now? */
  readonly mayRemove: () => boolean
}

export type StorageMonitor = ReturnType<typeof openStorageMonitor>

type StorageMonitorOptions = {
  readonly dataFolder: string
  readonly clock: Clock
  readonly logger: Logger
  /** Bytes that may still be written to the volume of the data folder; null if unknown. */
  readonly askFree?: ((folder: string) => Promise<number | null>) | undefined
}

/** Monitors nothing until `watch`; the hooks work at once. */
export function openStorageMonitor(options: StorageMonitorOptions) {
  const { dataFolder, clock, logger, askFree = askFreeBytes } = options
  const ballast = createBallast(dataFolder)
  const limited = limitedWaits(clock, ANSWER_TIMEOUT_MS)
  let state: StorageState = 'well'
  /** Enough until the first measurement. */
  let isLow = false
  /** A volume that cannot be measured, or does not answer, counts as one with enough space. */
  let freeBytes: number | null = null
  let settings: (() => StorageSettings) | null = null
  let loops: readonly Loop[] = []
  let retention: ReturnType<typeof openRetention> | null = null
  const changed = createSignal()
  /** The files of the outbox were removed or replaced. */
  let isDisplaced = false
  const broken = createSignal<[why: 'disk' | 'displaced']>()
  const spaceAgain = createSignal()

  const onState = (now: StorageState): void => {
    const before = state
    state = now
    if (now === 'well') logger.info('the outbox can be written again')
    else if (now === 'full') logger.error('the disk is full; nothing more can be written')
    else logger.error('the outbox cannot be relied on; nothing is written any more until the next start')
    // This comes from amid a write, and those who hear of it want to read.
    queueMicrotask(() => {
      changed.emit()
      if (now === 'broken') broken.emit(isDisplaced ? 'displaced' : 'disk')
      if (now === 'well' && before === 'full') spaceAgain.emit()
    })
  }

  const askInTime = (): Promise<number | null> =>
    limited(dataFolder, () => askFree(dataFolder)).catch(() => null)

  const measure = async ({ lowWaterBytes }: StorageSettings): Promise<void> => {
    freeBytes = await askInTime()
    const wasLow = isLow
    const limit = wasLow ? lowWaterBytes * MARGIN : lowWaterBytes
    isLow = freeBytes !== null && freeBytes < limit
    if (isLow === wasLow) return
    if (isLow) logger.warn('the disk is nearly full', { freeBytes })
    else logger.info('the disk has space again', { freeBytes })
    changed.emit()
    if (!isLow) spaceAgain.emit()
  }

  /** It uses only space above the limit. */
  const adjustBallast = async ({ ballastBytes: bytes, lowWaterBytes }: StorageSettings): Promise<void> => {
    const held = ballast.sizeBytes()
    if (state !== 'well' || held === bytes) return
    const isSpaceLeft = freeBytes !== null && freeBytes + held - bytes >= lowWaterBytes * MARGIN
    if (bytes < held || isSpaceLeft) await ballast.make(bytes)
  }

  const check = (): void => loops[0]?.wake()

  const giveUp = (): boolean => {
    const wasReleased = ballast.giveUp()
    if (wasReleased) logger.warn('the disk is full; the ballast was given up for the queue')
    check()
    return wasReleased
  }

  return {
    /** For the outbox: releases space and receives its state. */
    hooks: {
      isOutOfSpace: () => isOutOfSpace(dataFolder),
      giveUpSpace: giveUp,
      onState,
      onFollowingFailed: (error) => {
        // Trouble of the storage is reported by its state.
        if (storageFailureOf(error) === null)
          logger.error('what follows a change failed', { error: errorName(error) })
      },
    } satisfies StorageHooks,
    /** For opening the outbox. */
    reserve: { giveUp, askFree: () => askFree(dataFolder) } satisfies SpaceReserve,
    /** The bytes that are free now; null if the volume does not answer in time. */
    freeBytes: askInTime,
    /** The failure to report; `others` is a failure of another part, used if there is nothing worse. */
    failure: (others: Failure | null): Failure | null => {
      if (state === 'broken')
        return failureOf('storage', isDisplaced ? worded('outbox:disk.displaced') : undefined)
      if (state === 'full') return failureOf('diskLow', worded('outbox:disk.full'))
      if (!isLow || freeBytes === null || settings === null) return others
      const values = { free: formatBytes(freeBytes), reserve: formatBytes(settings().lowWaterBytes) }
      return failureOf('diskLow', worded('outbox:disk.low', values))
    },
    /** May work begin that will have to be written? */
    mayWrite: () => state === 'well',
    /** False after a disk failure, until the next start. */
    isHealthy: () => state !== 'broken',
    /** May a file of this size be ingested now? Its copies must leave enough space. */
    mayIngest: async (fileBytes: number): Promise<boolean> => {
      if (state !== 'well' || settings === null) return state === 'well'
      const current = settings()
      await measure(current)
      return (
        !isLow && (freeBytes === null || freeBytes - COPIES_OF_A_FILE * fileBytes >= current.lowWaterBytes)
      )
    },
    /** How the disk is has changed. */
    onChange: changed.subscribe,
    /** The disk has failed: nothing is written any more. Emitted later than it happens, and once. */
    onBroken: broken.subscribe,
    /** There is space again: what waits for it may come. */
    onSpaceAgain: spaceAgain.subscribe,
    /** Begins to watch the disk, to keep the ballast as its setting says, and to remove what is kept long enough. */
    watch: (watched: WatchOptions): void => {
      const { outbox } = watched
      settings = watched.settings
      const run = async (): Promise<number> => {
        await measure(watched.settings())
        if (state !== 'broken' && !watched.hasItsFiles()) isDisplaced = true
        if (state === 'full') outbox.tryWrite(clock.now())
        await adjustBallast(watched.settings())
        return clock.now() + CHECK_INTERVAL_MS
      }
      const mayRemove = (): boolean => state === 'well' && watched.mayRemove()
      retention = openRetention({ ...watched, clock, logger, mayRemove })
      loops = [openLoop({ name: 'watching the disk', clock, logger, run }), retention]
    },
    /** Deletes at once the files that nothing needs any more. */
    deleteLeftovers: (): Promise<void> => retention?.deleteNow() ?? Promise.resolve(),
    /** Measures at once: settings may have changed. */
    check,
    close: async (): Promise<void> => {
      await Promise.all(loops.map((loop) => loop.close()))
    },
  }
}
