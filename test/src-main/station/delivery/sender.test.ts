import { describe, expect, it } from 'vitest'
import { HOUR, MINUTE, SECOND } from '../../../../src-shared/durations.ts'
import { failureOf } from '../../../../src-shared/failure.ts'
import { addWaiting, claim, someBytes, stateOf } from '../../../tools/outbox-with.ts'
import { deliveryWith, outcomesOf } from './delivery-with.ts'

const VISIT = { history_number: 'H-00017', visit_date: '2026-11-20' }

describe('several cases', () => {
  it('go as many at a time as was agreed, and no more', async () => {
    const test = deliveryWith({ delivery: { concurrency: 3 } })
    addWaiting(test)
    test.open()
    await test.clock.settle()
    test.service.plan = () => ({ kind: 'silent' })
    for (let count = 0; count < 8; count += 1) addWaiting(test)
    await test.clock.turn(MINUTE)
    expect(test.outbox.submissions.count()).toMatchObject({ sending: 3, waiting: 5 })
    expect(test.service.mostAtOnce).toBe(3)
  })

  it('begin with one where the service was never asked', async () => {
    const test = deliveryWith({ delivery: { concurrency: 3 } })
    for (let count = 0; count < 5; count += 1) addWaiting(test)
    test.service.plan = () => ({ kind: 'silent' })
    test.open()
    await test.clock.turn(MINUTE)
    expect(test.outbox.submissions.count().sending).toBe(1)
  })

  it('begin with one where the service was in trouble', async () => {
    const test = deliveryWith({ delivery: { concurrency: 3 } })
    test.service.trouble = failureOf('offline')
    for (let count = 0; count < 5; count += 1) addWaiting(test)
    test.service.plan = () => ({ kind: 'silent' })
    test.open()
    await test.clock.turn(MINUTE)
    test.service.trouble = null
    await test.clock.turn(16 * MINUTE)
    expect(test.outbox.submissions.count().sending).toBe(1)
  })

  it('of one patient and visit are never under way together', async () => {
    const test = deliveryWith({ delivery: { concurrency: 4 } })
    addWaiting(test)
    const ids = [addWaiting(test, { fields: VISIT }), addWaiting(test, { fields: VISIT }), addWaiting(test)]
    const together: number[] = []
    test.service.plan = () => {
      together.push(ids.slice(0, 2).filter((id) => stateOf(test, id) === 'sending').length)
      return { kind: 'taken' }
    }
    test.open()
    await test.clock.turn(MINUTE)
    expect(ids.map((id) => stateOf(test, id))).toEqual(['sent', 'sent', 'sent'])
    expect(Math.max(...together)).toBe(1)
  })

  it('go past one that cannot be read, of which nothing is sent', async () => {
    const test = deliveryWith()
    const unreadable = addWaiting(test)
    const others = [addWaiting(test), addWaiting(test)]
    test.outbox.quarantine.add(unreadable, 'images.eye')
    test.open()
    await test.clock.turn(MINUTE)
    expect(others.map((id) => stateOf(test, id))).toEqual(['sent', 'sent'])
    expect(test.outbox.submissions.get(unreadable)).toMatchObject({
      state: 'waiting',
      unreadable: 'images.eye',
    })
    expect(test.outbox.submissions.count()).toMatchObject({ sent: 2, waiting: 1 })
  })

  it('of the patient and visit of one that cannot be read, and whose attempt is open, are not begun', async () => {
    const test = deliveryWith()
    const unreadable = addWaiting(test, { fields: VISIT })
    claim(test, unreadable)
    test.outbox.quarantine.add(unreadable, 'images.eye')
    const same = addWaiting(test, { fields: VISIT })
    const other = addWaiting(test)
    test.open()
    await test.clock.turn(MINUTE)
    expect([same, other].map((id) => stateOf(test, id))).toEqual(['waiting', 'sent'])
  })

  it('of one patient and visit, written a little differently, are never under way together', async () => {
    const test = deliveryWith({ delivery: { concurrency: 4 } })
    addWaiting(test)
    const again = { ...VISIT, history_number: ' h-00017' }
    const ids = [addWaiting(test, { fields: VISIT }), addWaiting(test, { fields: again })]
    const together: number[] = []
    test.service.plan = () => {
      together.push(ids.filter((id) => stateOf(test, id) === 'sending').length)
      return { kind: 'taken' }
    }
    test.open()
    await test.clock.turn(MINUTE)
    expect(Math.max(...together)).toBe(1)
  })

  it('do not wait for one whose answer is long in coming: a try that is due is made', async () => {
    const test = deliveryWith({ delivery: { concurrency: 2 } })
    const first = addWaiting(test)
    test.open()
    await test.clock.settle()
    expect(stateOf(test, first)).toBe('sent')
    test.service.plan = (number) => {
      if (number === 2) return { kind: 'silent' }
      return number === 3 ? { kind: 'answered', status: 401 } : { kind: 'taken' }
    }
    const silent = addWaiting(test)
    await test.clock.settle()
    expect(stateOf(test, silent)).toBe('sending')
    const later = addWaiting(test)
    test.outbox.submissions.setNotBefore(later, test.clock.now() + 20 * SECOND)
    await test.clock.turn(2 * MINUTE)
    expect(stateOf(test, silent)).toBe('sending')
    expect(stateOf(test, later)).toBe('sent')
  })

  it('go on where one of them is refused, damaged or waits for its time', async () => {
    const test = deliveryWith({ delivery: { concurrency: 1 } })
    const ids = [1, 2, 3].map(() => addWaiting(test))
    test.outbox.submissions.setNotBefore(ids[0] ?? '', test.clock.now() + HOUR)
    test.service.plan = (number) => (number === 1 ? { kind: 'answered', status: 422 } : { kind: 'taken' })
    test.open()
    await test.clock.turn(MINUTE)
    expect(ids.map((id) => stateOf(test, id))).toEqual(['waiting', 'refused', 'sent'])
    await test.clock.turn(HOUR)
    expect(stateOf(test, ids[0] ?? '')).toBe('sent')
  })
})

