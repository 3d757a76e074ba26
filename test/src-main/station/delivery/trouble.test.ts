import Database from 'better-sqlite3'
import { describe, expect, it, vi } from 'vitest'
import { truncateSync } from 'node:fs'
import { HOUR, MINUTE, SECOND } from '../../../../src-shared/durations.ts'
import { fail, failureOf } from '../../../../src-shared/failure.ts'
import { addWaiting, MORNING, someBytes, stateOf } from '../../../tools/outbox-with.ts'
import { askedCount, outcomesOf, sending } from './delivery-with.ts'
import { answered, broken, type PostPlan, SILENT, throttled } from './scripted-service.ts'

const TAKEN: PostPlan = { kind: 'taken' }
const ONE_AT_A_TIME = { delivery: { concurrency: 1 } }
const LARGE = { images: [{ bytes: someBytes(3_000_000) }] }

describe('a case that did not leave', () => {
  it('goes automatically when the service is back, without a limit of tries, and was posted once', async () => {
    const { test, id } = await sending({ turnMs: 60 * HOUR }, ({ service }) => {
      service.trouble = failureOf('offline')
    })
    expect([stateOf(test, id), test.service.posts]).toEqual(['waiting', []])
    test.service.trouble = null
    await test.clock.turn(16 * MINUTE)
    expect(stateOf(test, id)).toBe('sent')
    expect(test.service.posts).toHaveLength(1)
  })

  it('because the line broke in its middle is tried again with growing pauses', async () => {
    // Never twice at the same offset.
    const plan = (number: number): PostPlan => broken((number % 5) * 600_000 + 1_000)
    const { test, id } = await sending({ ...ONE_AT_A_TIME, plan, waiting: LARGE, turnMs: 2 * HOUR })
    const starts = test.outbox.attemptsOf(id).map((attempt) => attempt.started_at)
    const gaps = starts.slice(1).map((at, index) => at - (starts[index] ?? 0))
    expect(new Set(outcomesOf(test, id))).toEqual(new Set(['unsent']))
    expect(starts.length).toBeGreaterThan(10)
    expect(Math.max(...gaps.slice(0, 4))).toBeLessThanOrEqual(2 * MINUTE)
    // Half of a quarter of an hour and what the breaker adds.
    expect(gaps.at(-1)).toBeGreaterThan(6 * MINUTE)
    expect(test.service.posts).toHaveLength(0)
    expect(test.outbox.submissionOf(id)?.failure?.kind).toBe('interrupted')
  })

  it('and stops three times at one offset is parked as too large', async () => {
    const { test, id } = await sending({
      ...ONE_AT_A_TIME,
      plan: broken(2_000_000),
      waiting: LARGE,
      turnMs: HOUR,
    })
    expect(outcomesOf(test, id)).toEqual(['unsent', 'unsent', 'refused'])
    expect(test.outbox.submissionOf(id)).toMatchObject({ state: 'refused', failure: { kind: 'tooLarge' } })
  })
})

