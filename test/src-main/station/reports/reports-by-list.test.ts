import { describe, expect, it } from 'vitest'
import type { ReportAnswer } from '../../../../src-main/station/service/client.ts'
import { DAY, HOUR, MINUTE } from '../../../../src-shared/durations.ts'
import { fail, failureOf, type Result } from '../../../../src-shared/failure.ts'
import { MORNING, PLACE } from '../../../tools/outbox-with.ts'
import { listed, NOT_READY, report, reportsWith, type TestReports } from './reports-with.ts'

/** Three reports that the list told of when they came: enough to believe it. */
const PROOF = ['p1', 'p2', 'p3']
const PENDING = Array.from({ length: 12 }, (_, index) => `c${index}`)

/** A service that answers the proving cases at once, and the others after a time; its list says so, or does not. */
function service(given: { readonly answersAt: number; readonly isTelling: boolean }): TestReports {
  const isAnswered = (caseId: string, at: number): boolean => PROOF.includes(caseId) || at >= given.answersAt
  const answer = ({ caseId, at }: { caseId: string; at: number }): Result<ReportAnswer> =>
    isAnswered(caseId, at) ? report(`report of ${caseId}`) : NOT_READY
  const made = reportsWith(answer, (at) =>
    [...PROOF, ...PENDING].map((caseId) =>
      listed(caseId, given.isTelling && isAnswered(caseId, at) ? 'reported' : 'pending'),
    ),
  )
  for (const caseId of [...PROOF, ...PENDING]) made.send(caseId)
  return made
}

describe('many cases without a report', () => {
  it('are asked about by one list, once its words are proven, and by themselves when they change', async () => {
    const it = service({ answersAt: 2 * HOUR, isTelling: true })
    it.open()
    await it.clock.turn(2 * HOUR - 1)
    // Once each at the beginning, and from then on the list alone.
    expect(it.asked).toHaveLength(PROOF.length + PENDING.length)
    expect(it.lists.length).toBeGreaterThan(8)
    expect(it.lists.length).toBeLessThan(30)
    await it.clock.turn(20 * MINUTE)
    expect(new Set(it.arrived)).toEqual(new Set([...PROOF, ...PENDING]))
    expect(it.asked.filter(({ caseId }) => caseId === 'c7')).toHaveLength(2)
  })

  it('are asked about one by one where the list knows nothing of a report', async () => {
    const it = service({ answersAt: 2 * HOUR, isTelling: false })
    it.open()
    await it.clock.turn(2 * HOUR - 1)
    expect(it.asked.length).toBeGreaterThan(10 * PENDING.length)
    await it.clock.turn(20 * MINUTE)
    expect(new Set(it.arrived)).toEqual(new Set([...PROOF, ...PENDING]))
  })

  it('are each asked about once a day all the same: a list may be wrong about one', async () => {
    const it = reportsWith(
      ({ caseId, at }) => (PROOF.includes(caseId) || at >= 2 * HOUR ? report(caseId) : NOT_READY),
      () => [...PROOF, ...PENDING].map((id) => listed(id, PROOF.includes(id) ? 'reported' : 'pending')),
    )
    for (const caseId of [...PROOF, ...PENDING]) it.send(caseId)
    it.open()
    await it.clock.turn(DAY + 4 * HOUR)
    expect(new Set(it.arrived)).toEqual(new Set([...PROOF, ...PENDING]))
  })

  it('are asked about by themselves where the list does not show them', async () => {
    const it = reportsWith(
      ({ caseId }) => (PROOF.includes(caseId) ? report(caseId) : NOT_READY),
      () => PROOF.map((id) => listed(id, 'reported')),
    )
    for (const caseId of [...PROOF, 'a', 'b']) it.send(caseId)
    it.open()
    await it.clock.turn(HOUR)
    expect(it.asked.filter(({ caseId }) => caseId === 'a').length).toBeGreaterThan(8)
  })

  it('are asked about at once where a person wants it', async () => {
    const it = service({ answersAt: 2 * DAY, isTelling: true })
    it.open()
    await it.clock.turn(HOUR)
    const before = it.asked.length
    it.test.outbox.reports.checkMissingNow(it.clock.now())
    await it.clock.turn(MINUTE)
    expect(it.asked.length - before).toBe(PENDING.length)
  })
})

