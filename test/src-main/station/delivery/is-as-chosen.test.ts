import { describe, expect, it } from 'vitest'
import { MINUTE, SECOND } from '../../../../src-shared/durations.ts'
import { addWaiting, stateOf } from '../../../tools/outbox-with.ts'
import { deliveryWith, outcomesOf, type TestDelivery } from './delivery-with.ts'

/** Does something while the first list is read: the case is chosen by then, and its attempt has not begun. */
function whileTheListIsRead(test: TestDelivery, act: () => void): void {
  const { listCases } = test.service
  let isFirst = true
  test.service.listCases = async (signal) => {
    if (isFirst) act()
    isFirst = false
    return listCases(signal)
  }
}

describe('what changes between the choice of a case and its attempt', () => {
  it('its center: it goes under the new one and never under the one that it was taken away from', async () => {
    const test = deliveryWith({ centerId: '101' })
    const id = addWaiting(test, { centerId: '101' })
    whileTheListIsRead(test, () => test.outbox.centers.assign(id, '102', { at: test.clock.now() }))
    test.open()
    await test.clock.turn(MINUTE)
    expect(test.service.posts.map((post) => post.centerId)).toEqual(['102'])
    expect(test.outbox.submissions.row(id)).toMatchObject({ state: 'sent', center_id: '102' })
    expect(outcomesOf(test, id)).toEqual(['delivered'])
  })

  it('its content: what nobody has passed for sending is looked at once more and does not go', async () => {
    const test = deliveryWith()
    const id = addWaiting(test)
    whileTheListIsRead(test, () => {
      const image = test.outbox.images.rows(id)[0]?.id ?? ''
      test.outbox.images.setEye(image, { eye: 'left', source: 'person', statements: null })
    })
    test.open()
    await test.clock.turn(MINUTE)
    expect(test.service.handedOver).toEqual([])
    expect(outcomesOf(test, id)).toEqual([])
    expect(stateOf(test, id)).toBe('review')
  })

  it('the service: where one case gets no answer, those that were chosen with it do not go, either', async () => {
    const test = deliveryWith({ delivery: { concurrency: 3 } })
    addWaiting(test)
    test.open()
    await test.clock.turn(11 * MINUTE)
    expect(test.outbox.submissions.count().sent).toBe(1)
    const { listCases } = test.service
    let lists = 0
    // The list of the second and the third is answered when the first post has failed.
    test.service.listCases = async (signal) => {
      const delayMs = lists++ * 2 * SECOND
      const list = await listCases(signal)
      await new Promise<void>((resolve) => void test.clock.after(delayMs, resolve))
      return list
    }
    test.service.plan = () => ({ kind: 'answered', status: 502 })
    const before = test.service.handedOver.length
    for (let count = 0; count < 3; count += 1) addWaiting(test)
    test.random = 1
    await test.clock.turn(4 * SECOND)
    expect(lists).toBeGreaterThanOrEqual(3)
    expect(test.service.handedOver.length - before).toBe(1)
    expect(test.outbox.submissions.count()).toMatchObject({ unconfirmed: 1, waiting: 2 })
  })
})
