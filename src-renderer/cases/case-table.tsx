import { Anchor, Button } from '@mantine/core'
import { memo } from 'react'
import type { ListedCase } from '../../src-shared/case.ts'
import { formatCalendarDay, formatInstant } from '../format/instants.ts'
import { writeRoute } from '../shell/routes.ts'
import { CASE_WORDS } from '../words/case-words.ts'
import { QUEUE_WORDS } from '../words/queue-words.ts'
import css from './cases-screen.module.css'

export type CaseTableProps = {
  readonly items: readonly ListedCase[]
  readonly onShow: (shown: ListedCase) => void
}

/** Cases in the service's order and words. */
export const CaseTable = memo(function CaseTable({ items, onShow }: CaseTableProps) {
  const { columns } = CASE_WORDS
  return (
    <table className={css.table} aria-label={CASE_WORDS.table}>
      <thead>
        <tr>
          <th scope="col">{columns.caseId}</th>
          <th scope="col">{columns.state}</th>
          <th scope="col">{columns.patient}</th>
          <th scope="col">{columns.visit}</th>
          <th scope="col">{columns.created}</th>
          <th scope="col">{columns.ours}</th>
          <th scope="col">
            <span className={css.hidden}>{columns.actions}</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {items.map((item) => (
          <CaseRow key={item.caseId} item={item} onShow={onShow} />
        ))}
      </tbody>
    </table>
  )
})

function CaseRow({ item, onShow }: { readonly item: ListedCase; readonly onShow: CaseTableProps['onShow'] }) {
  const name = [item.lastName, item.firstName].filter(Boolean).join(', ')
  return (
    <tr data-case-id={item.caseId}>
      <td className={`${css.caseId} tabular`}>{item.caseId}</td>
      <td>
        <span className={css.state}>{item.state ?? CASE_WORDS.noState}</span>
        {item.urgency !== null && <span className={css.urgency}>{item.urgency}</span>}
      </td>
      <td>
        <span className={css.patient}>
          <span className={`${css.number} tabular`}>{item.historyNumber ?? '\u2013'}</span>
          <span className="dim">{name === '' ? QUEUE_WORDS.noName : name}</span>
        </span>
      </td>
      <td className="tabular">{item.visitDate === null ? '\u2013' : formatCalendarDay(item.visitDate)}</td>
      <td className="tabular">{item.createdAt === null ? '\u2013' : showCreated(item.createdAt)}</td>
      <td>
        {item.submissionId === null ? (
          <span className="dim">{CASE_WORDS.notOurs}</span>
        ) : (
          <Anchor
            href={writeRoute({ screen: 'submission', id: item.submissionId })}
            className={css.reference ?? ''}
            aria-label={CASE_WORDS.oursOf(item.reference ?? item.submissionId)}
          >
            {item.reference ?? item.submissionId}
          </Anchor>
        )}
      </td>
      <td>
        <span className={css.actions}>
          <Button
            size="xs"
            variant="default"
            aria-label={CASE_WORDS.detailsOf(item.caseId)}
            onClick={() => onShow(item)}
          >
            {CASE_WORDS.details}
          </Button>
          <Button
            component="a"
            size="xs"
            variant="default"
            href={writeRoute({ screen: 'reports', caseId: item.caseId })}
            aria-label={CASE_WORDS.reportOf(item.caseId)}
          >
            {CASE_WORDS.openReport}
          </Button>
        </span>
      </td>
    </tr>
  )
}

/** The service's spelling of an instant is not known: what a browser can read is shown our way, the rest as it came. */
function showCreated(text: string): string {
  if (/^\d{4}-\d{2}-\d{2}$/.test(text)) return formatCalendarDay(text)
  const at = /^\d{4}-\d{2}-\d{2}[T ]/.test(text) ? Date.parse(text) : Number.NaN
  return Number.isNaN(at) ? text : formatInstant(at)
}
