/** What has waited longer than it should, and what that means for the reader. */
import type { OverdueItem } from '../../src-shared/alarms.ts'
import { HOUR } from '../../src-shared/durations.ts'
import { UNSENT_STATES } from '../../src-shared/states.ts'
import { worded, type WordingKey } from '../../src-shared/wording.ts'
import { isRejected } from './lib/service-case.ts'
import type { OverdueLimits, OverdueRow } from './outbox/oversight.ts'

/** A day's work is sent on its day. */
const NOT_SENT_AFTER_MS = 24 * HOUR
/** A case is read back within seconds, and looked for most often in its first hour. */
const NOT_CONFIRMED_AFTER_MS = HOUR
/** Reports are promised within two days. */
const NO_REPORT_AFTER_MS = 48 * HOUR
/** More than a person can work through; the oldest are the ones to begin with. */
export const MAX_OVERDUE = 1_000

/** From when on a row of each step is too old; what is younger is not read at all. */
export function overdueLimits(now: number): OverdueLimits {
  return {
    notSentBefore: now - NOT_SENT_AFTER_MS,
    notConfirmedBefore: now - NOT_CONFIRMED_AFTER_MS,
    noReportBefore: now - NO_REPORT_AFTER_MS,
  }
}

/** Every step at which a submission has waited too long; none for one that is on its way as it should be. */
export function overdueOf(row: OverdueRow, now: number): OverdueItem[] {
  const limits = overdueLimits(now)
  const item = (kind: OverdueItem['kind'], since: number, key: WordingKey): OverdueItem => ({
    kind,
    submissionId: row.id,
    reference: row.reference,
    state: row.state,
    since,
    ...worded(key),
  })
  const unsent = UNSENT_STATES.find((state) => state === row.state)
  if (unsent !== undefined)
    return row.added_at < limits.notSentBefore
      ? [item('notSent', row.added_at, `sending:overdue.notSent.${unsent}`)]
      : []
  if (row.state === 'unconfirmed') {
    const since = row.unknown_since ?? row.changed_at
    return since < limits.notConfirmedBefore
      ? [item('notConfirmed', since, 'sending:overdue.notConfirmed.unconfirmed')]
      : []
  }
  if (row.state !== 'sent' || row.sent_at === null) return []
  const items: OverdueItem[] = []
  if (row.confirmed_at === null && row.sent_at < limits.notConfirmedBefore)
    items.push(item('notConfirmed', row.sent_at, 'sending:overdue.notConfirmed.sent'))
  if (isRejected(row.listed_state)) {
    // No report of a rejected case will come: only the new try counts.
    if (row.is_redone === 0)
      items.push(item('notRedone', row.listed_since ?? row.sent_at, 'sending:overdue.notRedone'))
  } else if (row.first_version_at === null && row.sent_at < limits.noReportBefore)
    items.push(item('noReport', row.sent_at, 'sending:overdue.noReport'))
  return items
}

/** The list as it is shown: the oldest first. */
export function listOverdue(rows: readonly OverdueRow[], now: number): OverdueItem[] {
  return rows
    .flatMap((row) => overdueOf(row, now))
    .toSorted((one, other) => one.since - other.since)
    .slice(0, MAX_OVERDUE)
}
