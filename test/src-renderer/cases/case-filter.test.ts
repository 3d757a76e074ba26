import { afterEach, describe, expect, it, vi } from 'vitest'
import {
  type CaseFilter,
  dayOfCase,
  filterCases,
  isFiltered,
  NO_FILTER,
  statesOf,
} from '../../../src-renderer/cases/cases.tsx'
import type { ListedCase } from '../../../src-shared/case.ts'
import { listedCase } from '../synthetic-submission.ts'

const listed = (caseId: string, changes: Partial<ListedCase> = {}) =>
  listedCase(caseId, { state: 'pending', ...changes })

afterEach(() => vi.unstubAllEnvs())

describe('the days of a preset', () => {
  it.each([
    ['all', '2026-11-21', ['2025-11-21', '2026-12-21']],
    ['today', '2026-11-21', ['2026-11-21']],
    ['yesterday', '2026-01-01', ['2025-12-31']],
    ['yesterday', '2028-03-01', ['2028-02-29']],
    ['lastSeven', '2026-11-03', ['2026-10-28', '2026-11-03']],
    ['thisMonth', '2026-02-28', ['2026-02-01', '2026-02-28']],
    ['thisMonth', '2026-12-01', ['2026-12-01', '2026-12-31']],
  ] as const)('%s on %s ends with these', (days, today, ends) => {
    const outside =
      '2025-12-30 2026-01-02 2026-01-31 2026-03-01 2026-10-27 2026-11-04 2026-11-20 2026-11-22 2027-01-01 2028-03-01'.split(
        ' ',
      )
    const cases = [...ends, ...(days === 'all' ? [] : outside)].map((day) => listed(day, { visitDate: day }))
    const { items } = filterCases(cases, { ...NO_FILTER, days }, today)
    expect(items.map(({ caseId }) => caseId).toSorted()).toEqual(ends)
  })
})

describe('the day of a case', () => {
  const noon = new Date(2026, 10, 20, 12)
  it.each([
    ['of its visit', { visitDate: '2026-11-19', createdAt: noon.toISOString() }, '2026-11-19'],
    ['of its creation without a visit', { visitDate: null, createdAt: noon.toISOString() }, '2026-11-20'],
    ['of a visit with a time', { visitDate: noon.toISOString(), createdAt: null }, '2026-11-20'],
    ['of a creation that is a day', { visitDate: null, createdAt: '2026-11-18' }, '2026-11-18'],
    ['is not guessed from 02/03/2026', { visitDate: '02/03/2026', createdAt: null }, null],
    ['is of the creation if not of the visit', { visitDate: 'soon', createdAt: '2026-11-18' }, '2026-11-18'],
    ['is unknown', { visitDate: null, createdAt: null }, null],
  ])('%s', (_what, changes, day) => {
    expect(dayOfCase(changes)).toBe(day)
  })

  it.each(['America/Los_Angeles', 'UTC', 'Pacific/Auckland'])(
    'of its visit is the one that was written, in %s too',
    (zone) => {
      vi.stubEnv('TZ', zone)
      const createdAt = '2026-01-05T12:00:00Z'
      for (const visitDate of ['2026-01-05', '2026-01-05T00:00:00Z', '2026-01-05 23:59:59'])
        expect(dayOfCase({ visitDate, createdAt: null })).toBe('2026-01-05')
      const today = zone === 'Pacific/Auckland' ? '2026-01-06' : '2026-01-05'
      expect(dayOfCase({ visitDate: null, createdAt })).toBe(today)
    },
  )
})

const LIST = [
  listed('1', { historyNumber: 'H-1', lastName: 'M\u00fcller', visitDate: '2026-11-21', submissionId: 's1' }),
  listed('2', { state: 'EN_REVISION', firstName: 'Ana', createdAt: '2026-11-20', reference: 'FC7K3M9QXAW' }),
  listed('3', { state: null, historyNumber: 'H-13', visitDate: 'soon' }),
  listed('4', { state: null, visitDate: '2026-11-21' }),
]

describe('the list', () => {
  it.each<[string, Partial<CaseFilter>, string[], number]>([
    ['is whole without a filter', {}, ['4', '1', '2', '3'], 0],
    ['is searched by number', { search: 'h-1' }, ['1', '3'], 0],
    ['is searched without accents', { search: ' muller ' }, ['1'], 0],
    ['is searched by all words, in any order', { search: 'en_rev ana' }, ['2'], 0],
    ['is searched by our reference', { search: 'fc7k' }, ['2'], 0],
    ['is narrowed to a word of the service', { state: 'EN_REVISION' }, ['2'], 0],
    ['is narrowed to no word', { state: '' }, ['4', '3'], 0],
    ['is narrowed to what was sent from here', { isOnlyOurs: true }, ['1'], 0],
    ['is narrowed to today, and says what has no day', { days: 'today' }, ['4', '1'], 1],
    ['is narrowed to yesterday by its creation', { days: 'yesterday' }, ['2'], 1],
    ['counts only what would fit but for its day', { days: 'today', state: 'EN_REVISION' }, [], 0],
    ['is narrowed by all', { days: 'lastSeven', state: 'pending', isOnlyOurs: true, search: '1' }, ['1'], 0],
  ])('%s', (_what, changes, ids, undated) => {
    const found = filterCases(LIST, { ...NO_FILTER, ...changes }, '2026-11-21')
    expect(found.items.map(({ caseId }) => caseId)).toEqual(ids)
    expect(found.undated).toBe(undated)
    expect(isFiltered({ ...NO_FILTER, ...changes })).toBe(Object.keys(changes).length > 0)
  })

  it('is the newest first, by its creation or else its visit, and what states neither comes last', () => {
    const { items } = filterCases(
      [
        listed('9'),
        listed('10'),
        listed('visit', { visitDate: '2026-11-20' }),
        listed('old', { createdAt: '2026-11-19T08:00:00Z', visitDate: '2026-11-21' }),
        listed('8', { createdAt: '02/03/2026' }),
        listed('new', { createdAt: '2026-11-21T08:00:00Z' }),
        listed('day', { createdAt: '2026-11-20' }),
      ],
      NO_FILTER,
      '2026-11-21',
    )
    expect(items.map(({ caseId }) => caseId)).toEqual(['new', 'visit', 'day', 'old', '10', '9', '8'])
  })

  it('offers the states that came and no others, the most frequent first', () => {
    expect(statesOf(LIST)).toEqual([
      { state: '', count: 2 },
      { state: 'EN_REVISION', count: 1 },
      { state: 'pending', count: 1 },
    ])
    expect(statesOf([])).toEqual([])
  })
})
