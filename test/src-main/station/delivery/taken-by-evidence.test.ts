import { describe, expect, it } from 'vitest'
import { DAY, HOUR, MINUTE, SECOND } from '../../../../src-shared/durations.ts'
import { succeed } from '../../../../src-shared/failure.ts'
import { addWaiting, stateOf } from '../../../tools/outbox-with.ts'
import { deliveryWith, outcomesOf, type TestDelivery } from './delivery-with.ts'

const VISIT = { history_number: 'H-1', visit_date: '2026-11-20' }
const NOBODY = {
  state: null,
  historyNumber: null,
  firstName: null,
  lastName: null,
  visitDate: null,
  createdAt: null,
  urgency: null,
}

function referenceOf(test: TestDelivery, id: string): string {
  return test.outbox.submissions.get(id)?.reference ?? ''
}

function evidenceOf(test: TestDelivery, id: string): unknown[] {
  return (test.outbox.submissions.details(id)?.evidence ?? []).map(({ kind, caseIds }) => [kind, caseIds])
}

describe('a quoted reference', () => {
  it('does not make the case of an addendum that of the case it was added to', async () => {
    const test = deliveryWith()
    const first = addWaiting(test, { fields: VISIT })
    const quoting = `addendum to ${referenceOf(test, first)}`
    const second = addWaiting(test, { fields: { ...VISIT, other_relevant_info: quoting } })
    // The first never arrived; the second did, and its answer was lost.
    test.service.plan = (number) =>
      number === 1 ? { kind: 'answered', status: 502 } : { kind: 'taken', answers: false }
    test.open()
    await test.clock.turn(3 * HOUR)
    expect([first, second].map((id) => stateOf(test, id))).toEqual(['unconfirmed', 'unconfirmed'])
    for (const id of [first, second]) expect(evidenceOf(test, id)).toContainEqual(['unclear', ['100']])
  })

  it('of a refused case makes it a question for a person, and never sent', async () => {
    const test = deliveryWith()
    const id = addWaiting(test)
    test.service.plan = (number) => (number === 1 ? { kind: 'answered', status: 413 } : { kind: 'taken' })
    const delivery = test.open()
    await test.clock.turn(MINUTE)
    expect(stateOf(test, id)).toBe('refused')
    const notes = `same group as ${referenceOf(test, id)}, which was refused`
    test.service.addCase({ caseId: '900', historyNumber: 'OTHER-7', raw: { id: '900', notes } })
    await test.clock.turn(20 * MINUTE)
    addWaiting(test)
    delivery.wake()
    await test.clock.turn(2 * HOUR)
    expect(test.outbox.submissions.row(id)).toMatchObject({ state: 'unconfirmed', case_id: null })
    expect(evidenceOf(test, id)).toEqual([['unclear', ['900']]])
    expect(test.outbox.audit.list({ submissionId: id, limit: 1 })).toMatchObject([{ what: 'foundAtService' }])
    // A person has looked: it goes again, and the case that was looked at stops it no more.
    const attempt = test.outbox.attempts.of(id).at(-1)
    test.outbox.evidence.append({
      submissionId: id,
      attemptId: attempt?.id ?? '',
      at: test.clock.now(),
      kind: 'decision',
      caseIds: [],
      message: '',
      by: 'AB',
    })
    test.outbox.submissions.transition(id, 'provenAbsent', { notBefore: null }, { at: test.clock.now() })
    await test.clock.turn(2 * HOUR)
    expect(outcomesOf(test, id)).toEqual(['refused', 'delivered'])
  })

  it.each(['refused', 'held'] as const)(
    'that was the case itself leaves a %s one to a person',
    async (state) => {
      const test = deliveryWith()
      const id = addWaiting(test)
      test.service.plan = () =>
        state === 'refused' ? { kind: 'answered', status: 413 } : { kind: 'broken', afterBytes: 10 }
      const delivery = test.open()
      await test.clock.settle()
      if (state === 'held') test.outbox.submissions.transition(id, 'held', {}, { at: test.clock.now() })
      expect(stateOf(test, id)).toBe(state)
      test.service.addCase({ caseId: '900', raw: { id: '900', notes: referenceOf(test, id) } })
      test.service.plan = () => ({ kind: 'taken' })
      await test.clock.turn(20 * MINUTE)
      addWaiting(test)
      delivery.retryNow()
      await test.clock.turn(DAY)
      expect(test.outbox.submissions.row(id)).toMatchObject({ state: 'unconfirmed', case_id: null })
      expect(outcomesOf(test, id)).toHaveLength(1)
    },
  )
})

