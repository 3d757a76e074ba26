/** The screen of the service's own case list, and what the service says of one case. */
import { Anchor, Button, Group, Loader } from '@mantine/core'
import { IconAlertOctagon, IconFileText, IconRefresh, IconSearchOff, IconStack2 } from '@tabler/icons-react'
import { memo, type MouseEvent, useMemo, useState } from 'react'
import type { Alarm } from '../../src-shared/alarms.ts'
import type { ListedCase } from '../../src-shared/case.ts'
import type { CallOutput } from '../../src-shared/contract.ts'
import { readUrgency } from '../../src-shared/submission.ts'
import { UrgencyMark } from '../components/badges.tsx'
import { useSearch, useStationNow } from '../components/browser.tsx'
import {
  ActionButton,
  CopyAction,
  EmptyState,
  Fact,
  FailureNotice,
  moveFocus,
  NotRead,
  SearchInput,
  SmallButton,
} from '../components/controls.tsx'
import { Dialog } from '../components/dialog.tsx'
import { useCenters } from '../decisions/center-choice.tsx'
import { formatAge, formatCalendarDay, formatInstant } from '../format/dates.ts'
import { formatCount } from '../format/numbers.ts'
import { isFound, joinTexts, messageOf, t } from '../i18n/i18n.ts'
import listing from '../components/listing.module.css'
import { maskRaw, type Names, useNames } from '../privacy/names.tsx'
import { JsonTree } from '../reports/report-formats.tsx'
import { alarmPanel, goTo, writeRoute } from '../shell/navigation.tsx'
import { showFailure } from '../shell/toast.tsx'
import { useAnswer, useCall, useStation } from '../store/use-station.ts'
import css from './cases.module.css'

/** The list arrives whole; rendering it in parts keeps a long one fast. */
const ROWS_PER_PAGE = 200
const NO_CASES: readonly ListedCase[] = []

/** The service's case list; `caseId` is the case whose details are open. */
export function CasesScreen({ caseId }: { readonly caseId: string | null }) {
  const centerId = useStation((state) => state.status?.centerId ?? null)
  const { value, failure, isReading, readAgain } = useAnswer('cases.list', {}, centerId)
  const { isBusy, call } = useCall(showFailure)
  const { text, setText, search } = useSearch()
  const [rowLimit, setRowLimit] = useState(ROWS_PER_PAGE)
  const all = value?.items ?? NO_CASES
  const items = useMemo(() => findCases(all, search), [all, search])
  const refresh = async (): Promise<void> => {
    await call('cases.list', { refresh: true })
    readAgain()
  }
  const rows = useMemo(() => items.slice(0, rowLimit), [items, rowLimit])

  return (
    <div className={listing.screen}>
      <div className={listing.top}>
        <div>
          <h1 className="page-title">{t('shell:screens.cases')}</h1>
          <p className="dim">{t('case:explain')}</p>
        </div>
        <Group gap={10} wrap="nowrap">
          <SearchInput width={300} label={t('case:search')} text={text} onWrite={setText} />
          <ActionButton icon={IconRefresh} loading={isBusy} onClick={() => void refresh()}>
            {t('case:refresh')}
          </ActionButton>
        </Group>
      </div>
      {failure && <FailureNotice failure={failure} tone="amber" />}
      {/* What could not be read is not empty. */}
      {(failure === null || all.length > 0) && (
        <div className={listing.panel} aria-busy={isReading}>
          {rows.length > 0 ? (
            <table className={listing.table} aria-label={t('case:table')}>
              <thead>
                <tr>
                  {COLUMNS.map((name) => (
                    <th key={name} scope="col">
                      {t(`case:columns.${name}`)}
                    </th>
                  ))}
                </tr>
              </thead>
              <tbody onKeyDown={(event) => moveFocus(event, 'a[data-row-link]', 'tr')}>
                {rows.map((item) => (
                  <ListedRow key={item.caseId} item={item} />
                ))}
              </tbody>
            </table>
          ) : isReading && all.length === 0 ? (
            <Loader display="block" m="72px auto" aria-label={t('shell:reading')} />
          ) : search !== '' ? (
            <EmptyState icon={IconSearchOff} title={t('queue:empty.search')} />
          ) : (
            <EmptyState icon={IconStack2} title={t('case:empty.title')} />
          )}
          {value && (
            <div className={listing.foot}>
              <ReadAt list={value} shown={items.length} />
              {items.length > rowLimit && (
                <Button variant="default" onClick={() => setRowLimit(rowLimit + ROWS_PER_PAGE)}>
                  {t('case:showMore', { count: Math.min(ROWS_PER_PAGE, items.length - rowLimit) })}
                </Button>
              )}
            </div>
          )}
        </div>
      )}
      <Dialog
        opened={caseId !== null}
        onClose={() => goTo({ screen: 'cases' })}
        size="xl"
        title={caseId && t('case:detailsOf', { id: caseId })}
      >
        {caseId !== null && (
          <CaseDetails
            key={caseId}
            caseId={caseId}
            listed={all.find((one) => one.caseId === caseId) ?? null}
          />
        )}
      </Dialog>
    </div>
  )
}

const COLUMNS = ['state', 'patient', 'visit', 'detail', 'added', 'actions'] as const

