import { expect, it } from 'vitest'
import { HOUR } from '../../../../src-shared/durations.ts'
import { addWaiting } from '../../../tools/outbox-with.ts'
import { deliveryWith } from './delivery-with.ts'

it('a service that never gives an id takes many cases an hour, each found by a look and none sent twice', async () => {
  const test = deliveryWith({ delivery: { concurrency: 2 } })
  test.service.plan = () => ({ kind: 'taken', answers: false, status: 200 })
  for (let count = 0; count < 40; count += 1) addWaiting(test)
  test.open()
  await test.clock.turn(2 * HOUR)
  expect(test.outbox.submissions.count().sent).toBe(40)
  expect(test.service.posts).toHaveLength(40)
})
