import { expect, it } from 'vitest'
import {
  caseOfId,
  hasId,
  idsOf,
  isRejected,
  reportMarkOf,
  saysAnswered,
  unambiguousIdsOf,
  urgencyRank,
} from '../../../../src-main/station/lib/case-ids.ts'
import type { ServiceCase } from '../../../../src-shared/case.ts'

function serviceCase(caseId: string, raw: Record<string, unknown>): ServiceCase {
  const unstated = { state: null, historyNumber: null, firstName: null, lastName: null, visitDate: null }
  return { caseId, ...unstated, createdAt: null, urgency: null, raw }
}

it.each<[raw: Record<string, unknown>, ids: string[], unambiguous: string[]]>([
  [{ id: 17 }, ['17'], ['17']],
  [{ id: 17, uuid: 'a-1' }, ['17', 'a-1'], ['17', 'a-1']],
  // A second number may be the first of another case.
  [{ id: 17, case_id: 91 }, ['17', '91'], ['17']],
  [{ id: 17, caso: '', uuid: null, caso_id: 0 }, ['17'], ['17']],
  [{ id: 17, notes: 'x', caseId: { id: 5 } }, ['17'], ['17']],
  [{ id: 17, caso: 'seen \ud83d' }, ['17'], ['17']],
])('the ids of %j', (raw, ids, unambiguous) => {
  const one = serviceCase('17', raw)
  expect([idsOf(one), unambiguousIdsOf(one)]).toEqual([ids, unambiguous])
  expect([hasId(one, ids.at(-1) ?? ''), hasId(one, 'x')]).toEqual([true, false])
})

it('a case is found by the id that it is read under before any other, and by no id that two have', () => {
  const [first, second, third] = [
    serviceCase('1', { id: 1, case_id: 2 }),
    serviceCase('2', { id: 2, case_id: 3 }),
    serviceCase('4', { id: 4, caso: 3 }),
  ]
  const found = ['1', '2', '3', '5'].map((id) => caseOfId([first, second, third], id))
  expect(found).toEqual([first, second, undefined, undefined])
  expect(caseOfId([first, second], '3')).toBe(second)
})

it.each([
  ['reject', true],
  ['Rejected', true],
  [' REJECT ', true],
  ['rejected_quality', true],
  ['rechazado', true],
  ['reported', false],
  ['not rejected', false],
  ['pending', false],
  [null, false],
])('the state %s: rejected %s', (state, expected) => {
  expect(isRejected(state)).toBe(expected)
})

it.each([
  ['reported', null, true],
  ['reject', null, true],
  ['pending', 'there', true],
  ['pending', 'notThere', false],
  ['received', null, false],
  ['unreported', null, false],
  [null, null, false],
] as const)('the state %s with the mark %s: answered %s', (state, mark, expected) => {
  expect(saysAnswered({ state, mark })).toBe(expected)
})

it.each<[Record<string, unknown>, ReturnType<typeof reportMarkOf>]>([
  [{}, null],
  [{ id: 5, state: 'pending' }, null],
  [{ has_report: false }, 'notThere'],
  [{ has_report: 1 }, 'there'],
  [{ has_report: '0' }, 'notThere'],
  [{ report: null }, 'notThere'],
  [{ report: {} }, 'notThere'],
  [{ report_url: 'https://x.example/r' }, 'there'],
  [{ reported: 'false', report_id: 9 }, 'there'],
])('the mark of %j is %s', (raw, mark) => {
  expect(reportMarkOf({ raw })).toBe(mark)
})

it.each([
  ['urgent', 2],
  ['URGENT ', 2],
  ['preferential', 1],
  ['normal', 0],
  ['routine', 0],
  [null, 0],
])('the urgency %s ranks %i', (urgency, rank) => {
  expect(urgencyRank(urgency)).toBe(rank)
})
