/** The reports screen. */
import { Group, SegmentedControl, Stack, Text } from '@mantine/core'
import { IconFileText, IconMailOpened, IconRefresh, IconSearchOff } from '@tabler/icons-react'
import { type KeyboardEvent, type ReactNode, useEffect, useEffectEvent, useRef, useState } from 'react'
import { EYES } from '../../src-shared/measurement-ranges.ts'
import { MAX_LISTED_REPORTS, type PendingReport, type ReportSummary } from '../../src-shared/report.ts'
import { URGENCIES } from '../../src-shared/submission.ts'
import { EyeMark, UrgencyMark } from '../components/badges.tsx'
import { useFocusAfter, useLetterKey, useSearch, useStationNow, useToday } from '../components/browser.tsx'
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
import { t } from '../i18n/i18n.ts'
import { useNames } from '../privacy/names.tsx'
import { writeRoute } from '../shell/navigation.tsx'
import { showFailure } from '../shell/toast.tsx'
import { useAnswer, useCall, useSession, useStation } from '../store/use-station.ts'
import { ReportReader } from './report-reader.tsx'
import { mostUrgent, readReport, type ReportReading, numberVersions } from './report-reading.ts'
import css from './reports.module.css'

const VIEWS = ['all', 'unread', 'awaited'] as const
type View = (typeof VIEWS)[number]

const NO_REPORTS: readonly ReportSummary[] = []

type ReportsScreenProps = { readonly caseId: string | null; readonly submissionId: string | null }

/** Without a submission in the address it is any of the case. */
type IsShown = (item: ReportSummary | PendingReport) => boolean

export function ReportsScreen({ caseId, submissionId }: ReportsScreenProps) {
  const { isBusy: isChecking, call } = useCall(showFailure)
  const arrivals = useStation((state) => state.reportArrivals)
  const unread = useStation((state) => state.status?.reportsUnread ?? 0)
  const checkSeconds = useStation((state) => state.settings?.reports.checkSeconds ?? 300)
  const isDoneAsked = useStation((state) => state.settings?.reports.askWhatWasDone === 'on')
  const today = useToday()
  const [view, setView] = useState<View>('all')
  const { text, setText, search } = useSearch()
  const asked = search === '' ? {} : { search }
  const { value, failure, readAgain } = useAnswer('reports.list', asked, arrivals)
  const pendingReports = useAnswer('reports.awaiting', view === 'awaited' ? asked : null, arrivals)

  const items = value?.items ?? NO_REPORTS
  const held = useStickyUnread(items, `${view}/${search}`)
  const readings = useReadings(items)
  const groups = groupReports(items, held, today, readings, isDoneAsked).filter(
    ({ name }) => view !== 'unread' || name === 'unread',
  )
  const waiting = pendingReports.value?.items ?? []
  const shownFailure = failure ?? (view === 'awaited' ? pendingReports.failure : null)
  const isEmpty =
    view === 'awaited' ? pendingReports.value !== null && waiting.length === 0 : groups.length === 0
  const whyEmpty =
    search !== '' ? 'notFound' : view === 'all' ? 'empty' : view === 'unread' ? 'allRead' : 'noneAwaited'
  const every = intervalText(checkSeconds)

  const heading = useRef<HTMLHeadingElement>(null)
  useFocusAfter(() => heading.current, `${caseId}/${submissionId}`)
  const openNext = (): void => {
    if (view === 'awaited') return setView('unread')
    const lines = [...document.querySelectorAll<HTMLElement>('[data-list-line]')]
    const at = lines.findIndex((line) => line.getAttribute('aria-current') === 'true')
    const others = [...lines.slice(at + 1), ...lines.slice(0, Math.max(at, 0))]
    const next = others.find((line) => line.dataset['unread'] === 'true')
    next?.focus()
    next?.click()
  }
  const isShown: IsShown = (item) =>
    item.caseId === caseId && (submissionId === null || item.submissionId === submissionId)
  const hasNext = items.some((item) => item.readAt === null && !isShown(item))
  useLetterKey('N', openNext)

  return (
    <div className={css.screen}>
      <div className={css.column}>
        <Group justify="space-between" p="18px 14px 2px 18px">
          <h1 ref={heading} tabIndex={-1} className="page-title">
            {t('shell:screens.reports')}
          </h1>
          <ActionButton
            size="xs"
            icon={IconRefresh}
            loading={isChecking}
            onClick={() => void call('reports.check', {})}
          >
            {t('report:check')}
          </ActionButton>
        </Group>
        <Stack gap={8} p="10px 14px 12px 18px">
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
        </Stack>
        {shownFailure && <FailureNotice failure={shownFailure} tone="amber" />}
        {isEmpty && value ? (
          <EmptyState
            icon={search === '' ? IconMailOpened : IconSearchOff}
            title={t(`report:${whyEmpty}.title`)}
            body={t(`report:${whyEmpty}.body`, { minutes: every })}
          />
        ) : view === 'awaited' ? (
          <PendingReports items={waiting} isShown={isShown} />
        ) : (
          <Inbox groups={groups} readings={readings} isShown={isShown} />
        )}
        {view !== 'awaited' && items.length >= MAX_LISTED_REPORTS && (
          <Text p="10px 18px" className="small dim">
            {t('report:onlyNewest', { count: formatCount(MAX_LISTED_REPORTS) })}
          </Text>
        )}
      </div>
      <div>
        {caseId !== null ? (
          <ReportReader
            key={`${caseId}/${submissionId ?? ''}`}
            caseId={caseId}
            submissionId={submissionId}
            listed={items}
            isListRead={value !== null}
            every={every}
            onRead={readAgain}
            onNext={hasNext ? openNext : null}
          />
        ) : (
          items.length > 0 && <EmptyState icon={IconFileText} title={t('report:choose')} />
        )}
      </div>
    </div>
  )
}

