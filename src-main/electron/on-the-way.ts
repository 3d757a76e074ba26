import type { StationStatus } from '../../src-shared/station-status.ts'
import type { PendingCases } from './life.ts'

/** What would be left behind by an end now: cases that wait or are being sent, and whether they would go by themselves. Pure. */
export function countPending({
  mode,
  counts,
  service,
}: Pick<StationStatus, 'mode' | 'counts' | 'service'>): PendingCases {
  return {
    count: (counts.waiting ?? 0) + (counts.sending ?? 0),
    isSending: mode.kind === 'running' && service.health !== 'trouble',
  }
}