describe('a case whose listed words change', () => {
  it('is asked about at once, whoever read the list, and is not asked again within a minute', async () => {
    const it = reportsWith(() => NOT_READY)
    it.send('9')
    it.open()
    await it.clock.turn(10 * HOUR)
    const before = it.asked.length
    const say = (state: string): void =>
      it.test.outbox.cases.saveStates({ ...PLACE, centerId: null }, [listed('9', state)], it.clock.now())
    say('pending')
    await it.clock.turn(MINUTE)
    expect(it.asked).toHaveLength(before)
    say('in review')
    await it.clock.turn(MINUTE)
    expect(it.asked).toHaveLength(before + 1)
    for (const state of ['a', 'b', 'c', 'd']) say(state)
    await it.clock.turn(2 * MINUTE)
    expect(it.asked).toHaveLength(before + 2)
  })

  it('is asked about again long after its report was given', async () => {
    const it = reportsWith(({ at }) => report(at < 50 * DAY ? 'first' : 'second'))
    it.send('9')
    it.open()
    await it.clock.turn(40 * DAY)
    expect(it.test.outbox.reports.nextCheckAt(PLACE)).toBeNull()
    it.test.outbox.cases.saveStates({ ...PLACE, centerId: null }, [listed('9', 'reported')], it.clock.now())
    await it.clock.turn(11 * DAY)
    it.test.outbox.cases.saveStates({ ...PLACE, centerId: null }, [listed('9', 'corrected')], it.clock.now())
    await it.clock.turn(2 * MINUTE)
    expect(it.arrived).toEqual(['9', '9'])
  })
})

describe('the order', () => {
  it('is: urgent by hand, urgent for the service, and then a center at a time', async () => {
    const it = reportsWith(() => NOT_READY)
    it.send('a', { centerId: '101' })
    it.send('b', { centerId: '102' })
    it.send('c', { centerId: '101' })
    it.send('preferential', { centerId: '102' })
    it.send('urgent', { centerId: '101' })
    const byHand = it.send('by hand', { centerId: '102' })
    it.test.outbox.submissions.setUrgent(byHand, MORNING)
    const keep = (centerId: string, caseId: string, urgency: string): void =>
      it.test.outbox.cases.saveStates(
        { ...PLACE, centerId },
        [listed(caseId, 'pending', { urgency })],
        MORNING,
      )
    keep('101', 'urgent', 'Urgent')
    keep('102', 'preferential', 'preferential')
    it.open()
    await it.clock.settle()
    const order = it.asked.map(({ caseId, centerId }) => `${caseId} ${centerId ?? ''}`)
    expect(order.slice(0, 3)).toEqual(['by hand 102', 'urgent 101', 'preferential 102'])
    expect(new Set(order.slice(3))).toEqual(new Set(['a 101', 'c 101', 'b 102']))
    expect(order.slice(3).indexOf('b 102')).not.toBe(1)
  })

  it('is never held up by cases of a service that is not set any more', async () => {
    const it = reportsWith(({ caseId }) => report(caseId))
    const old = { ...PLACE, baseUrl: 'https://old.example/' }
    for (let index = 0; index < 30; index += 1)
      it.test.outbox.submissions.setUrgent(it.send(`old${index}`, { place: old }), MORNING)
    it.send('new')
    it.open()
    await it.clock.settle()
    expect(it.arrived).toEqual(['new'])
    expect(it.asked).toHaveLength(1)
  })

  it('lets a center that cannot be set keep only its own cases waiting', async () => {
    const it = reportsWith(({ centerId }) =>
      centerId === '102' ? fail(failureOf('centerNotChanged')) : report('a report'),
    )
    it.send('b', { centerId: '102' })
    it.send('a', { centerId: '101' })
    it.open()
    await it.clock.settle()
    expect(it.arrived).toEqual(['a'])
  })
})
