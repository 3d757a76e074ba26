import type { StationStatus } from '../../src-shared/station-status.ts'
import type { StorageKeeper } from './keep-storage.ts'
import { whereReadable } from './storage-failure.ts'

/** The status now; of an outbox that cannot be read any more, what was last known of it, with the trouble. */
export function lastKnown(
  read: () => StationStatus,
  storage: Pick<StorageKeeper, 'failure'>,
  now: () => number,
): () => StationStatus {
  let last: StationStatus | null = null
  return () => {
    const before = last
    last = null
    whereReadable(() => {
      last = read()
    })
    const found: StationStatus | null = last
    if (found !== null) return found
    // Nothing was read before either: there is nothing to fall back on.
    if (before === null) return read()
    last = before
    return { ...before, storage: storage.failure(before.storage), now: now() }
  }
}
