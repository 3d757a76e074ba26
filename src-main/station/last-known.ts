import type { StationStatus } from '../../src-shared/station-status.ts'
import type { StorageMonitor } from './keep-storage.ts'
import { ignoringStorageErrors } from './storage-failure.ts'

/** The status now; of an outbox that cannot be read any more, what was last known of it, with the trouble. */
export function cachedStatus(
  read: () => StationStatus,
  storage: Pick<StorageMonitor, 'failure'>,
  now: () => number,
): () => StationStatus {
  let last: StationStatus | null = null
  return () => {
    const cached = last
    last = null
    ignoringStorageErrors(() => {
      last = read()
    })
    const fresh: StationStatus | null = last
    if (fresh !== null) return fresh
    // Nothing was read before either: there is nothing to fall back on.
    if (cached === null) return read()
    last = cached
    return { ...cached, storage: storage.failure(cached.storage), now: now() }
  }
}
