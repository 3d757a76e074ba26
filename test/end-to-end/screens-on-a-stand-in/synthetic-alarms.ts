/** Alarms as a station raises them, and a delivery that is doubtful in every way. */
import type { SubmissionDetails } from '../../../src-shared/submission.ts'
import { evidence } from './make-submission.ts'
import type { Alarm } from '../../../src-shared/alarm.ts'
import { MINUTE } from '../../../src-shared/durations.ts'

export function syntheticAlarms(now: number): Alarm[] {
  return [
    {
      id: 'al1',
      kind: 'twoCasesOneReference',
      submissionId: 's30',
      reference: 'FC7K3M9QXAW',
      caseIds: ['88390', '88397'],
      message:
        'The service holds two cases with the reference of this one, so the visit may be read twice. Nothing was sent again by the station. Ask the service to remove one of the two.',
      raisedAt: now - 3 * MINUTE,
    },
    {
      id: 'al2',
      kind: 'outboxRestored',
      submissionId: null,
      reference: null,
      caseIds: [],
      message:
        'The outbox was rebuilt from the stored images. Cases that may have been sent since then wait under Check delivery; look for each of them at the service.',
      raisedAt: now - 90 * MINUTE,
    },
  ]
}

/** Evidence of every kind that speaks against sending again. */
export function doubtfulDelivery(now: number): Pick<SubmissionDetails, 'evidence' | 'notBefore'> {
  return {
    notBefore: now + 12 * MINUTE,
    evidence: [
      evidence('d1', now - 30 * MINUTE, {
        kind: 'restored',
        message: 'The outbox was restored from a backup of the day before.',
      }),
      evidence('d2', now - 20 * MINUTE, {
        kind: 'centerUnsure',
        message: 'The mark of the current center showed 102 right after it was sent for 101.',
      }),
      evidence('d3', now - 10 * MINUTE, {
        kind: 'twice',
        caseIds: ['88412', '88413'],
        message: 'Two cases of the list carry the reference.',
      }),
      evidence('d4', now - 5 * MINUTE, {
        kind: 'readBack',
        caseIds: ['88412'],
        message: 'The case was read back and carries the reference.',
      }),
    ],
  }
}
