/** What the lists of reports have in common: whose a line is, and what is looked for. */
import { patientNameOf } from '../../../src-shared/patient-name.ts'
import type { PendingReport } from '../../../src-shared/report.ts'
import { readUrgency, type Urgency } from '../../../src-shared/urgency.ts'
import { matchExpression } from './match-expression.ts'
import { fieldsColumn } from '../json-columns.ts'
import type { WriteThrough } from './write-through.ts'

export type OwnerRow = {
  readonly case_id: string
  readonly submission_id: string
  readonly reference: string
  readonly fields: string
  readonly is_urgent: 0 | 1
  readonly urgency: string | null
}

/** What the service last said of the case of a watch. */
export const CASE_STATE_JOIN = `LEFT JOIN case_states AS said ON said.base_url = watch.base_url AND said.client_id = watch.client_id
    AND said.center_key = coalesce(watch.center_id, '-') AND said.case_id = watch.case_id`

export function ownerOf(row: OwnerRow): Omit<PendingReport, 'sentAt' | 'nextCheckAt' | 'state'> {
  const fields = fieldsColumn.readOr(row.fields, {})
  const urgency: Urgency = row.is_urgent === 1 ? 'urgent' : readUrgency(row.urgency)
  return {
    caseId: row.case_id,
    submissionId: row.submission_id,
    reference: row.reference,
    historyNumber: fields.history_number ?? null,
    patientName: patientNameOf(fields),
    visitDate: fields.visit_date ?? null,
    urgency,
  }
}

/** Which lines are listed: of one submission, or those that a search finds, or all. */
export type WantedReports = {
  readonly search?: string | undefined
  readonly submissionId?: string | undefined
}

/** What is searched for, as the index of words wants it; null for no word at all. */
export function searchExpression(search: string | undefined): string | null {
  return search === undefined ? null : matchExpression(search)
}

/** So few are looked up one by one; of more, an order that stands already is walked until there are enough. */
export const FEW = 5_000

/** Do these words find few cases? */
export function findsFew(store: WriteThrough, expression: string): boolean {
  const found = store.sql
    .prepare<[string, number], number>(
      'SELECT count(*) FROM (SELECT 1 FROM submission_words WHERE submission_words MATCH ? LIMIT ?)',
    )
    .pluck()
    .get(expression, FEW + 1)
  return (found ?? 0) <= FEW
}
