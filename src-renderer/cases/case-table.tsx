/** The service's cases as a table, and the details of one. */
import { Anchor, Button, Loader, UnstyledButton } from '@mantine/core'
import { IconAlertOctagon, IconArrowRight, IconFileText } from '@tabler/icons-react'
import { type KeyboardEvent, memo, type MouseEvent } from 'react'
import { Fact, LinkButton } from '../components/controls.tsx'
import { Dialog } from '../components/dialog.tsx'
import type { Alarm } from '../../src-shared/alarms.ts'
import type { ListedCase } from '../../src-shared/case.ts'
import { readUrgency } from '../../src-shared/submission.ts'
import { UrgencyMark } from '../components/badges.tsx'
import { CopyAction } from '../components/browser.tsx'
import { JsonTree } from '../reports/report-formats.tsx'
import { FailureNotice } from '../components/notices.tsx'
import { formatCalendarDay, formatInstant } from '../format/dates.ts'
import { joinTexts, messageOf, t } from '../i18n/i18n.ts'
import listing from '../components/listing.module.css'
import { maskRaw, type Names, useNames } from '../privacy/names.tsx'
import { alarmPanel, writeRoute } from '../shell/navigation.tsx'
import { useAnswer } from '../store/use-station.ts'
import caseDetailsCss from './case-details.module.css'
import css from './cases-screen.module.css'
import screenCss from './cases-screen.module.css'

/** The control that opens a row's case; arrow keys move between rows. */
const OPENER = '[data-row-opener]'

type CaseTableProps = {
  readonly items: readonly ListedCase[]
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

export const CaseTable = memo(function CaseTable({ items, alarms, onShow }: CaseTableProps) {
  return (
    <table className={css.table} aria-label={t('case:table')}>
      <thead>
        <tr>
          {(['caseId', 'state', 'patient', 'visit', 'created', 'ours'] as const).map((name) => (
            <th key={name} scope="col">
              {t(`case:columns.${name}`)}
            </th>
          ))}
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
    // A click outside the controls opens the case, as people expect of a row.
    if (event.target instanceof Element && !event.target.closest('a, button')) onShow(item)
  }
  return (
    <tr data-case-id={item.caseId} onClick={show}>
      <td className={`${css.caseId} tabular`}>
        {item.caseId}
        {alarm && (
          <UnstyledButton
            className={css.alarm}
            title={messageOf(alarm)}
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

type ReportLinkProps = { readonly item: ListedCase }

/** A link to the report, or a note that there is none; nothing if this station never requests reports. */
function ReportLink({ item }: ReportLinkProps) {
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

function showCreated(text: string): string {
  if (/^\d{4}-\d{2}-\d{2}$/.test(text)) return formatCalendarDay(text)
  const at = readInstant(text)
  return at === null ? text : formatInstant(at)
}

type CaseDetailsProps = {
  readonly caseId: string | null
  readonly listed: ListedCase | null
  readonly alarm: Alarm | null
  readonly onClose: () => void
}

/** Everything that the service says about a case, including undocumented fields. */
export function CaseDetails({ caseId, listed, alarm, onClose }: CaseDetailsProps) {
  return (
    <Dialog
      opened={caseId !== null}
      onClose={onClose}
      size="xl"
      title={caseId && t('case:detailsOf', { id: caseId })}
    >
      {caseId !== null && <CaseContent key={caseId} caseId={caseId} listed={listed} alarm={alarm} />}
    </Dialog>
  )
}

type CaseContentProps = Omit<CaseDetailsProps, 'caseId' | 'onClose'> & { readonly caseId: string }

function CaseContent({ caseId, listed, alarm }: CaseContentProps) {
  // The list may be less detailed than the case itself, so the case is requested too.
  const { value, failure, isReading } = useAnswer('cases.get', { id: caseId })
  const item = value ?? listed
  const names = useNames()
  if (item === null)
    return failure ? (
      <FailureNotice failure={failure} tone="amber" />
    ) : (
      <Loader aria-label={t('case:reading')} />
    )
  const name = [item.lastName, item.firstName].filter(Boolean).join(', ')
  return (
    <>
      {alarm && (
        <p className={caseDetailsCss.alarm}>
          <IconAlertOctagon size={18} aria-hidden />
          {messageOf(alarm)}
        </p>
      )}
      <dl className={caseDetailsCss.facts}>
        <Fact name={t('case:columns.state')}>
          <span className={screenCss.state}>{item.state ?? t('case:noState')}</span>{' '}
          <UrgencyMark urgency={readUrgency(item.urgency)} label={item.urgency ?? ''} />
        </Fact>
        <Fact name={t('case:columns.patient')}>
          {joinTexts(item.historyNumber, name && names.name(name)) || '\u2013'}
        </Fact>
        <Fact name={t('case:columns.visit')}>
          {item.visitDate === null ? '\u2013' : formatCalendarDay(item.visitDate)}
        </Fact>
        <Fact name={t('case:columns.created')}>
          {item.createdAt === null ? '\u2013' : showCreated(item.createdAt)}
        </Fact>
        <Fact name={t('case:columns.ours')}>
          {item.submissionId === null ? (
            <span className="dim">{t('case:notOurs')}</span>
          ) : (
            <Anchor href={writeRoute({ screen: 'submission', id: item.submissionId })}>
              {item.reference ?? item.submissionId}
            </Anchor>
          )}
        </Fact>
      </dl>
      {item.submissionId !== null && (
        <p className={caseDetailsCss.ways}>
          <LinkButton
            size="xs"
            rightSection={<IconArrowRight size={15} aria-hidden />}
            to={{ screen: 'submission', id: item.submissionId }}
          >
            {t('case:openOurs')}
          </LinkButton>
          <ReportLink item={item} />
        </p>
      )}
      <div className={caseDetailsCss.fieldsHead}>
        <h3>{t('case:allFields')}</h3>
        <CopyAction text={JSON.stringify(item.raw, null, 2)} label={t('case:copyFields')} />
        {isReading && <Loader size="xs" aria-label={t('case:reading')} />}
      </div>
      {failure && listed && <p className="dim">{t('case:onlyListed', { why: messageOf(failure) })}</p>}
      <JsonTree value={names.areHidden ? withoutNames(item, names) : item.raw} />
    </>
  )
}

function withoutNames({ raw, firstName, lastName }: ListedCase, names: Names): unknown {
  const fields = {
    ...(firstName !== null && { first_name: firstName }),
    ...(lastName !== null && { last_name: lastName }),
  }
  return maskRaw(raw, (text) => names.text(text, fields))
}

/** Parses an instant in the service's own format; null if it is ambiguous. */
export function readInstant(text: string): number | null {
  const at = /^\d{4}-\d{2}-\d{2}[T ]\d/.test(text) ? Date.parse(text) : Number.NaN
  return Number.isNaN(at) ? null : at
}
