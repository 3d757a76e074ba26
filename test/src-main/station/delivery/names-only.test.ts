import { describe, expect, it } from 'vitest'
import { recoverAttempts } from '../../../../src-main/station/delivery/sender.ts'
import { HOUR, MINUTE } from '../../../../src-shared/durations.ts'
import { addWaiting, claim, stateOf } from '../../../tools/outbox-with.ts'
import { deliveryWith, outcomesOf, type TestDelivery } from './delivery-with.ts'

/** From now on its eyes were read from file names. Its content stays the same. */
function restOnNames(test: TestDelivery, id: string): void {
  for (const { id: imageId, eye } of test.outbox.images.rows(id))
    test.outbox.images.setEye(imageId, { eye, source: 'fileName', statements: null })
}

describe('a case that rests on names alone', () => {
  it('is never sent, however it came to wait: opening its attempt brings it to review', async () => {
    const test = deliveryWith()
    const id = addWaiting(test)
    restOnNames(test, id)
    expect(stateOf(test, id)).toBe('waiting')
    test.open()
    await test.clock.turn(MINUTE)
    expect(test.service.handedOver).toEqual([])
    expect(outcomesOf(test, id)).toEqual([])
    expect(stateOf(test, id)).toBe('review')
    expect(test.outbox.submissions.get(id)?.reasons).toMatchObject([{ kind: 'readFromNames' }])
  })

  it('that came to rest on names after it was chosen is not sent, either, and the next one is', async () => {
    const test = deliveryWith()
    const id = addWaiting(test)
    const next = addWaiting(test)
    const { listCases } = test.service
    test.service.listCases = async (signal) => {
      restOnNames(test, id)
      return listCases(signal)
    }
    test.open()
    await test.clock.turn(11 * MINUTE)
    expect(outcomesOf(test, id)).toEqual([])
    expect(stateOf(test, id)).toBe('review')
    expect(stateOf(test, next)).toBe('sent')
  })

  it('leaves once a person has approved it', async () => {
    const test = deliveryWith()
    const id = addWaiting(test)
    restOnNames(test, id)
    test.outbox.submissions.transition(id, 'gatheredForReview', {}, { at: test.clock.now() })
    test.outbox.submissions.transition(id, 'approved', {}, { at: test.clock.now() })
    test.open()
    await test.clock.turn(MINUTE)
    expect(outcomesOf(test, id)).toEqual(['delivered'])
  })

  it('goes to review where a kill left its attempt before the last bytes', () => {
    const test = deliveryWith()
    const id = addWaiting(test)
    claim(test, id)
    restOnNames(test, id)
    expect(recoverAttempts(test)).toEqual({ unsent: 1, unknown: 0 })
    expect(outcomesOf(test, id)).toEqual(['unsent'])
    expect(stateOf(test, id)).toBe('review')
  })

  it('goes to review where an attempt of it stayed unsent', async () => {
    const test = deliveryWith()
    const id = addWaiting(test)
    test.service.plan = () => {
      restOnNames(test, id)
      return { kind: 'broken', afterBytes: 9 }
    }
    test.open()
    await test.clock.turn(HOUR)
    expect(outcomesOf(test, id)).toEqual(['unsent'])
    expect(stateOf(test, id)).toBe('review')
  })
})