describe('a pause', () => {
  it('keeps everything from going, and ends with the wake', async () => {
    const test = deliveryWith()
    const id = addWaiting(test)
    test.maySend = false
    const delivery = test.open()
    await test.clock.turn(HOUR)
    expect(stateOf(test, id)).toBe('waiting')
    expect(test.service.posts).toHaveLength(0)
    test.maySend = true
    delivery.wake()
    await test.clock.settle()
    expect(stateOf(test, id)).toBe('sent')
  })

  it('that comes between the choice of a case and its claim keeps it here', async () => {
    const test = deliveryWith()
    const id = addWaiting(test)
    const { promise, resolve } = Promise.withResolvers<void>()
    const { listCases } = test.service
    test.service.listCases = async (signal) => {
      await promise
      return listCases(signal)
    }
    test.open()
    await test.clock.settle()
    test.maySend = false
    resolve()
    await test.clock.settle()
    expect(stateOf(test, id)).toBe('waiting')
    expect(test.service.posts).toHaveLength(0)
  })

  it('does not keep a lost answer from being looked for', async () => {
    const test = deliveryWith()
    const id = addWaiting(test)
    test.service.plan = () => ({ kind: 'taken', answers: false })
    test.open()
    await test.clock.settle()
    test.maySend = false
    await test.clock.turn(MINUTE)
    expect(stateOf(test, id)).toBe('sent')
  })
})

describe('a case that changes while the service is asked', () => {
  it.each(['held', 'discarded'] as const)('and is %s does not go', async (event) => {
    const test = deliveryWith()
    const id = addWaiting(test)
    const { listCases } = test.service
    test.service.listCases = async (signal) => {
      if (stateOf(test, id) === 'waiting')
        test.outbox.submissions.transition(id, event, {}, { at: test.clock.now() })
      return listCases(signal)
    }
    test.open()
    await test.clock.turn(MINUTE)
    expect(stateOf(test, id)).toBe(event)
    expect(test.service.posts).toHaveLength(0)
    expect(test.outbox.attempts.of(id)).toEqual([])
    expect(test.logger.errors()).toEqual([])
  })
})

