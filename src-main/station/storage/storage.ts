/**
 * The station's storage: free space, the ballast, whether the outbox can be written, and the removal of images of
 * confirmed cases after their retention time.
 */
import { unlinkSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { errorCode } from '../lib/errors.ts'
import { askFreeBytes } from '../lib/files.ts'
import { createSignal } from '../lib/part.ts'
import { type Loop, openLoop } from '../lib/schedule.ts'
import type { StorageHooks, StorageState } from '../lib/storage-faults.ts'
import type { Outbox } from '../outbox/outbox.ts'
import type { Clock, Logger } from '../ports.ts'
import {
  createBallast,
  type DiskMonitor,
  isOutOfSpace,
  mayMakeBallast,
  openDiskMonitor,
  type SpaceReserve,
} from './disk.ts'
import { MINUTE } from '../../../src-shared/durations.ts'
import { type Failure, failureOf } from '../../../src-shared/failure.ts'
import type { StorageSettings } from '../../../src-shared/settings.ts'
import { worded } from '../../../src-shared/wording.ts'

export type StorageMonitor = {
  /** For the outbox: releases space and receives its state. */
  readonly hooks: StorageHooks
  /** For opening the outbox. */
  readonly reserve: SpaceReserve
  /** The failure to report; `others` is a failure of another part, used if there is nothing worse. */
  failure(others: Failure | null): Failure | null
  /** May work begin that will have to be written? */
  mayWrite(): boolean
  /** False after a disk failure, until the next start. */
  isHealthy(): boolean
  /** May a file of this size be ingested now? */
  mayIngest(fileBytes: number): Promise<boolean>
  /** How the disk is has changed. */
  onChange(listener: () => void): void
  /** The disk has failed: nothing is written any more. Emitted later than it happens, and once. */
  onBroken(listener: () => void): void
  /** There is space again: what waits for it may come. */
  onSpaceAgain(listener: () => void): void
  /** Begins to watch the disk, to keep the ballast as its setting says, and to remove what is kept long enough. */
  watch(options: WatchOptions): void
  /** Checks again after settings may have changed. */
  check(): void
  close(): Promise<void>
}

type WatchOptions = {
  readonly outbox: Outbox
  readonly spoolFolder: string
  readonly settings: () => StorageSettings
  /** May images be removed after their retention time now? */
  readonly mayRemove: () => boolean
}

export type StorageMonitorOptions = {
  readonly dataFolder: string
  readonly clock: Clock
  readonly logger: Logger
  /** Bytes that may still be written to the volume of the data folder; null if unknown. */
  readonly askFree?: ((folder: string) => Promise<number | null>) | undefined
}

/** Monitors nothing until `watch`; the hooks work at once. */
export function openStorageMonitor(options: StorageMonitorOptions): StorageMonitor {
  const { dataFolder, clock, logger, askFree = askFreeBytes } = options
  const ballast = createBallast(dataFolder)
  let state: StorageState = 'well'
  let disk: DiskMonitor | null = null
  let retention: Loop | null = null
  const changed = createSignal()
  const broken = createSignal()
  const spaceAgain = createSignal()

  const onState = (now: StorageState): void => {
    const before = state
    state = now
    switch (now) {
      case 'broken':
        logger.error('the outbox cannot be relied on; nothing is written any more until the next start')
        break
      case 'full':
        logger.error('the disk is full; nothing more can be written')
        break
      case 'well':
        logger.info('the outbox can be written again')
    }
    // This comes from amid a write, and those who hear of it want to read.
    queueMicrotask(() => {
      changed.emit()
      if (now === 'broken') broken.emit()
      if (now === 'well' && before === 'full') spaceAgain.emit()
    })
  }

  const adjustBallast = async (
    bytes: number,
    freeBytes: number | null,
    lowWaterBytes: number,
  ): Promise<void> => {
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
    hooks: { isOutOfSpace: () => isOutOfSpace(dataFolder), giveUpSpace: giveUp, onState },
    reserve: { giveUp, askFree: () => askFree(dataFolder) },
    failure: (others) => {
      if (state === 'broken') return failureOf('storage')
      if (state === 'full') return failureOf('diskLow', worded('outbox:disk.full'))
      return disk?.failure() ?? others
    },
    mayWrite: () => state === 'well',
    isHealthy: () => state !== 'broken',
    mayIngest: async (fileBytes) => state === 'well' && (disk === null || (await disk.mayIngest(fileBytes))),
    onChange: changed.subscribe,
    onBroken: broken.subscribe,
    onSpaceAgain: spaceAgain.subscribe,
    watch: (watchOptions) => {
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
          if (state === 'full') outbox.probeWrite(clock.now())
          const { ballastBytes, lowWaterBytes } = settings()
          await adjustBallast(ballastBytes, freeBytes, lowWaterBytes)
        },
      })
      const mayRemove = (): boolean => state === 'well' && watchOptions.mayRemove()
      retention = openRetention({ outbox, clock, logger, settings, spoolFolder, mayRemove })
    },
    check: () => disk?.check(),
    close: async () => {
      await Promise.all([disk?.close(), retention?.close()])
    },
  }
}