it('does not take a case that another submission got while it was looked at', async () => {
  const test = deliveryWith()
  const id = addWaiting(test)
  test.service.plan = () => ({ kind: 'answered', status: 502 })
  const delivery = test.open()
  await test.clock.turn(MINUTE)
  const other = addWaiting(test)
  test.service.addCase({ caseId: '700' })
  let wasAsked = false
  test.service.getCase = () => {
    const at = test.clock.now()
    const destination = { ...test.service.identity, centerId: null }
    if (!wasAsked) {
      const { attemptId } = test.outbox.attempts.open({
        submissionId: other,
        destination,
        requestBytes: 1,
        at,
      })
      const end = { outcome: 'delivered', handedOverBytes: 1, failure: null, answer: null, at } as const
      test.outbox.attempts.end(attemptId, end, 'deliveredNow', { caseId: '700', sentAt: at })
    }
    wasAsked = true
    const raw = { id: '700', notes: referenceOf(test, id) }
    return Promise.resolve(succeed({ ...NOBODY, caseId: '700', raw }))
  }
  test.maySend = false
  delivery.retryNow()
  await test.clock.turn(SECOND)
  expect(wasAsked).toBe(true)
  expect(stateOf(test, id)).toBe('unconfirmed')
  expect(evidenceOf(test, id).at(-1)).toEqual(['unclear', ['700']])
})

it('leaves what was refused to a person also where an attempt before was never resolved', async () => {
  const test = deliveryWith()
  const id = addWaiting(test)
  test.service.plan = (number) => ({ kind: 'answered', status: number === 1 ? 502 : 413 })
  const delivery = test.open()
  await test.clock.turn(MINUTE)
  test.outbox.submissions.transition(id, 'provenAbsent', { notBefore: null }, { at: test.clock.now() })
  await test.clock.turn(MINUTE)
  expect(outcomesOf(test, id)).toEqual(['unknown', 'refused'])
  test.service.addCase({ caseId: '900', raw: { id: '900', notes: referenceOf(test, id) } })
  const list = await test.service.listCases()
  if (list.ok) await delivery.learnFromList(null, list.value.cases)
  delivery.retryNow()
  await test.clock.turn(HOUR)
  expect(test.outbox.submissions.row(id)).toMatchObject({ state: 'unconfirmed', case_id: null })
})

describe('an answer for another id', () => {
  it('confirms nothing', async () => {
    const test = deliveryWith()
    const id = addWaiting(test)
    test.service.plan = () => ({ kind: 'taken', caseId: '77' })
    test.service.listAnswer = () => succeed({ cases: [], isComplete: true })
    test.service.getCase = () => Promise.resolve(succeed({ ...NOBODY, caseId: '5', raw: { id: 5 } }))
    test.open()
    await test.clock.turn(MINUTE)
    expect(test.outbox.submissions.get(id)).toMatchObject({ state: 'sent', confirmedAt: null })
    // The id that was asked for stands beside its own.
    test.service.getCase = () =>
      Promise.resolve(succeed({ ...NOBODY, caseId: '5', raw: { id: 5, case_id: 77 } }))
    await test.clock.turn(HOUR)
    expect(test.outbox.submissions.get(id)?.confirmedAt).not.toBeNull()
  })

  it('tells nothing of a case that is looked for', async () => {
    const test = deliveryWith()
    const id = addWaiting(test)
    test.service.plan = () => ({ kind: 'answered', status: 502 })
    const delivery = test.open()
    await test.clock.turn(MINUTE)
    test.service.addCase({ caseId: '700' })
    const raw = { id: '5', notes: referenceOf(test, id) }
    test.service.getCase = () => Promise.resolve(succeed({ ...NOBODY, caseId: '5', raw }))
    delivery.retryNow()
    await test.clock.turn(MINUTE)
    expect(stateOf(test, id)).toBe('unconfirmed')
  })
})

