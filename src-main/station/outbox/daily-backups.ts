/** Puts the daily backups of a data folder together: the outbox that is open, and the thread that checks copies of it. */
import { statSync } from 'node:fs'
import type { Failure } from '../../../src-shared/failure.ts'
import type { Settings } from '../../../src-shared/settings.ts'
import type { Clock } from '../ports.ts'
import { askOutboxThread } from './ask-outbox-thread.ts'
import { backupsFolderIn } from './backup-files.ts'
import { heedFindings } from './check-rows.ts'
import { openBackups, type Backups } from './backup-outbox.ts'
import type { CheckedOutbox } from './open-checked-outbox.ts'
import { databasePathIn } from './open-outbox.ts'

export type DailyBackups = Backups & {
  /** Why the latest backup could not be made, or null. */
  trouble(): Failure | null
}

export function openDailyBackups(options: {
  readonly opened: Pick<CheckedOutbox, 'outbox' | 'copyTo' | 'dataFolder' | 'thread'>
  readonly clock: Clock
  readonly settings: () => Pick<Settings, 'storage'>
  /** The trouble has come or gone. */
  readonly onTrouble: () => void
}): DailyBackups {
  const { dataFolder, thread, copyTo } = options.opened
  let trouble: Failure | null = null
  const backups = openBackups({
    folder: backupsFolderIn(dataFolder),
    clock: options.clock,
    logger: thread.logger,
    copyTo,
    finishCopy: async (path, at, signal) => {
      const found = await askOutboxThread(thread.workerUrl, { kind: 'finishCopy', path, at }, signal)
      heedFindings(options.opened.outbox, found, options.clock.now())
    },
    sizeBytes: () => statSync(databasePathIn(dataFolder)).size,
    reserveBytes: () => options.settings().storage.lowWaterBytes,
    onTrouble: (failure) => {
      trouble = failure
      options.onTrouble()
    },
  })
  return { ...backups, trouble: () => trouble }
}
