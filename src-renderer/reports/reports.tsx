/** The reports screen. */
import { Group, SegmentedControl } from '@mantine/core'
import { IconFileText, IconMailOpened, IconRefresh, IconSearchOff } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { MAX_LISTED_REPORTS, type PendingReport, type ReportSummary } from '../../src-shared/report.ts'
import { URGENCIES } from '../../src-shared/submission.ts'
import { UrgencyMark } from '../components/badges.tsx'
import { useSearch, useStationNow, useToday } from '../components/browser.tsx'
import {
  ActionButton,
  EmptyState,
  FailureNotice,
  Instant,
  moveFocus,
  SearchInput,
} from '../components/controls.tsx'
import { daysBefore, formatAge, formatCalendarDay, formatInstant, localDay } from '../format/dates.ts'
import { formatCount } from '../format/numbers.ts'
import { joinTexts, t } from '../i18n/i18n.ts'
import { useNames } from '../privacy/names.tsx'
import { useRoute, writeRoute } from '../shell/navigation.tsx'
import { runCall, showToast } from '../shell/toast.tsx'
import { useAnswer, useSession, useStation } from '../store/use-station.ts'
import { ReportReader } from './report-reader.tsx'
import css from './reports-screen.module.css'
import inboxCss from './inbox.module.css'

const VIEWS = ['all', 'unread', 'awaited'] as const
type View = (typeof VIEWS)[number]

const NO_REPORTS: readonly ReportSummary[] = []

type ReportsScreenProps = {
  readonly caseId: string | null
  readonly submissionId: string | null
}

export function ReportsScreen({ caseId, submissionId }: ReportsScreenProps) {
  const session = useSession()
  const arrivals = useStation((state) => state.reportArrivals)
  const unread = useStation((state) => state.status?.reportsUnread ?? 0)
  const checkSeconds = useStation((state) => state.settings?.reports.checkSeconds ?? 300)
  const today = useToday()
  const [view, setView] = useState<View>('all')
  const { text, setText, search } = useSearch()
  const asked = search === '' ? {} : { search }
  const { value, failure, readAgain } = useAnswer('reports.list', asked, arrivals)
  const pendingReports = useAnswer('reports.awaiting', view === 'awaited' ? asked : null, arrivals)

  const items = value?.items ?? NO_REPORTS
  const held = useStickyUnread(items, `${view}/${search}`)
  const groups = groupReports(items, held, today).filter(({ name }) => view !== 'unread' || name === 'unread')
  const waiting = pendingReports.value?.items ?? []
  const shownFailure = failure ?? (view === 'awaited' ? pendingReports.failure : null)
  const isEmpty =
    view === 'awaited' ? pendingReports.value !== null && waiting.length === 0 : groups.length === 0

  const check = async (): Promise<void> => {
    if (await runCall(session, 'reports.check', {}))
      showToast({ tone: 'green', message: t('report:checked') })
  }

  return (
    <div className={css.screen}>
      <div className={css.column}>
        <Group justify="space-between" p="18px 14px 2px 18px">
          <h1 className="page-title">{t('shell:screens.reports')}</h1>
          <ActionButton size="xs" icon={IconRefresh} onClick={() => void check()}>
            {t('report:check')}
          </ActionButton>
        </Group>
        <div className={css.find}>
          <SearchInput label={t('report:search')} text={text} onWrite={setText} />
          <SegmentedControl
            fullWidth
            aria-label={t('shell:show')}
            value={view}
            data={VIEWS.map((one) => ({
              value: one,
              label: t(`report:view.${one}`, {
                count: one === 'unread' ? unread : one === 'awaited' ? (value?.awaiting ?? 0) : items.length,
              }),
            }))}
            onChange={setView}
          />
        </div>
        {shownFailure && <FailureNotice failure={shownFailure} tone="amber" />}
        {isEmpty && value ? (
          <EmptyReports view={view} isSearched={search !== ''} every={intervalText(checkSeconds)} />
        ) : view === 'awaited' ? (
          <PendingReports items={waiting} />
        ) : (
          <Inbox groups={groups} />
        )}
        {view !== 'awaited' && items.length >= MAX_LISTED_REPORTS && (
          <p className={css.more}>{t('report:onlyNewest', { count: formatCount(MAX_LISTED_REPORTS) })}</p>
        )}
      </div>
      <div className={css.reading}>
        {caseId !== null ? (
          <ReportReader
            key={`${caseId}/${submissionId ?? ''}`}
            caseId={caseId}
            submissionId={submissionId}
            listed={items}
            isListRead={value !== null}
            every={intervalText(checkSeconds)}
            onRead={readAgain}
          />
        ) : (
          items.length > 0 && (
            <EmptyState icon={IconFileText} title={t('report:choose.title')} body={t('report:choose.body')} />
          )
        )}
      </div>
    </div>
  )
}

type EmptyReportsProps = { readonly view: View; readonly isSearched: boolean; readonly every: string }

function EmptyReports({ view, isSearched, every }: EmptyReportsProps) {
  const whyEmpty = view === 'unread' ? 'allRead' : view === 'all' ? 'empty' : 'noneAwaited'
  const why = isSearched ? 'notFound' : whyEmpty
  const icon = isSearched ? IconSearchOff : view === 'all' ? IconFileText : IconMailOpened
  return (
    <EmptyState
      icon={icon}
      title={t(`report:${why}.title`)}
      body={t(`report:${why}.body`, { minutes: every })}
    />
  )
}

