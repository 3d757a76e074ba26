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
import { type Loop, openLoop } from '../lib/schedule.ts'
import { storageFailureOf, type StorageHooks, type StorageState } from '../lib/storage-faults.ts'
import type { Outbox } from '../outbox/outbox.ts'
import type { Clock, Logger } from '../ports.ts'
import { openRetention } from './retention.ts'

export type Space = 'enough' | 'low'

const CHECK_INTERVAL_MS = 30 * SECOND

/** A volume that does not answer must not block the station. */
const ANSWER_TIMEOUT_MS = 5 * SECOND

/** Space counts as sufficient again only ten percent above the limit, so that one file does not flip it back. */
const MARGIN = 1.1

/** Smaller files are checked against the last measurement minus what was ingested since. */
const LARGE_BYTES = 16 * 1_024 * 1_024

/** The copy, and the converted picture that some images need. */
const COPIES_OF_A_FILE = 2

/** Classifies free space. A volume that cannot be measured counts as sufficient. */
export function classifySpace(before: Space, freeBytes: number | null, lowWaterBytes: number): Space {
  if (freeBytes === null || freeBytes >= lowWaterBytes * MARGIN) return 'enough'
  return freeBytes < lowWaterBytes ? 'low' : before
}

/** True if one more file of this size leaves enough space. */
export function hasSpaceFor(fileBytes: number, freeBytes: number | null, lowWaterBytes: number): boolean {
  return freeBytes === null || freeBytes - COPIES_OF_A_FILE * fileBytes >= lowWaterBytes
}

/** The ballast uses only space above the limit. */
export function mayMakeBallast(
  bytes: number,
  freeBytes: number | null,
  lowWaterBytes: number,
  heldBytes: number,
): boolean {
  return freeBytes !== null && freeBytes + heldBytes - bytes >= lowWaterBytes * MARGIN
}

const UNITS = ['bytes', 'KB', 'MB', 'GB', 'TB'] as const

/** For people: `812 MB`, `1.4 GB`. */
export function formatBytes(bytes: number): string {
  let [value, unit] = [Math.max(bytes, 0), 0]
  while (value >= 1_000 && unit < UNITS.length - 1) {
    value /= 1_024
    unit += 1
  }
  const digits = unit === 0 || value >= 10 ? 0 : 1
  return `${value.toFixed(digits)} ${UNITS[unit] ?? ''}`
}

type DiskMonitorOptions = {
  readonly clock: Clock
  readonly logger: Logger
  readonly settings: () => StorageSettings
  /** Bytes that may still be written; null if unknown. */
  readonly askFree: () => Promise<number | null>
  readonly onChanged: (space: Space) => void
  /** After each measurement, with its result. */
  readonly onChecked?: (freeBytes: number | null) => Promise<void> | void
}

