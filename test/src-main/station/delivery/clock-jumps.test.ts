/** A clock that is set ahead or back by days in the middle of every wait: nothing is stuck, lost, or sent twice. */
import { describe, expect, it } from 'vitest'
import { clockFailure } from '../../../../src-main/station/delivery/delivery.ts'
import { DAY, HOUR, MINUTE, SECOND } from '../../../../src-shared/durations.ts'
import { failureOf, succeed } from '../../../../src-shared/failure.ts'
import { addWaiting, stateOf } from '../../../tools/outbox-with.ts'
import { temporaryFolder } from '../../../tools/temporary-folder.ts'
import { calibrate, deliveryWith, sending, type TestDelivery } from './delivery-with.ts'
import { broken, LOST, type PostPlan, throttled } from './scripted-service.ts'

const TAKEN: PostPlan = { kind: 'taken' }

const JUMPS: readonly [name: string, byMs: number][] = [
  ['ahead', 2 * DAY],
  ['back', -2 * DAY],
]

const listOf =
  (isComplete: boolean) =>
  ({ service }: TestDelivery): void => {
    service.listAnswer = () => succeed({ cases: [], isComplete })
  }
/** Nothing can be read back, until the answer is called. */
function hideCases(test: TestDelivery): () => void {
  const { getCase } = test.service
  listOf(true)(test)
  test.service.getCase = () => Promise.resolve({ ok: false, failure: failureOf('notFound') })
  return () => {
    test.service.getCase = getCase
  }
}
const confirmedAt = ({ outbox }: TestDelivery, id: string) => outbox.submissionOf(id)?.confirmedAt

describe.each(JUMPS)('a clock that is set two days %s', (_name, byMs) => {
  it('while a case waits for its next try: it goes within minutes', async () => {
    const plan = [broken(50), broken(100), broken(150), TAKEN]
    const { test, id } = await sending({ plan, turnMs: 2 * SECOND }, (made) => (made.random = 0.99))
    expect(stateOf(test, id)).toBe('waiting')
    test.clock.set(byMs)
    await test.clock.turn(20 * MINUTE)
    expect(stateOf(test, id)).toBe('sent')
    expect(test.service.posts).toHaveLength(1)
  })

  it('while the service asked to wait for an hour: the case goes', async () => {
    const { test, id } = await sending({ plan: [throttled(3_600), TAKEN], turnMs: MINUTE })
    expect(stateOf(test, id)).toBe('waiting')
    test.clock.set(byMs)
    await test.clock.turn(2 * HOUR)
    expect(stateOf(test, id)).toBe('sent')
  })

  it('while the breaker is open: it probes within minutes', async () => {
    const { test, id } = await sending({ turnMs: 40 * MINUTE }, ({ service }) => {
      service.trouble = failureOf('notAnswering')
    })
    test.service.trouble = null
    test.clock.set(byMs)
    await test.clock.turn(20 * MINUTE)
    expect(stateOf(test, id)).toBe('sent')
  })

  it('between the lookups for a lost answer: they go on, and what shows late is found', async () => {
    const { test, id } = await sending({ plan: LOST, turnMs: 20 * SECOND }, listOf(false))
    test.clock.set(byMs)
    await test.clock.turn(90 * MINUTE)
    expect(stateOf(test, id)).toBe('unconfirmed')
    test.service.listAnswer = null
    await test.clock.turn(2 * HOUR)
    expect(stateOf(test, id)).toBe('sent')
    expect(test.service.posts).toHaveLength(1)
  })

  it('between two lookups proves no absence: nothing is sent twice', async () => {
    const options = { delivery: { resendWhenProvenAbsent: true }, plan: LOST, turnMs: 15 * SECOND }
    const { test, id } = await sending(options, (made) => {
      calibrate(made)
      // The list is late by ten minutes, as lists are.
      listOf(true)(made)
    })
    test.clock.set(byMs)
    await test.clock.turn(8 * MINUTE)
    test.service.listAnswer = null
    await test.clock.turn(3 * HOUR)
    expect(test.service.posts).toHaveLength(1)
    expect(stateOf(test, id)).toBe('sent')
  })

  it('before a case was read back: it is read back within a day', async () => {
    let show = (): void => undefined
    const { test, id } = await sending({ turnMs: HOUR }, (made) => {
      show = hideCases(made)
    })
    test.clock.set(byMs)
    show()
    await test.clock.turn(DAY)
    expect(confirmedAt(test, id)).not.toBeNull()
  })

  it('after a list was read: the next case does not take a list of unknown age for new', async () => {
    const { test } = await sending({ turnMs: MINUTE })
    test.clock.set(byMs)
    const before = test.service.asked.length
    addWaiting(test)
    await test.clock.settle()
    const since = test.service.asked.slice(before)
    expect(since.indexOf('list')).toBeGreaterThanOrEqual(0)
    expect(since.indexOf('list')).toBeLessThan(since.indexOf('post'))
  })

  it('while the delivery was closed: a restart finds everything due', async () => {
    const folder = temporaryFolder()
    const first = await sending({ plan: broken(10), turnMs: 5 * MINUTE, folder })
    await first.delivery.close()
    first.test.close()
    const test = deliveryWith({ folder, now: first.test.clock.now() + byMs })
    test.open()
    await test.clock.turn(20 * MINUTE)
    expect(stateOf(test, first.id)).toBe('sent')
  })
})

