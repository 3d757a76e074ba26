/** Filters of the service's case list, applied in the window because the list arrives whole. */
import { NativeSelect, SegmentedControl, Switch } from '@mantine/core'
import { useMemo } from 'react'
import type { Alarm } from '../../src-shared/alarms.ts'
import type { ListedCase } from '../../src-shared/case.ts'
import type { CallOutput } from '../../src-shared/contract.ts'
import { useStationNow } from '../components/browser.tsx'
import { ClearFilters } from '../components/notices.tsx'
import { calendarDay, formatAge, localDay } from '../format/dates.ts'
import { formatCount } from '../format/numbers.ts'
import { t } from '../i18n/i18n.ts'
import listing from '../components/listing.module.css'
import { useAnswer, useStation } from '../store/use-station.ts'
import css from './cases-screen.module.css'

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

/** Parses an instant in the service's own format; null if it is ambiguous. */
export function readInstant(text: string): number | null {
  const at = /^\d{4}-\d{2}-\d{2}[T ]\d/.test(text) ? Date.parse(text) : Number.NaN
  return Number.isNaN(at) ? null : at
}

/** The day of a case: of its visit, else of its creation; null if the service states neither. */
export function dayOfCase(one: Pick<ListedCase, 'visitDate' | 'createdAt'>): string | null {
  return dayOfVisit(one.visitDate) ?? dayOfInstant(one.createdAt)
}

/** A visit has a date and no time zone: services append a midnight, which must not be converted. */
function dayOfVisit(text: string | null): string | null {
  return /^\d{4}-\d{2}-\d{2}(?!\d)/.exec(text ?? '')?.[0] ?? null
}

function dayOfInstant(text: string | null): string | null {
  if (text === null) return null
  if (/^\d{4}-\d{2}-\d{2}$/.test(text)) return text
  const at = readInstant(text)
  return at === null ? null : localDay(at)
}

/** The first and the last day of a preset, both inclusive; null for no limit. */
export function daysOf(
  preset: DayPreset,
  today: string,
): { readonly first: string; readonly last: string } | null {
  const [year = 0, month = 1, date = 1] = today.split('-').map(Number)
  const daysAgo = (days: number): string => calendarDay(year, month - 1, date - days)
  switch (preset) {
    case 'all':
      return null
    case 'today':
      return { first: today, last: today }
    case 'yesterday':
      return { first: daysAgo(1), last: daysAgo(1) }
    case 'lastSeven':
      return { first: daysAgo(6), last: today }
    case 'thisMonth':
      return { first: calendarDay(year, month - 1, 1), last: calendarDay(year, month, 0) }
  }
}

type CountedState = { readonly state: string; readonly count: number }

/** The states in the list, most frequent first; `''` counts cases without one. */
export function statesOf(items: readonly ListedCase[]): CountedState[] {
  const counts = new Map<string, number>()
  for (const { state } of items) counts.set(state ?? '', (counts.get(state ?? '') ?? 0) + 1)
  return [...counts]
    .map(([state, count]) => ({ state, count }))
    .toSorted((one, other) => other.count - one.count || (one.state < other.state ? -1 : 1))
}

/** Removes accents and case: `Muller` finds `M\u00fcller`. */
function normalizeForSearch(text: string): string {
  return text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase()
}

function matchesSearch(terms: readonly string[], one: ListedCase): boolean {
  if (terms.length === 0) return true
  const { caseId, state, historyNumber, firstName, lastName, visitDate, reference } = one
  const text = normalizeForSearch(
    [caseId, state, historyNumber, firstName, lastName, visitDate, reference].join('\n'),
  )
  return terms.every((term) => text.includes(term))
}

type FilteredCases = {
  readonly items: readonly ListedCase[]
  /** How many match except for their day, which the service does not state. */
  readonly undated: number
}