const DAY_MS = 24 * 60 * MINUTE

/** The first minutes after a start belong to the user. */
const FIRST_RUN_AFTER_MS = 5 * MINUTE

/** The rest of a large run follows soon. */
const NEXT_RUN_MS = MINUTE

const CASES_PER_RUN = 300

const FILES_PER_RUN = 1_000

/** Rows checked without a pause. */
const PAGE_SIZE = 200

/** Files deleted per commit. */
const BATCH_SIZE = 20

export type RetentionOptions = {
  readonly outbox: Outbox
  readonly clock: Clock
  readonly logger: Logger
  readonly settings: () => StorageSettings
  readonly spoolFolder: string
  /** May anything be removed now? Only if the clock is known to be right. Asked per case. */
  readonly mayRemove: () => boolean
}

type Removed = { readonly cases: number; readonly images: number; readonly isMore: boolean }

/** Runs shortly after the start and then daily; a changed setting applies to the next run. */
export function openRetention(options: RetentionOptions): Loop {
  const { clock, logger } = options
  // On the monotonic clock: a wall clock that was ahead for an hour would otherwise stop this for years.
  let dueMs = clock.monotonicMs() + FIRST_RUN_AFTER_MS
  const run = async (): Promise<number | null> => {
    const waitMs = dueMs - clock.monotonicMs()
    // A loop wakes more often than it is due.
    if (waitMs > 0) return clock.now() + waitMs
    if (!options.mayRemove()) return clock.now() + FIRST_RUN_AFTER_MS
    const removed = await removeImages(options)
    const deleted = await deleteLeftovers(options)
    const { cases, images } = removed
    const { files, remaining: left } = deleted
    if (images + files + left > 0)
      logger.info('images of confirmed cases removed', { cases, images, files, left })
    const pauseMs = removed.isMore || deleted.isMore ? NEXT_RUN_MS : DAY_MS
    dueMs = clock.monotonicMs() + pauseMs
    return clock.now() + pauseMs
  }
  return openLoop({ name: 'removing old images', clock, logger, run })
}

async function deleteLeftovers(
  options: RetentionOptions,
): Promise<{ files: number; remaining: number; isMore: boolean }> {
  const { outbox } = options
  let [files, left, after] = [0, 0, '']
  while (files + left < FILES_PER_RUN && options.mayRemove()) {
    const names = outbox.retention.leftoversAfter(after, BATCH_SIZE)
    const gone: string[] = []
    for (const name of names) {
      if (deleteUnlessNeeded(options, name)) gone.push(name)
      await setImmediate()
    }
    outbox.write(() => {
      for (const name of gone) outbox.retention.forgetLeftover(name)
    })
    files += gone.length
    left += names.length - gone.length
    const last = names.at(-1)
    if (last === undefined) return { files, remaining: left, isMore: false }
    after = last
  }
  return { files, remaining: left, isMore: true }
}

/** True if the file is gone, or stays because it is needed. */
function deleteUnlessNeeded({ outbox, spoolFolder }: RetentionOptions, spoolName: string): boolean {
  // Synchronous: nothing can start to need the file between the check and the deletion.
  if (outbox.retention.isSpoolFileNeeded(spoolName)) return true
  try {
    unlinkSync(join(spoolFolder, spoolName))
    return true
  } catch (error) {
    // Held by a scanner, or not deletable now: the next run tries again.
    return errorCode(error) === 'ENOENT'
  }
}

/** Marks the images of due cases as removed. Their files are deleted as leftovers afterwards. */
async function removeImages(options: RetentionOptions): Promise<Removed> {
  const { outbox, clock, settings } = options
  const { keepImagesDays } = settings()
  let [cases, images] = [0, 0]
  if (keepImagesDays === null) return { cases, images, isMore: false }
  const query = { confirmedBefore: clock.now() - keepImagesDays * DAY_MS, at: clock.now() }
  for (let after = 0; ;) {
    const found = outbox.retention.confirmedAfter({ ...query, after, limit: PAGE_SIZE })
    for (const { id, hasImages } of found) {
      if (hasImages !== 1) continue
      if (cases === CASES_PER_RUN || !options.mayRemove()) return { cases, images, isMore: true }
      const count = outbox.retention.removeImagesOf(id, query)
      cases += count > 0 ? 1 : 0
      images += count
      await setImmediate()
    }
    const last = found.at(-1)
    if (!last) return { cases, images, isMore: false }
    after = last.position
    await setImmediate()
  }
}
