import { describe, expect, it } from 'vitest'
import { DAY, HOUR, MINUTE, SECOND } from '../../../../src-shared/durations.ts'
import { fail, failureOf, succeed } from '../../../../src-shared/failure.ts'
import { addWaiting, MORNING, stateOf } from '../../../tools/outbox-with.ts'
import { deliveryWith, outcomesOf, type TestDelivery } from './delivery-with.ts'

const FIELDS = { history_number: 'H-00017', visit_date: '2026-11-20' }
const ASKED_LISTS = (test: TestDelivery): number =>
  test.service.asked.filter((what) => what === 'list').length

/** The list has shown every one of three cases that were confirmed before. */
function calibrate(test: TestDelivery, centerId: string | null = null): void {
  const calibration = { seen: 3, missed: 0, echoed: 3, slowestMs: SECOND }
  test.outbox.cases.saveCalibration({ ...test.service.identity, centerId }, calibration)
}

function lose(test: TestDelivery, isTaken: boolean): void {
  test.service.plan = (number) => {
    if (number > 1) return { kind: 'taken' }
    return isTaken ? { kind: 'taken', answers: false } : { kind: 'answered', status: 502 }
  }
}

describe('a lost answer', () => {
  it('is found by the reference that the service echoes, within seconds, and nothing is sent twice', async () => {
    const test = deliveryWith()
    const id = addWaiting(test)
    lose(test, true)
    test.open()
    await test.clock.turn(3 * SECOND)
    expect(test.outbox.submissions.details(id)).toMatchObject({
      state: 'sent',
      caseId: '100',
      sentAt: expect.any(Number) as number,
      failure: null,
      evidence: [
        { kind: 'echoedReference', caseIds: ['100'], by: null },
        { kind: 'readBack', caseIds: ['100'], by: null },
      ],
    })
    await test.clock.turn(DAY)
    expect(test.service.posts).toHaveLength(1)
    expect(test.outbox.reports.dueWatches(MORNING + DAY)).toHaveLength(1)
    expect(test.outbox.submissions.get(id)?.confirmedAt).not.toBeNull()
  })

  it('is found in the case itself where the list is terse', async () => {
    const test = deliveryWith()
    const id = addWaiting(test)
    lose(test, true)
    const terse = (): ReturnType<typeof test.service.listCases> =>
      Promise.resolve(
        succeed({
          cases: test.service.caseIds.map((caseId) => ({ ...BARE, caseId, raw: { id: caseId } })),
          isComplete: true,
        }),
      )
    test.service.listAnswer = terse
    test.open()
    await test.clock.turn(3 * SECOND)
    expect(stateOf(test, id)).toBe('sent')
  })

  it('is proposed to a person where only patient and visit agree, once, and never sent again by itself', async () => {
    const test = deliveryWith({ delivery: { resendWhenProvenAbsent: true } })
    calibrate(test)
    const id = addWaiting(test, { fields: FIELDS })
    test.service.shows = 'identity'
    lose(test, true)
    test.open()
    await test.clock.turn(26 * HOUR)
    expect(test.outbox.submissions.details(id)).toMatchObject({
      state: 'unconfirmed',
      notBefore: null,
      caseId: null,
    })
    expect(test.outbox.submissions.details(id)?.evidence.map(({ kind, caseIds }) => [kind, caseIds])).toEqual(
      [['sameIdentity', ['100']]],
    )
    expect(test.service.posts).toHaveLength(1)
  })

  it('is a question for a person where two cases could be it', async () => {
    const test = deliveryWith({ delivery: { resendWhenProvenAbsent: true } })
    calibrate(test)
    const id = addWaiting(test, { fields: FIELDS })
    test.service.shows = 'identity'
    lose(test, true)
    test.open()
    await test.clock.settle()
    test.service.addCase({ historyNumber: 'H-00017', visitDate: '2026-11-20' })
    await test.clock.turn(26 * HOUR)
    expect(test.outbox.submissions.details(id)?.evidence).toMatchObject([
      { kind: 'several', caseIds: ['100', '101'] },
    ])
    expect(test.service.posts).toHaveLength(1)
  })
})

const BARE = {
  state: null,
  historyNumber: null,
  firstName: null,
  lastName: null,
  visitDate: null,
  createdAt: null,
  urgency: null,
}

