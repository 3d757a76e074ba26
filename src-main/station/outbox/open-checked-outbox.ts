import { checkOutbox, type OutboxThread } from './ask-outbox-thread.ts'
import { openOutbox, type OpenOutbox } from './open-outbox.ts'
import type { StorageHooks } from './storage-faults.ts'

export type CheckedOutbox = Omit<OpenOutbox, 'close'> & {
  readonly dataFolder: string
  readonly thread: OutboxThread
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
  hooks?: StorageHooks,
): Promise<CheckedOutbox> {
  const checked = await checkOutbox(dataFolder, thread)
  const opened = openOutbox(dataFolder, onChanged, hooks, checked)
  return { ...opened, dataFolder, thread, close: () => Promise.resolve(opened.close()) }
}
