/** Alarms as a station raises them, and a delivery that is doubtful in every way. */
import type { Alarm } from '../../../src-shared/alarms.ts'
import { MINUTE } from '../../../src-shared/durations.ts'
import type { SubmissionDetails } from '../../../src-shared/submission.ts'
import { evidence } from './make-submission.ts'

export function syntheticAlarms(now: number): Alarm[] {
  return [
    {
      id: 'al1',
      kind: 'twoCasesOneReference',
      submissionId: 's30',
      reference: 'FC7K3M9QXAW',
      caseIds: ['88390', '88397'],
      message:
        'The service holds more than one case with the reference of this one: it may have been read twice. Look at them at the service, keep one, and have the other removed.',
      raisedAt: now - 3 * MINUTE,
    },
    {
      id: 'al2',
      kind: 'outboxRestored',
      submissionId: null,
      reference: null,
      caseIds: [],
      message: 'The outbox is older than the notes that lie beside the images.',
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
        message:
          'The outbox is older than what happened, so this case may have been sent since. It is looked for, and is not sent again without evidence.',
      }),
      evidence('d2', now - 20 * MINUTE, {
        kind: 'centerUnsure',
        message:
          'Right after this case was sent, the service marked another center as the current one: another workstation may have switched it meanwhile. Check at the service that the case lies in its own center.',
      }),
      evidence('d3', now - 10 * MINUTE, {
        kind: 'twice',
        caseIds: ['88412', '88413'],
        message:
          'The service holds more than one case with the reference of this one: it may have been read twice. Look at them at the service, keep one, and have the other removed.',
      }),
      evidence('d4', now - 5 * MINUTE, {
        kind: 'readBack',
        caseIds: ['88412'],
        message: "The case was read back in the service's list, and nothing in it speaks against it.",
      }),
    ],
  }
}
