/** The reader of one report, with its versions and its images. */
import { Loader, NativeSelect } from '@mantine/core'
import { IconFileOff, IconFileText, IconHistory, IconPrinter } from '@tabler/icons-react'
import { Suspense, useCallback, useEffect, useState } from 'react'
import type { Report, ReportSummary, ReportVersion } from '../../src-shared/report.ts'
import { UrgencyMark } from '../components/badges.tsx'
import { useStationNow } from '../components/browser.tsx'
import {
  ActionButton,
  EmptyState,
  Fact,
  FailureNotice,
  LinkButton,
  SmallButton,
} from '../components/controls.tsx'
import {
  HtmlReport,
  JsonTree,
  LinkReport,
  reportFileName,
  ReportImages,
  SaveReport,
  UnavailableReport,
} from './report-formats.tsx'
import { useBytesUrl } from '../components/photo.tsx'
import { formatAge, formatCalendarDay, formatExactly, formatInstant } from '../format/dates.ts'
import { joinTexts, t } from '../i18n/i18n.ts'
import { useNames } from '../privacy/names.tsx'
import { lazyScreen, writeRoute } from '../shell/navigation.tsx'
import { showToast } from '../shell/toast.tsx'
import { useAnswer, useSession, useStation } from '../store/use-station.ts'
import css from './report-reader.module.css'

const PrintSheet = lazyScreen(async () => (await import('./pdf-report.tsx')).PrintSheet)

function PrintReport({ version, heading }: { readonly version: ReportVersion; readonly heading: string }) {
  const [isPrinting, setPrinting] = useState(false)
  const end = useCallback(() => setPrinting(false), [])
  const fail = useCallback(() => {
    setPrinting(false)
    showToast({ tone: 'red', title: t('report:notPrinted.title'), message: t('report:notPrinted.body') })
  }, [])
  return (
    <>
      <ActionButton icon={IconPrinter} loading={isPrinting} onClick={() => setPrinting(true)}>
        {t('report:print')}
      </ActionButton>
      {isPrinting && (
        <Suspense fallback={null}>
          <PrintSheet version={version} heading={heading} onEnd={end} onFail={fail} />
        </Suspense>
      )}
    </>
  )
}

const PdfReport = lazyScreen(async () => (await import('./pdf-report.tsx')).PdfReport)

/** The content of one version, by its kind. All of it is untrusted. */
function ReportContent({ version }: { readonly version: ReportVersion }) {
  switch (version.kind) {
    case 'pdf':
      return (
        <Suspense fallback={<Loader className={css.loading} aria-label={t('report:pdfLoading')} />}>
          <PdfReport id={version.id} />
        </Suspense>
      )
    case 'html':
      return <HtmlReport id={version.id} />
    case 'json':
      return (
        <div className={css.paper}>
          <JsonTree value={version.json} />
        </div>
      )
    case 'text':
      return (
        <div className={css.paper}>
          <pre className={css.text}>{version.text}</pre>
        </div>
      )
    case 'image':
      return <PictureReport id={version.id} />
    case 'link':
      return <LinkReport address={version.text ?? ''} />
    case 'unknown':
      return <EmptyState icon={IconFileOff} title={t('report:kind.unknown')} body={t('report:unknownKind')} />
  }
}

function PictureReport({ id }: { readonly id: string }) {
  const bytes = useBytesUrl('report', id)
  if (bytes.kind === 'ready')
    return <img className={css.picture} src={bytes.value.url} alt={t('shell:screens.reports')} />
  if (bytes.kind === 'loading')
    return <Loader className={css.loading} aria-label={t('shell:screens.reports')} />
  return <UnavailableReport />
}

type NumberedVersion = ReportVersion & { readonly number: number }

function numberVersions(versions: readonly ReportVersion[]): NumberedVersion[] {
  return versions
    .toSorted((one, other) => other.fetchedAt - one.fetchedAt)
    .map((version, index) => ({ ...version, number: versions.length - index }))
}

