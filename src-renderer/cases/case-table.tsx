import { Anchor, Button } from '@mantine/core'
import { memo } from 'react'
import type { ListedCase } from '../../src-shared/case.ts'
import { formatCalendarDay, formatInstant } from '../format/instants.ts'
import { useNames } from '../privacy/use-names.ts'
import { writeRoute } from '../shell/routes.ts'
import css from './cases-screen.module.css'
import { t } from '../words/t.ts'

export type CaseTableProps = {
  readonly items: readonly ListedCase[]
  readonly onShow: (shown: ListedCase) => void
}

/** Cases in the service's order and words. */
export const CaseTable = memo(function CaseTable({ items, onShow }: CaseTableProps) {
  return (
    <table className={css.table} aria-label={t('case:table')}>
      <thead>
        <tr>
          <th scope="col">{t('case:columns.caseId')}</th>
          <th scope="col">{t('case:columns.state')}</th>
          <th scope="col">{t('case:columns.patient')}</th>
          <th scope="col">{t('case:columns.visit')}</th>
          <th scope="col">{t('case:columns.created')}</th>
          <th scope="col">{t('case:columns.ours')}</th>
          <th scope="col">
            <span className={css.hidden}>{t('case:columns.actions')}</span>
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
  const name = useNames().name([item.lastName, item.firstName].filter(Boolean).join(', '))
  return (
    <tr data-case-id={item.caseId}>
      <td className={`${css.caseId} tabular`}>{item.caseId}</td>
      <td>
        <span className={css.state}>{item.state ?? t('case:noState')}</span>
        {item.urgency !== null && <span className={css.urgency}>{item.urgency}</span>}
      </td>
      <td>
        <span className={css.patient}>
          <span className={`${css.number} tabular`}>{item.historyNumber ?? '\u2013'}</span>
          <span className="dim">{name === '' ? t('queue:noName') : name}</span>
        </span>
      </td>
      <td className="tabular">{item.visitDate === null ? '\u2013' : formatCalendarDay(item.visitDate)}</td>
      <td className="tabular">{item.createdAt === null ? '\u2013' : showCreated(item.createdAt)}</td>
      <td>
        {item.submissionId === null ? (
          <span className="dim">{t('case:notOurs')}</span>
        ) : (
          <Anchor
            href={writeRoute({ screen: 'submission', id: item.submissionId })}
            className={css.reference ?? ''}
            aria-label={t('case:oursOf', { reference: item.reference ?? item.submissionId })}
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
            aria-label={t('case:detailsOf', { id: item.caseId })}
            onClick={() => onShow(item)}
          >
            {t('case:details')}
          </Button>
          <Button
            component="a"
            size="xs"
            variant="default"
            href={writeRoute({ screen: 'reports', caseId: item.caseId })}
            aria-label={t('case:reportOf', { id: item.caseId })}
          >
            {t('case:openReport')}
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
