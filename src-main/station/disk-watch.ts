/** How much space the volume of the data folder has, and whether that is enough to take more in. */
import { statfs } from 'node:fs/promises'
import { SECOND } from '../../src-shared/durations.ts'
import { failureOf, type Failure } from '../../src-shared/failure.ts'
import type { StorageSettings } from '../../src-shared/settings.ts'
import { openLoop } from './loop.ts'
import type { Clock, Logger } from './ports.ts'

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

/** Bytes that this program may still write to the volume of a folder; null where it cannot be asked. */
export async function askFreeBytes(folder: string): Promise<number | null> {
  try {
    const { bavail, bsize } = await statfs(folder)
    return bavail * bsize
  } catch {
    return null
  }
}

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

export type DiskMonitorOptions = {
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
