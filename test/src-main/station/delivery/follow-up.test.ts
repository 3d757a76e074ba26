import { describe, expect, it } from 'vitest'
import { DAY, HOUR, MINUTE, SECOND } from '../../../../src-shared/durations.ts'
import { fail, failureOf, succeed } from '../../../../src-shared/failure.ts'
import { addWaiting, MORNING, stateOf } from '../../../tools/outbox-with.ts'
import {
  askedCount,
  attempted,
  calibrate,
  evidenceOf,
  markCenters,
  outcomesOf,
  referenceOf,
  sending,
  type TestDelivery,
} from './delivery-with.ts'
import { answered, LOST, type PostPlan, serviceCase } from './scripted-service.ts'

const TAKEN: PostPlan = { kind: 'taken' }
const WAITING = { fields: { history_number: 'H-00017', visit_date: '2026-11-20' } }
/** The first answer is lost, with its case or without. */
const FOUND = { waiting: WAITING, plan: [LOST, TAKEN] }
const ABSENT = { waiting: WAITING, plan: [answered(502), TAKEN] }
const RESENT = { delivery: { resendWhenProvenAbsent: true } }

const showNothing = ({ service }: TestDelivery): void => void (service.shows = 'nothing')
const showIdentity = (test: TestDelivery): void => {
  calibrate(test)
  test.service.shows = 'identity'
}