describe('the end of the delivery', () => {
  it('stops at once what is not through, as unsent', async () => {
    const test = deliveryWith()
    const id = addWaiting(test, { images: [{ bytes: someBytes(900_000) }] })
    test.service.plan = () => ({ kind: 'stalled', afterBytes: 600_000 })
    const delivery = test.open()
    await test.clock.settle()
    const closed = delivery.close()
    await test.clock.settle()
    await closed
    expect(outcomesOf(test, id)).toEqual(['unsent'])
    expect(test.outbox.submissions.get(id)).toMatchObject({
      state: 'waiting',
      failure: { kind: 'interrupted' },
    })
    expect(test.service.asked.at(-1)).toBe('closed')
  })

  it('waits a moment for an answer to what is wholly out, and then calls it unknown', async () => {
    const test = deliveryWith()
    const id = addWaiting(test)
    test.service.plan = () => ({ kind: 'silent' })
    const delivery = test.open()
    await test.clock.settle()
    let isClosed = false
    const closed = delivery.close().then(() => void (isClosed = true))
    await test.clock.turn(2 * SECOND)
    expect(isClosed).toBe(false)
    expect(stateOf(test, id)).toBe('sending')
    await test.clock.turn(2 * SECOND)
    await closed
    expect(outcomesOf(test, id)).toEqual(['unknown'])
    expect(stateOf(test, id)).toBe('unconfirmed')
  })

  it('takes an answer that comes in that moment', async () => {
    const test = deliveryWith()
    const id = addWaiting(test)
    const answer = Promise.withResolvers<void>()
    const { postCase } = test.service
    test.service.postCase = async (options) => {
      const evidence = await postCase(options)
      await answer.promise
      return evidence
    }
    const delivery = test.open()
    await test.clock.settle()
    const closed = delivery.close()
    await test.clock.turn(SECOND)
    answer.resolve()
    await test.clock.settle()
    await closed
    expect(stateOf(test, id)).toBe('sent')
  })

  it('begins nothing any more', async () => {
    const test = deliveryWith()
    const delivery = test.open()
    await test.clock.settle()
    const closed = delivery.close()
    await test.clock.settle()
    await closed
    const id = addWaiting(test)
    delivery.wake()
    delivery.retryNow()
    await test.clock.turn(MINUTE)
    expect(stateOf(test, id)).toBe('waiting')
    expect(test.service.posts).toHaveLength(0)
  })

  /** A question as the real client asks it: it goes on until it is answered or its signal ends it. */
  function hangsUntilStopped(test: ReturnType<typeof deliveryWith>): void {
    test.service.listAnswer = null
    test.service.listCases = (signal) =>
      new Promise((resolve) => {
        test.service.asked.push('list')
        signal?.addEventListener('abort', () => resolve({ ok: false, failure: failureOf('interrupted') }))
      })
  }

  it('does not wait for a small question before a case: that is ended, too', async () => {
    const test = deliveryWith()
    const id = addWaiting(test)
    hangsUntilStopped(test)
    const delivery = test.open()
    await test.clock.settle()
    let isClosed = false
    void delivery.close().then(() => void (isClosed = true))
    await test.clock.turn(5 * SECOND)
    expect(stateOf(test, id)).toBe('waiting')
    expect(isClosed).toBe(true)
  })

  it('does not wait for the probe of the breaker', async () => {
    const test = deliveryWith()
    addWaiting(test)
    test.service.trouble = failureOf('offline')
    const delivery = test.open()
    await test.clock.settle()
    test.service.trouble = null
    hangsUntilStopped(test)
    await test.clock.turn(16 * MINUTE)
    let isClosed = false
    void delivery.close().then(() => void (isClosed = true))
    await test.clock.turn(5 * SECOND)
    expect(isClosed).toBe(true)
  })
})