describe('a wait that the service asks for', () => {
  it('is respected exactly, and by all cases', async () => {
    const { test, ids } = await sending({ plan: [throttled(600), TAKEN], cases: 2 })
    const failures = ids.map((id) => test.outbox.submissionOf(id)?.failure)
    expect(failures).toContainEqual(
      expect.objectContaining({ kind: 'throttled', notBefore: MORNING + 10 * MINUTE }),
    )
    await test.clock.turn(599 * SECOND)
    expect(test.service.posts).toEqual([])
    await test.clock.turn(2 * SECOND)
    expect(ids.map((id) => stateOf(test, id))).toEqual(['sent', 'sent'])
  })

  it('of a day is shown with its time and questioned, and is in the trail once', async () => {
    const { test, id, delivery } = await sending({ plan: [throttled(86_400), TAKEN], turnMs: SECOND })
    const until = MORNING + 24 * HOUR
    const failure = test.outbox.submissionOf(id)?.failure
    expect(failure).toMatchObject({ kind: 'throttled', notBefore: until })
    const day = new Date(until).toLocaleString('sv-SE', { dateStyle: 'short', timeStyle: 'short' })
    for (const part of [day, '24 hours', 'Try now']) expect(failure?.message).toContain(part)
    expect(delivery.serviceStatus()).toMatchObject({ nextTryAt: until })
    const waits = (): unknown[] =>
      test.outbox.listAudit({ limit: 50 }).filter(({ what }) => what === 'longWaitAsked')
    expect(waits()).toMatchObject([{ details: { until: new Date(until).toISOString() } }])
    await test.clock.turn(23 * HOUR)
    expect(test.service.handedOver).toHaveLength(1)
    await test.clock.turn(HOUR + MINUTE)
    expect(stateOf(test, id)).toBe('sent')
    expect(waits()).toHaveLength(1)
  })

  it('of a day is respected even if a full disk cannot take it into the trail', async () => {
    const { test, delivery } = await sending({ turnMs: SECOND }, ({ outbox, service }) => {
      service.trouble = failureOf('throttled', { notBefore: MORNING + 24 * HOUR })
      vi.spyOn(outbox, 'appendAudit').mockImplementation(() => {
        throw new Database.SqliteError('full', 'SQLITE_FULL')
      })
    })
    const until = MORNING + 24 * HOUR
    expect(delivery.serviceStatus()).toMatchObject({ failure: { kind: 'throttled' }, nextTryAt: until })
    expect(test.logger.errors()).toEqual([])
  })

  it('is ended by "Try now", if the service takes cases again', async () => {
    const { test, id, delivery } = await sending({ plan: [throttled(86_400), TAKEN], turnMs: MINUTE })
    expect(stateOf(test, id)).toBe('waiting')
    // As submissions.retry does.
    test.outbox.setNotBefore(id, null)
    delivery.retryNow('person')
    await test.clock.turn(SECOND)
    expect(stateOf(test, id)).toBe('sent')
  })

  it('is ended by no waking up, no step of the clock and no other trouble', async () => {
    // One hangs amid its body while the other is asked to wait.
    const plan: PostPlan[] = [TAKEN, { kind: 'stalled', afterBytes: 300_000 }, throttled(1_800), TAKEN]
    const { test, delivery } = await sending({ delivery: { concurrency: 2 }, plan, turnMs: MINUTE })
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
    expect(test.outbox.countSubmissions().sent).toBe(3)
  })
})

describe('a refusal', () => {
  it('parks its case, with the text of the service and the size, and the next one goes', async () => {
    const plan = [answered(422, { error: 'visit_date is missing' }), TAKEN]
    const { test, ids, id } = await sending({ plan, cases: 2, turnMs: HOUR })
    const details = test.outbox.detailsOf(id)
    const failure = { kind: 'serviceRefused', status: 422, serviceSaid: 'visit_date is missing' }
    expect(details).toMatchObject({ state: 'refused', failure, notBefore: null })
    expect(details?.failure?.requestBytes).toBe(details?.attemptList[0]?.requestBytes)
    expect(outcomesOf(test, id)).toEqual(['refused'])
    expect(stateOf(test, ids[1] ?? '')).toBe('sent')
  })

  it('of a damaged image of ours proves nothing about the service', async () => {
    const options = { delivery: { concurrency: 3 }, cases: 5, plan: SILENT, turnMs: MINUTE }
    const { test } = await sending(options, (made, id) =>
      truncateSync(made.spoolPath(made.outbox.imageRowsOf(id)[0]?.spool_name ?? ''), 10),
    )
    expect(test.outbox.countSubmissions()).toMatchObject({ refused: 1, sending: 1, waiting: 3 })
  })
})

