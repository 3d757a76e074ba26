import { checkOutbox, sealOutbox, type OutboxThread } from './ask-outbox-thread.ts'
import { openOutbox, type OpenOutbox } from './open-outbox.ts'
import type { StorageCare } from './storage-faults.ts'

export type CheckedOutbox = Omit<OpenOutbox, 'close'> & {
  readonly dataFolder: string
  readonly thread: OutboxThread
  /**
   * Closes the outbox and seals it, which takes no longer than an end may take. One on which the disk has failed gets
   * no seal: the next start is to check all of it.
   */
  close(): Promise<void>
}

/**
 * Opens the outbox of a data folder once it was checked off the main thread.
 *
 * Throws a StorageError with a sentence where that cannot be done safely.
 */
export async function openCheckedOutbox(
  dataFolder: string,
  thread: OutboxThread,
  onChanged: (submissionIds: readonly string[]) => void,
  care?: StorageCare,
): Promise<CheckedOutbox> {
  const checked = await checkOutbox(dataFolder, thread)
  let hasFailed = false
  const watched: StorageCare = {
    isOutOfSpace: () => care?.isOutOfSpace() ?? false,
    giveUpSpace: () => care?.giveUpSpace() ?? false,
    onState: (state) => {
      hasFailed ||= state === 'broken'
      care?.onState(state)
    },
  }
  const opened = openOutbox(dataFolder, onChanged, watched, checked)
  return {
    ...opened,
    dataFolder,
    thread,
    close: async () => {
      opened.close()
      if (!hasFailed) await sealOutbox(dataFolder, thread)
    },
  }
}
