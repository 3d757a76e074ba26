import { truncateSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { HOUR, MINUTE, SECOND } from '../../../../src-shared/durations.ts'
import { fail, failureOf } from '../../../../src-shared/failure.ts'
import { addWaiting, MORNING, someBytes, stateOf } from '../../../tools/outbox-with.ts'
import { deliveryWith, outcomesOf } from './delivery-with.ts'

describe('a case that did not leave', () => {
  it('goes by itself when the service is back, without a limit of tries, and was posted once', async () => {
    const test = deliveryWith()
    const id = addWaiting(test)
    test.service.trouble = failureOf('offline')
    test.open()
    await test.clock.turn(60 * HOUR)
    expect(test.outbox.submissions.get(id)).toMatchObject({ state: 'waiting' })
    expect(test.service.posts).toHaveLength(0)
    test.service.trouble = null
    await test.clock.turn(16 * MINUTE)
    expect(stateOf(test, id)).toBe('sent')
    expect(test.service.posts).toHaveLength(1)
  })

  it('because the line broke in its middle is tried again with growing pauses', async () => {
    const test = deliveryWith({ delivery: { concurrency: 1 } })
    const id = addWaiting(test, { images: [{ bytes: someBytes(3_000_000) }] })
    // Never twice at the same place.
    test.service.plan = (number) => ({ kind: 'broken', afterBytes: (number % 5) * 600_000 + 1_000 })
    test.open()
    await test.clock.turn(2 * HOUR)
    const starts = test.outbox.attempts.of(id).map((attempt) => attempt.started_at)
    const gaps = starts.slice(1).map((at, index) => at - (starts[index] ?? 0))
    expect(new Set(outcomesOf(test, id))).toEqual(new Set(['unsent']))
    expect(starts.length).toBeGreaterThan(10)
    expect(gaps.slice(0, 4).every((gap) => gap <= 2 * MINUTE)).toBe(true)
    // Half of a quarter of an hour and what the breaker adds.
    expect(gaps.at(-1)).toBeGreaterThan(6 * MINUTE)
    expect(test.service.posts).toHaveLength(0)
    expect(test.outbox.submissions.get(id)?.failure?.kind).toBe('interrupted')
  })

  it('and stops three times at one place is parked as too large', async () => {
    const test = deliveryWith({ delivery: { concurrency: 1 } })
    const id = addWaiting(test, { images: [{ bytes: someBytes(3_000_000) }] })
    test.service.plan = () => ({ kind: 'broken', afterBytes: 2_000_000 })
    test.open()
    await test.clock.turn(HOUR)
    expect(outcomesOf(test, id)).toEqual(['unsent', 'unsent', 'refused'])
    expect(test.outbox.submissions.get(id)).toMatchObject({ state: 'refused', failure: { kind: 'tooLarge' } })
  })

  it('because it was throttled goes exactly when the service allows it, and nobody before', async () => {
    const test = deliveryWith()
    const ids = [addWaiting(test), addWaiting(test)]
    test.service.plan = (number) =>
      number === 1 ? { kind: 'answered', status: 429, headers: { 'retry-after': '600' } } : { kind: 'taken' }
    test.open()
    await test.clock.settle()
    const throttled = ids.find((id) => test.outbox.submissions.get(id)?.failure?.kind === 'throttled') ?? ''
    expect(test.outbox.submissions.get(throttled)?.notBefore).toBe(MORNING + 600_000)
    const posted = test.service.posts.length
    await test.clock.turn(599 * SECOND)
    expect(test.service.posts.length).toBe(posted)
    await test.clock.turn(2 * SECOND)
    expect(ids.map((id) => stateOf(test, id))).toEqual(['sent', 'sent'])
  })
})

describe('what proves that the service takes cases', () => {
  it('is its answer, and never a damaged image of ours', async () => {
    const test = deliveryWith({ delivery: { concurrency: 3 } })
    const damaged = addWaiting(test)
    truncateSync(test.spoolPath(test.outbox.images.rows(damaged)[0]?.spool_name ?? ''), 10)
    for (let count = 0; count < 4; count += 1) addWaiting(test)
    test.service.plan = () => ({ kind: 'silent' })
    test.open()
    await test.clock.turn(MINUTE)
    expect(test.outbox.submissions.count()).toMatchObject({ refused: 1, sending: 1, waiting: 3 })
  })
})

describe('an answer that is lost', () => {
  it('leaves one case to check: the breaker keeps the others until the service answers', async () => {
    const test = deliveryWith({ delivery: { concurrency: 2 } })
    const ids = Array.from({ length: 10 }, () => addWaiting(test))
    test.service.shows = 'nothing'
    test.service.plan = (number) => {
      if (number > 1) return { kind: 'taken' }
      test.service.trouble = failureOf('notAnswering')
      return { kind: 'taken', answers: false, status: 502 }
    }
    const delivery = test.open()
    await test.clock.turn(2 * HOUR)
    expect(test.outbox.submissions.count()).toMatchObject({ unconfirmed: 1, waiting: 9 })
    expect(test.service.posts).toHaveLength(1)
    expect(delivery.serviceStatus()).toMatchObject({ health: 'trouble' })
    test.service.trouble = null
    await test.clock.turn(16 * MINUTE)
    expect(test.outbox.submissions.count()).toMatchObject({ unconfirmed: 1, sent: 9 })
    expect(delivery.serviceStatus()).toMatchObject({ health: 'reachable', failure: null })
    expect(outcomesOf(test, ids[0] ?? '')).toEqual(['unknown'])
  })

  it('leaves few cases to check also where every list is answered and every post is lost', async () => {
    const test = deliveryWith({ delivery: { concurrency: 2 } })
    for (let count = 0; count < 20; count += 1) addWaiting(test)
    test.service.shows = 'nothing'
    test.service.plan = () => ({ kind: 'answered', status: 502 })
    test.open()
    await test.clock.turn(30 * MINUTE)
    // A pause that doubles up to a quarter of an hour leaves room for ten tries or so.
    expect(test.outbox.submissions.count().unconfirmed).toBeLessThan(13)
  })

  it('is kept as it came, with the status and the words of the service', async () => {
    const test = deliveryWith()
    test.service.plan = () => ({ kind: 'answered', status: 500, body: { message: 'out of memory' } })
    const id = addWaiting(test)
    test.open()
    await test.clock.settle()
    expect(test.outbox.submissions.get(id)).toMatchObject({
      state: 'unconfirmed',
      failure: { kind: 'outcomeUnknown', status: 500, serviceSaid: 'out of memory' },
      notBefore: MORNING + 2 * SECOND,
    })
  })

  it('is no success where the id is one that belongs to another case already', async () => {
    const test = deliveryWith({ delivery: { concurrency: 1 } })
    test.service.shows = 'nothing'
    // Some services answer `{"content": 1}` to everything, and mean "yes".
    test.service.plan = () => ({ kind: 'taken', caseId: '1' })
    const ids = [addWaiting(test), addWaiting(test)]
    test.open()
    await test.clock.turn(SECOND)
    expect(ids.map((id) => stateOf(test, id))).toEqual(['sent', 'unconfirmed'])
  })

  it('is no success where the id is one that was at the service before', async () => {
    const test = deliveryWith()
    test.service.shows = 'nothing'
    test.service.addCase({ caseId: '1' }, null)
    test.service.plan = () => ({ kind: 'taken', caseId: '1' })
    const id = addWaiting(test)
    test.open()
    await test.clock.turn(SECOND)
    expect(stateOf(test, id)).toBe('unconfirmed')
  })
})

describe('a sign-in that is refused', () => {
  it('at one post is tried once more with a new token, and then parks only that case', async () => {
    const test = deliveryWith({ delivery: { concurrency: 1 } })
    const [odd, other] = [addWaiting(test), addWaiting(test)]
    test.service.plan = (number) => (number <= 2 ? { kind: 'answered', status: 401 } : { kind: 'taken' })
    test.open()
    await test.clock.turn(MINUTE)
    expect(outcomesOf(test, odd)).toEqual(['unsent', 'refused'])
    // One new token for each refusal.
    expect(test.service.asked.filter((what) => what === 'token')).toHaveLength(2)
    expect(test.outbox.submissions.get(odd)).toMatchObject({
      state: 'refused',
      failure: { kind: 'serviceRefused', status: 401 },
    })
    expect(stateOf(test, other)).toBe('sent')
  })

  it('everywhere is told as such also where a center must be set first', async () => {
    const test = deliveryWith({ centerId: '101' })
    const id = addWaiting(test, { centerId: '101' })
    test.service.centerRefusals.set('101', failureOf('signedOut', { status: 401 }))
    test.service.listAnswer = () => fail(failureOf('signedOut', { status: 401 }))
    const delivery = test.open()
    await test.clock.turn(MINUTE)
    expect(delivery.serviceStatus()).toMatchObject({ health: 'trouble', failure: { kind: 'signedOut' } })
    expect(stateOf(test, id)).toBe('waiting')
  })

  it('at one post only is over with the new token', async () => {
    const test = deliveryWith()
    const id = addWaiting(test)
    test.service.plan = (number) => (number === 1 ? { kind: 'answered', status: 401 } : { kind: 'taken' })
    test.open()
    await test.clock.settle()
    expect(outcomesOf(test, id)).toEqual(['unsent', 'delivered'])
  })

  it('everywhere stops all sending, keeps every case, and ends with the right secret', async () => {
    const test = deliveryWith({ delivery: { concurrency: 1 } })
    const ids = [addWaiting(test), addWaiting(test)]
    test.service.plan = (number) => {
      if (number > 1) return { kind: 'taken' }
      test.service.trouble = failureOf('signedOut')
      return { kind: 'answered', status: 401 }
    }
    const delivery = test.open()
    await test.clock.turn(HOUR)
    expect(ids.map((id) => stateOf(test, id))).toEqual(['waiting', 'waiting'])
    expect(delivery.serviceStatus().failure?.kind).toBe('signedOut')
    test.service.trouble = null
    delivery.retryNow()
    await test.clock.turn(16 * MINUTE)
    expect(ids.map((id) => stateOf(test, id))).toEqual(['sent', 'sent'])
  })
})

it('a service that shows no list is no trouble: cases go, and the list says nothing about them', async () => {
  const test = deliveryWith()
  const id = addWaiting(test)
  test.service.listAnswer = () => fail(failureOf('answerUnreadable'))
  test.open()
  await test.clock.turn(MINUTE)
  expect(stateOf(test, id)).toBe('sent')
})