describe('an answer that is lost', () => {
  it('leaves one case to check: the breaker stops the others until the service answers', async () => {
    const options = { delivery: { concurrency: 2 }, cases: 10, turnMs: 2 * HOUR }
    const { test, id, delivery } = await sending(options, ({ service }) => {
      service.shows = 'nothing'
      service.plan = (number) => {
        if (number > 1) return TAKEN
        service.trouble = failureOf('notAnswering')
        return { kind: 'taken', answers: false, status: 502 }
      }
    })
    expect(test.outbox.countSubmissions()).toMatchObject({ unconfirmed: 1, waiting: 9 })
    expect(test.service.posts).toHaveLength(1)
    expect(delivery.serviceStatus()).toMatchObject({ health: 'trouble' })
    test.service.trouble = null
    await test.clock.turn(16 * MINUTE)
    expect(test.outbox.countSubmissions()).toMatchObject({ unconfirmed: 1, sent: 9 })
    expect(delivery.serviceStatus()).toMatchObject({ health: 'reachable', failure: null })
    expect(outcomesOf(test, id)).toEqual(['unknown'])
  })

  it('leaves few cases to check also if every list is answered and every post is lost', async () => {
    const options = { delivery: { concurrency: 2 }, cases: 20, plan: answered(502), turnMs: 30 * MINUTE }
    const { test } = await sending(options, ({ service }) => (service.shows = 'nothing'))
    // A pause that doubles up to a quarter of an hour allows ten tries or so.
    expect(test.outbox.countSubmissions().unconfirmed).toBeLessThan(13)
  })

  it('is stored as it came, with the status and the text of the service', async () => {
    const { test, id } = await sending({ plan: answered(500, { message: 'out of memory' }) })
    expect(test.outbox.submissionOf(id)).toMatchObject({
      state: 'unconfirmed',
      failure: { kind: 'outcomeUnknown', status: 500, serviceSaid: 'out of memory' },
      notBefore: MORNING + 2 * SECOND,
    })
  })
})

// Some services answer `{"content": 1}` to everything, and mean "yes".
describe('an id in the answer is no success', () => {
  const plan: PostPlan = { kind: 'taken', caseId: '1' }

  it('if it belongs to another case already', async () => {
    const options = { ...ONE_AT_A_TIME, plan, cases: 2, turnMs: SECOND }
    const { test, ids } = await sending(options, ({ service }) => (service.shows = 'nothing'))
    expect(ids.map((id) => stateOf(test, id))).toEqual(['sent', 'unconfirmed'])
  })

  it('if it was at the service before', async () => {
    const { test, id } = await sending({ plan, turnMs: SECOND }, ({ service }) => {
      service.shows = 'nothing'
      service.addCase({ caseId: '1' }, null)
    })
    expect(stateOf(test, id)).toBe('unconfirmed')
  })
})

describe('a sign-in that is refused', () => {
  it('at one post is tried once more with a new token, and then parks only that case', async () => {
    const options = { ...ONE_AT_A_TIME, cases: 2, turnMs: MINUTE }
    const { test, ids } = await sending({ ...options, plan: [answered(401), answered(401), TAKEN] })
    const [odd = '', other = ''] = ids
    expect(outcomesOf(test, odd)).toEqual(['unsent', 'refused'])
    // One new token for each refusal.
    expect(askedCount(test, 'token')).toBe(2)
    expect(test.outbox.submissionOf(odd)).toMatchObject({
      state: 'refused',
      failure: { kind: 'serviceRefused', status: 401 },
    })
    expect(stateOf(test, other)).toBe('sent')
  })

  it('everywhere is shown as such also if a center must be set first', async () => {
    const refused = failureOf('signedOut', { status: 401 })
    const { test, id, delivery } = await sending({ centerId: '101', turnMs: MINUTE }, ({ service }) => {
      service.centerRefusals.set('101', refused)
      service.listAnswer = () => fail(refused)
    })
    expect(delivery.serviceStatus()).toMatchObject({ health: 'trouble', failure: { kind: 'signedOut' } })
    expect(stateOf(test, id)).toBe('waiting')
  })

  it('everywhere stops all sending, loses no case, and ends with the right secret', async () => {
    const options = { ...ONE_AT_A_TIME, cases: 2, turnMs: HOUR }
    const { test, ids, delivery } = await sending(options, ({ service }) => {
      service.plan = (number) => {
        if (number > 1) return TAKEN
        service.trouble = failureOf('signedOut')
        return answered(401)
      }
    })
    expect(ids.map((id) => stateOf(test, id))).toEqual(['waiting', 'waiting'])
    expect(delivery.serviceStatus().failure?.kind).toBe('signedOut')
    test.service.trouble = null
    delivery.retryNow()
    await test.clock.turn(16 * MINUTE)
    expect(ids.map((id) => stateOf(test, id))).toEqual(['sent', 'sent'])
  })
})

it('a service that shows no list is no trouble: cases go, and the list says nothing about them', async () => {
  const { test, id, delivery } = await sending({ turnMs: SECOND }, ({ service }) => {
    service.listAnswer = () => fail(failureOf('answerUnreadable'))
  })
  expect(stateOf(test, id)).toBe('sent')
  expect(delivery.serviceStatus().health).toBe('reachable')
})