const GROUPS = ['unread', 'open', 'today', 'yesterday', 'earlier'] as const

type GroupName = (typeof GROUPS)[number]

type InboxGroup = { readonly name: GroupName; readonly items: readonly ReportSummary[] }

/**
 * Unread first, of these the most urgent and then the soonest on top, as a person, the service or the report itself says;
 * then those about which nothing was done yet, if the clinic asks; the others by day. `held`: unread when the list was
 * opened, so they keep their place.
 */
export function groupReports(
  items: readonly ReportSummary[],
  held: ReadonlySet<string>,
  today: string,
  readings: Readings = new Map(),
  isDoneAsked = false,
): InboxGroup[] {
  const groupOf = (item: ReportSummary): GroupName => {
    if (item.readAt === null || held.has(item.submissionId)) return 'unread'
    if (isDoneAsked && item.done === null) return 'open'
    const day = localDay(item.fetchedAt)
    if (day >= today) return 'today'
    return day === daysBefore(today, 1) ? 'yesterday' : 'earlier'
  }
  const urgencyOf = (item: ReportSummary): number =>
    URGENCIES.indexOf(mostUrgent([item.urgency, readings.get(versionKey(item))?.level ?? 'routine']))
  /** A report that names no time comes after all that do. */
  const daysOf = (item: ReportSummary): number => Math.min(readings.get(versionKey(item))?.days ?? 1e9, 1e9)
  const newestFirst = items.toSorted((one, other) => other.fetchedAt - one.fetchedAt)
  const grouped = Map.groupBy(newestFirst, groupOf)
  grouped
    .get('unread')
    ?.sort((one, other) => urgencyOf(one) - urgencyOf(other) || daysOf(one) - daysOf(other))
  return GROUPS.map((name) => ({ name, items: grouped.get(name) ?? [] })).filter(
    ({ items: some }) => some.length > 0,
  )
}

/** What the listed reports say, by `versionKey`. */
type Readings = ReadonlyMap<string, ReportReading>

const versionKey = ({ submissionId, fetchedAt }: ReportSummary): string => `${submissionId}/${fetchedAt}`

const READ_AT_ONCE = 50

/** Reads the listed reports in the order of the list, some at once, each version once; documents are not read. */
function useReadings(items: readonly ReportSummary[]): Readings {
  const session = useSession()
  const [readings, setReadings] = useState<Readings>(new Map())
  const missing = items.filter((item) => /^(?:json|text)$/.test(item.kind) && !readings.has(versionKey(item)))
  const wanted = missing.slice(0, READ_AT_ONCE)
  const key = wanted.map(versionKey).join(' ')
  const read = useEffectEvent(() =>
    Promise.all(
      wanted.map(async (item): Promise<[string, ReportReading]> => {
        const { caseId, submissionId } = item
        const answer = await session.call('reports.get', { caseId, submissionId })
        const [newest] = answer.ok ? numberVersions(answer.value.versions) : []
        return [versionKey(item), { ...readReport(newest ?? { kind: 'unknown' }), rest: undefined }]
      }),
    ),
  )
  useEffect(() => {
    if (key === '') return undefined
    let isCurrent = true
    void read().then((more) => isCurrent && setReadings((before) => new Map([...before, ...more])))
    return () => {
      isCurrent = false
    }
  }, [key])
  return readings
}