type Reading = {
  readonly shown: NumberedVersion
  readonly newest: NumberedVersion
  /** Is there a newer version, and did it arrive during reading? */
  readonly isOlder: 'no' | 'chosen' | 'overtaken'
}

/**
 * The version to show. `chosenId` is a person's choice, `openedId` the newest when the report was opened: a version
 * that arrives meanwhile does not replace the one being read.
 */
export function readingOf(
  versions: readonly ReportVersion[],
  openedId: string,
  chosenId: string | null,
): Reading | null {
  const all = numberVersions(versions)
  const [newest] = all
  if (!newest) return null
  const shown = all.find(({ id }) => id === (chosenId ?? openedId)) ?? newest
  const isOlder = shown === newest ? 'no' : chosenId === null ? 'overtaken' : 'chosen'
  return { shown, newest, isOlder }
}

type ShownReportProps = {
  readonly report: Report
  readonly reading: Reading
  readonly summary: ReportSummary | null
  readonly onChoose: (versionId: string) => void
}

function ShownReport({ report, reading, summary, onChoose }: ShownReportProps) {
  const { shown: version, newest, isOlder } = reading
  const { number } = version
  const names = useNames()
  const caseLabel = t('queue:caseId', { id: report.caseId })
  const visit = summary?.visitDate && formatCalendarDay(summary.visitDate)
  const patient = joinTexts(summary?.patientName && names.name(summary.patientName), visit)
  const came = t('report:fetched', { when: formatInstant(version.fetchedAt) })
  return (
    <article className={css.reader} aria-label={caseLabel}>
      <header className={css.header}>
        <div className={css.who}>
          <h2>
            <span className="tabular">{summary?.historyNumber ?? caseLabel}</span>
            {patient !== '' && <span className={css.name}>{patient}</span>}
          </h2>
          <p className="dim tabular" title={formatExactly(version.fetchedAt)}>
            <a href={writeRoute({ screen: 'cases', caseId: report.caseId })}>{caseLabel}</a>
            {' \u00b7 '}
            {came} {summary && <UrgencyMark urgency={summary.urgency} />}
          </p>
        </div>
        <LinkButton to={{ screen: 'submission', id: report.submissionId }}>{t('report:openCase')}</LinkButton>
        <PrintReport
          key={version.id}
          version={version}
          heading={joinTexts(
            summary?.historyNumber,
            summary?.patientName,
            visit,
            caseLabel,
            t('report:versionNumber', { number }),
            came,
          )}
        />
        <SaveReport id={version.id} fileName={reportFileName(report.caseId, number, version)} />
      </header>
      {report.versions.length > 1 && (
        <div className={css.versions} data-older={isOlder !== 'no'}>
          <NativeSelect
            aria-label={t('report:version')}
            value={version.id}
            onChange={(event) => onChoose(event.currentTarget.value)}
            data={numberVersions(report.versions).map(({ id, number, fetchedAt }, index) => ({
              value: id,
              label: t(index === 0 ? 'report:versionNewest' : 'report:versionOf', {
                number,
                when: formatInstant(fetchedAt),
              }),
            }))}
          />
          {isOlder === 'no' ? (
            <span className="dim">{t('report:thisIsNewest')}</span>
          ) : (
            <span className={css.older} role="status">
              <IconHistory size={17} aria-hidden />
              {t(isOlder === 'chosen' ? 'report:isOlder' : 'report:isOvertaken', {
                number: newest.number,
                when: formatInstant(newest.fetchedAt),
              })}
              <SmallButton onClick={() => onChoose(newest.id)}>{t('report:showNewest')}</SmallButton>
            </span>
          )}
        </div>
      )}
      <div className={css.body}>
        <div className={css.content} tabIndex={0} role="region" aria-label={caseLabel}>
          <ReportContent key={version.id} version={version} />
        </div>
        <ReportImages submissionId={report.submissionId} />
      </div>
    </article>
  )
}

