import { expect, it } from 'vitest'
import type { AttemptGuard } from '../../../../src-main/station/outbox/recovery/manifest-writer.ts'
import { MINUTE, SECOND } from '../../../../src-shared/durations.ts'
import { addWaiting, PLACE, someBytes, stateOf } from '../../../tools/outbox-with.ts'
import { deliveryWith, NO_GUARD, outcomesOf } from './delivery-with.ts'

const LARGE = [{ bytes: someBytes(600_000) }]

it('stops a transfer that hangs amid the body: unsent, on hold, with who and why in the trail', async () => {
  const test = deliveryWith()
  const id = addWaiting(test, { images: LARGE })
  test.service.plan = () => ({ kind: 'stalled', afterBytes: 300_000 })
  const delivery = test.open()
  await test.clock.settle()
  expect(stateOf(test, id)).toBe('sending')
  expect(delivery.cancel(id, { by: 'AB', why: 'wrong patient' })).toBe('stopping')
  await test.clock.settle()
  expect(outcomesOf(test, id)).toEqual(['unsent'])
  expect(test.outbox.submissions.get(id)).toMatchObject({ state: 'held', failure: null, notBefore: null })
  const [held, unsent] = test.outbox.audit.list({ submissionId: id, limit: 10 })
  expect([held?.what, unsent?.what]).toEqual(['held', 'stayedUnsent'])
  expect(held).toMatchObject({ by: 'AB', details: { decision: 'transferStopped', why: 'wrong patient' } })
  expect(delivery.serviceStatus().health).not.toBe('trouble')
  await test.clock.turn(60 * MINUTE)
  expect(test.service.handedOver).toHaveLength(1)
})

it('is too late once the last bytes were released, and changes nothing then', async () => {
  const test = deliveryWith()
  const id = addWaiting(test, { images: LARGE })
  test.service.plan = () => ({ kind: 'silent', isTaken: true })
  const delivery = test.open()
  await test.clock.settle()
  expect(test.outbox.attempts.of(id).at(-1)?.phase).toBe('handedOver')
  expect(delivery.cancel(id)).toBe('tooLate')
  await test.clock.settle()
  expect(stateOf(test, id)).toBe('sending')
})

it('releases no last byte after a wish that came while the disk was read', async () => {
  const test = deliveryWith()
  const id = addWaiting(test, { images: LARGE })
  const delivery = test.open()
  // The scripted service notices an abort only between pieces, as the connection does: here before the last one.
  let answer: string | null = null
  const mark = test.service.postCase
  test.service.postCase = (options) =>
    mark({
      ...options,
      signal: new AbortController().signal,
      onHandedOver: (bytes) => {
        options.onHandedOver(bytes)
        if (bytes > 600_000) answer ??= delivery.cancel(id)
      },
    })
  await test.clock.settle()
  expect(answer).toBe('stopping')
  expect(stateOf(test, id)).toBe('held')
  expect(test.service.posts).toHaveLength(0)
  expect(outcomesOf(test, id)).toEqual(['unsent'])
})

it('holds what was chosen and is still waiting for the list, without an attempt', async () => {
  const test = deliveryWith()
  const id = addWaiting(test)
  const list = Promise.withResolvers<never>()
  test.service.listAnswer = () => list.promise
  const delivery = test.open()
  await test.clock.settle()
  expect(stateOf(test, id)).toBe('waiting')
  expect(delivery.cancel(id)).toBe('stopping')
  expect(stateOf(test, id)).toBe('held')
  expect(test.outbox.attempts.of(id)).toEqual([])
})

it('says that nothing is sent where nothing is', async () => {
  const test = deliveryWith()
  test.maySend = false
  const id = addWaiting(test)
  const delivery = test.open()
  await test.clock.settle()
  expect(delivery.cancel(id)).toBe('notSending')
  expect(delivery.cancel('nobody')).toBe('notSending')
  expect(stateOf(test, id)).toBe('waiting')
})

it('does not count what a person stopped among three stops at one place', async () => {
  const test = deliveryWith()
  const id = addWaiting(test, { images: LARGE })
  test.service.plan = (number) =>
    number === 2 ? { kind: 'stalled', afterBytes: 300_000 } : { kind: 'broken', afterBytes: 300_000 }
  const delivery = test.open()
  await test.clock.turn(30 * SECOND)
  expect(delivery.cancel(id)).toBe('stopping')
  await test.clock.settle()
  test.outbox.submissions.transition(id, 'releasedToSend', {}, { at: test.clock.now() })
  await test.clock.settle()
  expect(stateOf(test, id)).toBe('waiting')
  expect(outcomesOf(test, id)).toEqual(['unsent', 'unsent', 'unsent'])
})

it.each(['before its attempt', 'amid the body'] as const)(
  'stops nothing that was canceled %s in a write that is rolled back',
  async (when) => {
    const begun: string[] = []
    const announce = (id: string): ReturnType<AttemptGuard['announce']> => {
      begun.push(id)
      return NO_GUARD.announce(id, { ...PLACE, centerId: null })
    }
    const test = deliveryWith({ guard: { ...NO_GUARD, announce } })
    const id = addWaiting(test, { images: LARGE })
    const delivery = test.open()
    let answer: string | null = null
    const cancelAndFail = (): void => {
      if (answer !== null) return
      const write = (): never =>
        test.outbox.write(() => {
          answer = delivery.cancel(id)
          throw new Error('rolled back')
        })
      expect(write).toThrow('rolled back')
    }
    const { listCases, postCase } = test.service
    test.service.listCases = (signal) => {
      if (when === 'before its attempt') cancelAndFail()
      return listCases(signal)
    }
    test.service.postCase = (options) =>
      postCase({
        ...options,
        onHandedOver: (bytes) => {
          options.onHandedOver(bytes)
          if (bytes > 300_000) cancelAndFail()
        },
      })
    await test.clock.settle()
    expect(answer).toBe('stopping')
    expect(outcomesOf(test, id)).toEqual(['delivered'])
    expect(begun).toEqual([id])
  },
)
