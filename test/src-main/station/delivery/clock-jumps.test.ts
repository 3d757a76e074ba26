/** A clock that is set ahead or back by days in the middle of every waiting: nothing is stuck, lost, or sent twice. */
import { describe, expect, it } from 'vitest'
import { isProbeDue, tripBreaker } from '../../../../src-main/station/delivery/breaker.ts'
import { nextLookupAt } from '../../../../src-main/station/delivery/confirm.ts'
import { clockFailure } from '../../../../src-main/station/delivery/context.ts'
import { DAY, HOUR, MINUTE, SECOND } from '../../../../src-shared/durations.ts'
import { failureOf } from '../../../../src-shared/failure.ts'
import { addWaiting, stateOf } from '../../../tools/outbox-with.ts'
import { deliveryWith, type TestDelivery } from './delivery-with.ts'

const JUMPS: readonly [name: string, byMs: number][] = [
  ['ahead', 2 * DAY],
  ['back', -2 * DAY],
]

function calibrate(test: TestDelivery): void {
  const calibration = { seen: 3, missed: 0, echoed: 3, slowestMs: SECOND }
  test.outbox.cases.saveCalibration({ ...test.service.identity, centerId: null }, calibration)
}

describe.each(JUMPS)('a clock that is set two days %s', (_name, byMs) => {
  it('while a case waits for its next try: it goes within minutes', async () => {
    const test = deliveryWith()
    test.random = 0.99
    const id = addWaiting(test)
    test.service.plan = (number) =>
      number <= 3 ? { kind: 'broken', afterBytes: 50 * number } : { kind: 'taken' }
    test.open()
    await test.clock.turn(2 * SECOND)
    expect(stateOf(test, id)).toBe('waiting')
    test.clock.set(byMs)
    await test.clock.turn(20 * MINUTE)
    expect(test.outbox.submissions.get(id)).toMatchObject({ state: 'sent' })
    expect(test.service.posts).toHaveLength(1)
  })

  it('while the service asked to wait for an hour: the case goes, and not before the hour where that can be known', async () => {
    const test = deliveryWith()
    const id = addWaiting(test)
    test.service.plan = (number) =>
      number === 1 ? { kind: 'answered', status: 429, headers: { 'retry-after': '3600' } } : { kind: 'taken' }
    test.open()
    await test.clock.turn(MINUTE)
    expect(stateOf(test, id)).toBe('waiting')
    test.clock.set(byMs)
    await test.clock.turn(2 * HOUR)
    expect(stateOf(test, id)).toBe('sent')
  })

  it('while the breaker is open: it is asked again within minutes', async () => {
    const test = deliveryWith()
    const id = addWaiting(test)
    test.service.trouble = failureOf('notAnswering')
    test.open()
    await test.clock.turn(40 * MINUTE)
    test.service.trouble = null
    test.clock.set(byMs)
    await test.clock.turn(20 * MINUTE)
    expect(stateOf(test, id)).toBe('sent')
  })

  it('between the looks for a lost answer: the looks go on, and what shows late is found', async () => {
    const test = deliveryWith()
    const id = addWaiting(test)
    test.service.plan = () => ({ kind: 'taken', answers: false })
    test.service.listAnswer = () => ({ ok: true, value: { cases: [], isComplete: false } })
    test.open()
    await test.clock.turn(20 * SECOND)
    expect(stateOf(test, id)).toBe('unconfirmed')
    test.clock.set(byMs)
    await test.clock.turn(90 * MINUTE)
    expect(stateOf(test, id)).toBe('unconfirmed')
    test.service.listAnswer = null
    await test.clock.turn(2 * HOUR)
    expect(stateOf(test, id)).toBe('sent')
    expect(test.service.posts).toHaveLength(1)
  })

  it('between two looks proves no absence: nothing is sent twice', async () => {
    const test = deliveryWith({ delivery: { resendWhenProvenAbsent: true } })
    calibrate(test)
    const id = addWaiting(test)
    test.service.plan = () => ({ kind: 'taken', answers: false })
    // The list is late by ten minutes, as lists are.
    test.service.listAnswer = () => ({ ok: true, value: { cases: [], isComplete: true } })
    test.open()
    await test.clock.turn(15 * SECOND)
    test.clock.set(byMs)
    await test.clock.turn(8 * MINUTE)
    test.service.listAnswer = null
    await test.clock.turn(3 * HOUR)
    expect(test.service.posts).toHaveLength(1)
    expect(stateOf(test, id)).toBe('sent')
  })

  it('before a case was read back: it is read back within a day', async () => {
    const test = deliveryWith()
    const id = addWaiting(test)
    test.service.plan = (number) => ({ kind: 'taken', caseId: String(number) })
    test.service.listAnswer = () => ({ ok: true, value: { cases: [], isComplete: true } })
    const getCase = test.service.getCase
    test.service.getCase = () => Promise.resolve({ ok: false, failure: failureOf('notFound') })
    test.open()
    await test.clock.turn(HOUR)
    test.clock.set(byMs)
    test.service.getCase = getCase
    await test.clock.turn(DAY)
    expect(test.outbox.submissions.get(id)?.confirmedAt).not.toBeNull()
  })

  it('after a list was read: the next case does not take a list of unknown age for new', async () => {
    const test = deliveryWith()
    addWaiting(test)
    test.open()
    await test.clock.turn(MINUTE)
    test.clock.set(byMs)
    const before = test.service.asked.length
    addWaiting(test)
    await test.clock.settle()
    const since = test.service.asked.slice(before)
    expect(since.indexOf('list')).toBeGreaterThanOrEqual(0)
    expect(since.indexOf('list')).toBeLessThan(since.indexOf('post'))
  })

  it('while the delivery was closed: a restart finds everything due', async () => {
    const first = deliveryWith()
    const id = addWaiting(first)
    first.service.plan = () => ({ kind: 'broken', afterBytes: 10 })
    const delivery = first.open()
    await first.clock.turn(5 * MINUTE)
    await delivery.close()
    first.close()
    const test = deliveryWith({ folder: first.folder, now: first.clock.now() + byMs })
    test.open()
    await test.clock.turn(20 * MINUTE)
    expect(stateOf(test, id)).toBe('sent')
  })
})

