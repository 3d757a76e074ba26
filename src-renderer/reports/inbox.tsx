/** The inbox of reports and the list of pending ones. */
import type { PendingReport, ReportSummary } from '../../src-shared/report.ts'
import { URGENCIES } from '../../src-shared/submission.ts'
import { UrgencyMark } from '../components/badges.tsx'
import { useStationNow } from '../components/browser.tsx'
import { moveFocus } from '../components/controls.tsx'
import {
  calendarDay,
  formatAge,
  formatCalendarDay,
  formatExactly,
  formatInstant,
  localDay,
} from '../format/dates.ts'
import { t } from '../i18n/i18n.ts'
import { useNames } from '../privacy/names.tsx'
import { writeRoute } from '../shell/navigation.tsx'
import css from './inbox.module.css'

const GROUPS = ['unread', 'today', 'yesterday', 'earlier'] as const

type GroupName = (typeof GROUPS)[number]

type InboxGroup = { readonly name: GroupName; readonly items: readonly ReportSummary[] }

/**
 * Unread first, urgent ones on top; then by day of arrival, newest first.
 *
 * `held` are those that were unread when the list was opened: a report being read keeps its place.
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

function byUrgency(one: ReportSummary, other: ReportSummary): number {
  return URGENCIES.indexOf(one.urgency) - URGENCIES.indexOf(other.urgency)
}

type InboxProps = {
  readonly groups: readonly InboxGroup[]
  readonly isCurrent: (item: ReportSummary) => boolean
}

export function Inbox({ groups, isCurrent }: InboxProps) {
  return (
    <nav
      className={css.inbox}
      aria-label={t('report:inbox')}
      onKeyDown={(event) => moveFocus(event, '[data-list-line]')}
    >
      {groups.map(({ name, items }) => (
        <section key={name} aria-labelledby={`inbox-${name}`}>
          <h2 id={`inbox-${name}`} className={css.group}>
            {t(`report:group.${name}`)}
          </h2>
          <ul role="list">
            {items.map((item) => (
              <li key={item.submissionId}>
                <InboxLine item={item} isCurrent={isCurrent(item)} />
              </li>
            ))}
          </ul>
        </section>
      ))}
    </nav>
  )
}

function InboxLine({ item, isCurrent }: { readonly item: ReportSummary; readonly isCurrent: boolean }) {
  const names = useNames()
  const isUnread = item.readAt === null
  return (
    <a
      href={writeRoute({ screen: 'reports', caseId: item.caseId, submissionId: item.submissionId })}
      className={css.item}
      data-list-line
      data-unread={isUnread}
      aria-current={isCurrent}
    >
      <span>{isUnread && <span className={css.dot} />}</span>
      <span className={css.first}>
        <span className={`${css.number} tabular truncate`}>
          {item.historyNumber ?? t('report:caseId', { id: item.caseId })}
        </span>
        <UrgencyMark urgency={item.urgency} />
      </span>
      <time className={`${css.when} tabular`} title={formatExactly(item.fetchedAt)}>
        {formatInstant(item.fetchedAt)}
      </time>
      <span className={css.second}>
        <span className="truncate">
          {[
            item.patientName === null ? t('report:noPatient') : names.name(item.patientName),
            item.visitDate && formatCalendarDay(item.visitDate),
          ]
            .filter(Boolean)
            .join(' \u00b7 ')}
        </span>
        <span className={css.kind}>
          {isUnread && <span className={css.unread}>{t('report:unread')} </span>}
          {item.versionCount > 1
            ? t('report:versions', { count: item.versionCount })
            : t(`report:kind.${item.kind}`)}
        </span>
      </span>
    </a>
  )
}

type PendingReportsProps = {
  readonly items: readonly PendingReport[]
  readonly isCurrent: (item: PendingReport) => boolean
}

export function PendingReports({ items, isCurrent }: PendingReportsProps) {
  const now = useStationNow()
  const names = useNames()
  return (
    <nav
      className={css.inbox}
      aria-label={t('report:awaitedList')}
      onKeyDown={(event) => moveFocus(event, '[data-list-line]')}
    >
      <ul role="list">
        {items.map((item) => (
          <li key={item.submissionId}>
            <a
              href={writeRoute({ screen: 'reports', caseId: item.caseId, submissionId: item.submissionId })}
              className={css.item}
              data-list-line
              aria-current={isCurrent(item)}
            >
              <span />
              <span className={css.first}>
                <span className={`${css.number} tabular truncate`}>
                  {item.historyNumber ?? t('report:caseId', { id: item.caseId })}
                </span>
                <UrgencyMark urgency={item.urgency} />
              </span>
              <time className={`${css.when} tabular`} title={formatExactly(item.sentAt)}>
                {t('report:sentAgo', { when: formatAge(now - item.sentAt) })}
              </time>
              <span className={css.second}>
                <span className="truncate">
                  {[
                    item.patientName === null ? t('report:noPatient') : names.name(item.patientName),
                    item.visitDate && formatCalendarDay(item.visitDate),
                  ]
                    .filter(Boolean)
                    .join(' \u00b7 ')}
                </span>
                <span className={css.kind}>
                  {item.nextCheckAt !== null &&
                    t('report:askedNext', { when: formatInstant(Math.max(item.nextCheckAt, now)) })}
                </span>
              </span>
            </a>
          </li>
        ))}
      </ul>
    </nav>
  )
}
