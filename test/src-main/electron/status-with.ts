import { failureOf } from '../../../src-shared/failure.ts'
import { SUBMISSION_STATES } from '../../../src-shared/states.ts'
import type { StationStatus } from '../../../src-shared/station-status.ts'

/** Nine in the morning of the computer that runs the test. */
export const NINE = new Date(2026, 10, 21, 9).getTime()

export const NO_COUNTS = Object.fromEntries(
  SUBMISSION_STATES.map((state) => [state, 0]),
) as StationStatus['counts']

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
  path: '/camera',
  health,
  since: NINE,
  lastSweepAt: null,
  lastImageAt: null,
  guard: 'guarded' as const,
  existingCount: 0,
  failure: null,
  notes: [],
})

/** A station that runs and has nothing to do, but for what is said. */
export function statusWith(
  changes: Partial<Omit<StationStatus, 'counts'>> & {
    readonly counts?: Partial<StationStatus['counts']>
  } = {},
): StationStatus {
  return {
    version: '1.2.3',
    host: 'electron',
    mode: { kind: 'running' },
    folders: [],
    service: { ...TROUBLE, health: 'reachable', failure: null },
    centerId: null,
    patientList: { kind: 'off', patients: 0, message: null, readAt: null },
    reportsUnread: 0,
    lastSentAt: null,
    storage: null,
    clock: null,
    alarms: [],
    namesRule: 'known',
    now: NINE,
    ...changes,
    counts: { ...NO_COUNTS, ...changes.counts },
  }
}