const ListedRow = memo(function ListedRow({ item }: { readonly item: ListedCase }) {
  const { caseId, historyNumber, visitDate } = item
  const names = useNames()
  const alarm = useAlarm(caseId)
  const to = { screen: 'cases', caseId } as const
  const open = (event: MouseEvent): void => {
    // A click beside the controls opens the case, as people expect of a row.
    if (event.target instanceof Element && !event.target.closest('a, button')) goTo(to)
  }
  return (
    <tr onClick={open}>
      <td>
        <CaseState item={item} />
      </td>
      <td>
        <a href={writeRoute(to)} className={css.patient} data-row-link>
          <span className="visually-hidden">{t('case:detailsOf', { id: caseId })} </span>
          <strong className="tabular">{historyNumber ?? '\u2013'}</strong>{' '}
          <bdi>{nameOf(item, names) || t('queue:noName')}</bdi>
        </a>
      </td>
      <td className="tabular">{visitDate ? formatCalendarDay(visitDate) : t('field:notKnown')}</td>
      <td className="tabular breakable">
        {t('queue:caseId', { id: caseId })}
        {' \u00b7 '}
        <OwnCase item={item} />
        {alarm && (
          <SmallButton
            variant="subtle"
            color="red"
            icon={IconAlertOctagon}
            title={messageOf(alarm)}
            aria-label={t('case:alarmOf', { id: caseId })}
            onClick={() => alarmPanel.setState({ isShown: true })}
          >
            {t('case:alarm')}
          </SmallButton>
        )}
      </td>
      <td className="tabular">{createdText(item)}</td>
      <td>
        <ReportLink item={item} />
      </td>
    </tr>
  )
})

/** Services count their cases up. */
const BY_ID = new Intl.Collator('en', { numeric: true })

/** When it was created, else its visit. What has neither comes last. */
function newness({ createdAt, sentAt, visitDate }: ListedCase): number {
  return readInstant(createdAt) ?? sentAt ?? (Date.parse(dayIn(createdAt) ?? dayIn(visitDate) ?? '') || 0)
}

/** The day with which a text of the service begins; null if it is written in another way, which is not guessed. */
function dayIn(text: string | null): string | null {
  return /^\d{4}-\d{2}-\d{2}(?!\d)/.exec(text ?? '')?.[0] ?? null
}

/** The cases that match, newest first. */
export function findCases(items: readonly ListedCase[], search: string): readonly ListedCase[] {
  return items
    .filter(({ caseId, state, historyNumber, firstName, lastName, visitDate, reference }) => {
      const day = visitDate && formatCalendarDay(visitDate)
      return isFound(search, [caseId, state, historyNumber, firstName, lastName, visitDate, day, reference])
    })
    .toSorted((one, other) => newness(other) - newness(one) || BY_ID.compare(other.caseId, one.caseId))
}

type ReadAtProps = { readonly list: CallOutput<'cases.list'>; readonly shown: number }

function ReadAt({ list, shown }: ReadAtProps) {
  const now = useStationNow()
  const { nameOf } = useCenters()
  const total = list.items.length
  return (
    <span className="small dim tabular" role="status">
      {joinTexts(
        shown === total
          ? t('case:count', { count: total, formatted: formatCount(total) })
          : t('case:countOf', { shown: formatCount(shown), total: formatCount(total) }),
        list.centerId !== null && nameOf(list.centerId),
        t('case:readAt', { when: formatAge(now - list.readAt) }),
      )}
    </span>
  )
}

/** The newest alarm about a case of the service. */
function useAlarm(caseId: string): Alarm | null {
  return useStation(({ status }) => status?.alarms.find((one) => one.caseIds.includes(caseId)) ?? null)
}

/** Parses an instant in the service's own format; null if it is ambiguous. */
function readInstant(text: string | null): number | null {
  const at = text !== null && /^\d{4}-\d{2}-\d{2}[T ]\d/.test(text) ? Date.parse(text) : Number.NaN
  return Number.isNaN(at) ? null : at
}

function createdText({ createdAt, sentAt }: ListedCase): string {
  const at = readInstant(createdAt) ?? (createdAt === null ? sentAt : null)
  return at === null ? formatCalendarDay(createdAt ?? '\u2013') : formatInstant(at)
}

function nameOf({ lastName, firstName }: ListedCase, names: Names): string {
  const name = [lastName, firstName].filter(Boolean).join(', ')
  return name && names.name(name)
}

function CaseState({ item: { state, urgency } }: { readonly item: ListedCase }) {
  return (
    <>
      <span className={css.state}>{state ?? t('case:noState')}</span>{' '}
      <UrgencyMark urgency={readUrgency(urgency)} label={urgency ?? ''} />
    </>
  )
}

/** A link to our own case, if it is one. */
function OwnCase({ item: { submissionId, reference } }: { readonly item: ListedCase }) {
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
function ReportLink({ item }: { readonly item: ListedCase }) {
  if (item.submissionId === null) return null
  const href = writeRoute({ screen: 'reports', caseId: item.caseId, submissionId: item.submissionId })
  if (!item.hasReport)
    return (
      <Anchor className="small dim" href={href} aria-label={t('case:noReportOf', { id: item.caseId })}>
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
function CaseDetails({ caseId, listed }: CaseDetailsProps) {
  const alarm = useAlarm(caseId)
  // The list may be less detailed than the case itself, so the case is requested too.
  const { value, failure, isReading } = useAnswer('cases.get', { id: caseId })
  const item = value ?? listed
  const names = useNames()
  if (item === null) return <NotRead failure={failure} label={t('shell:reading')} />
  return (
    <>
      {alarm && (
        <Group component="p" gap={8} mb={14} wrap="nowrap" className="red">
          <IconAlertOctagon size={18} aria-hidden />
          {messageOf(alarm)}
        </Group>
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
      <Group gap={6}>
        <h3>{t('case:allFields')}</h3>
        <CopyAction text={JSON.stringify(item.raw, null, 2)} label={t('case:copyFields')} />
        {isReading && <Loader size="xs" aria-label={t('shell:reading')} />}
      </Group>
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
