import { Button, Loader, NativeSelect } from '@mantine/core'
import { IconFileText } from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import type { Report, ReportSummary } from '../../src-shared/report.ts'
import { formatCalendarDay, formatExactly, formatInstant } from '../format/instants.ts'
import { EmptyPlace } from '../parts/empty-place.tsx'
import { FailureNotice } from '../parts/failure-notice.tsx'
import { useNames } from '../privacy/use-names.ts'
import { writeRoute } from '../shell/routes.ts'
import { useAnswer } from '../store/use-answer.ts'
import { useSession, useStation } from '../store/use-station.ts'
import css from './report-reader.module.css'
import { ReportContent } from './report-content.tsx'
import { ReportImages } from './report-images.tsx'
import { SaveReport } from './save-report.tsx'
import { t } from '../words/t.ts'

export type ReportReaderProps = {
  readonly caseId: string
  readonly summary: ReportSummary | null
  /** How often the station asks, in words. */
  readonly every: string
  /** Called once the station knows that the report was read. */
  readonly onRead: () => void
}

/** One report beside the images that it is about. */
export function ReportReader({ caseId, summary, every, onRead }: ReportReaderProps) {
  const session = useSession()
  const arrivals = useStation((state) => state.reportArrivals)
  const { value, failure, isReading, readAgain } = useAnswer('reports.get', { caseId })
  useEffect(() => {
    if (arrivals > 0) readAgain()
  }, [arrivals, readAgain])

  const isUnread = summary?.readAt === null
  useEffect(() => {
    if (!isUnread || !value) return
    void session.call('reports.markRead', { caseId }).then((answer) => answer.ok && onRead())
  }, [session, caseId, isUnread, value, onRead])

  if (value) return <Shown report={value} summary={summary} />
  if (isReading) return <Loader className={css.loading} aria-label={t('report:title')} />
  if (failure && failure.kind !== 'notReady')
    return (
      <div className={css.trouble}>
        <FailureNotice failure={failure} />
      </div>
    )
  return (
    <EmptyPlace
      icon={IconFileText}
      title={t('report:notReady.title')}
      body={t('report:notReady.body', { minutes: every })}
    />
  )
}

type ShownProps = { readonly report: Report; readonly summary: ReportSummary | null }

function Shown({ report, summary }: ShownProps) {
  const names = useNames()
  const versions = report.versions.toSorted((one, other) => other.fetchedAt - one.fetchedAt)
  const [chosenId, setChosenId] = useState<string | null>(null)
  const version = versions.find(({ id }) => id === chosenId) ?? versions[0]
  const submissionId = useStation(
    ({ submissions }) =>
      summary?.submissionId ??
      Object.values(submissions).find(({ caseId }) => caseId === report.caseId)?.id ??
      null,
  )
  if (!version) return null
  const who = [
    summary?.patientName && names.name(summary.patientName),
    summary?.visitDate && formatCalendarDay(summary.visitDate),
  ]
    .filter(Boolean)
    .join(' \u00b7 ')
  return (
    <article className={css.reader} aria-label={t('report:caseId', { id: report.caseId })}>
      <header className={css.header}>
        <div className={css.who}>
          <h2>
            <span className="tabular">
              {summary?.historyNumber ?? t('report:caseId', { id: report.caseId })}
            </span>
            {who !== '' && <span className={css.name}>{who}</span>}
          </h2>
          <p className="dim tabular" title={formatExactly(version.fetchedAt)}>
            {t('report:caseId', { id: report.caseId })}
            {' \u00b7 '}
            {t('report:fetched', { when: formatInstant(version.fetchedAt) })}
          </p>
        </div>
        {versions.length > 1 && (
          <NativeSelect
            aria-label={t('report:version')}
            value={version.id}
            onChange={(event) => setChosenId(event.currentTarget.value)}
            data={versions.map(({ id, fetchedAt }, index) => ({
              value: id,
              label: t('report:versionOf', {
                number: versions.length - index,
                when: formatInstant(fetchedAt),
              }),
            }))}
          />
        )}
        {submissionId !== null && (
          <Button
            component="a"
            variant="default"
            href={writeRoute({ screen: 'submission', id: submissionId })}
          >
            {t('report:openCase')}
          </Button>
        )}
        <SaveReport version={version} name={`report-${report.caseId}`} />
      </header>
      <div className={css.body}>
        <div
          className={css.content}
          tabIndex={0}
          role="region"
          aria-label={t('report:caseId', { id: report.caseId })}
        >
          <ReportContent key={version.id} version={version} />
        </div>
        <ReportImages submissionId={submissionId} />
      </div>
    </article>
  )
}
