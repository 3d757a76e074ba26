import { expect, it } from 'vitest'
import { HOUR, MINUTE, SECOND } from '../../../../src-shared/durations.ts'
import { addWaiting, MORNING, someBytes, stateOf } from '../../../tools/outbox-with.ts'
import { deliveryWith } from './delivery-with.ts'

it('a wait of a day is obeyed, shown with its time, questioned, and stands in the trail once', async () => {
  const test = deliveryWith()
  const id = addWaiting(test)
  test.service.plan = (number) =>
    number === 1 ? { kind: 'answered', status: 429, headers: { 'retry-after': '86400' } } : { kind: 'taken' }
  const delivery = test.open()
  await test.clock.turn(SECOND)
  const failure = test.outbox.submissions.get(id)?.failure
  expect(failure).toMatchObject({ kind: 'throttled', notBefore: MORNING + 24 * HOUR })
  const day = new Date(MORNING + 24 * HOUR).toLocaleString('sv-SE', {
    dateStyle: 'short',
    timeStyle: 'short',
  })
  expect(failure?.message).toContain(day)
  expect(failure?.message).toContain('24 hours')
  expect(failure?.message).toContain('Try now')
  expect(delivery.serviceStatus()).toMatchObject({ nextTryAt: MORNING + 24 * HOUR })
  const waits = (): unknown[] =>
    test.outbox.audit.list({ limit: 50 }).filter(({ what }) => what === 'longWaitAsked')
  expect(waits()).toMatchObject([{ details: { until: new Date(MORNING + 24 * HOUR).toISOString() } }])
  await test.clock.turn(23 * HOUR)
  expect(test.service.handedOver).toHaveLength(1)
  await test.clock.turn(HOUR + MINUTE)
  expect(stateOf(test, id)).toBe('sent')
  expect(waits()).toHaveLength(1)
})

it('"Try now" asks at once and goes on where the service is in a better mood', async () => {
  const test = deliveryWith()
  const id = addWaiting(test)
  test.service.plan = (number) =>
    number === 1 ? { kind: 'answered', status: 429, headers: { 'retry-after': '86400' } } : { kind: 'taken' }
  const delivery = test.open()
  await test.clock.turn(MINUTE)
  expect(stateOf(test, id)).toBe('waiting')
  // As submissions.retry does.
  test.outbox.submissions.setNotBefore(id, null)
  delivery.retryNow('person')
  await test.clock.turn(SECOND)
  expect(stateOf(test, id)).toBe('sent')
})

it('a wait within the hour is no news', async () => {
  const test = deliveryWith()
  const id = addWaiting(test)
  test.service.plan = () => ({ kind: 'answered', status: 429, headers: { 'retry-after': '1800' } })
  test.open()
  await test.clock.turn(SECOND)
  expect(test.outbox.submissions.get(id)?.failure?.message).not.toContain('unusually')
  expect(test.outbox.audit.list({ limit: 50 }).map(({ what }) => what)).not.toContain('longWaitAsked')
})

it('a wait that the service asked for is ended by no waking up, no step of the clock and no other trouble', async () => {
  const test = deliveryWith({ delivery: { concurrency: 2 } })
  addWaiting(test)
  const delivery = test.open()
  await test.clock.turn(MINUTE)
  // One hangs amid its body while the other is told to wait.
  test.service.plan = (number) =>
    number === 2
      ? { kind: 'stalled', afterBytes: 300_000 }
      : number === 3
        ? { kind: 'answered', status: 429, headers: { 'retry-after': '1800' } }
        : { kind: 'taken' }
  const large = addWaiting(test, { images: [{ bytes: someBytes(600_000) }] })
  addWaiting(test, { fields: { history_number: 'H-other', visit_date: '2026-11-20' } })
  await test.clock.turn(SECOND)
  expect(delivery.serviceStatus()).toMatchObject({ failure: { kind: 'throttled' } })
  const until = delivery.serviceStatus().nextTryAt ?? 0
  test.service.release()
  await test.clock.turn(SECOND)
  expect(stateOf(test, large)).toBe('waiting')
  delivery.retryNow()
  test.clock.set(-10 * SECOND)
  await test.clock.turn(25 * MINUTE)
  expect(test.service.handedOver).toHaveLength(3)
  expect(until - test.clock.now()).toBeGreaterThan(MINUTE)
  await test.clock.turn(10 * MINUTE)
  expect(test.outbox.submissions.count().sent).toBe(3)
})
