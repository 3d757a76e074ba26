/** When a case is looked up or read back, when absence is proven, and what confirms a case that was sent. */
import { describe, expect, it } from 'vitest'
import { nextConfirmationAt } from '../../../../src-main/station/delivery/follow-up.ts'
import { isProvenAbsent, nextLookupAt } from '../../../../src-main/station/delivery/reconcile.ts'
import { DAY, HOUR, MINUTE, SECOND } from '../../../../src-shared/durations.ts'
import { fail, failureOf, succeed } from '../../../../src-shared/failure.ts'
import { MORNING, stateOf } from '../../../tools/outbox-with.ts'
import { askedCount, attempted, markCenters, sending, type TestDelivery } from './delivery-with.ts'
import { serviceCase } from './scripted-service.ts'

const PLAN = [2, 10, 30, 60, 120, 300, 900, 3_600]
const ENDED = 1_000_000

describe('the next lookup', () => {
  it('follows the plan, counted from the end of the attempt, then the last interval for a day', () => {
    const seconds: number[] = []
    for (let at = nextLookupAt(ENDED, ENDED, PLAN); at !== null; at = nextLookupAt(ENDED, at, PLAN))
      seconds.push((at - ENDED) / SECOND)
    expect(seconds.slice(0, 10)).toEqual([...PLAN, 7_200, 10_800])
    expect(seconds.at(-1)).toBe(DAY / SECOND)
    expect(seconds).toHaveLength(31)
  })

  it.each<[name: string, endedAt: number, now: number, lookups: number | undefined, next: number | null]>([
    ['is the next of the plan that is still to come', 0, 50 * SECOND, undefined, 60 * SECOND],
    ['is never the one of now', 0, 60 * SECOND, undefined, 120 * SECOND],
    // The one at the start was the first; the next one comes with the hour and not at once.
    ['does not make up for what was missed', 0, 5 * HOUR, undefined, 6 * HOUR],
    ['ends after a day', 0, DAY, undefined, null],
    ['ends after a day with enough lookups', 0, DAY, 20, null],
    ['goes on if the day is over after two', 0, 2 * DAY, 2, 2 * DAY + HOUR],
    ['goes by the number if the attempt ends in the future', 2 * DAY, 0, 0, 10 * SECOND],
    ['is the last interval then, if the plan is used up', 2 * DAY, 0, 9, HOUR],
  ])('%s', (_name, endedAt, now, lookups, next) => {
    expect(nextLookupAt(endedAt, now, PLAN, lookups)).toBe(next)
  })
})

describe('absence', () => {
  const CALIBRATED = { seen: 3, missed: 0, slowestMs: MINUTE }
  const THREE = [0, 5 * MINUTE, 15 * MINUTE]
  it.each<[name: string, at: number[], calibration: Partial<typeof CALIBRATED>, isProven: boolean]>([
    ['three lookups over a quarter of an hour', THREE, {}, true],
    ['many lookups over a quarter of an hour', [0, 1, 2, 3, 15 * MINUTE], {}, true],
    ['no lookup', [], {}, false],
    ['two lookups', [0, HOUR], {}, false],
    ['three lookups within less', [0, 5 * MINUTE, 15 * MINUTE - 1], {}, false],
    ['a list that never showed a case', THREE, { seen: 0 }, false],
    ['a list that showed few', THREE, { seen: 2 }, false],
    ['a list that missed one', THREE, { seen: 50, missed: 1 }, false],
    ['a list that took half as long for one', THREE, { slowestMs: 8 * MINUTE }, false],
  ])('in %s: proven %s', (_name, at, calibration, isProven) => {
    expect(isProvenAbsent(at, { ...CALIBRATED, ...calibration })).toBe(isProven)
  })
})

it.each([
  [0, 5 * SECOND],
  [20 * SECOND, 30 * SECOND],
  [100 * DAY, 101 * DAY],
  // The outbox takes whole milliseconds only.
  [30_001, 45_002],
])('tries to read back ever more rarely, at the latest after a day: at %i ms, again at %i', (now, next) => {
  expect(nextConfirmationAt(0, now)).toBe(next)
})

