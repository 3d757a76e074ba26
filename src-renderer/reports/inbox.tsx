import type { KeyboardEvent } from 'react'
import type { ReportSummary } from '../../src-shared/report.ts'
import { formatCalendarDay, formatExactly, formatInstant } from '../format/instants.ts'
import { UrgencyMark } from '../parts/urgency-mark.tsx'
import { useNames } from '../privacy/use-names.ts'
import { writeRoute } from '../shell/routes.ts'
import type { InboxGroup } from './inbox-groups.ts'
import css from './inbox.module.css'
import { t } from '../words/t.ts'

export type InboxProps = {
  readonly groups: readonly InboxGroup[]
  readonly isCurrent: (item: ReportSummary) => boolean
}

/** The reports that have come; a dot and a word mark those that nobody has opened. */
export function Inbox({ groups, isCurrent }: InboxProps) {
  return (
    <nav className={css.inbox} aria-label={t('report:inbox')} onKeyDown={moveInList}>
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

/** The arrows go from line to line, over the headings. */
export function moveInList(event: KeyboardEvent<HTMLElement>): void {
  if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return
  const lines = [...event.currentTarget.querySelectorAll<HTMLElement>('[data-list-line]')]
  const at = lines.findIndex((line) => line === event.target)
  if (at === -1) return
  event.preventDefault()
  lines[at + (event.key === 'ArrowDown' ? 1 : -1)]?.focus()
}
