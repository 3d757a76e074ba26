import { Anchor, Button, UnstyledButton } from '@mantine/core'
import { IconAlertOctagon, IconFileText } from '@tabler/icons-react'
import { memo, type KeyboardEvent, type MouseEvent } from 'react'
import type { Alarm } from '../../src-shared/alarm.ts'
import type { ListedCase } from '../../src-shared/case.ts'
import { readUrgency } from '../../src-shared/urgency.ts'
import { alarmPanel } from '../alarms/alarm-panel-state.ts'
import { formatCalendarDay, formatInstant } from '../format/instants.ts'
import listing from '../parts/listing.module.css'
import { UrgencyMark } from '../parts/urgency-mark.tsx'
import { useNames } from '../privacy/use-names.ts'
import { writeRoute } from '../shell/routes.ts'
import { readInstant } from './case-filter.ts'
import css from './cases-screen.module.css'
import { said } from '../words/said.ts'
import { t } from '../words/t.ts'

/** The control of a row that opens its case; the arrows go from one to the next. */
const OPENER = '[data-row-opener]'

export type CaseTableProps = {
  readonly items: readonly ListedCase[]
  /** By the ids of the cases that they are about. */
  readonly alarms: ReadonlyMap<string, Alarm>
  readonly onShow: (shown: ListedCase) => void
}

function press(event: KeyboardEvent<HTMLTableSectionElement>): void {
  if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return
  if (!(event.target instanceof HTMLElement)) return
  const row = event.target.closest('tr')
  const next = event.key === 'ArrowDown' ? row?.nextElementSibling : row?.previousElementSibling
  event.preventDefault()
  next?.querySelector<HTMLElement>(OPENER)?.focus()
}

/** Cases in the service's order and words. */
export const CaseTable = memo(function CaseTable({ items, alarms, onShow }: CaseTableProps) {
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
            <span className={listing.hidden}>{t('case:columns.actions')}</span>
          </th>
        </tr>
      </thead>
      <tbody onKeyDown={press}>
        {items.map((item) => (
          <CaseRow key={item.caseId} item={item} alarm={alarms.get(item.caseId) ?? null} onShow={onShow} />
        ))}
      </tbody>
    </table>
  )
})

type CaseRowProps = {
  readonly item: ListedCase
  readonly alarm: Alarm | null
  readonly onShow: CaseTableProps['onShow']
}

const CaseRow = memo(function CaseRow({ item, alarm, onShow }: CaseRowProps) {
  const names = useNames()
  const name = [item.lastName, item.firstName].filter(Boolean).join(', ')
  const show = (event: MouseEvent<HTMLTableRowElement>): void => {
    // A click beside the controls opens the case, as people expect of a row.
    if (event.target instanceof Element && !event.target.closest('a, button')) onShow(item)
  }
  return (
    <tr data-case-id={item.caseId} onClick={show}>
      <td className={`${css.caseId} tabular`}>
        {item.caseId}
        {alarm && (
          <UnstyledButton
            className={css.alarm}
            title={said(alarm.message)}
            aria-label={t('case:alarmOf', { id: item.caseId })}
            onClick={() => alarmPanel.setState({ isShown: true })}
          >
            <IconAlertOctagon size={15} aria-hidden />
            {t('case:alarm')}
          </UnstyledButton>
        )}
      </td>
      <td>
        <span className={css.state}>{item.state ?? t('case:noState')}</span>{' '}
        <UrgencyMark urgency={readUrgency(item.urgency)} label={item.urgency ?? ''} />
      </td>
      <td>
        <span className={css.patient}>
          <span className={`${css.number} tabular`}>{item.historyNumber ?? '\u2013'}</span>
          <span className="dim">{name === '' ? t('queue:noName') : names.name(name)}</span>
        </span>
      </td>
      <td className={`${css.day} tabular`}>
        {item.visitDate === null ? '\u2013' : formatCalendarDay(item.visitDate)}
      </td>
      <td className="tabular">{item.createdAt === null ? '\u2013' : showCreated(item.createdAt)}</td>
      <td>
        {item.submissionId === null ? (
          <span className="dim">{t('case:notOurs')}</span>
        ) : (
          <Anchor
            href={writeRoute({ screen: 'submission', id: item.submissionId })}
            className={listing.reference ?? ''}
            aria-label={t('case:oursOf', { reference: item.reference ?? item.submissionId })}
          >
            {item.reference ?? item.submissionId}
          </Anchor>
        )}
      </td>
      <td>
        <span className={css.actions}>
          <ReportLink item={item} />
          <Button
            size="xs"
            variant="default"
            data-row-opener
            aria-label={t('case:detailsOf', { id: item.caseId })}
            onClick={() => onShow(item)}
          >
            {t('case:details')}
          </Button>
        </span>
      </td>
    </tr>
  )
})

export type ReportLinkProps = { readonly item: ListedCase }

/** The way to the report that is here, or the truth that none is; nothing where this station never asks for one. */
export function ReportLink({ item }: ReportLinkProps) {
  if (item.submissionId === null) return null
  const href = writeRoute({ screen: 'reports', caseId: item.caseId, submissionId: item.submissionId })
  if (!item.hasReport)
    return (
      <Anchor
        className={css.noReport ?? ''}
        href={href}
        aria-label={t('case:noReportOf', { id: item.caseId })}
      >
        {t('case:noReport')}
      </Anchor>
    )
  return (
    <Button
      component="a"
      size="xs"
      variant="light"
      leftSection={<IconFileText size={15} aria-hidden />}
      href={href}
      aria-label={t('case:reportOf', { id: item.caseId })}
    >
      {t('case:openReport')}
    </Button>
  )
}

/** The service's spelling of an instant is not known: what a browser can read is shown our way, the rest as it came. */
export function showCreated(text: string): string {
  if (/^\d{4}-\d{2}-\d{2}$/.test(text)) return formatCalendarDay(text)
  const at = readInstant(text)
  return at === null ? text : formatInstant(at)
}
