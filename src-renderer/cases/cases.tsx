/** The screen of the service's own case list. */
import { Button, Group, Loader, NativeSelect, SegmentedControl, UnstyledButton } from '@mantine/core'
import { IconAlertOctagon, IconRefresh, IconSearchOff, IconStack2 } from '@tabler/icons-react'
import { memo, type MouseEvent, useMemo, useState } from 'react'
import type { ListedCase } from '../../src-shared/case.ts'
import type { CallOutput } from '../../src-shared/contract.ts'
import { useSearch, useStationNow, useToday } from '../components/browser.tsx'
import {
  ActionButton,
  ClearFilters,
  EmptyState,
  FailureNotice,
  moveFocus,
  SearchInput,
  Toggle,
} from '../components/controls.tsx'
import { Dialog } from '../components/dialog.tsx'
import { useCenters } from '../decisions/center-choice.tsx'
import { daysBefore, formatAge, formatCalendarDay, localDay } from '../format/dates.ts'
import { formatCount } from '../format/numbers.ts'
import { isFound, joinTexts, messageOf, t } from '../i18n/i18n.ts'
import listing from '../components/listing.module.css'
import { useNames } from '../privacy/names.tsx'
import { alarmPanel, goTo, writeRoute } from '../shell/navigation.tsx'
import { showFailure } from '../shell/toast.tsx'
import { useAnswer, useCall, useStation } from '../store/use-station.ts'
import {
  CaseDetails,
  CaseState,
  createdText,
  nameOf,
  OwnCase,
  readInstant,
  ReportLink,
  useAlarm,
} from './case-details.tsx'
import css from './cases-screen.module.css'

/** The list arrives whole; rendering it in parts keeps a long one fast. */
const ROWS_PER_PAGE = 200
const NO_CASES: readonly ListedCase[] = []

/** The service's case list; `caseId` is the case whose details are open. */
export function CasesScreen({ caseId }: { readonly caseId: string | null }) {
  const centerId = useStation((state) => state.status?.centerId ?? null)
  const { value, failure, isReading, readAgain } = useAnswer('cases.list', {}, centerId)
  const { isBusy, call } = useCall(showFailure)
  const [narrowed, setFilter] = useState(NO_FILTER)
  const { text, setText, search } = useSearch()
  const filter = useMemo(() => ({ ...narrowed, search }), [narrowed, search])
  const [rowLimit, setRowLimit] = useState(ROWS_PER_PAGE)
  const all = value?.items ?? NO_CASES
  const today = useToday()
  const { items, undated } = useMemo(() => filterCases(all, filter, today), [all, filter, today])

  const clear = (): void => {
    setFilter(NO_FILTER)
    setText('')
  }
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
      <CaseFilters items={all} filter={filter} onChange={setFilter} onClear={clear} />
      {failure && <FailureNotice failure={failure} tone="amber" />}
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
        ) : isFiltered(filter) ? (
          <EmptyState icon={IconSearchOff} title={t('queue:empty.search')}>
            <Button variant="default" onClick={clear}>
              {t('shell:clearFilters')}
            </Button>
          </EmptyState>
        ) : (
          <EmptyState icon={IconStack2} title={t('case:empty.title')} />
        )}
        {value && (
          <div className={listing.foot}>
            <ReadAt list={value} shown={items.length} undated={undated} />
            {items.length > rowLimit && (
              <Button variant="default" onClick={() => setRowLimit(rowLimit + ROWS_PER_PAGE)}>
                {t('case:showMore', { count: Math.min(ROWS_PER_PAGE, items.length - rowLimit) })}
              </Button>
            )}
          </div>
        )}
      </div>
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
          <UnstyledButton
            className={css.alarm}
            title={messageOf(alarm)}
            aria-label={t('case:alarmOf', { id: caseId })}
            onClick={() => alarmPanel.setState({ isShown: true })}
          >
            <IconAlertOctagon size={15} aria-hidden />
            {t('case:alarm')}
          </UnstyledButton>
        )}
      </td>
      <td className="tabular">{createdText(item)}</td>
      <td>
        <ReportLink item={item} />
      </td>
    </tr>
  )
})

const DAY_PRESETS = ['all', 'today', 'yesterday', 'lastSeven', 'thisMonth'] as const

type DayPreset = (typeof DAY_PRESETS)[number]

export type CaseFilter = {
  readonly search: string
  readonly days: DayPreset
  /** The service's own state, verbatim; `''` for cases without one, null for all. */
  readonly state: string | null
  readonly isOnlyOurs: boolean
}

export const NO_FILTER: CaseFilter = { search: '', days: 'all', state: null, isOnlyOurs: false }

export function isFiltered(filter: CaseFilter): boolean {
  return filter.search.trim() !== '' || filter.days !== 'all' || filter.state !== null || filter.isOnlyOurs
}

/** The day of a case: of its visit, else of its creation; null if the service states neither. */
export function dayOfCase({
  visitDate,
  createdAt,
}: Pick<ListedCase, 'visitDate' | 'createdAt'>): string | null {
  // A visit has a date and no time zone: services append a midnight, which must not be converted.
  const [visitDay] = /^\d{4}-\d{2}-\d{2}(?!\d)/.exec(visitDate ?? '') ?? []
  const at = readInstant(createdAt)
  return visitDay ?? (at === null ? (/^\d{4}-\d{2}-\d{2}$/.exec(createdAt ?? '')?.[0] ?? null) : localDay(at))
}