export function filterCases(items: readonly ListedCase[], filter: CaseFilter, today: string): FilteredCases {
  const terms = normalizeForSearch(filter.search).split(/\s+/).filter(Boolean)
  const fitting = items.filter(
    (one) =>
      (filter.state === null || (one.state ?? '') === filter.state) &&
      (!filter.isOnlyOurs || one.submissionId !== null) &&
      matchesSearch(terms, one),
  )
  const days = daysOf(filter.days, today)
  if (days === null) return { items: fitting, undated: 0 }
  const matching = fitting.filter((one) => {
    const day = dayOfCase(one)
    return day !== null && day >= days.first && day <= days.last
  })
  return { items: matching, undated: fitting.filter((one) => dayOfCase(one) === null).length }
}

/** Option values are texts: this prefix separates every state from the option "all". */
const OF_STATE = 'state:'
const ANY_STATE = 'any'

type CaseFiltersProps = {
  readonly items: readonly ListedCase[]
  readonly filter: CaseFilter
  readonly onChange: (filter: CaseFilter) => void
}

export function CaseFilters({ items, filter, onChange }: CaseFiltersProps) {
  const states = statesOf(items)
  const isGone = filter.state !== null && !states.some(({ state }) => state === filter.state)
  return (
    <div className={listing.filters} role="group" aria-label={t('case:filters')}>
      <SegmentedControl
        className={css.days ?? ''}
        aria-label={t('case:days.label')}
        value={filter.days}
        data={DAY_PRESETS.map((preset) => ({ value: preset, label: t(`case:days.${preset}`) }))}
        onChange={(value) => {
          const days = DAY_PRESETS.find((preset) => preset === value) ?? 'all'
          onChange({ ...filter, days })
        }}
      />
      <NativeSelect
        aria-label={t('case:columns.state')}
        w={210}
        value={filter.state === null ? ANY_STATE : OF_STATE + filter.state}
        data={[
          { value: ANY_STATE, label: t('case:anyState') },
          ...[...states, ...(isGone ? [{ state: filter.state ?? '', count: 0 }] : [])].map(
            ({ state, count }) => ({
              value: OF_STATE + state,
              label: t('case:stateCount', {
                state: state === '' ? t('case:noState') : state,
                count: formatCount(count),
              }),
            }),
          ),
        ]}
        onChange={(event) => {
          const { value } = event.currentTarget
          onChange({ ...filter, state: value === ANY_STATE ? null : value.slice(OF_STATE.length) })
        }}
      />
      <span className={css.onlyOurs}>
        <Switch
          label={t('case:onlyOurs')}
          checked={filter.isOnlyOurs}
          onChange={(event) => onChange({ ...filter, isOnlyOurs: event.currentTarget.checked })}
        />
      </span>
      <ClearFilters
        label={t('case:clearFilters')}
        isFiltered={isFiltered(filter)}
        onClear={() => onChange(NO_FILTER)}
      />
    </div>
  )
}

type ReadAtProps = {
  readonly list: CallOutput<'cases.list'>
  readonly shown: number
  readonly undated: number
}

export function ReadAt({ list, shown, undated }: ReadAtProps) {
  const now = useStationNow()
  const { value } = useAnswer('centers.list', {})
  const total = list.items.length
  const center = value?.items.find(({ centerId }) => centerId === list.centerId)?.name
  return (
    <span className={`${css.readAt} tabular`} role="status">
      {[
        shown === total
          ? t('case:count', { count: total, formatted: formatCount(total) })
          : t('case:countOf', { shown: formatCount(shown), total: formatCount(total) }),
        ...(undated === 0 ? [] : [t('case:undated', { count: undated })]),
        ...(list.centerId === null ? [] : [center ?? t('case:ofCenter', { id: list.centerId })]),
        t('case:readAt', { when: formatAge(now - list.readAt) }),
      ].join(' \u00b7 ')}
    </span>
  )
}

const NONE: readonly Alarm[] = []

export function useCaseAlarms(): ReadonlyMap<string, Alarm> {
  const alarms = useStation((state) => state.status?.alarms ?? NONE)
  // The status changes every few seconds; the table is rendered again only if its alarms change.
  const key = JSON.stringify(alarms)
  return useMemo(() => {
    const parsed = JSON.parse(key) as Alarm[]
    // The newest comes first and wins.
    return new Map(parsed.toReversed().flatMap((alarm) => alarm.caseIds.map((id) => [id, alarm] as const)))
  }, [key])
}
