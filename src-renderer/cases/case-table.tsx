/** The service's cases as a table, and the details of one. */
import { Anchor, Button, Group, Loader, Stack, UnstyledButton } from '@mantine/core'
import { IconAlertOctagon, IconArrowRight, IconFileText } from '@tabler/icons-react'
import { memo, type MouseEvent } from 'react'
import { CopyAction, Fact, LinkButton, moveFocus, NotRead } from '../components/controls.tsx'
import type { Alarm } from '../../src-shared/alarms.ts'
import type { ListedCase } from '../../src-shared/case.ts'
import { readUrgency } from '../../src-shared/submission.ts'
import { UrgencyMark } from '../components/badges.tsx'
import { JsonTree } from '../reports/report-formats.tsx'
import { formatCalendarDay, formatInstant } from '../format/dates.ts'
import { joinTexts, messageOf, t } from '../i18n/i18n.ts'
import { maskRaw, type Names, useNames } from '../privacy/names.tsx'
import { alarmPanel, goTo, writeRoute } from '../shell/navigation.tsx'
import { useAnswer } from '../store/use-station.ts'
import caseDetailsCss from './case-details.module.css'
import css from './cases-screen.module.css'

type CaseTableProps = {
  readonly items: readonly ListedCase[]
  readonly alarms: ReadonlyMap<string, Alarm>
}

export const CaseTable = memo(function CaseTable({ items, alarms }: CaseTableProps) {
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
            <span className="visually-hidden">{t('case:columns.actions')}</span>
          </th>
        </tr>
      </thead>
      <tbody onKeyDown={(event) => moveFocus(event, '[data-row-opener]', 'tr')}>
        {items.map((item) => (
          <CaseRow key={item.caseId} item={item} alarm={alarms.get(item.caseId) ?? null} />
        ))}
      </tbody>
    </table>
  )
})

function nameOf({ lastName, firstName }: ListedCase): string {
  return [lastName, firstName].filter(Boolean).join(', ')
}

function visitDay({ visitDate }: ListedCase): string {
  return visitDate === null ? '\u2013' : formatCalendarDay(visitDate)
}

function createdText({ createdAt }: ListedCase): string {
  if (createdAt === null) return '\u2013'
  if (/^\d{4}-\d{2}-\d{2}$/.test(createdAt)) return formatCalendarDay(createdAt)
  const at = readInstant(createdAt)
  return at === null ? createdAt : formatInstant(at)
}

function CaseState({ item: { state, urgency } }: { readonly item: ListedCase }) {
  return (
    <>
      <span className={css.state}>{state ?? t('case:noState')}</span>{' '}
      <UrgencyMark urgency={readUrgency(urgency)} label={urgency ?? ''} />
    </>
  )
}

type CaseRowProps = { readonly item: ListedCase; readonly alarm: Alarm | null }

const CaseRow = memo(function CaseRow({ item, alarm }: CaseRowProps) {
  const names = useNames()
  const name = nameOf(item)
  const open = (): void => goTo({ screen: 'cases', caseId: item.caseId })
  const show = (event: MouseEvent<HTMLTableRowElement>): void => {
    if (event.target instanceof Element && !event.target.closest('a, button')) open()
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
        <CaseState item={item} />
      </td>
      <td>
        <Stack component="span" gap={0}>
          <span className="bold tabular">{item.historyNumber ?? '\u2013'}</span>
          <span className="dim">{name === '' ? t('queue:noName') : names.name(name)}</span>
        </Stack>
      </td>
      <td className={`${css.day} tabular`}>{visitDay(item)}</td>
      <td className="tabular">{createdText(item)}</td>
      <td>
        <OwnCase item={item} isInRow />
      </td>
      <td>
        <Group component="span" gap={6} justify="flex-end" wrap="nowrap">
          <ReportLink item={item} />
          <Button
            size="xs"
            variant="default"
            data-row-opener
            aria-label={t('case:detailsOf', { id: item.caseId })}
            onClick={open}
          >
            {t('case:details')}
          </Button>
        </Group>
      </td>
    </tr>
  )
})

type OwnCaseProps = { readonly item: ListedCase; readonly isInRow?: boolean }

function OwnCase({ item: { submissionId, reference }, isInRow = false }: OwnCaseProps) {
  if (submissionId === null) return <span className="dim">{t('case:notOurs')}</span>
  const shown = reference ?? submissionId
  const inRow = isInRow && { className: 'mono', 'aria-label': t('case:oursOf', { reference: shown }) }
  return (
    <Anchor href={writeRoute({ screen: 'submission', id: submissionId })} {...inRow}>
      {shown}
    </Anchor>
  )
}

/** A link to the report, or a note that there is none; nothing if this station never requests reports. */
function ReportLink({ item }: { readonly item: ListedCase }) {
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
      {t('queue:openReport')}
    </Button>
  )
}

type CaseDetailsProps = {
  readonly caseId: string
  readonly listed: ListedCase | null
  readonly alarm: Alarm | null
}

/** Everything that the service says about a case, including undocumented fields. */
export function CaseDetails({ caseId, listed, alarm }: CaseDetailsProps) {
  // The list may be less detailed than the case itself, so the case is requested too.
  const { value, failure, isReading } = useAnswer('cases.get', { id: caseId })
  const item = value ?? listed
  const names = useNames()
  if (item === null) return <NotRead failure={failure} label={t('case:reading')} />
  const name = nameOf(item)
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
          <CaseState item={item} />
        </Fact>
        <Fact name={t('case:columns.patient')}>
          {joinTexts(item.historyNumber, name && names.name(name)) || '\u2013'}
        </Fact>
        <Fact name={t('case:columns.visit')}>{visitDay(item)}</Fact>
        <Fact name={t('case:columns.created')}>{createdText(item)}</Fact>
        <Fact name={t('case:columns.ours')}>
          <OwnCase item={item} />
        </Fact>
      </dl>
      {item.submissionId !== null && (
        <Group gap={8} my={14}>
          <LinkButton
            size="xs"
            rightSection={<IconArrowRight size={15} aria-hidden />}
            to={{ screen: 'submission', id: item.submissionId }}
          >
            {t('case:openOurs')}
          </LinkButton>
          <ReportLink item={item} />
        </Group>
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
