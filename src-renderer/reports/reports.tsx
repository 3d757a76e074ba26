/** The reports screen. */
import { Button, SegmentedControl } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { IconFileText, IconMailOpened, IconRefresh, IconSearchOff } from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import { MAX_LISTED_REPORTS, type PendingReport, type ReportSummary } from '../../src-shared/report.ts'
import { useToday } from '../components/browser.tsx'
import { SearchInput } from '../components/controls.tsx'
import { EmptyState, FailureNotice } from '../components/notices.tsx'
import { formatCount } from '../format/numbers.ts'
import { t } from '../i18n/i18n.ts'
import { runCall, showToast } from '../shell/toast.tsx'
import { useAnswer, useSession, useStation } from '../store/use-station.ts'
import { groupReports, Inbox, PendingReports } from './inbox.tsx'
import { intervalText, useStickyUnread } from './not-ready.tsx'
import { ReportReader } from './report-reader.tsx'
import css from './reports-screen.module.css'

const VIEWS = ['all', 'unread', 'awaited'] as const
type View = (typeof VIEWS)[number]

const SEARCH_PAUSE_MS = 300
const NO_REPORTS: readonly ReportSummary[] = []
const NO_PENDING_REPORTS: readonly PendingReport[] = []

export type ReportsScreenProps = {
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
  const [text, setText] = useState('')
  const [typed] = useDebouncedValue(text.trim(), SEARCH_PAUSE_MS)
  const search = text === '' ? '' : typed
  const asked = search === '' ? {} : { search }
  const { value, failure, readAgain } = useAnswer('reports.list', asked)
  const pendingReports = useAnswer('reports.awaiting', view === 'awaited' ? asked : null)
  const { readAgain: reloadPending } = pendingReports
  useEffect(() => {
    if (arrivals === 0) return
    readAgain()
    reloadPending()
  }, [arrivals, readAgain, reloadPending])

  const items = value?.items ?? NO_REPORTS
  const held = useStickyUnread(items, `${view}/${search}`)
  const groups = groupReports(items, held, today).filter(({ name }) => view !== 'unread' || name === 'unread')
  const waiting = pendingReports.value?.items ?? NO_PENDING_REPORTS
  const shownFailure = failure ?? (view === 'awaited' ? pendingReports.failure : null)
  const isEmpty =
    view === 'awaited' ? pendingReports.value !== null && waiting.length === 0 : groups.length === 0

  const isCurrent = (item: { readonly caseId: string; readonly submissionId: string }): boolean =>
    item.caseId === caseId && (submissionId === null || item.submissionId === submissionId)

  const check = async (): Promise<void> => {
    if (await runCall(session, 'reports.check', {}))
      showToast({ tone: 'green', message: t('report:checked') })
  }

  return (
    <div className={css.screen}>
      <div className={css.column}>
        <div className={css.columnHead}>
          <h1 className={css.title}>{t('report:title')}</h1>
          <Button
            size="xs"
            variant="default"
            leftSection={<IconRefresh size={15} aria-hidden />}
            onClick={() => void check()}
          >
            {t('report:check')}
          </Button>
        </div>
        <div className={css.find}>
          <SearchInput
            label={t('report:search')}
            clearLabel={t('report:clearSearch')}
            text={text}
            onWrite={setText}
          />
          <SegmentedControl
            fullWidth
            aria-label={t('report:show')}
            value={view}
            data={VIEWS.map((one) => ({
              value: one,
              label: t(`report:view.${one}`, {
                count: one === 'unread' ? unread : one === 'awaited' ? (value?.awaiting ?? 0) : items.length,
              }),
            }))}
            onChange={(chosen) => setView(VIEWS.find((one) => one === chosen) ?? 'all')}
          />
        </div>
        {shownFailure && <FailureNotice failure={shownFailure} tone="amber" />}
        {isEmpty && value ? (
          <EmptyReports view={view} isSearched={search !== ''} every={intervalText(checkSeconds)} />
        ) : view === 'awaited' ? (
          <PendingReports items={waiting} isCurrent={isCurrent} />
        ) : (
          <Inbox groups={groups} isCurrent={isCurrent} />
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
  if (isSearched)
    return (
      <EmptyState icon={IconSearchOff} title={t('report:notFound.title')} body={t('report:notFound.body')} />
    )
  if (view === 'unread')
    return (
      <EmptyState icon={IconMailOpened} title={t('report:allRead.title')} body={t('report:allRead.body')} />
    )
  if (view === 'awaited')
    return (
      <EmptyState
        icon={IconMailOpened}
        title={t('report:noneAwaited.title')}
        body={t('report:noneAwaited.body')}
      />
    )
  return (
    <EmptyState
      icon={IconFileText}
      title={t('report:empty.title')}
      body={t('report:empty.body', { minutes: every })}
    />
  )
}