describe('a case that is absent', () => {
  it('is sent again under the same reference, where the list is believed, the looks suffice and the clinic allows it', async () => {
    const test = deliveryWith({ delivery: { resendWhenProvenAbsent: true } })
    calibrate(test)
    const id = addWaiting(test, { fields: FIELDS })
    lose(test, false)
    test.open()
    await test.clock.turn(14 * MINUTE)
    expect(stateOf(test, id)).toBe('unconfirmed')
    await test.clock.turn(2 * HOUR)
    expect(outcomesOf(test, id)).toEqual(['unknown', 'delivered'])
    expect(stateOf(test, id)).toBe('sent')
    expect(test.service.posts[0]?.field('other_relevant_info')).toBe(
      test.outbox.submissions.get(id)?.reference,
    )
  })

  it.each([
    ['the clinic does not allow it', { resendWhenProvenAbsent: false }, true],
    ['the list was never calibrated', { resendWhenProvenAbsent: true }, false],
  ])('is never sent again where %s', async (_what, delivery, isCalibrated) => {
    const test = deliveryWith({ delivery })
    if (isCalibrated) calibrate(test)
    const id = addWaiting(test, { fields: FIELDS })
    lose(test, false)
    test.open()
    await test.clock.turn(26 * HOUR)
    expect(outcomesOf(test, id)).toEqual(['unknown'])
    expect(stateOf(test, id)).toBe('unconfirmed')
  })

  it('is never sent again while the list is not whole, or is none', async () => {
    for (const answer of [
      () => succeed({ cases: [], isComplete: false }),
      () => fail(failureOf('answerUnreadable')),
    ]) {
      const test = deliveryWith({ delivery: { resendWhenProvenAbsent: true } })
      calibrate(test)
      const id = addWaiting(test, { fields: FIELDS })
      lose(test, false)
      test.service.listAnswer = answer
      test.open()
      await test.clock.turn(26 * HOUR)
      expect(outcomesOf(test, id)).toEqual(['unknown'])
      expect(test.outbox.submissions.details(id)?.evidence).toMatchObject([{ kind: 'lookFailed' }])
    }
  })

  it('is never sent again where a new case shows so little that it could be ours', async () => {
    const test = deliveryWith({ delivery: { resendWhenProvenAbsent: true } })
    calibrate(test)
    const id = addWaiting(test, { fields: FIELDS })
    // A stingy service: it did take the case, and tells nothing but ids.
    test.service.shows = 'nothing'
    lose(test, true)
    test.open()
    await test.clock.turn(26 * HOUR)
    expect(test.service.posts).toHaveLength(1)
    expect(outcomesOf(test, id)).toEqual(['unknown'])
  })

  it('under another address or client says nothing, and is told so', async () => {
    const test = deliveryWith({ delivery: { resendWhenProvenAbsent: true } })
    const id = addWaiting(test, { fields: FIELDS })
    const destination = { baseUrl: 'https://before.example', clientId: 'clinic', centerId: null }
    const plan = { submissionId: id, destination, requestBytes: 9, at: MORNING }
    const { attemptId } = test.outbox.attempts.open(plan)
    const end = { outcome: 'unknown', handedOverBytes: 9, failure: null, answer: null, at: MORNING } as const
    test.outbox.attempts.end(attemptId, end, 'becameUnknown', { notBefore: MORNING })
    calibrate(test)
    test.open()
    await test.clock.turn(HOUR)
    expect(test.outbox.submissions.details(id)).toMatchObject({
      state: 'unconfirmed',
      evidence: [{ kind: 'lookFailed' }],
    })
  })
})

