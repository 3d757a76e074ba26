import { onTestFinished, expect, it } from 'vitest'
import { MINUTE } from '../../../../src-shared/durations.ts'
import { addWaiting, someBytes, stateOf } from '../../../tools/outbox-with.ts'
import { deliveryWith, NO_GUARD, outcomesOf } from './delivery-with.ts'

it('an attempt that throws while the delivery closes is not left open for the next', async () => {
  const test = deliveryWith()
  const id = addWaiting(test, { images: [{ bytes: someBytes(600_000) }] })
  test.service.plan = () => ({ kind: 'silent' })
  const { postCase } = test.service
  test.service.postCase = async (options) => {
    await postCase(options)
    throw new Error('a bug')
  }
  const delivery = test.open()
  await test.clock.settle()
  expect(stateOf(test, id)).toBe('sending')
  const closed = delivery.close()
  await test.clock.turn(10_000)
  await closed
  // All of it had been handed over.
  expect(outcomesOf(test, id)).toEqual(['unknown'])
  expect(stateOf(test, id)).toBe('unconfirmed')
})

it('a guard that throws at the end of an attempt is reported, and the others go on', async () => {
  const rejections: unknown[] = []
  const note = (reason: unknown): void => void rejections.push(reason)
  process.on('unhandledRejection', note)
  onTestFinished(() => void process.off('unhandledRejection', note))
  const settle = (): never => {
    throw new Error('the disk')
  }
  const test = deliveryWith({ guard: { ...NO_GUARD, settle }, delivery: { concurrency: 1 } })
  const ids = [addWaiting(test), addWaiting(test)]
  const delivery = test.open()
  await test.clock.turn(MINUTE)
  expect(ids.map((id) => stateOf(test, id))).toEqual(['sent', 'sent'])
  expect(test.logger.errors()).toContain('the end of an attempt stopped unexpectedly')
  await delivery.close()
  expect(rejections).toEqual([])
})