/** The arrow keys open the report that they move to. */
function openNeighbour(event: KeyboardEvent<HTMLElement>): void {
  moveFocus(event, '[data-list-line]')
  const { activeElement } = document
  if (event.isDefaultPrevented() && activeElement instanceof HTMLElement) activeElement.click()
}

function ReportList({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  return (
    <nav className={css.inbox} aria-label={label} onKeyDown={openNeighbour}>
      {children}
    </nav>
  )
}

type InboxProps = {
  readonly groups: readonly InboxGroup[]
  readonly readings: Readings
  readonly isShown: IsShown
}

function Inbox({ groups, readings, isShown }: InboxProps) {
  return (
    <ReportList label={t('report:inbox')}>
      {groups.map(({ name, items }) => (
        <section key={name} aria-labelledby={`inbox-${name}`}>
          <h2 id={`inbox-${name}`} className={css.group}>
            {t(`report:group.${name}`)}
          </h2>
          <ul role="list">
            {items.map((item) => (
              <li key={item.submissionId}>
                <ListLine
                  item={item}
                  isShown={isShown(item)}
                  when={formatInstant(item.fetchedAt)}
                  reading={readings.get(versionKey(item))}
                >
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
  readonly isShown: boolean
  readonly when: string
  readonly reading?: ReportReading | undefined
  /** In place of a finding that cannot be read. */
  readonly children: ReactNode
}

/** The patient, what the report says of each eye, and how soon. */
function ListLine({ item, isShown, when, reading, children }: ListLineProps) {
  const { caseId, submissionId, historyNumber, patientName, visitDate } = item
  const names = useNames()
  const wrong =
    item.sentWrongly && t('report:doNotUse', { why: t(`submission:wrongly.because.${item.sentWrongly}`) })
  const isUnread = 'readAt' in item && item.readAt === null
  const findings = EYES.flatMap((eye) => {
    const finding = eye === 'unknown' ? (reading?.finding ?? null) : (reading?.eyes[eye].finding ?? null)
    return finding === null ? [] : [{ eye, finding }]
  })
  // A report that was changed says so, whatever it says.
  const isRead = findings.length > 0 && 'versionCount' in item && item.versionCount === 1
  return (
    <a
      href={writeRoute({ screen: 'reports', caseId, submissionId })}
      className={css.item}
      data-list-line
      data-unread={isUnread}
      aria-current={isShown}
    >
      <span>{isUnread && <span className={css.dot} role="img" aria-label={t('report:group.unread')} />}</span>
      <span className={css.first}>
        <span className={`${css.number} tabular truncate`}>
          {historyNumber ?? t('queue:caseId', { id: caseId })}
        </span>
        {patientName !== null && <span className="truncate">{names.name(patientName)}</span>}
        <UrgencyMark urgency={mostUrgent([item.urgency, reading?.level ?? 'routine'])} />
      </span>
      <Instant at={'readAt' in item ? item.fetchedAt : item.sentAt} className={css.when ?? ''}>
        {when}
      </Instant>
      <span className={css.second}>
        <span className={css.findings}>
          {wrong && <strong className="red">{wrong}</strong>}
          {(wrong ? [] : findings).map(({ eye, finding }) => (
            <span key={eye} className="truncate">
              {eye !== 'unknown' && <EyeMark eye={eye} />} {finding}
            </span>
          ))}
          {!isRead && (
            <span className="truncate">
              {visitDate && `${formatCalendarDay(visitDate)} \u00b7 `}
              {children}
            </span>
          )}
        </span>
        {reading?.urgency && <span className={css.urgency}>{shortUrgency(reading.urgency)}</span>}
      </span>
    </a>
  )
}

/** In a row `3 months` is enough of `Refer within 3 months`; other advice needs its words. */
export function shortUrgency(urgency: string): string {
  const pattern =
    /^(?:refer(?:ral)?|derivar|remitir|derivaci[o\u00f3]n) (?:within|in|en) (\d+(?: ?[-\u2013] ?\d+)? \p{L}+)$/iu
  return pattern.exec(urgency)?.[1] ?? urgency
}

type PendingProps = { readonly items: readonly PendingReport[]; readonly isShown: IsShown }

function PendingReports({ items, isShown }: PendingProps) {
  const now = useStationNow()
  return (
    <ReportList label={t('report:awaitedList')}>
      <ul role="list">
        {items.map((item) => (
          <li key={item.submissionId}>
            <ListLine
              item={item}
              isShown={isShown(item)}
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
