import { expect, it } from 'vitest'
import { findCases } from '../../../src-renderer/cases/cases.tsx'
import type { ListedCase } from '../../../src-shared/case.ts'
import { listedCase } from '../synthetic-submission.ts'

const listed = (caseId: string, changes: Partial<ListedCase> = {}) =>
  listedCase(caseId, { state: 'pending', ...changes })

const LIST = [
  listed('1', { historyNumber: 'H-1', lastName: 'M\u00fcller', visitDate: '2026-11-21' }),
  listed('2', { state: 'EN_REVISION', firstName: 'Ana', createdAt: '2026-11-20', reference: 'FC7K3M9QXAW' }),
  listed('3', { state: null, historyNumber: 'H-13', visitDate: 'soon' }),
  listed('4', { state: null, visitDate: '2026-11-21' }),
]

it.each([
  ['is whole without a search', '', ['4', '1', '2', '3']],
  ['is searched by number', 'h-1', ['1', '3']],
  ['is searched without accents', ' muller ', ['1']],
  ['is searched by all words, in any order', 'en_rev ana', ['2']],
  ['is searched by our reference', 'fc7k', ['2']],
  ['is searched by a day as it came, or as it is shown', '2026-11-21', ['4', '1']],
  ['is searched by a day as it came, or as it is shown', '21 nov', ['4', '1']],
])('the list %s: %j', (_what, search, ids) => {
  expect(findCases(LIST, search).map(({ caseId }) => caseId)).toEqual(ids)
})

it('is the newest first, by its creation or else its visit, and what states neither comes last', () => {
  const items = findCases(
    [
      listed('9'),
      listed('10'),
      listed('visit', { visitDate: '2026-11-20' }),
      listed('old', { createdAt: '2026-11-19T08:00:00Z', visitDate: '2026-11-21' }),
      listed('8', { createdAt: '02/03/2026' }),
      listed('new', { createdAt: '2026-11-21T08:00:00Z' }),
      listed('day', { createdAt: '2026-11-20' }),
    ],
    '',
  )
  expect(items.map(({ caseId }) => caseId)).toEqual(['new', 'visit', 'day', 'old', '10', '9', '8'])
})

it('takes the instant at which this station sent a case if the service names none', () => {
  const [sent, old] = [Date.UTC(2026, 10, 22), Date.UTC(2026, 10, 18)]
  const items = findCases([listed('old', { sentAt: old }), listed('sent', { sentAt: sent })], '')
  expect(items.map(({ caseId }) => caseId)).toEqual(['sent', 'old'])
})
