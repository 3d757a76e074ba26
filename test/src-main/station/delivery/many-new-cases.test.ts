import { describe, expect, it } from 'vitest'
import { HOUR } from '../../../../src-shared/durations.ts'
import { succeed } from '../../../../src-shared/failure.ts'
import { addWaiting, stateOf } from '../../../tools/outbox-with.ts'
import { deliveryWith } from './delivery-with.ts'

describe('a case whose answer was lost, at a service whose list shows nothing but ids', () => {
  it('is found by its reference behind many new cases of others', async () => {
    const test = deliveryWith()
    const id = addWaiting(test, { fields: { history_number: 'H-00017', visit_date: '2026-11-20' } })
    test.service.plan = () => {
      // A busy service: fifty cases of other stations come in before ours.
      for (let count = 0; count < 50; count += 1) test.service.addCase()
      return { kind: 'taken', answers: false }
    }
    const { listCases } = test.service
    test.service.listCases = async (signal) => {
      const list = await listCases(signal)
      if (!list.ok) return list
      const cases = list.value.cases.map((one) => ({
        ...one,
        historyNumber: null,
        firstName: null,
        lastName: null,
        visitDate: null,
        raw: { id: one.caseId },
      }))
      return succeed({ ...list.value, cases })
    }
    test.open()
    await test.clock.turn(2 * HOUR)
    expect(stateOf(test, id)).toBe('sent')
    expect(test.service.posts).toHaveLength(1)
  })
})
