import { expect, it } from 'vitest'
import { caseOfId, hasId, idsOf, unambiguousIdsOf } from '../../../../src-main/station/lib/case-ids.ts'
import type { ServiceCase } from '../../../../src-shared/case.ts'

function serviceCase(caseId: string, raw: Record<string, unknown>): ServiceCase {
  const unsaid = { state: null, historyNumber: null, firstName: null, lastName: null, visitDate: null }
  return { caseId, ...unsaid, createdAt: null, urgency: null, raw }
}

it.each<[raw: Record<string, unknown>, ids: string[], sure: string[]]>([
  [{ id: 17 }, ['17'], ['17']],
  [{ id: 17, uuid: 'a-1' }, ['17', 'a-1'], ['17', 'a-1']],
  // A second number may be the first of another case.
  [{ id: 17, case_id: 91 }, ['17', '91'], ['17']],
  [{ id: 17, caso: '', uuid: null, caso_id: 0 }, ['17'], ['17']],
  [{ id: 17, notes: 'x', caseId: { id: 5 } }, ['17'], ['17']],
])('the ids of %j', (raw, ids, sure) => {
  const one = serviceCase('17', raw)
  expect([idsOf(one), unambiguousIdsOf(one)]).toEqual([ids, sure])
  expect([hasId(one, ids.at(-1) ?? ''), hasId(one, 'x')]).toEqual([true, false])
})

it('finds a case by the id that it is read under before any other, and by no id that two have', () => {
  const [first, second, third] = [
    serviceCase('1', { id: 1, case_id: 2 }),
    serviceCase('2', { id: 2, case_id: 3 }),
    serviceCase('4', { id: 4, caso: 3 }),
  ]
  const cases = [first, second, third]
  expect(['1', '2', '3', '5'].map((id) => caseOfId(cases, id))).toEqual([first, second, undefined, undefined])
  expect(caseOfId([first, second], '3')).toBe(second)
})
