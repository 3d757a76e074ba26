import { failureOf } from '../../../src-shared/failure.ts'
import type { StationStatus } from '../../../src-shared/station-status.ts'
import { countsOf, syntheticStatus, WATCHED_FOLDER } from '../../src-renderer/synthetic-submission.ts'

/** Nine in the morning of the computer that runs the test. */
export const NINE = new Date(2026, 10, 21, 9).getTime()

export const TROUBLE: StationStatus['service'] = {
  health: 'trouble',
  since: NINE,
  failure: failureOf('offline'),
  nextTryAt: null,
  lastSuccessAt: null,
}

export const paused = (
  why: Extract<StationStatus['mode'], { kind: 'paused' }>['why'],
  until: number | null = null,
): StationStatus['mode'] => ({ kind: 'paused', why, until })

export const ALARM: StationStatus['alarms'][number] = {
  id: 'a1',
  kind: 'twoCasesOneReference',
  submissionId: 's1',
  reference: 'FC7K3M9QXAW',
  caseIds: ['1', '2'],
  message: 'Two.',
  raisedAt: NINE,
}

export const folder = (health: StationStatus['folders'][number]['health']) => ({
  ...WATCHED_FOLDER,
  health,
  since: NINE,
})

/** A station that runs and has nothing to do, but for what is said. */
export function statusWith({
  counts,
  ...changes
}: Partial<Omit<StationStatus, 'counts'>> & {
  readonly counts?: Partial<StationStatus['counts']>
} = {}): StationStatus {
  return syntheticStatus({ host: 'electron', now: NINE, ...changes, counts: countsOf(counts) })
}
