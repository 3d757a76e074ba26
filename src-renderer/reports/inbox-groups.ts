/** In which order the reports stand in the inbox. Pure. */
import type { ReportSummary } from '../../src-shared/report.ts'
import { URGENCIES } from '../../src-shared/urgency.ts'
import { calendarDay, localDay } from '../format/local-day.ts'

export const GROUPS = ['unread', 'today', 'yesterday', 'earlier'] as const
export type GroupName = (typeof GROUPS)[number]
export type InboxGroup = { readonly name: GroupName; readonly items: readonly ReportSummary[] }

/**
 * Unread ones first, the urgent at the top; then by the day on which they came, the newest first.
 *
 * `held` are those that were unread when the list was opened: what somebody reads stays where it stood.
 */
export function groupReports(
  items: readonly ReportSummary[],
  held: ReadonlySet<string>,
  today: string,
): InboxGroup[] {
  const [year = 0, month = 1, date = 1] = today.split('-').map(Number)
  const yesterday = calendarDay(year, month - 1, date - 1)
  const groupOf = (item: ReportSummary): GroupName => {
    if (item.readAt === null || held.has(item.submissionId)) return 'unread'
    const day = localDay(item.fetchedAt)
    if (day >= today) return 'today'
    return day === yesterday ? 'yesterday' : 'earlier'
  }
  const newestFirst = items.toSorted((one, other) => other.fetchedAt - one.fetchedAt)
  const grouped = Map.groupBy(newestFirst, groupOf)
  return GROUPS.flatMap((name) => {
    const ofGroup = grouped.get(name) ?? []
    if (ofGroup.length === 0) return []
    return [{ name, items: name === 'unread' ? ofGroup.toSorted(byUrgency) : ofGroup }]
  })
}

/** Sorting keeps the order of what is equally urgent. */
function byUrgency(one: ReportSummary, other: ReportSummary): number {
  return URGENCIES.indexOf(one.urgency) - URGENCIES.indexOf(other.urgency)
}
