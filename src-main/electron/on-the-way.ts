import type { StationStatus } from '../../src-shared/station-status.ts'
import type { OnTheWay } from './life.ts'

/** What would be left behind by an end now: cases that wait or are being sent, and whether they would go by themselves. Pure. */
export function onTheWayOf({
  mode,
  counts,
  service,
}: Pick<StationStatus, 'mode' | 'counts' | 'service'>): OnTheWay {
  return {
    count: (counts.waiting ?? 0) + (counts.sending ?? 0),
    isSending: mode.kind === 'running' && service.health !== 'trouble',
  }
}
