/** How much space the volume of the data folder has, and whether that is enough to take more in. */
import { randomFillSync } from 'node:crypto'
import { closeSync, fsyncSync, openSync, rmSync, statSync, truncateSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { SECOND } from '../../../src-shared/durations.ts'
import { type Failure, failureOf } from '../../../src-shared/failure.ts'
import type { StorageSettings } from '../../../src-shared/settings.ts'
import { isForLackOfSpace, isFullDisk } from '../lib/errors.ts'
import { openWithRetry, removeBestEffort } from '../lib/files.ts'
import { openLoop } from '../lib/schedule.ts'
import type { Clock, Logger } from '../ports.ts'

export type Space = 'enough' | 'low'

const CHECK_INTERVAL_MS = 30 * SECOND

/** A volume that does not answer is no reason to wait. */
const ANSWER_TIMEOUT_MS = 5 * SECOND

/** There is enough again only with a tenth more than what is too little, so that one file does not turn it back. */
const MARGIN = 1.1

/** What is smaller than this is taken in by what the last look saw, less what was taken in since. */
const LARGE_BYTES = 16 * 1_024 * 1_024

/** The copy, and the picture that is made of some. */
const COPIES_OF_A_FILE = 2

/** Is there enough space? A volume that cannot be asked changes nothing at first, and is no trouble. */
export function classifySpace(before: Space, freeBytes: number | null, lowWaterBytes: number): Space {
  if (freeBytes === null || freeBytes >= lowWaterBytes * MARGIN) return 'enough'
  return freeBytes < lowWaterBytes ? 'low' : before
}

/** Would one more file of this size leave enough? */
export function hasSpaceFor(fileBytes: number, freeBytes: number | null, lowWaterBytes: number): boolean {
  return freeBytes === null || freeBytes - COPIES_OF_A_FILE * fileBytes >= lowWaterBytes
}

/** The ballast takes its own space out of what lies above the mark, and never below it. */
export function mayMakeBallast(
  bytes: number,
  freeBytes: number | null,
  lowWaterBytes: number,
  heldBytes: number,
): boolean {
  return freeBytes !== null && freeBytes + heldBytes - bytes >= lowWaterBytes * MARGIN
}

const UNITS = ['bytes', 'KB', 'MB', 'GB', 'TB'] as const

/** As a person reads it: `812 MB`, `1.4 GB`. */
export function formatBytes(bytes: number): string {
  let [value, unit] = [Math.max(bytes, 0), 0]
  while (value >= 1_000 && unit < UNITS.length - 1) {
    value /= 1_024
    unit += 1
  }
  const digits = unit === 0 || value >= 10 ? 0 : 1
  return `${value.toFixed(digits)} ${UNITS[unit] ?? ''}`
}

export function lowSpaceFailure(freeBytes: number, lowWaterBytes: number): Failure {
  return failureOf('diskLow', {
    message: `Only ${formatBytes(freeBytes)} are free on the disk of the station, and it keeps ${formatBytes(lowWaterBytes)} free for the cases that are here. New images wait in the camera folder and are taken in by themselves when there is space; cases already here go on. Free some space on this computer.`,
  })
}

export type DiskMonitor = {
  space(): Space
  /** What to tell while there is too little; null where there is enough. */
  failure(): Failure | null
  /** May a file of this size be taken in now? Asks anew for a large one. */
  mayIngest(fileBytes: number): Promise<boolean>
  /** Looks at once: settings have changed, or the disk was found full. */
  check(): void
  close(): Promise<void>
}

type DiskMonitorOptions = {
  readonly clock: Clock
  readonly logger: Logger
  readonly settings: () => StorageSettings
  /** Bytes that may still be written; null where that cannot be said. */
  readonly askFree: () => Promise<number | null>
  readonly onChanged: (space: Space) => void
  /** After each look, with what it found. */
  readonly onChecked?: (freeBytes: number | null) => Promise<void> | void
}

/** Watches from now on. Until the first look has been answered there is taken to be enough. */
export function openDiskMonitor(options: DiskMonitorOptions): DiskMonitor {
  const { clock, logger, settings, onChanged } = options
  let space: Space = 'enough'
  let freeBytes: number | null = null
  /** All that was granted so far. What is granted while the disk is asked its answer does not show. */
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

  /** Known at once: a whole export is taken in between two looks. */
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
    space: () => space,
    failure: () =>
      space === 'low' && freeBytes !== null ? lowSpaceFailure(freeBytes, settings().lowWaterBytes) : null,
    mayIngest: async (fileBytes) => {
      const isLarge = fileBytes >= LARGE_BYTES
      if (isLarge) await checkNow()
      const hasSpace = (): boolean =>
        space === 'enough' && hasSpaceFor(fileBytes, freeBytes, settings().lowWaterBytes)
      // Less was written than was granted, perhaps: the disk knows.
      if (space === 'enough' && !isLarge && !hasSpace()) await checkNow()
      if (!hasSpace()) return false
      grant(COPIES_OF_A_FILE * fileBytes)
      return true
    },
    check: () => loop.wake(),
    close: () => loop.close(),
  }
}

