/** What the list of the service is narrowed by. It came whole, so nothing has to be asked for it. Pure. */
import type { ListedCase } from '../../src-shared/case.ts'
import { calendarDay, localDay } from '../format/local-day.ts'

export const DAY_PRESETS = ['all', 'today', 'yesterday', 'lastSeven', 'thisMonth'] as const
export type DayPreset = (typeof DAY_PRESETS)[number]

export type CaseFilter = {
  readonly search: string
  readonly days: DayPreset
  /** The service's own word, verbatim; `''` for those without one, null for all. */
  readonly state: string | null
  readonly isOnlyOurs: boolean
}

export const NO_FILTER: CaseFilter = { search: '', days: 'all', state: null, isOnlyOurs: false }

export function isFiltered(filter: CaseFilter): boolean {
  return filter.search.trim() !== '' || filter.days !== 'all' || filter.state !== null || filter.isOnlyOurs
}

/** An instant that the service wrote in its own way; null where a browser cannot be sure what is meant. */
export function readInstant(text: string): number | null {
  const at = /^\d{4}-\d{2}-\d{2}[T ]\d/.test(text) ? Date.parse(text) : Number.NaN
  return Number.isNaN(at) ? null : at
}

/** The day that a case belongs to: of its visit, else of when it was created; null where the service told neither. */
export function dayOfCase(one: Pick<ListedCase, 'visitDate' | 'createdAt'>): string | null {
  return dayOfVisit(one.visitDate) ?? dayOfInstant(one.createdAt)
}

/** A visit is on a day and in no zone: midnight behind it is how a service writes days, and not to be counted from. */
function dayOfVisit(text: string | null): string | null {
  return /^\d{4}-\d{2}-\d{2}(?!\d)/.exec(text ?? '')?.[0] ?? null
}

function dayOfInstant(text: string | null): string | null {
  if (text === null) return null
  if (/^\d{4}-\d{2}-\d{2}$/.test(text)) return text
  const at = readInstant(text)
  return at === null ? null : localDay(at)
}

/** The first and the last day of a preset, both included; null where it leaves everything in. */
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

export type CountedState = { readonly state: string; readonly count: number }

/** The words for states that came, the most frequent first; `''` counts those without one. */
export function statesOf(items: readonly ListedCase[]): CountedState[] {
  const counts = new Map<string, number>()
  for (const { state } of items) counts.set(state ?? '', (counts.get(state ?? '') ?? 0) + 1)
  return [...counts]
    .map(([state, count]) => ({ state, count }))
    .toSorted((one, other) => other.count - one.count || (one.state < other.state ? -1 : 1))
}

/** Letters without their accents and capitals: `Muller` finds `M\u00fcller`. */
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

export type FilteredCases = {
  readonly items: readonly ListedCase[]
  /** How many fit but for their day, which the service does not tell. */
  readonly undated: number
}

/** What a filter leaves, in the service's order. */
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