describe('a case that was sent', () => {
  const noList = ({ service }: TestDelivery): void => {
    service.listAnswer = () => fail(failureOf('answerUnreadable'))
  }
  const emptyList = ({ service }: TestDelivery): void => {
    service.listAnswer = () => succeed({ cases: [], isComplete: true })
  }
  const calibrationOf = ({ outbox, service }: TestDelivery, centerId: string | null = null) =>
    outbox.calibrationOf({ ...service.identity, centerId })
  const confirmedAt = ({ outbox }: TestDelivery, id: string) => outbox.submissionOf(id)?.confirmedAt
  const kindsOf = ({ outbox }: TestDelivery, id: string) =>
    outbox.detailsOf(id)?.evidence.map(({ kind }) => kind)

  it('shows how far the list can be trusted', async () => {
    const { test } = await sending({ centerId: '101', cases: 3, turnMs: MINUTE })
    expect(calibrationOf(test, '101')).toEqual({ seen: 3, missed: 0, slowestMs: 2 * SECOND })
    expect(calibrationOf(test).seen).toBe(0)
  })

  it('that is there but not in the list discredits the list', async () => {
    const { test } = await sending({ turnMs: MINUTE }, emptyList)
    expect(calibrationOf(test)).toMatchObject({ seen: 0, missed: 1 })
  })

  it('says nothing about the list if there is none, and is confirmed automatically', async () => {
    const { test, id } = await sending({ turnMs: MINUTE }, noList)
    expect(confirmedAt(test, id)).not.toBeNull()
    expect(calibrationOf(test)).toEqual({ seen: 0, missed: 0, slowestMs: 0 })
  })

  it('is not confirmed under a center that another client sets right after ours, if none is marked', async () => {
    let switches = 0
    const { test, id } = await sending({ centerId: '101', turnMs: MINUTE }, ({ service }) => {
      const { changeCenter } = service
      service.changeCenter = async (centerId, signal) => {
        const changed = await changeCenter(centerId, signal)
        // Once before it is sent, and once before it is read back.
        switches += 1
        if (switches <= 2) service.center = '102'
        return changed
      }
    })
    expect(switches).toBeGreaterThan(2)
    expect(test.service.posts[0]?.centerId).toBe('102')
    expect(test.outbox.submissionOf(id)).toMatchObject({ state: 'sent', confirmedAt: null })
    expect(kindsOf(test, id)).toEqual(['readBack', 'readBackFailed'])
  })

  it('is read back once the uploads of its center pause: beside them the center is not set again', async () => {
    const other = Promise.withResolvers<void>()
    const { test, ids } = await sending(
      { centerId: '101', cases: 2, delivery: { concurrency: 2 } },
      ({ service }) => {
        const { postCase } = service
        let posts = 0
        service.postCase = async (options) => {
          posts += 1
          if (posts === 2) await other.promise
          return postCase(options)
        }
      },
    )
    await test.clock.turn(20 * SECOND)
    const sent = ids.filter((id) => stateOf(test, id) === 'sent')
    expect(sent).toHaveLength(1)
    const [first = ''] = sent
    expect([confirmedAt(test, first), kindsOf(test, first)]).toEqual([null, []])
    other.resolve()
    await test.clock.turn(MINUTE)
    expect(confirmedAt(test, first)).not.toBeNull()
    expect(kindsOf(test, first)).toEqual(['readBack', 'readBack'])
  })

  it.each([
    ['twice if nothing marks the current center', false, ['readBack', 'readBack']],
    ['once if it is marked', true, ['readBack']],
  ])('is read back %s', async (_name, isMarked, kinds) => {
    const { test, id } = await sending({ centerId: '101', turnMs: MINUTE }, (made) => {
      if (isMarked) markCenters(made)
    })
    expect(confirmedAt(test, id)).not.toBeNull()
    expect(kindsOf(test, id)).toEqual(kinds)
  })

  it('and cannot be read back yet is asked for ever more rarely, until it is there', async () => {
    const { test, id } = await sending({ turnMs: 8 * HOUR }, (made) => {
      // The service shows its cases in the evening only.
      emptyList(made)
      const { getCase } = made.service
      made.service.getCase = (caseId, signal) =>
        made.clock.now() < MORNING + 9 * HOUR
          ? Promise.resolve(fail(failureOf('notFound')))
          : getCase(caseId, signal)
    })
    expect(test.outbox.submissionOf(id)).toMatchObject({ state: 'sent', confirmedAt: null })
    const asked = askedCount(test, 'list')
    expect(asked).toBeGreaterThan(5)
    expect(asked).toBeLessThan(60)
    await test.clock.turn(DAY)
    expect(confirmedAt(test, id)).not.toBeNull()
    expect(test.logger.errors()).toEqual([])
  })

  it('stops nothing else while it cannot be read back, whatever the hour', async () => {
    const { test } = await sending({}, (made) => {
      noList(made)
      made.service.getCase = () => Promise.resolve(fail(failureOf('notFound')))
    })
    // An odd number of milliseconds after it was sent: half of it is no instant that the outbox takes.
    for (const byMs of [12_345, 33_333, 77_777, 5 * SECOND + 1, 123_457]) await test.clock.turn(byMs)
    expect(test.logger.errors()).toEqual([])
  })

  it('is not confirmed by what another service shows under its id', async () => {
    const { test, id } = await sending({ turnMs: MINUTE }, (made, caseId) => {
      const before = { baseUrl: 'https://before.example', clientId: 'clinic', centerId: null }
      attempted(made, caseId, before, { outcome: 'delivered', caseId: '7' })
      made.service.addCase({ caseId: '7' }, null)
    })
    expect(test.outbox.submissionOf(id)).toMatchObject({ state: 'sent', confirmedAt: null })
    expect(calibrationOf(test)).toMatchObject({ seen: 0, missed: 0 })
  })

  it('is not confirmed by what is shown once another client has switched the center', async () => {
    const { test, id } = await sending({ centerId: '101', turnMs: MINUTE }, (made) => {
      markCenters(made)
      emptyList(made)
      made.service.getCase = (caseId) => {
        made.service.center = '102'
        return Promise.resolve(succeed(serviceCase(caseId)))
      }
    })
    expect(test.outbox.submissionOf(id)).toMatchObject({ state: 'sent', confirmedAt: null })
  })

  it('is not confirmed by a case of another patient', async () => {
    const waiting = { fields: { history_number: 'H-00017', visit_date: '2026-11-20' } }
    const { test, id } = await sending({ waiting, turnMs: MINUTE }, (made, caseId) => {
      made.service.addCase({ caseId: '7', historyNumber: 'H-99999', visitDate: '2020-01-01' }, null)
      attempted(made, caseId, { ...made.service.identity, centerId: null }, { outcome: 'unknown' })
      // A person's slip: the case that was chosen is another patient's.
      const found = { caseId: '7', sentAt: MORNING }
      made.outbox.moveSubmission(caseId, 'foundDelivered', found, { at: MORNING })
    })
    expect(stateOf(test, id)).toBe('sent')
    expect(confirmedAt(test, id)).toBeNull()
  })

  it('is not confirmed by an answer for another id, unless that states its own beside it', async () => {
    const plan = { kind: 'taken', caseId: '77' } as const
    const { test, id } = await sending({ plan, turnMs: MINUTE }, (made) => {
      emptyList(made)
      made.service.getCase = () => Promise.resolve(succeed(serviceCase('5', { raw: { id: 5 } })))
    })
    expect(test.outbox.submissionOf(id)).toMatchObject({ state: 'sent', confirmedAt: null })
    test.service.getCase = () => Promise.resolve(succeed(serviceCase('5', { raw: { id: 5, case_id: 77 } })))
    await test.clock.turn(HOUR)
    expect(confirmedAt(test, id)).not.toBeNull()
  })

  it('is known in a list that shows it under another id', async () => {
    const uuid = 'ad3c0c1e-0000-4000-8000-000000000001'
    const { test, id } = await sending(
      { plan: { kind: 'taken', caseId: uuid }, turnMs: 2 * DAY },
      (made, caseId) => {
        const notes = made.outbox.submissionOf(caseId)?.reference
        const listed = serviceCase('17', { raw: { id: 17, uuid, notes } })
        const cases = () => (made.service.posts.length === 0 ? [] : [listed])
        made.service.listAnswer = () => succeed({ cases: cases(), isComplete: true })
      },
    )
    expect(test.outbox.openAlarms()).toEqual([])
    expect(confirmedAt(test, id)).not.toBeNull()
    expect(calibrationOf(test)).toMatchObject({ seen: 1, missed: 0 })
  })
})