// Does the volume still take anything? Only a write says so: where a quota is used up, it names free bytes nevertheless.

const PROBE_NAME = 'space-trial'

/** More than SQLite writes at once. */
const PROBE_BYTES = 65_536

/** True where a small file in the folder is refused for lack of space, and for nothing else. Blocks; never throws. */
export function isOutOfSpace(folder: string): boolean {
  const path = join(folder, PROBE_NAME)
  try {
    const file = openSync(path, 'w', 0o600)
    try {
      for (let left = PROBE_BYTES; left > 0;) left -= writeSync(file, Buffer.alloc(left, 1))
      // Some volumes find out only when it is flushed.
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
      // The next trial writes over it.
    }
  }
}

/** With less than this nothing that works with a database can be expected to. */
const MIN_USABLE_BYTES = 1_024 * 1_024

/** Opening what lies on a disk that is full. */
export type SpaceReserve = {
  /** Gives space up; false where there is none to give. */
  readonly giveUp: () => boolean
  /** Bytes that may still be written; null where that cannot be said. */
  readonly askFree: () => Promise<number | null>
}

/**
 * Opens; where that fails on a disk that is full, gives space up and opens once more. What another thread has thrown may
 * not say why any more, so the disk is asked, too. Throws what opening throws.
 */
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

/**
 * A file that is worth nothing but its space. When the disk is full it is given up, so that what is queued can still be
 * worked with: a decision, the outcome of an attempt. It is made again when there is space.
 */
type Ballast = {
  /** Gives its space up at once; false where there is none to give. Never throws. */
  giveUp(): boolean
  /** How many bytes it holds now. */
  sizeBytes(): number
  /** Makes it of this size, 0 for none; false where the disk refuses. It is given up while it is being made, too. */
  make(bytes: number): Promise<boolean>
}

/** The ballast of a data folder. Nothing is made yet. */
export function createBallast(dataFolder: string): Ballast {
  const path = join(dataFolder, BALLAST_NAME)
  /** Changes whenever the ballast is given up, so that who is making it notices. */
  let turn = 0

  const sizeBytes = (): number => statSync(path, { throwIfNoEntry: false })?.size ?? 0

  const giveUp = (): boolean => {
    turn += 1
    try {
      if (sizeBytes() === 0) return false
      // Its space is free once it is shorter, also where somebody holds the file itself.
      truncateSync(path, 0)
      rmSync(path, { force: true })
      return true
    } catch {
      return sizeBytes() === 0
    }
  }

  /** Written and not only declared: of random bytes, since a file system that packs or shares would keep no space. */
  const write = async (bytes: number): Promise<boolean> => {
    const mine = (turn += 1)
    const chunk = randomFillSync(Buffer.alloc(Math.min(CHUNK_BYTES, bytes)))
    const file = await openWithRetry(path, 'w', 0o600)
    try {
      for (let written = 0; written < bytes;) {
        // Not left at what it says: the space was wanted while this went on.
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
    make: async (bytes) => {
      if (sizeBytes() === bytes) return true
      let isMade = false
      try {
        isMade = bytes === 0 || (await write(bytes))
        return isMade
      } catch {
        return false
      } finally {
        // A part of it would be taken for less than there is.
        if (!isMade || bytes === 0) await removeBestEffort(path)
      }
    },
  }
}