/** Services count their cases up. */
const BY_ID = new Intl.Collator('en', { numeric: true })

/** When it was created, else its day. What has neither comes last. */
function newness(one: ListedCase): number {
  return readInstant(one.createdAt) ?? (Date.parse(dayOfCase(one) ?? '') || 0)
}

function isOfDays(preset: DayPreset, day: string, today: string): boolean {
  switch (preset) {
    case 'all':
      return true
    case 'today':
      return day === today
    case 'yesterday':
      return day === daysBefore(today, 1)
    case 'lastSeven':
      return day >= daysBefore(today, 6) && day <= today
    case 'thisMonth':
      return day.slice(0, 7) === today.slice(0, 7)
  }
}

/** The states in the list, most frequent first; `''` counts cases without one. */
export function statesOf(items: readonly ListedCase[]): { readonly state: string; readonly count: number }[] {
  return [...Map.groupBy(items, ({ state }) => state ?? '')]
    .map(([state, { length: count }]) => ({ state, count }))
    .toSorted((one, other) => other.count - one.count || (one.state < other.state ? -1 : 1))
}

function matchesSearch(search: string, one: ListedCase): boolean {
  const { caseId, state, historyNumber, firstName, lastName, visitDate, reference } = one
  return isFound(search, [caseId, state, historyNumber, firstName, lastName, visitDate, reference])
}

type FilteredCases = {
  readonly items: readonly ListedCase[]
  /** How many match except for their day, which the service does not state. */
  readonly undated: number
}

/** The cases that match, newest first. */
export function filterCases(items: readonly ListedCase[], filter: CaseFilter, today: string): FilteredCases {
  const fitting = items
    .filter(
      (one) =>
        (filter.state === null || (one.state ?? '') === filter.state) &&
        (!filter.isOnlyOurs || one.submissionId !== null) &&
        matchesSearch(filter.search, one),
    )
    .toSorted((one, other) => newness(other) - newness(one) || BY_ID.compare(other.caseId, one.caseId))
  if (filter.days === 'all') return { items: fitting, undated: 0 }
  const dated = fitting.flatMap((item) => {
    const day = dayOfCase(item)
    return day === null ? [] : [{ item, day }]
  })
  return {
    items: dated.filter(({ day }) => isOfDays(filter.days, day, today)).map(({ item }) => item),
    undated: fitting.length - dated.length,
  }
}

/** Option values are texts: this prefix separates every state from the option "all". */
const OF_STATE = 'state:'
const ANY_STATE = 'any'

type CaseFiltersProps = {
  readonly items: readonly ListedCase[]
  readonly filter: CaseFilter
  readonly onChange: (filter: CaseFilter) => void
  readonly onClear: () => void
}

function CaseFilters({ items, filter, onChange, onClear }: CaseFiltersProps) {
  const states = statesOf(items)
  // A chosen state stays, even if no case has it any more.
  if (filter.state !== null && !states.some(({ state }) => state === filter.state))
    states.push({ state: filter.state, count: 0 })
  return (
    <Group gap={12} align="flex-end" role="group" aria-label={t('shell:showOnly')}>
      <SegmentedControl
        className={css.days ?? ''}
        aria-label={t('case:days.label')}
        value={filter.days}
        data={DAY_PRESETS.map((preset) => ({ value: preset, label: t(`case:days.${preset}`) }))}
        onChange={(days) => onChange({ ...filter, days })}
      />
      <NativeSelect
        aria-label={t('case:columns.state')}
        w={210}
        value={filter.state === null ? ANY_STATE : OF_STATE + filter.state}
        data={[
          { value: ANY_STATE, label: t('case:anyState') },
          ...states.map(({ state, count }) => ({
            value: OF_STATE + state,
            label: t('case:stateCount', { state: state || t('case:noState'), count: formatCount(count) }),
          })),
        ]}
        onChange={(event) => {
          const { value } = event.currentTarget
          onChange({ ...filter, state: value === ANY_STATE ? null : value.slice(OF_STATE.length) })
        }}
      />
      <span className={css.onlyOurs}>
        <Toggle
          label={t('case:onlyOurs')}
          isOn={filter.isOnlyOurs}
          onWrite={(isOn) => onChange({ ...filter, isOnlyOurs: isOn })}
        />
      </span>
      <ClearFilters isFiltered={isFiltered(filter)} onClear={onClear} />
    </Group>
  )
}

type ReadAtProps = {
  readonly list: CallOutput<'cases.list'>
  readonly shown: number
  readonly undated: number
}

function ReadAt({ list, shown, undated }: ReadAtProps) {
  const now = useStationNow()
  const { nameOf } = useCenters()
  const total = list.items.length
  return (
    <span className="small dim tabular" role="status">
      {joinTexts(
        shown === total
          ? t('case:count', { count: total, formatted: formatCount(total) })
          : t('case:countOf', { shown: formatCount(shown), total: formatCount(total) }),
        undated > 0 && t('case:undated', { count: undated }),
        list.centerId !== null && nameOf(list.centerId),
        t('case:readAt', { when: formatAge(now - list.readAt) }),
      )}
    </span>
  )
}
