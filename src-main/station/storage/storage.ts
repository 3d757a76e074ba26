/** The station's storage: free space, the ballast, retention, and whether the outbox can be written. */
import { type Failure, failureOf } from '../../../src-shared/failure.ts'
import { worded } from '../../../src-shared/wording.ts'
import type { StorageSettings } from '../../../src-shared/settings.ts'
import type { StorageHooks, StorageState } from '../lib/storage-faults.ts'
import type { Loop } from '../lib/schedule.ts'
import { createSignal } from '../lib/part.ts'
import type { Outbox } from '../outbox/outbox.ts'
import type { Clock, Logger } from '../ports.ts'
import { askFreeBytes } from '../lib/files.ts'
import {
  createBallast,
  type DiskMonitor,
  isOutOfSpace,
  mayMakeBallast,
  openDiskMonitor,
  type SpaceReserve,
} from './disk.ts'
import { openRetention } from './retention.ts'

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
