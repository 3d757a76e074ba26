/** What the service says of one case, and the parts that its row and its details share. */
import { Anchor, Button, Group, Loader } from '@mantine/core'
import { IconAlertOctagon, IconFileText } from '@tabler/icons-react'
import { CopyAction, Fact, NotRead } from '../components/controls.tsx'
import type { Alarm } from '../../src-shared/alarms.ts'
import type { ListedCase } from '../../src-shared/case.ts'
import { readUrgency } from '../../src-shared/submission.ts'
import { UrgencyMark } from '../components/badges.tsx'
import { JsonTree } from '../reports/report-formats.tsx'
import { formatCalendarDay, formatInstant } from '../format/dates.ts'
import { joinTexts, messageOf, t } from '../i18n/i18n.ts'
import { maskRaw, type Names, useNames } from '../privacy/names.tsx'
import { writeRoute } from '../shell/navigation.tsx'
import { useAnswer, useStation } from '../store/use-station.ts'
import caseDetailsCss from './case-details.module.css'
import css from './cases-screen.module.css'

/** The newest alarm about a case of the service. */
export function useAlarm(caseId: string): Alarm | null {
  return useStation(({ status }) => status?.alarms.find((one) => one.caseIds.includes(caseId)) ?? null)
}

/** Parses an instant in the service's own format; null if it is ambiguous. */
export function readInstant(text: string | null): number | null {
  const at = text !== null && /^\d{4}-\d{2}-\d{2}[T ]\d/.test(text) ? Date.parse(text) : Number.NaN
  return Number.isNaN(at) ? null : at
}

export function createdText({ createdAt }: ListedCase): string {
  const at = readInstant(createdAt)
  return at === null ? formatCalendarDay(createdAt ?? '\u2013') : formatInstant(at)
}

export function nameOf({ lastName, firstName }: ListedCase, names: Names): string {
  const name = [lastName, firstName].filter(Boolean).join(', ')
  return name && names.name(name)
}

export function CaseState({ item: { state, urgency } }: { readonly item: ListedCase }) {
  return (
    <>
      <span className={css.state}>{state ?? t('case:noState')}</span>{' '}
      <UrgencyMark urgency={readUrgency(urgency)} label={urgency ?? ''} />
    </>
  )
}

/** A link to our own case, if it is one. */
export function OwnCase({ item: { submissionId, reference } }: { readonly item: ListedCase }) {
  if (submissionId === null) return <span className="dim">{t('case:notOurs')}</span>
  const shown = reference ?? submissionId
  return (
    <Anchor
      className="mono"
      href={writeRoute({ screen: 'submission', id: submissionId })}
      aria-label={t('case:oursOf', { reference: shown })}
    >
      {shown}
    </Anchor>
  )
}

/** A link to the report, or a note that there is none; nothing if this station never requests reports. */
export function ReportLink({ item }: { readonly item: ListedCase }) {
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
}

/** Everything that the service says about a case, including undocumented fields. */
export function CaseDetails({ caseId, listed }: CaseDetailsProps) {
  const alarm = useAlarm(caseId)
  // The list may be less detailed than the case itself, so the case is requested too.
  const { value, failure, isReading } = useAnswer('cases.get', { id: caseId })
  const item = value ?? listed
  const names = useNames()
  if (item === null) return <NotRead failure={failure} label={t('shell:reading')} />
  return (
    <>
      {alarm && (
        <p className={caseDetailsCss.alarm}>
          <IconAlertOctagon size={18} aria-hidden />
          {messageOf(alarm)}
        </p>
      )}
      <dl className="facts">
        <Fact name={t('case:columns.state')}>
          <CaseState item={item} />
        </Fact>
        <Fact name={t('case:columns.patient')}>
          {joinTexts(item.historyNumber, nameOf(item, names)) || '\u2013'}
        </Fact>
        <Fact name={t('case:columns.visit')}>{formatCalendarDay(item.visitDate ?? '\u2013')}</Fact>
        <Fact name={t('case:columns.added')}>{createdText(item)}</Fact>
        <Fact name={t('case:columns.ours')}>
          <OwnCase item={item} />
        </Fact>
      </dl>
      <Group my={14}>
        <ReportLink item={item} />
      </Group>
      <div className={caseDetailsCss.fieldsHead}>
        <h3>{t('case:allFields')}</h3>
        <CopyAction text={JSON.stringify(item.raw, null, 2)} label={t('case:copyFields')} />
        {isReading && <Loader size="xs" aria-label={t('shell:reading')} />}
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
