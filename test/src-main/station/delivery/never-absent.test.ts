import { describe, expect, it } from 'vitest'
import { HOUR, MINUTE, SECOND } from '../../../../src-shared/durations.ts'
import { failureOf } from '../../../../src-shared/failure.ts'
import { addWaiting, stateOf } from '../../../tools/outbox-with.ts'
import { deliveryWith, outcomesOf, type TestDelivery } from './delivery-with.ts'

const VISIT = { history_number: 'H-1', visit_date: '2026-11-20' }

function evidenceOf(test: TestDelivery, id: string): unknown[] {
  return (test.outbox.submissions.details(id)?.evidence ?? []).map(({ kind, caseIds }) => [kind, caseIds])
}

describe('a case is never called absent', () => {
  const CALIBRATED = { seen: 3, missed: 0, echoed: 3, slowestMs: SECOND }

  it('where the service marked another center when it was sent', async () => {
    const test = deliveryWith({ centerId: '101', delivery: { resendWhenProvenAbsent: true } })
    test.outbox.cases.saveCalibration({ ...test.service.identity, centerId: '101' }, CALIBRATED)
    test.service.centersShown = () =>
      ['101', '102'].map((centerId) => ({
        centerId,
        name: null,
        isCurrent: test.service.center === centerId,
      }))
    const delivery = test.open()
    delivery.learnCenters([{ centerId: '101', name: null, isCurrent: true }])
    const { postCase } = test.service
    test.service.postCase = async (options) => {
      const posted = await postCase({
        ...options,
        beforeFirstByte: () => {
          options.beforeFirstByte()
          test.service.center = '102'
        },
      })
      return { ...posted, answer: null, caseId: null, failure: failureOf('notAnswering') }
    }
    const id = addWaiting(test, { centerId: '101', fields: VISIT })
    await test.clock.turn(3 * HOUR)
    expect(outcomesOf(test, id)).toEqual(['unknown'])
    expect(evidenceOf(test, id)).toEqual([
      ['centerUnsure', []],
      ['lookFailed', []],
    ])
  })

  it('by what is listed under the center that was set after it was sent under none', async () => {
    const test = deliveryWith({ delivery: { resendWhenProvenAbsent: true } })
    test.outbox.cases.saveCalibration({ ...test.service.identity, centerId: null }, CALIBRATED)
    test.service.firstCenter = '999'
    test.service.shows = 'nothing'
    test.service.plan = (number) => ({ kind: 'taken', answers: number > 1 })
    const id = addWaiting(test, { fields: VISIT })
    test.open()
    await test.clock.settle()
    test.settings = { ...test.settings, centerId: '102' }
    addWaiting(test, { centerId: '102' })
    await test.clock.turn(3 * HOUR)
    expect(outcomesOf(test, id)).toEqual(['unknown'])
    expect(stateOf(test, id)).toBe('unconfirmed')
    expect(test.outbox.submissions.details(id)?.evidence.at(-1)).toMatchObject({
      kind: 'lookFailed',
      message: expect.stringContaining('may have arrived') as string,
    })
    // Also after a person's word the next one who sees it is told.
    test.outbox.submissions.transition(id, 'provenAbsent', { notBefore: null }, { at: test.clock.now() })
    await test.clock.turn(MINUTE)
    expect(test.outbox.submissions.get(id)).toMatchObject({
      state: 'incomplete',
      reasons: [{ message: expect.stringContaining('may have arrived') as string }],
    })
  })

  it('where the service answered as if it had taken it', async () => {
    const test = deliveryWith({ delivery: { resendWhenProvenAbsent: true } })
    test.outbox.cases.saveCalibration({ ...test.service.identity, centerId: null }, CALIBRATED)
    const id = addWaiting(test, { fields: VISIT })
    // The id of a case that stood there before.
    test.service.addCase({ caseId: '3', historyNumber: 'H-9' })
    test.service.plan = () => ({ kind: 'answered', status: 201, body: { id: 3 } })
    test.open()
    await test.clock.turn(3 * HOUR)
    expect(outcomesOf(test, id)).toEqual(['unknown'])
    expect(evidenceOf(test, id)).toEqual([['lookFailed', []]])
  })
})