it.each<[ms: number | null, amount: string | null]>([
  [null, null],
  [26 * MINUTE, 'About 26 minutes ahead of'],
  [-3 * HOUR, 'About 3 hours behind'],
  [2 * DAY + HOUR, 'About 2 days ahead of'],
])('states by how much a clock is wrong: %s', (ms, amount) => {
  const failure = clockFailure(ms === null ? { kind: 'unknown' } : { kind: 'wrong', differenceMs: ms })
  if (amount === null) expect(failure).toBeNull()
  else
    expect(failure).toMatchObject({ kind: 'clockWrong', message: expect.stringContaining(amount) as string })
})

it.each([5 * MINUTE, 2 * HOUR])(
  'reads back within a minute what was sent just before the clock was set back by %d ms',
  async (backMs) => {
    const { test, id } = await sending({ turnMs: SECOND / 2 })
    expect(test.outbox.submissionOf(id)).toMatchObject({ state: 'sent', confirmedAt: null })
    test.clock.set(-backMs)
    await test.clock.turn(MINUTE)
    expect(confirmedAt(test, id)).not.toBeNull()
  },
)

it.each([
  [HOUR, SECOND / 2],
  [20 * HOUR, SECOND / 2],
  // Half of its age is more than the day that a case ever waits.
  [12 * HOUR, 4 * DAY],
])(
  'reads back within two minutes what was planned while the clock was %d ms ahead, though it was sent %d ms before',
  async (aheadMs, sentAgoMs) => {
    let show = (): void => undefined
    const { test, id } = await sending({ turnMs: sentAgoMs }, (made) => {
      show = hideCases(made)
    })
    test.clock.set(aheadMs)
    await test.clock.turn(2 * MINUTE)
    expect(test.outbox.submissionOf(id)).toMatchObject({ state: 'sent', confirmedAt: null })
    test.clock.set(-aheadMs)
    show()
    await test.clock.turn(2 * MINUTE)
    expect(confirmedAt(test, id)).not.toBeNull()
  },
)

it('reads the second time soon after the clock was set back between the two, however old the case is', async () => {
  let show = (): void => undefined
  const { test, id } = await sending({ centerId: '101', turnMs: 2 * HOUR }, (made) => {
    show = hideCases(made)
  })
  show()
  test.clock.set(2 * HOUR)
  const readings = (): number => test.outbox.detailsOf(id)?.evidence.length ?? 0
  for (let turns = 0; readings() === 0 && turns < 200; turns += 1) await test.clock.turn(SECOND / 2)
  expect(readings()).toBe(1)
  test.clock.set(-20 * MINUTE)
  await test.clock.turn(2 * MINUTE)
  expect(confirmedAt(test, id)).not.toBeNull()
})