it('asks a service again at once where the clock is before its last trouble', () => {
  const closed = { kind: 'closed' as const, since: 0, troubles: 3 }
  const breaker = tripBreaker(closed, failureOf('offline'), { baseMs: 1_000, random: 0.5, now: 10 * DAY })
  expect(isProbeDue(breaker, 10 * DAY)).toBe(false)
  expect(isProbeDue(breaker, 8 * DAY)).toBe(true)
  expect(isProbeDue(breaker, 10 * DAY + HOUR)).toBe(true)
  expect(isProbeDue(closed, 0)).toBe(false)
})

it.each<[name: string, endedAt: number, now: number, looks: number, next: number | null]>([
  ['the day is over and enough looks were made', 0, DAY, 20, null],
  ['the day is over after two looks', 0, 2 * DAY, 2, 2 * DAY + 60 * SECOND],
  ['the attempt ends in what is the future now', 2 * DAY, 0, 0, 10 * SECOND],
  ['and the plan is used up', 2 * DAY, 0, 9, 60 * SECOND],
])('plans the next look where %s', (_name, endedAt, now, looks, next) => {
  expect(nextLookupAt(endedAt, now, [2, 10, 60], looks)).toBe(next)
})

it.each<[ms: number | null, words: string | null]>([
  [null, null],
  [26 * MINUTE, 'about 26 minutes ahead of'],
  [-3 * HOUR, 'about 3 hours behind'],
  [2 * DAY + HOUR, 'about 2 days ahead of'],
])('says by how much a clock is wrong: %s', (ms, words) => {
  const failure = clockFailure(ms === null ? { kind: 'unknown' } : { kind: 'wrong', differenceMs: ms })
  if (words === null) expect(failure).toBeNull()
  else
    expect(failure).toMatchObject({ kind: 'clockWrong', message: expect.stringContaining(words) as string })
})

it.each([5 * MINUTE, 2 * HOUR])(
  'reads back within a minute what was sent just before the clock was set back by %d ms',
  async (backMs) => {
    const test = deliveryWith()
    const id = addWaiting(test)
    test.open()
    await test.clock.turn(SECOND / 2)
    expect(test.outbox.submissions.get(id)).toMatchObject({ state: 'sent', confirmedAt: null })
    test.clock.set(-backMs)
    await test.clock.turn(MINUTE)
    expect(test.outbox.submissions.get(id)?.confirmedAt).not.toBeNull()
  },
)

it.each([HOUR, 3 * HOUR, 20 * HOUR])(
  'reads back within two minutes what was planned while the clock was %d ms ahead, though it was sent before',
  async (aheadMs) => {
    const test = deliveryWith()
    const id = addWaiting(test)
    const getCase = test.service.getCase
    test.service.listAnswer = () => ({ ok: true, value: { cases: [], isComplete: true } })
    test.service.getCase = () => Promise.resolve({ ok: false, failure: failureOf('notFound') })
    test.open()
    await test.clock.turn(SECOND / 2)
    test.clock.set(aheadMs)
    await test.clock.turn(2 * MINUTE)
    expect(test.outbox.submissions.get(id)).toMatchObject({ state: 'sent', confirmedAt: null })
    test.clock.set(-aheadMs)
    test.service.getCase = getCase
    await test.clock.turn(2 * MINUTE)
    expect(test.outbox.submissions.get(id)?.confirmedAt).not.toBeNull()
  },
)