describe('a lost answer', () => {
  it('is found by the reference that the service echoes, within seconds, and nothing is sent twice', async () => {
    const { test, id } = await sending({ plan: [LOST, TAKEN], turnMs: 3 * SECOND })
    expect(test.outbox.detailsOf(id)).toMatchObject({
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
    expect(test.outbox.dueReportWatches(MORNING + DAY)).toHaveLength(1)
    expect(test.outbox.submissionOf(id)?.confirmedAt).not.toBeNull()
  })

  it.each([0, 50])(
    'is found in the case itself if the list is terse, behind %i of others',
    async (others) => {
      const plan = (): PostPlan => {
        for (let count = 0; count < others; count += 1) made?.service.addCase()
        return LOST
      }
      let made: TestDelivery | null = null
      const { test, id } = await sending({ waiting: WAITING, plan, turnMs: 2 * HOUR }, (opened) => {
        made = opened
        const cases = () => opened.service.caseIds.map((caseId) => serviceCase(caseId))
        opened.service.listAnswer = () => succeed({ cases: cases(), isComplete: true })
      })
      expect(stateOf(test, id)).toBe('sent')
      expect(test.service.posts).toHaveLength(1)
    },
  )

  it('is proposed to a person if only patient and visit agree, once, and never sent again automatically', async () => {
    const { test, id } = await sending({ ...FOUND, ...RESENT, turnMs: 26 * HOUR }, showIdentity)
    expect(test.outbox.submissionOf(id)).toMatchObject({
      state: 'unconfirmed',
      notBefore: null,
      caseId: null,
    })
    expect(evidenceOf(test, id)).toEqual([['sameIdentity', ['100']]])
    expect(test.service.posts).toHaveLength(1)
  })

  it('is a question for a person if two cases could be it', async () => {
    const { test, id } = await sending({ ...FOUND, ...RESENT }, showIdentity)
    test.service.addCase({ historyNumber: 'H-00017', visitDate: '2026-11-20' })
    await test.clock.turn(26 * HOUR)
    expect(evidenceOf(test, id)).toEqual([['several', ['100', '101']]])
    expect(test.service.posts).toHaveLength(1)
  })
})

describe('a case that is absent', () => {
  it('is sent again under the same reference, if the list is credible, the lookups suffice and the clinic allows it', async () => {
    const { test, id } = await sending({ ...ABSENT, ...RESENT, turnMs: 14 * MINUTE }, (made) =>
      calibrate(made),
    )
    expect(stateOf(test, id)).toBe('unconfirmed')
    await test.clock.turn(2 * HOUR)
    expect(outcomesOf(test, id)).toEqual(['unknown', 'delivered'])
    expect(stateOf(test, id)).toBe('sent')
    expect(test.service.posts[0]?.field('other_relevant_info')).toBe(referenceOf(test, id))
  })

  it.each<[string, Parameters<typeof sending>[0], (test: TestDelivery) => void, unknown]>([
    ['the clinic does not allow it', ABSENT, calibrate, 'absent'],
    ['the list was never calibrated', { ...ABSENT, ...RESENT }, () => undefined, 'absent'],
    [
      'the list is not whole',
      { ...ABSENT, ...RESENT },
      ({ service }) => (service.listAnswer = () => succeed({ cases: [], isComplete: false })),
      'lookFailed',
    ],
    [
      'there is no list',
      { ...ABSENT, ...RESENT },
      ({ service }) => (service.listAnswer = () => fail(failureOf('answerUnreadable'))),
      'lookFailed',
    ],
    // A stingy service: it did take the case, and shows nothing but ids.
    ['a new case shows so little that it could be ours', { ...FOUND, ...RESENT }, showNothing, 'unclear'],
  ])('is never sent again if %s', async (name, options, prepare, kind) => {
    const { test, id } = await sending({ ...options, turnMs: 26 * HOUR }, (made) => {
      if (!name.includes('calibrated')) calibrate(made)
      prepare(made)
    })
    expect([outcomesOf(test, id), stateOf(test, id)]).toEqual([['unknown'], 'unconfirmed'])
    expect(new Set(evidenceOf(test, id).map((one) => (one as [string])[0]))).toEqual(new Set([kind]))
  })

  it('under another address or client says nothing, which is noted', async () => {
    const { test, id } = await sending({ ...RESENT, waiting: WAITING, turnMs: HOUR }, (made, caseId) => {
      const before = { baseUrl: 'https://before.example', clientId: 'clinic', centerId: null }
      attempted(made, caseId, before, { outcome: 'unknown', notBefore: MORNING })
      calibrate(made)
    })
    expect(stateOf(test, id)).toBe('unconfirmed')
    expect(evidenceOf(test, id)).toEqual([['lookFailed', []]])
  })

  it('is not called so if the service marked another center when it was sent', async () => {
    const { test, id } = await sending(
      { ...RESENT, centerId: '101', waiting: WAITING, turnMs: 3 * HOUR },
      (made) => {
        calibrate(made, '101')
        markCenters(made)
        made.service.center = '101'
        const { postCase } = made.service
        made.service.postCase = async (options) => {
          const beforeFirstByte = async (): Promise<void> => {
            await options.beforeFirstByte()
            made.service.center = '102'
          }
          const posted = await postCase({ ...options, beforeFirstByte })
          return { ...posted, answer: null, caseId: null, failure: failureOf('notAnswering') }
        }
      },
    )
    expect(outcomesOf(test, id)).toEqual(['unknown'])
    expect(evidenceOf(test, id)).toEqual([
      ['centerUnsure', []],
      ['lookFailed', []],
    ])
  })

  it('is not called so by what is listed under the center that was set after it was sent under none', async () => {
    const { test, id } = await sending({ ...FOUND, ...RESENT }, (made) => {
      calibrate(made)
      made.service.firstCenter = '999'
      made.service.shows = 'nothing'
    })
    test.settings = { ...test.settings, centerId: '102' }
    addWaiting(test, { centerId: '102' })
    await test.clock.turn(3 * HOUR)
    expect([outcomesOf(test, id), stateOf(test, id)]).toEqual([['unknown'], 'unconfirmed'])
    const mayHaveArrived = { message: expect.stringContaining('may have arrived') as string }
    const evidence = test.outbox.detailsOf(id)?.evidence.at(-1)
    expect(evidence).toMatchObject({ kind: 'lookFailed', ...mayHaveArrived })
    // Also after a person's decision the next one who opens it must know.
    test.outbox.moveSubmission(id, 'provenAbsent', { notBefore: null }, { at: test.clock.now() })
    await test.clock.turn(MINUTE)
    expect(test.outbox.submissionOf(id)).toMatchObject({ state: 'incomplete', reasons: [mayHaveArrived] })
  })

  it('is not called so if the service answered as if it had taken it', async () => {
    // The id of a case that was there before.
    const plan = answered(201, { id: 3 })
    const { test, id } = await sending({ ...RESENT, waiting: WAITING, plan, turnMs: 3 * HOUR }, (made) => {
      calibrate(made)
      made.service.addCase({ caseId: '3', historyNumber: 'H-9' })
    })
    expect(outcomesOf(test, id)).toEqual(['unknown'])
    expect(evidenceOf(test, id)).toEqual([['lookFailed', []]])
  })
})

describe('the lookups', () => {
  it('come at the seconds of the plan, then hourly for a day, and then end', async () => {
    const { test, id } = await sending({ ...ABSENT, turnMs: 26 * HOUR })
    const evidence = test.outbox.detailsOf(id)?.evidence ?? []
    const seconds = evidence
      .filter(({ kind }) => kind === 'absent')
      .map(({ at }) => Math.round((at - MORNING) / SECOND))
    // The breaker's probe is answered after 2.5 s, and a lookup follows at once: the plan goes on from there.
    const planned = [10, 30, 60, 120, 300, 900, 3_600, 7_200]
    expect(seconds.filter((at) => at > 5).slice(0, 8)).toEqual(planned)
    expect(seconds.at(-1)).toBeLessThanOrEqual(DAY / SECOND)
    expect(test.outbox.submissionOf(id)?.notBefore).toBeNull()
  })

  it('that were missed while the station was off are made up for by one', async () => {
    const { test, id, delivery } = await sending(ABSENT)
    await delivery.close()
    const before = evidenceOf(test, id).length
    await test.clock.turn(2 * HOUR)
    test.open()
    await test.clock.turn(MINUTE)
    expect(evidenceOf(test, id).length - before).toBe(1)
  })

  it('come at once when the service is back', async () => {
    const { test, id } = await sending(FOUND)
    test.service.listAnswer = () => fail(failureOf('notAnswering'))
    await test.clock.turn(26 * HOUR)
    expect(stateOf(test, id)).toBe('unconfirmed')
    test.service.listAnswer = null
    await test.clock.turn(16 * MINUTE)
    expect(stateOf(test, id)).toBe('sent')
  })

  it('find the cases of each center in its own list', async () => {
    const { test } = await sending({ centerId: '101', cases: 0, plan: LOST })
    const ids = ['101', '101', '102'].map((centerId) => addWaiting(test, { centerId }))
    await test.clock.turn(10 * MINUTE)
    expect(ids.map((id) => stateOf(test, id))).toEqual(['sent', 'sent', 'sent'])
    expect(test.service.posts.map((post) => post.centerId)).toEqual(['101', '101', '102'])
  })

  it.each(['list', 'case'])(
    'take a %s that was read under a new token for evidence of nothing',
    async (what) => {
      const { test, id } = await sending({ ...FOUND, ...RESENT, centerId: '101' }, (made) => {
        made.service.firstCenter = '999'
        made.service.shows = 'nothing'
        calibrate(made, '101')
      })
      const { service } = test
      if (what === 'list')
        // Each list comes under a token that was taken in its middle, and so from another center.
        service.listAnswer = () => {
          service.renewToken()
          return succeed({ cases: [], isComplete: true })
        }
      // The id belongs to another case in the other center, too, and there it carries what looks like ours.
      else
        service.getCase = (caseId) => {
          service.renewToken()
          return Promise.resolve(succeed(serviceCase(caseId, { raw: { notes: referenceOf(test, id) } })))
        }
      await test.clock.turn(HOUR)
      expect(evidenceOf(test, id)).toEqual([])
      expect([outcomesOf(test, id), stateOf(test, id)]).toEqual([['unknown'], 'unconfirmed'])
    },
  )

  it('come in time for several centers: one answer does not put the others off', async () => {
    const { test } = await sending({ centerId: '101', cases: 0 }, showNothing)
    const ids = ['101', '102', '103'].map((centerId) => addWaiting(test, { centerId }))
    await test.clock.turn(5 * SECOND)
    expect(ids.map((id) => stateOf(test, id))).toEqual(['sent', 'sent', 'sent'])
    expect(ids.map((id) => test.outbox.submissionOf(id)?.confirmedAt)).not.toContain(null)
  })

  it('are paused while the service is in trouble: only the breaker probes', async () => {
    const { test } = await sending(ABSENT)
    test.service.trouble = failureOf('notAnswering')
    const before = askedCount(test, 'list')
    await test.clock.turn(HOUR)
    expect(askedCount(test, 'list') - before).toBeLessThan(25)
    expect(test.logger.errors()).toEqual([])
  })

  it('stop at the first trouble: the other centers would get the same answer', async () => {
    const { test } = await sending({ cases: 0, plan: LOST }, showNothing)
    const ids = ['101', '102', '103'].map((centerId) => addWaiting(test, { centerId }))
    await test.clock.turn(5 * MINUTE)
    expect(ids.map((id) => stateOf(test, id))).toEqual(ids.map(() => 'unconfirmed'))
    test.service.listAnswer = () => fail(failureOf('notAnswering'))
    const before = askedCount(test, 'list')
    const dueAt = Math.max(...ids.map((id) => test.outbox.submissionOf(id)?.notBefore ?? 0))
    for (const id of ids) test.outbox.setNotBefore(id, dueAt)
    await test.clock.turn(dueAt - test.clock.now())
    expect(askedCount(test, 'list') - before).toBe(1)
  })
})
