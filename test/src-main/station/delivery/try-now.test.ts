import { expect, it } from 'vitest'
import { MINUTE } from '../../../../src-shared/durations.ts'
import { addWaiting, someBytes, stateOf } from '../../../tools/outbox-with.ts'
import { deliveryWith, outcomesOf } from './delivery-with.ts'

it('"Try now" throws no running transfer away', async () => {
  const test = deliveryWith({ centerId: '101' })
  const id = addWaiting(test, { centerId: '101', images: [{ bytes: someBytes(600_000) }] })
  const { postCase } = test.service
  const delivery = test.open()
  test.service.postCase = (options) =>
    postCase({
      ...options,
      onHandedOver: (bytes) => {
        options.onHandedOver(bytes)
        if (bytes > 400_000) delivery.retryNow()
      },
    })
  await test.clock.turn(MINUTE)
  expect(outcomesOf(test, id)).toEqual(['delivered'])
  expect(stateOf(test, id)).toBe('sent')
  expect(test.outbox.alarms.listOpen()).toEqual([])
})

it('one break at the place where the center was lost twice is no sign that the size is refused', async () => {
  const test = deliveryWith({ centerId: '101' })
  const id = addWaiting(test, { centerId: '101', images: [{ bytes: someBytes(600_000) }] })
  const { postCase } = test.service
  let count = 0
  let requestBytes = 0
  test.service.postCase = (options) => {
    count += 1
    requestBytes = options.body.contentLength
    const number = count
    return postCase({
      ...options,
      onHandedOver: (bytes) => {
        options.onHandedOver(bytes)
        if (bytes > 600_000 && number <= 2) test.service.renewToken()
      },
    })
  }
  test.service.plan = (number) =>
    number === 3 ? { kind: 'broken', afterBytes: requestBytes - 10 } : { kind: 'taken' }
  test.open()
  await test.clock.turn(20 * MINUTE)
  expect(outcomesOf(test, id)).toEqual(['unsent', 'unsent', 'unsent', 'delivered'])
  const kinds = test.outbox.submissions.details(id)?.attemptList.map(({ failure }) => failure?.kind)
  expect(kinds).toEqual(['centerNotChanged', 'centerNotChanged', 'interrupted', undefined])
})
