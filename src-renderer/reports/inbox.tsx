import type { ReportSummary } from '../../src-shared/report.ts'
import { formatCalendarDay, formatExactly, formatInstant } from '../format/instants.ts'
import { useNames } from '../privacy/use-names.ts'
import { writeRoute } from '../shell/routes.ts'
import css from './reports-screen.module.css'
import { t } from '../words/t.ts'

export type InboxProps = { readonly items: readonly ReportSummary[]; readonly caseId: string | null }

/** The reports, the latest first; a dot and a word mark those that nobody has opened. */
export function Inbox({ items, caseId }: InboxProps) {
  const names = useNames()
  return (
    <nav className={css.inbox} aria-label={t('report:inbox')}>
      <ul role="list">
        {items
          .toSorted((one, other) => other.fetchedAt - one.fetchedAt)
          .map((item) => (
            <li key={item.caseId}>
              <a
                href={writeRoute({ screen: 'reports', caseId: item.caseId })}
                className={css.item}
                data-unread={item.readAt === null}
                aria-current={item.caseId === caseId}
              >
                <span>{item.readAt === null && <span className={css.dot} />}</span>
                <span className={`${css.number} tabular truncate`}>
                  {item.historyNumber ?? t('report:caseId', { id: item.caseId })}
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
                    {item.readAt === null && <span className={css.unread}>{t('report:unread')} </span>}
                    {item.versionCount > 1
                      ? t('report:versions', { count: item.versionCount })
                      : t(`report:kind.${item.kind}`)}
                  </span>
                </span>
              </a>
            </li>
          ))}
      </ul>
    </nav>
  )
}