it('knows its case in a list that shows it under another id', async () => {
  const uuid = 'ad3c0c1e-0000-4000-8000-000000000001'
  const test = deliveryWith()
  const id = addWaiting(test)
  test.service.plan = () => ({ kind: 'taken', caseId: uuid })
  const listed = (): typeof NOBODY & { caseId: string; raw: Record<string, unknown> } => ({
    ...NOBODY,
    caseId: '17',
    raw: { id: 17, uuid, notes: referenceOf(test, id) },
  })
  test.service.listAnswer = () =>
    succeed({ cases: test.service.posts.length === 0 ? [] : [listed()], isComplete: true })
  test.open()
  await test.clock.turn(2 * DAY)
  expect(test.outbox.alarms.listOpen()).toEqual([])
  expect(test.outbox.submissions.get(id)?.confirmedAt).not.toBeNull()
  const here = { ...test.service.identity, centerId: null }
  expect(test.outbox.cases.calibrationOf(here)).toMatchObject({ seen: 1, missed: 0 })
})

it('raises one alarm about a case that nothing here sent, and lets it go once a person has released it', async () => {
  const test = deliveryWith()
  const id = addWaiting(test)
  test.service.addCase({ caseId: '200', raw: { id: '200', notes: referenceOf(test, id) } })
  const delivery = test.open()
  await test.clock.turn(MINUTE)
  for (let count = 0; count < 5; count += 1) {
    await test.clock.turn(MINUTE)
    const list = await test.service.listCases()
    if (list.ok) await delivery.learnFromList(null, list.value.cases)
  }
  expect(test.outbox.alarms.listOpen()).toMatchObject([{ kind: 'foundUnsent', submissionId: id }])
  expect(test.alarms).toEqual([id])
  test.outbox.submissions.transition(id, 'releasedToSend', {}, { at: test.clock.now() })
  await test.clock.turn(30 * MINUTE)
  expect(outcomesOf(test, id)).toEqual(['delivered'])
})

it('says nothing about a later attempt from a look that began before it', async () => {
  const test = deliveryWith({ delivery: { resendWhenProvenAbsent: true } })
  const id = addWaiting(test, { fields: VISIT })
  test.service.plan = () => ({ kind: 'answered', status: 502 })
  test.open()
  await test.clock.settle()
  const first = test.outbox.attempts.of(id)[0]?.id
  test.service.addCase({ caseId: '700' })
  let wasAsked = false
  test.service.getCase = () => {
    // Meanwhile a person says that it is not there, and a second attempt ends as the first did.
    if (!wasAsked) {
      const at = test.clock.now()
      test.outbox.submissions.transition(id, 'provenAbsent', { notBefore: null }, { at })
      const destination = { ...test.service.identity, centerId: null }
      const { attemptId } = test.outbox.attempts.open({ submissionId: id, destination, requestBytes: 1, at })
      const end = { outcome: 'unknown', handedOverBytes: 1, failure: null, answer: null, at } as const
      test.outbox.attempts.end(attemptId, end, 'becameUnknown', { notBefore: at + DAY })
    }
    wasAsked = true
    const raw = { id: '700', notes: referenceOf(test, id) }
    return Promise.resolve(succeed({ ...NOBODY, caseId: '700', raw }))
  }
  await test.clock.turn(3 * SECOND)
  expect(wasAsked).toBe(true)
  expect(stateOf(test, id)).toBe('unconfirmed')
  expect(
    test.outbox.submissions.details(id)?.evidence.filter(({ attemptId }) => attemptId === first),
  ).toEqual([])
})
