import type { PendingReport } from '../../src-shared/report.ts'
import { formatAge, formatCalendarDay, formatExactly, formatInstant } from '../format/instants.ts'
import { UrgencyMark } from '../parts/urgency-mark.tsx'
import { useStationNow } from '../parts/use-now.ts'
import { useNames } from '../privacy/use-names.ts'
import { writeRoute } from '../shell/routes.ts'
import css from './inbox.module.css'
import { moveInList } from './inbox.tsx'
import { t } from '../words/t.ts'

export type PendingReportsProps = {
  readonly items: readonly PendingReport[]
  readonly isCurrent: (item: PendingReport) => boolean
}

/** The cases that have no report yet, since when, and when the service is asked next. */
export function PendingReports({ items, isCurrent }: PendingReportsProps) {
  const now = useStationNow()
  const names = useNames()
  return (
    <nav className={css.inbox} aria-label={t('report:awaitedList')} onKeyDown={moveInList}>
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