describe('the looks', () => {
  it('come at the seconds of the plan, then hourly for a day, and then end', async () => {
    const test = deliveryWith()
    const id = addWaiting(test, { fields: FIELDS })
    lose(test, false)
    test.open()
    await test.clock.turn(26 * HOUR)
    const seconds = test.outbox.submissions
      .details(id)
      ?.evidence.filter(({ kind }) => kind === 'absent')
      .map(({ at }) => Math.round((at - MORNING) / SECOND))
    // The breaker's probe is answered after 2.5 s, and looks at once: the plan goes on from there.
    expect(seconds?.filter((at) => at > 5).slice(0, 8)).toEqual([10, 30, 60, 120, 300, 900, 3_600, 7_200])
    expect(seconds?.at(-1)).toBeLessThanOrEqual(DAY / SECOND)
    expect(test.outbox.submissions.get(id)?.notBefore).toBeNull()
  })

  it('that were missed while the station was off are made up for by one', async () => {
    const test = deliveryWith()
    const id = addWaiting(test, { fields: FIELDS })
    lose(test, false)
    const delivery = test.open()
    await test.clock.settle()
    await delivery.close()
    const before = test.outbox.submissions.details(id)?.evidence.length ?? 0
    await test.clock.turn(2 * HOUR)
    test.open()
    await test.clock.turn(MINUTE)
    expect((test.outbox.submissions.details(id)?.evidence.length ?? 0) - before).toBe(1)
  })

  it('come at once at every start and when the service is back', async () => {
    const test = deliveryWith()
    const id = addWaiting(test, { fields: FIELDS })
    lose(test, true)
    test.open()
    await test.clock.settle()
    test.service.listAnswer = () => fail(failureOf('notAnswering'))
    await test.clock.turn(26 * HOUR)
    expect(stateOf(test, id)).toBe('unconfirmed')
    test.service.listAnswer = null
    await test.clock.turn(16 * MINUTE)
    expect(stateOf(test, id)).toBe('sent')
  })

  it('ask for one list for all cases of a center, and for each center its own', async () => {
    const test = deliveryWith({ centerId: '101' })
    const ids = ['101', '101', '102'].map((centerId) => addWaiting(test, { centerId }))
    test.service.plan = () => ({ kind: 'taken', answers: false })
    test.open()
    await test.clock.turn(10 * MINUTE)
    expect(ids.map((id) => stateOf(test, id))).toEqual(['sent', 'sent', 'sent'])
    expect(test.service.posts.map((post) => post.centerId)).toEqual(['101', '101', '102'])
  })

  it('take a list that was read under a new token for evidence of nothing', async () => {
    const test = deliveryWith({ centerId: '101', delivery: { resendWhenProvenAbsent: true } })
    test.service.firstCenter = '999'
    calibrate(test, '101')
    const id = addWaiting(test, { centerId: '101', fields: FIELDS })
    lose(test, true)
    test.service.shows = 'nothing'
    // Each list comes under a token that was taken in its middle, and so from another center.
    let isRenewing = false
    test.service.listAnswer = () => {
      if (isRenewing) test.service.renewToken()
      return succeed({ cases: [], isComplete: true })
    }
    test.open()
    await test.clock.settle()
    isRenewing = true
    await test.clock.turn(HOUR)
    expect(test.outbox.submissions.details(id)?.evidence).toEqual([])
    expect(outcomesOf(test, id)).toEqual(['unknown'])
  })

  it('take a case that was read under a new token for evidence of nothing', async () => {
    const test = deliveryWith({ centerId: '101' })
    const id = addWaiting(test, { centerId: '101', fields: FIELDS })
    lose(test, true)
    test.service.shows = 'nothing'
    const reference = test.outbox.submissions.get(id)?.reference
    // The id is somebody's in the other center, too, and there it carries what looks like ours.
    test.service.getCase = (caseId) => {
      test.service.renewToken()
      return Promise.resolve(succeed({ ...BARE, caseId, raw: { notes: reference } }))
    }
    test.open()
    await test.clock.turn(HOUR)
    expect(stateOf(test, id)).toBe('unconfirmed')
    expect(test.outbox.submissions.details(id)?.evidence).toEqual([])
  })

  it('come in time for several centers: one answer does not put the others off', async () => {
    const test = deliveryWith({ centerId: '101' })
    const ids = ['101', '102', '103'].map((centerId) => addWaiting(test, { centerId }))
    test.service.plan = () => ({ kind: 'taken' })
    test.service.shows = 'nothing'
    const found = (): boolean => ids.every((id) => test.outbox.submissions.get(id)?.confirmedAt !== null)
    test.open()
    await test.clock.turn(5 * SECOND)
    expect(ids.map((id) => stateOf(test, id))).toEqual(['sent', 'sent', 'sent'])
    expect(found()).toBe(true)
  })

  it('are paused while the service is in trouble: only the small question of the breaker is asked', async () => {
    const test = deliveryWith()
    addWaiting(test)
    lose(test, false)
    test.open()
    await test.clock.settle()
    test.service.trouble = failureOf('notAnswering')
    const before = ASKED_LISTS(test)
    await test.clock.turn(HOUR)
    expect(ASKED_LISTS(test) - before).toBeLessThan(25)
    expect(test.logger.errors()).toEqual([])
  })

  it('stop at the first trouble: the other centers would hear the same', async () => {
    const test = deliveryWith()
    const ids = ['101', '102', '103'].map((centerId) => addWaiting(test, { centerId }))
    test.service.shows = 'nothing'
    test.service.plan = () => ({ kind: 'taken', answers: false })
    test.open()
    await test.clock.turn(5 * MINUTE)
    expect(ids.map((id) => stateOf(test, id))).toEqual(ids.map(() => 'unconfirmed'))
    test.service.listAnswer = () => fail(failureOf('notAnswering'))
    const before = ASKED_LISTS(test)
    const dueAt = Math.max(...ids.map((id) => test.outbox.submissions.get(id)?.notBefore ?? 0))
    for (const id of ids) test.outbox.submissions.setNotBefore(id, dueAt)
    await test.clock.turn(dueAt - test.clock.now())
    expect(ASKED_LISTS(test) - before).toBe(1)
  })
})
