/** The service's list as a stand-in: what was sent from here, and cases of others with words nobody documented. */
import { HOUR } from '../../../src-shared/durations.ts'
import type { ListedCase } from '../../../src-shared/case.ts'
import type { SubmissionDetails } from '../../../src-shared/submission.ts'

export function standInCases(submissions: readonly SubmissionDetails[], now: number): ListedCase[] {
  const ours = submissions
    .filter(({ caseId }) => caseId !== null)
    .map(({ id, caseId, reference, fields, hasReport, sentAt }): ListedCase => {
      const seen = {
        state: hasReport ? 'reported' : 'pending',
        historyNumber: fields.history_number ?? null,
        firstName: fields.first_name ?? null,
        lastName: fields.last_name ?? null,
        visitDate: fields.visit_date ?? null,
        createdAt: sentAt === null ? null : new Date(sentAt).toISOString(),
        urgency: id === 's31' ? 'preferential' : null,
      }
      return {
        ...seen,
        caseId: caseId ?? '',
        submissionId: id,
        reference,
        hasReport,
        raw: {
          id: Number(caseId),
          status: seen.state,
          patient: { history_number: seen.historyNumber, name: `${seen.firstName} ${seen.lastName}` },
          center: { center_id: 101, name: 'North Eye Centre' },
          is_duplicate: false,
          tags: ['fundus', 'screening'],
          assigned_to: null,
        },
      }
    })
  const others = ['88371', '88369'].map((caseId, index): ListedCase => ({
    caseId,
    state: index === 0 ? 'reject' : 'EN_REVISION',
    historyNumber: `N-${caseId}`,
    firstName: null,
    lastName: null,
    visitDate: '2026-11-18',
    createdAt: new Date(now - (40 + index) * HOUR).toISOString(),
    urgency: null,
    submissionId: null,
    reference: null,
    hasReport: false,
    raw: { id: caseId, estado: index === 0 ? 'reject' : 'EN_REVISION', nota: 'sin im\u00e1genes' },
  }))
  return [...ours, ...others]
}
