/** The reader of one report, with its versions and the images of its case. */
import { Button, Group, Loader, NativeSelect, Stack, Text } from '@mantine/core'
import {
  IconFileOff,
  IconFileText,
  IconHistory,
  IconMail,
  IconMailOpened,
  IconPrinter,
} from '@tabler/icons-react'
import { Suspense, useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { useStore } from 'zustand'
import {
  type Report,
  REPORT_ACTS,
  type ReportDone,
  type ReportSummary,
  type ReportVersion,
} from '../../src-shared/report.ts'
import { UrgencyMark } from '../components/badges.tsx'
import { useFocusAfter, useLetterKey, useStationNow } from '../components/browser.tsx'
import { EmptyState, FailureNotice, IconAction, LinkButton, SmallButton } from '../components/controls.tsx'
import { currentSignature, initials, SignatureFields, useSignature } from '../decisions/decisions.tsx'
import { formatAge, formatCalendarDay, formatExactly, formatInstant } from '../format/dates.ts'
import { joinTexts, t } from '../i18n/i18n.ts'
import { useNames } from '../privacy/names.tsx'
import { lazyScreen, writeRoute } from '../shell/navigation.tsx'
import { runCall, showToast } from '../shell/toast.tsx'
import { useAnswer, useSession, useStation } from '../store/use-station.ts'
import treeCss from '../components/json-tree.module.css'
import {
  EyeCards,
  HtmlReport,
  JsonTree,
  LinkReport,
  PictureReport,
  reportFileName,
  SaveReport,
} from './report-formats.tsx'
import {
  mostUrgent,
  readReport,
  numberVersions,
  type ShownVersion,
  shownVersionOf,
} from './report-reading.ts'
import type { PrintSheetProps } from './pdf-report.tsx'
import css from './report-reader.module.css'

const PrintSheet = lazyScreen(async () => (await import('./pdf-report.tsx')).PrintSheet)
const PdfReport = lazyScreen(async () => (await import('./pdf-report.tsx')).PdfReport)

/** What of one version is not above it, by its kind. All of it is untrusted. */
function ReportContent({ version, rest }: { readonly version: ReportVersion; readonly rest: unknown }) {
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
      return rest === undefined ? null : (
        <div className={css.paper}>
          <JsonTree value={rest} />
        </div>
      )
    case 'text':
      return (
        <div className={css.paper}>
          <p className={treeCss.value}>{version.text}</p>
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

function PrintReport(props: Pick<PrintSheetProps, 'version' | 'heading' | 'band'>) {
  const [isPrinting, setPrinting] = useState(false)
  const end = useCallback(() => setPrinting(false), [])
  const fail = useCallback(() => {
    setPrinting(false)
    showToast({ tone: 'red', title: t('report:notPrinted.title'), message: t('report:notPrinted.body') })
  }, [])
  const print = (): void => setPrinting(true)
  useLetterKey('P', print)
  return (
    <>
      <IconAction
        label={t('report:print')}
        aria-keyshortcuts="P"
        aria-busy={isPrinting}
        icon={IconPrinter}
        onClick={print}
      />
      {isPrinting && (
        <Suspense fallback={null}>
          <PrintSheet {...props} onEnd={end} onFail={fail} />
        </Suspense>
      )}
    </>
  )
}

type VersionsProps = {
  readonly versions: readonly ReportVersion[]
  readonly reading: ShownVersion
  readonly onChoose: (versionId: string) => void
}

function Versions({ versions, reading: { shown, newest, isOlder }, onChoose }: VersionsProps) {
  return (
    <Group p="8px 20px" className={css.versions}>
      <NativeSelect
        aria-label={t('report:version')}
        value={shown.id}
        onChange={(event) => onChoose(event.currentTarget.value)}
        data={numberVersions(versions).map(({ id, number, fetchedAt }, index) => ({
          value: id,
          label: t(index === 0 ? 'report:versionNewest' : 'report:versionOf', {
            number,
            when: formatInstant(fetchedAt),
          }),
        }))}
      />
      {isOlder !== 'no' && (
        <Group gap={8} className="amber bold" role="status">
          <IconHistory size={17} aria-hidden />
          {t(isOlder === 'chosen' ? 'report:isOlder' : 'report:isOvertaken', {
            number: newest.number,
            when: formatInstant(newest.fetchedAt),
          })}
          <SmallButton onClick={() => onChoose(newest.id)}>{t('report:showNewest')}</SmallButton>
        </Group>
      )}
    </Group>
  )
}

/** What was done about it, with initials; asked until someone has answered. */
type WhatWasDoneProps = {
  readonly summary: ReportSummary
  /** The version that is shown. */
  readonly version: string
  readonly onDone: () => void
}

function WhatWasDone({ summary, version, onDone }: WhatWasDoneProps) {
  const session = useSession()
  const signature = useSignature()
  const isAnonymous = useStore(initials, ({ by }) => by.trim() === '')
  const { caseId, submissionId, done } = summary
  const mark = async (what: ReportDone['what'] | null): Promise<void> => {
    // Who is at the window now may be another than when the report was opened.
    const by = currentSignature().by ?? signature.sign()?.by
    if (by === undefined) return
    await runCall(session, 'reports.markDone', { caseId, submissionId, version, what, by })
    onDone()
  }
  return (
    <Group gap={8} role="group" aria-label={t('report:whatWasDone')} data-done={done !== null}>
      {done === null ? (
        <>
          <strong>{t('report:whatWasDone')}</strong>
          {REPORT_ACTS.map((what) => (
            <SmallButton key={what} onClick={() => void mark(what)}>
              {t(`activity:entry.${what}`)}
            </SmallButton>
          ))}
        </>
      ) : (
        <>
          <strong>{joinTexts(t(`activity:entry.${done.what}`), done.by, formatInstant(done.at))}</strong>
          <SmallButton onClick={() => void mark(null)}>{t('shell:undo')}</SmallButton>
        </>
      )}
      {isAnonymous && (
        <Stack w="100%">
          <SignatureFields signature={signature} />
        </Stack>
      )}
    </Group>
  )
}

type ShownReportProps = VersionsProps & {
  readonly report: Report
  readonly summary: ReportSummary | null
  readonly isLeftUnread: boolean
  readonly onMark: () => void
  readonly onDone: () => void
  readonly onNext: (() => void) | null
}

function ShownReport(props: ShownReportProps) {
  const { report, reading, summary, isLeftUnread, onMark, onDone, onNext, ...rest } = props
  const { shown: version } = reading
  const isAsked = useStation((state) => state.settings?.reports.askWhatWasDone === 'on')
  const names = useNames()
  const content = useRef<HTMLDivElement>(null)
  useFocusAfter(() => content.current, `${version.id} ${reading.isOlder}`)
  useLetterKey('U', onMark)
  const result = useMemo(() => readReport(version), [version])
  const caseLabel = t('queue:caseId', { id: report.caseId })
  const visit = summary?.visitDate && formatCalendarDay(summary.visitDate)
  const patient = joinTexts(summary?.patientName && names.name(summary.patientName), visit)
  const wrong =
    report.sentWrongly && t('report:doNotUse', { why: t(`submission:wrongly.because.${report.sentWrongly}`) })
  const fileName = `${wrong ? 'DO-NOT-USE_' : ''}${reportFileName(report.caseId, version.number, version)}`
  const came = t('report:fetched', { when: formatInstant(version.fetchedAt) })
  const urgency = summary ? mostUrgent([result.level, summary.urgency]) : result.level
  return (
    <article className={css.reader} aria-label={caseLabel}>
      {wrong && (
        <h3 className="tone-box red" data-tone="red" role="alert">
          {wrong}
        </h3>
      )}
      <header className={css.header}>
        <h2 className={css.who}>
          <span className="tabular">{summary?.historyNumber ?? caseLabel}</span>
          <span>{patient}</span>
        </h2>
        <IconAction
          label={t(isLeftUnread ? 'report:markRead' : 'report:markUnread')}
          aria-keyshortcuts="U"
          icon={isLeftUnread ? IconMailOpened : IconMail}
          onClick={onMark}
        />
        <PrintReport
          key={version.id}
          version={version}
          band={wrong}
          heading={joinTexts(
            summary?.historyNumber,
            summary?.patientName,
            visit,
            caseLabel,
            t('report:versionNumber', { number: version.number }),
            came,
          )}
        />
        <SaveReport id={version.id} fileName={fileName} />
        <LinkButton to={{ screen: 'submission', id: report.submissionId }}>{t('report:openCase')}</LinkButton>
        {onNext && (
          <Button aria-keyshortcuts="N" onClick={onNext}>
            {t('report:next')}
          </Button>
        )}
      </header>
      {report.versions.length > 1 && <Versions reading={reading} {...rest} />}
      <div ref={content} className={css.content} tabIndex={0} role="region" aria-label={caseLabel}>
        {(result.urgency !== null || urgency !== 'routine') && (
          <Text fz={20} fw={700}>
            {result.urgency} <UrgencyMark urgency={urgency} />
          </Text>
        )}
        {result.finding !== null && <Text fz={16}>{result.finding}</Text>}
        {summary && reading.isOlder === 'no' && (isAsked || summary.done) && (
          <WhatWasDone summary={summary} version={version.id} onDone={onDone} />
        )}
        <EyeCards submissionId={report.submissionId} result={result} />
        <ReportContent key={version.id} version={version} rest={result.rest} />
        <footer className="small dim tabular" title={formatExactly(version.fetchedAt)}>
          <a className="dim" href={writeRoute({ screen: 'cases', caseId: report.caseId })}>
            {caseLabel}
          </a>
          {['', came, ...Object.entries(result.ids).map(([name, id]) => `${name} ${String(id)}`)].join(
            ' \u00b7 ',
          )}
        </footer>
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
  /** Opens the next unread report; null if there is no other. */
  readonly onNext: (() => void) | null
}

export function ReportReader(props: ReportReaderProps) {
  const { caseId, submissionId, listed, isListRead, onRead, onNext } = props
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
  const reading = value && openedId !== null ? shownVersionOf(value.versions, openedId, chosenId) : null

  // Only what was shown is marked as read: a version that arrives meanwhile stays unread, and what a person left unread.
  const [isLeftUnread, setLeftUnread] = useState(false)
  const isShownUnread = summary?.readAt === null && reading?.isOlder === 'no' && !isLeftUnread
  useEffect(() => {
    if (!isShownUnread || ownerId === null) return
    void session
      .call('reports.markRead', { caseId, submissionId: ownerId })
      .then((marked) => marked.ok && onRead())
  }, [session, caseId, ownerId, isShownUnread, onRead])
  const mark = async (): Promise<void> => {
    if (ownerId === null) return
    if (
      !(await runCall(session, 'reports.markRead', { caseId, submissionId: ownerId, isRead: isLeftUnread }))
    )
      return
    setLeftUnread(!isLeftUnread)
    onRead()
  }

  if (value && reading)
    return (
      <ShownReport
        report={value}
        versions={value.versions}
        onChoose={setChosenId}
        onMark={() => void mark()}
        onDone={() => {
          onRead()
          other.readAgain()
        }}
        {...{ reading, summary, isLeftUnread, onNext }}
      />
    )
  if (isReading) return <Loader className={css.loading} aria-label={t('shell:screens.reports')} />
  if (failure && failure.kind !== 'notReady') return <FailureNotice failure={failure} />
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
          <p className="tabular">
            {joinTexts(
              pending.historyNumber ?? t('queue:caseId', { id: caseId }),
              pending.patientName && names.name(pending.patientName),
              t('report:sentAgo', { when: formatAge(now - pending.sentAt) }),
              pending.nextCheckAt !== null &&
                t('report:askedNext', { when: formatInstant(Math.max(pending.nextCheckAt, now)) }),
              pending.state,
            )}
          </p>
          <LinkButton to={{ screen: 'submission', id: pending.submissionId }}>
            {t('report:openCase')}
          </LinkButton>
        </>
      )}
    </EmptyState>
  )
}
