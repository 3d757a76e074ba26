/** What has waited longer than it should, and what that means for the reader. */
import type { OverdueItem } from '../../src-shared/alarms.ts'
import { HOUR } from '../../src-shared/durations.ts'
import type { SubmissionState } from '../../src-shared/states.ts'
import { isRejected } from './lib/case-ids.ts'
import type { OverdueLimits, OverdueRow } from './outbox/oversight.ts'

/** A day's work is sent on its day. */
const NOT_SENT_AFTER_MS = 24 * HOUR
/** A case is read back within seconds, and looked for most often in its first hour. */
const NOT_CONFIRMED_AFTER_MS = HOUR
/** Reports are promised within two days. */
const NO_REPORT_AFTER_MS = 48 * HOUR
/** More than a person can work through; the oldest are the ones to begin with. */
export const MAX_OVERDUE = 1_000

type Kind = OverdueItem['kind']

/** What is in none of these was sent, may have been, or was thrown away on purpose. */
const NOT_SENT_MESSAGES: Partial<Record<SubmissionState, string>> = {
  collecting:
    'Images were taken more than a day ago and the case is still open. Close it, so that it can go on.',
  incomplete:
    'This case was captured more than a day ago and is not sent, because something is missing or unclear. Open it and complete it, or discard it.',
  review:
    'This case was captured more than a day ago and nobody has passed it for sending. Look at it and approve it, or discard it.',
  waiting:
    'This case has been ready for sending for more than a day and has not left. Look at what keeps the service from taking it, or call the administrator.',
  held: 'This case was captured more than a day ago and is on hold, so it is not sent. Release it, or discard it.',
  refused:
    'This case was captured more than a day ago and the service did not take it. Read why, correct it and send it again, or discard it.',
}
const SENT_NOT_CONFIRMED =
  'The service gave an id for this case, and it could not be read back since. It is probably there; ask the service about it if this stays so.'
const NOT_KNOWN =
  'This case may have arrived and was not found at the service so far. Look at what is known of it, ask the service, and say whether it is there.'
const NO_REPORT =
  'This case was sent more than two days ago and has no report. Nothing is lost; ask the service when the report comes.'
const NOT_REDONE =
  'The service has rejected this case, so there will be no report on it, and no later case of this patient was sent. Make the images anew, or tell whoever sent the patient.'

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
  const item = (kind: Kind, since: number, message: string): OverdueItem => ({
    kind,
    submissionId: row.id,
    reference: row.reference,
    state: row.state,
    since,
    message,
  })
  const notSent = NOT_SENT_MESSAGES[row.state]
  if (notSent !== undefined)
    return row.added_at < limits.notSentBefore ? [item('notSent', row.added_at, notSent)] : []
  if (row.state === 'unconfirmed') {
    const since = row.unknown_since ?? row.changed_at
    return since < limits.notConfirmedBefore ? [item('notConfirmed', since, NOT_KNOWN)] : []
  }
  if (row.state !== 'sent' || row.sent_at === null) return []
  const items: OverdueItem[] = []
  if (row.confirmed_at === null && row.sent_at < limits.notConfirmedBefore)
    items.push(item('notConfirmed', row.sent_at, SENT_NOT_CONFIRMED))
  if (isRejected(row.listed_state)) {
    // No report of a rejected case will come: only the new try counts.
    if (row.is_redone === 0) items.push(item('notRedone', row.listed_since ?? row.sent_at, NOT_REDONE))
  } else if (row.first_version_at === null && row.sent_at < limits.noReportBefore)
    items.push(item('noReport', row.sent_at, NO_REPORT))
  return items
}

/** The list as it is shown: the oldest first. */
export function listOverdue(rows: readonly OverdueRow[], now: number): OverdueItem[] {
  return rows
    .flatMap((row) => overdueOf(row, now))
    .toSorted((one, other) => one.since - other.since)
    .slice(0, MAX_OVERDUE)
}