/** Starts monitoring. Space counts as sufficient until the first measurement. */
export function openDiskMonitor(options: DiskMonitorOptions) {
  const { clock, logger, settings, onChanged } = options
  let space: Space = 'enough'
  let freeBytes: number | null = null
  /** Total bytes granted. A measurement in progress does not include concurrent grants. */
  let grantedBytes = 0

  const ask = async (): Promise<number | null> => {
    const timeout = Promise.withResolvers<null>()
    const cancel = clock.after(ANSWER_TIMEOUT_MS, () => timeout.resolve(null))
    try {
      return await Promise.race([options.askFree(), timeout.promise])
    } finally {
      cancel()
    }
  }

  const checkNow = async (): Promise<void> => {
    const grantedBefore = grantedBytes
    const answered = await ask()
    freeBytes = answered === null ? null : answered - (grantedBytes - grantedBefore)
    const before = space
    space = classifySpace(before, freeBytes, settings().lowWaterBytes)
    if (space === before) return
    if (space === 'low') logger.warn('the disk is nearly full', { freeBytes })
    else logger.info('the disk has space again', { freeBytes })
    onChanged(space)
  }

  /** Counted at once: a whole export is ingested between two measurements. */
  const grant = (bytes: number): void => {
    grantedBytes += bytes
    if (freeBytes !== null) freeBytes -= bytes
  }

  const loop = openLoop({
    name: 'watching the disk',
    clock,
    logger,
    run: async () => {
      await checkNow()
      await options.onChecked?.(freeBytes)
      return clock.now() + CHECK_INTERVAL_MS
    },
  })

  return {
    /** The failure to report while space is low; null if there is enough. */
    failure: (): Failure | null => {
      if (space !== 'low' || freeBytes === null) return null
      const values = { free: formatBytes(freeBytes), reserve: formatBytes(settings().lowWaterBytes) }
      return failureOf('diskLow', worded('outbox:disk.low', values))
    },
    /** True if a file of this size may be ingested now. Measures again for a large one. */
    mayIngest: async (fileBytes: number): Promise<boolean> => {
      const isLarge = fileBytes >= LARGE_BYTES
      if (isLarge) await checkNow()
      const hasSpace = (): boolean =>
        space === 'enough' && hasSpaceFor(fileBytes, freeBytes, settings().lowWaterBytes)
      // Possibly less was written than granted, so measure again.
      if (space === 'enough' && !isLarge && !hasSpace()) await checkNow()
      if (!hasSpace()) return false
      grant(COPIES_OF_A_FILE * fileBytes)
      return true
    },
    /** Measures at once: settings have changed, or the disk was found full. */
    check: () => loop.wake(),
    close: () => loop.close(),
  }
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
  readonly spoolFolder: string
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
  let state: StorageState = 'well'
  let disk: ReturnType<typeof openDiskMonitor> | null = null
  let retention: Loop | null = null
  const changed = createSignal()
  const broken = createSignal()
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
      if (now === 'broken') broken.emit()
      if (now === 'well' && before === 'full') spaceAgain.emit()
    })
  }

  const adjustBallast = async (freeBytes: number | null, settings: StorageSettings): Promise<void> => {
    const { ballastBytes: bytes, lowWaterBytes } = settings
    const held = ballast.sizeBytes()
    if (state !== 'well' || held === bytes) return
    if (bytes < held || mayMakeBallast(bytes, freeBytes, lowWaterBytes, held)) await ballast.make(bytes)
  }

  const giveUp = (): boolean => {
    const wasReleased = ballast.giveUp()
    if (wasReleased) logger.warn('the disk is full; the ballast was given up for the queue')
    disk?.check()
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
    /** The failure to report; `others` is a failure of another part, used if there is nothing worse. */
    failure: (others: Failure | null): Failure | null => {
      if (state === 'broken') return failureOf('storage')
      if (state === 'full') return failureOf('diskLow', worded('outbox:disk.full'))
      return disk?.failure() ?? others
    },
    /** May work begin that will have to be written? */
    mayWrite: () => state === 'well',
    /** False after a disk failure, until the next start. */
    isHealthy: () => state !== 'broken',
    /** May a file of this size be ingested now? */
    mayIngest: async (fileBytes: number): Promise<boolean> =>
      state === 'well' && (disk === null || (await disk.mayIngest(fileBytes))),
    /** How the disk is has changed. */
    onChange: changed.subscribe,
    /** The disk has failed: nothing is written any more. Emitted later than it happens, and once. */
    onBroken: broken.subscribe,
    /** There is space again: what waits for it may come. */
    onSpaceAgain: spaceAgain.subscribe,
    /** Begins to watch the disk, to keep the ballast as its setting says, and to remove what is kept long enough. */
    watch: (watchOptions: WatchOptions): void => {
      const { outbox, spoolFolder, settings } = watchOptions
      disk = openDiskMonitor({
        clock,
        logger,
        settings,
        askFree: () => askFree(dataFolder),
        onChanged: (space) => {
          changed.emit()
          if (space === 'enough') spaceAgain.emit()
        },
        onChecked: async (freeBytes) => {
          if (state === 'full') outbox.tryWrite(clock.now())
          await adjustBallast(freeBytes, settings())
        },
      })
      const mayRemove = (): boolean => state === 'well' && watchOptions.mayRemove()
      retention = openRetention({ outbox, clock, logger, settings, spoolFolder, mayRemove })
    },
    /** Checks again after settings may have changed. */
    check: () => disk?.check(),
    close: async (): Promise<void> => {
      await Promise.all([disk?.close(), retention?.close()])
    },
  }
}
