/** A trail of what happened to the stand-in's cases, newest first, longer than one page. */
import type { AuditEntry, CallInput } from '../../../src-shared/contract.ts'
import { DAY, MINUTE } from '../../../src-shared/durations.ts'
import type { SubmissionDetails } from '../../../src-shared/submission.ts'

type Written = Pick<AuditEntry, 'submissionId' | 'what' | 'by' | 'details'>

const OLDER = 130

export function standInTrail(now: number, submissions: readonly SubmissionDetails[]): AuditEntry[] {
  const latest: readonly Written[] = [
    {
      submissionId: 's20',
      what: 'discarded',
      by: 'QX',
      details: { from: 'review', to: 'discarded', why: 'Test images' },
    },
    {
      submissionId: 's5',
      what: 'edited',
      by: 'QX',
      details: { fields: ['visit_reason', 'od_iop'], images: 1 },
    },
    { submissionId: 's6', what: 'movedToCenter', by: 'ZY', details: { from: '102', to: '101' } },
    { submissionId: null, what: 'alarmRaised', by: null, details: { alarm: 'outboxRestored', caseIds: [] } },
    { submissionId: null, what: 'settingsChanged', by: null, details: { sections: ['delivery', 'reports'] } },
    {
      submissionId: 's1',
      what: 'wasRefused',
      by: null,
      details: { from: 'sending', to: 'refused', failure: 'serviceRefused' },
    },
    {
      submissionId: 's2',
      what: 'becameUnknown',
      by: null,
      details: { from: 'sending', to: 'unconfirmed', failure: 'outcomeUnknown' },
    },
    { submissionId: 's2', what: 'claimed', by: null, details: { from: 'waiting', to: 'sending' } },
    { submissionId: 's2', what: 'approved', by: 'ZY', details: { from: 'review', to: 'waiting' } },
  ]
  const older: readonly Written[] = Array.from({ length: OLDER }, (_none, index) => ({
    submissionId: submissions[index % submissions.length]?.id ?? null,
    what: 'imageArrived',
    by: null,
    details: { images: 1 },
  }))
  const all = [...latest, ...older]
  return all.map((entry, index) => ({
    ...entry,
    id: all.length - index,
    // The newest ones are of today, the rest is of the days before.
    at: now - index * MINUTE - (index < latest.length ? 0 : 2 * DAY),
  }))
}

/** What the filters of the calls leave of a trail. */
export function narrowed(
  trail: readonly AuditEntry[],
  filter: CallInput<'audit.export'>,
  submissions: ReadonlyMap<string, SubmissionDetails>,
): AuditEntry[] {
  const { submissionId, reference, what, by, since, until } = filter
  const named = [...submissions.values()].find(
    (one) => one.reference === reference || one.caseId === reference,
  )
  return trail.filter(
    (entry) =>
      (submissionId === undefined || entry.submissionId === submissionId) &&
      (reference === undefined || (named !== undefined && entry.submissionId === named.id)) &&
      (what === undefined || what.includes(entry.what)) &&
      (by === undefined || entry.by === by) &&
      (since === undefined || entry.at >= since) &&
      (until === undefined || entry.at < until),
  )
}
