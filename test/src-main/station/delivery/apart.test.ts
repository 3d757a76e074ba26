import { expect, it } from 'vitest'
import { MINUTE } from '../../../../src-shared/durations.ts'
import { fail, failureOf, succeed } from '../../../../src-shared/failure.ts'
import { addWaiting, someBytes, stateOf } from '../../../tools/outbox-with.ts'
import { deliveryWith, outcomesOf } from './delivery-with.ts'

/** Another client with our credentials signs in: by the worst case this sets the center back, and tells nobody. */
it('what signs in by itself waits for the cases of a center, and those behind it have the center set anew', async () => {
  const test = deliveryWith({ centerId: '101' })
  const first = addWaiting(test, { centerId: '101', images: [{ bytes: someBytes(600_000) }] })
  const { postCase } = test.service
  const line = Promise.withResolvers<void>()
  test.service.postCase = async (options) => {
    // The line is slow in the middle of the body.
    const slowly = async function* (): AsyncGenerator<Uint8Array> {
      for await (const piece of options.body.stream()) {
        yield piece
        await line.promise
      }
    }
    return postCase({ ...options, body: { ...options.body, stream: slowly } })
  }
  const delivery = test.open()
  await test.clock.settle()
  const states: (string | null)[] = []
  const tried = delivery.runExclusive(async () => {
    states.push(stateOf(test, first))
    test.service.center = '999'
    await test.clock.settle()
    states.push(stateOf(test, second))
    return succeed('passed')
  })
  const second = addWaiting(test, {
    centerId: '101',
    fields: { history_number: 'H-2', visit_date: '2026-11-20' },
  })
  await test.clock.turn(MINUTE)
  expect(states).toEqual([])
  line.resolve()
  await test.clock.turn(MINUTE)
  expect(await tried).toEqual(succeed('passed'))
  expect(states).toEqual(['sent', 'waiting'])
  expect([outcomesOf(test, first), outcomesOf(test, second)]).toEqual([['delivered'], ['delivered']])
  expect(test.service.posts.map((post) => post.centerId)).toEqual(['101', '101'])
})

it('what fails or throws apart lets the others go on, with the center set anew', async () => {
  const test = deliveryWith({ centerId: '101' })
  addWaiting(test, { centerId: '101' })
  const delivery = test.open()
  await test.clock.settle()
  expect(await delivery.runExclusive(() => Promise.resolve(fail(failureOf('offline'))))).toMatchObject({
    ok: false,
  })
  const broken = delivery.runExclusive(() => {
    test.service.center = '999'
    return Promise.reject(new Error('a bug'))
  })
  await expect(broken).rejects.toThrow('a bug')
  addWaiting(test, { centerId: '101' })
  await test.clock.settle()
  expect(test.service.posts.map((post) => post.centerId)).toEqual(['101', '101'])
})