type ReportReaderProps = {
  readonly caseId: string
  /** The report's owner; null for the report of this case id that arrived last. */
  readonly submissionId: string | null
  /** The lines of the list; a filtered or very long list may lack this one. */
  readonly listed: readonly ReportSummary[]
  readonly isListRead: boolean
  readonly every: string
  readonly onRead: () => void
}

export function ReportReader(props: ReportReaderProps) {
  const { caseId, submissionId, listed, isListRead, onRead } = props
  const session = useSession()
  const arrivals = useStation((state) => state.reportArrivals)
  // The first owner shown stays, even if a report of another one with this case id arrives.
  const [ownerId, setOwnerId] = useState(submissionId)
  const asked = ownerId === null ? { caseId } : { caseId, submissionId: ownerId }
  const answer = useAnswer('reports.get', asked, arrivals)
  const { failure, isReading } = answer
  if (ownerId === null && answer.value) setOwnerId(answer.value.submissionId)
  const value = answer.value?.submissionId === ownerId ? answer.value : null
  const own = listed.find((item) => item.submissionId === ownerId)
  const other = useAnswer(
    'reports.list',
    isListRead && !own && ownerId !== null ? { submissionId: ownerId } : null,
  )
  const summary = own ?? other.value?.items.find((item) => item.submissionId === ownerId) ?? null

  const [chosenId, setChosenId] = useState<string | null>(null)
  const [openedId, setOpenedId] = useState<string | null>(null)
  const [newest] = numberVersions(value?.versions ?? [])
  if (openedId === null && newest) setOpenedId(newest.id)
  const reading = value && openedId !== null ? readingOf(value.versions, openedId, chosenId) : null

  // Only what was shown is marked as read: a version that arrives meanwhile stays unread.
  const isShownUnread = summary?.readAt === null && reading?.isOlder === 'no'
  useEffect(() => {
    if (!isShownUnread || ownerId === null) return
    void session
      .call('reports.markRead', { caseId, submissionId: ownerId })
      .then((marked) => marked.ok && onRead())
  }, [session, caseId, ownerId, isShownUnread, onRead])

  if (value && reading)
    return <ShownReport report={value} reading={reading} summary={summary} onChoose={setChosenId} />
  if (isReading) return <Loader className={css.loading} aria-label={t('shell:screens.reports')} />
  if (failure && failure.kind !== 'notReady')
    return (
      <div className={css.trouble}>
        <FailureNotice failure={failure} />
      </div>
    )
  return <NotReady {...props} />
}

function NotReady({ caseId, submissionId, every }: ReportReaderProps) {
  const now = useStationNow()
  const names = useNames()
  const { value } = useAnswer(
    'reports.awaiting',
    submissionId === null ? { search: caseId } : { submissionId },
  )
  const [pending, another] = (value?.items ?? []).filter((item) => item.caseId === caseId)
  return (
    <EmptyState
      icon={IconFileText}
      title={t('report:notReady.title')}
      body={t('report:notReady.body', { minutes: every })}
    >
      {pending && !another && (
        <>
          <dl className={css.waiting}>
            <Fact name={t('submission:blocks.patient')}>
              {joinTexts(pending.historyNumber, pending.patientName && names.name(pending.patientName)) ||
                t('report:noPatient')}
            </Fact>
            <Fact name={t('state:sent.name')}>
              {formatInstant(pending.sentAt)} ({formatAge(now - pending.sentAt)})
            </Fact>
            {pending.nextCheckAt !== null && (
              <Fact name={t('report:notReady.next')}>
                {pending.nextCheckAt <= now ? t('report:notReady.now') : formatInstant(pending.nextCheckAt)}
              </Fact>
            )}
            {pending.state !== null && <Fact name={t('case:columns.state')}>{pending.state}</Fact>}
          </dl>
          <LinkButton to={{ screen: 'submission', id: pending.submissionId }}>
            {t('report:openCase')}
          </LinkButton>
        </>
      )}
    </EmptyState>
  )
}