const GROUPS = ['unread', 'today', 'yesterday', 'earlier'] as const

type GroupName = (typeof GROUPS)[number]

type InboxGroup = { readonly name: GroupName; readonly items: readonly ReportSummary[] }

/** Unread first, urgent ones on top; then by day. `held`: unread when the list was opened, so they keep their place. */
export function groupReports(
  items: readonly ReportSummary[],
  held: ReadonlySet<string>,
  today: string,
): InboxGroup[] {
  const groupOf = (item: ReportSummary): GroupName => {
    if (item.readAt === null || held.has(item.submissionId)) return 'unread'
    const day = localDay(item.fetchedAt)
    if (day >= today) return 'today'
    return day === daysBefore(today, 1) ? 'yesterday' : 'earlier'
  }
  const newestFirst = items.toSorted((one, other) => other.fetchedAt - one.fetchedAt)
  const grouped = Map.groupBy(newestFirst, groupOf)
  return GROUPS.flatMap((name) => {
    const ofGroup = grouped.get(name) ?? []
    if (ofGroup.length === 0) return []
    if (name === 'unread')
      ofGroup.sort((one, other) => URGENCIES.indexOf(one.urgency) - URGENCIES.indexOf(other.urgency))
    return [{ name, items: ofGroup }]
  })
}

function ReportList({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  return (
    <nav
      className={inboxCss.inbox}
      aria-label={label}
      onKeyDown={(event) => moveFocus(event, '[data-list-line]')}
    >
      {children}
    </nav>
  )
}

function Inbox({ groups }: { readonly groups: readonly InboxGroup[] }) {
  return (
    <ReportList label={t('report:inbox')}>
      {groups.map(({ name, items }) => (
        <section key={name} aria-labelledby={`inbox-${name}`}>
          <h2 id={`inbox-${name}`} className={inboxCss.group}>
            {t(`report:group.${name}`)}
          </h2>
          <ul role="list">
            {items.map((item) => (
              <li key={item.submissionId}>
                <ListLine
                  item={item}
                  isUnread={item.readAt === null}
                  at={item.fetchedAt}
                  when={formatInstant(item.fetchedAt)}
                >
                  {item.readAt === null && <span className={inboxCss.unread}>{t('report:unread')} </span>}
                  {item.versionCount > 1
                    ? t('report:versions', { count: item.versionCount })
                    : t(`report:kind.${item.kind}`)}
                </ListLine>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </ReportList>
  )
}

type ListLineProps = {
  readonly item: ReportSummary | PendingReport
  readonly isUnread?: boolean
  readonly at: number
  readonly when: string
  readonly children: ReactNode
}

function ListLine({ item, isUnread, at, when, children }: ListLineProps) {
  const { caseId, submissionId, historyNumber, patientName, visitDate } = item
  const names = useNames()
  const route = useRoute()
  const isCurrent =
    route.screen === 'reports' &&
    route.caseId === caseId &&
    (route.submissionId === undefined || route.submissionId === submissionId)
  return (
    <a
      href={writeRoute({ screen: 'reports', caseId, submissionId })}
      className={inboxCss.item}
      data-list-line
      data-unread={isUnread}
      aria-current={isCurrent}
    >
      <span>{isUnread === true && <span className={inboxCss.dot} />}</span>
      <span className={inboxCss.first}>
        <span className={`${inboxCss.number} tabular truncate`}>
          {historyNumber ?? t('queue:caseId', { id: caseId })}
        </span>
        <UrgencyMark urgency={item.urgency} />
      </span>
      <Instant at={at} className={inboxCss.when ?? ''}>
        {when}
      </Instant>
      <span className={inboxCss.second}>
        <span className="truncate">
          {joinTexts(
            patientName === null ? t('report:noPatient') : names.name(patientName),
            visitDate && formatCalendarDay(visitDate),
          )}
        </span>
        <span className={inboxCss.kind}>{children}</span>
      </span>
    </a>
  )
}

function PendingReports({ items }: { readonly items: readonly PendingReport[] }) {
  const now = useStationNow()
  return (
    <ReportList label={t('report:awaitedList')}>
      <ul role="list">
        {items.map((item) => (
          <li key={item.submissionId}>
            <ListLine
              item={item}
              at={item.sentAt}
              when={t('report:sentAgo', { when: formatAge(now - item.sentAt) })}
            >
              {item.nextCheckAt !== null &&
                t('report:askedNext', { when: formatInstant(Math.max(item.nextCheckAt, now)) })}
            </ListLine>
          </li>
        ))}
      </ul>
    </ReportList>
  )
}

/** The reports that were unread at any time since `view` was opened: they keep their places when read. */
function useStickyUnread(items: readonly ReportSummary[], view: string): ReadonlySet<string> {
  const [held, setHeld] = useState<{ readonly of: string; readonly ids: ReadonlySet<string> }>({
    of: view,
    ids: new Set(),
  })
  const previous = held.of === view ? held.ids : new Set<string>()
  const fresh = items.filter(({ submissionId, readAt }) => readAt === null && !previous.has(submissionId))
  if (held.of === view && fresh.length === 0) return held.ids
  const next = { of: view, ids: new Set([...previous, ...fresh.map(({ submissionId }) => submissionId)]) }
  setHeld(next)
  return next.ids
}

/** `5 minutes`, for how often something happens. */
function intervalText(seconds: number): string {
  return seconds % 60 === 0
    ? t('report:minutes', { count: seconds / 60 })
    : t('report:seconds', { count: seconds })
}
