import { Button, NativeSelect } from '@mantine/core'
import { IconHistory } from '@tabler/icons-react'
import type { Report, ReportSummary } from '../../src-shared/report.ts'
import { formatCalendarDay, formatExactly, formatInstant } from '../format/instants.ts'
import { UrgencyMark } from '../parts/urgency-mark.tsx'
import { useNames } from '../privacy/use-names.ts'
import { writeRoute } from '../shell/routes.ts'
import { reportFileName } from './file-name.ts'
import { PrintReport } from './print-report.tsx'
import { ReportContent } from './report-content.tsx'
import { ReportImages } from './report-images.tsx'
import css from './report-reader.module.css'
import { SaveReport } from './save-report.tsx'
import { numberVersions, type Reading } from './version-choice.ts'
import { t } from '../words/t.ts'

export type ShownReportProps = {
  readonly report: Report
  readonly reading: Reading
  readonly summary: ReportSummary | null
  readonly onChoose: (versionId: string) => void
}

/** The version that is read, whose it is, and what can be done with it. */
export function ShownReport({ report, reading, summary, onChoose }: ShownReportProps) {
  const { shown, newest, isOlder } = reading
  const { version, number } = shown
  const { submissionId } = report
  const names = useNames()
  const caseLabel = t('report:caseId', { id: report.caseId })
  const visit = summary?.visitDate && formatCalendarDay(summary.visitDate)
  const patient = [summary?.patientName && names.name(summary.patientName), visit]
    .filter(Boolean)
    .join(' \u00b7 ')
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
        <Button component="a" variant="default" href={writeRoute({ screen: 'submission', id: submissionId })}>
          {t('report:openCase')}
        </Button>
        <PrintReport
          key={version.id}
          version={version}
          heading={[
            summary?.historyNumber,
            summary?.patientName,
            visit,
            caseLabel,
            t('report:versionNumber', { number }),
            came,
          ]
            .filter(Boolean)
            .join(' \u00b7 ')}
        />
        <SaveReport id={version.id} fileName={reportFileName(report.caseId, number, version)} />
      </header>
      {report.versions.length > 1 && (
        <div className={css.versions} data-older={isOlder !== 'no'}>
          <NativeSelect
            aria-label={t('report:version')}
            value={version.id}
            onChange={(event) => onChoose(event.currentTarget.value)}
            data={numberVersions(report.versions).map((one, index) => ({
              value: one.version.id,
              label: t(index === 0 ? 'report:versionNewest' : 'report:versionOf', {
                number: one.number,
                when: formatInstant(one.version.fetchedAt),
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
                when: formatInstant(newest.version.fetchedAt),
              })}
              <Button size="compact-sm" variant="default" onClick={() => onChoose(newest.version.id)}>
                {t('report:showNewest')}
              </Button>
            </span>
          )}
        </div>
      )}
      <div className={css.body}>
        <div className={css.content} tabIndex={0} role="region" aria-label={caseLabel}>
          <ReportContent key={version.id} version={version} />
        </div>
        <ReportImages submissionId={submissionId} />
      </div>
    </article>
  )
}
