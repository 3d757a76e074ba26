/** What a list shows of our references: duplicates, quotations, and cases that arrived although nothing here says so. */
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { describe, expect, it, vi } from 'vitest'
import { adoptCase } from '../../../../src-main/station/delivery/case-list.ts'
import type { DeliveryContext } from '../../../../src-main/station/delivery/context.ts'
import {
  type CarriedReference,
  caseIdsOf,
  classifyFound,
  type FoundCase,
  noteReferences,
  type OurSubmission,
  referencesIn,
} from '../../../../src-main/station/delivery/match-cases.ts'
import type { CaseList } from '../../../../src-main/station/service/client.ts'
import type { ServiceCase } from '../../../../src-shared/case.ts'
import { DAY, HOUR, MINUTE, SECOND } from '../../../../src-shared/durations.ts'
import { fail, failureOf, type Result, succeed } from '../../../../src-shared/failure.ts'
import { referenceOf as referenceFrom } from '../../../../src-shared/reference.ts'
import { SUBMISSION_STATES } from '../../../../src-shared/states.ts'
import { addWaiting, MORNING, openTestOutbox, SERVICE, stateOf } from '../../../tools/outbox-with.ts'
import { temporaryFolder } from '../../../tools/temporary-folder.ts'
import {
  askedCount,
  attempted,
  deliveryWith,
  evidenceOf,
  outcomesOf,
  referenceOf,
  sending,
  type TestDelivery,
} from './delivery-with.ts'
import { answered, broken, type PostPlan, serviceCase } from './scripted-service.ts'

const [R1 = '', R2 = '', R3 = ''] = [1, 2, 3].map((seed) => referenceFrom(new Uint8Array(8).fill(seed)))
const VISIT = { history_number: 'H-1', visit_date: '2026-11-20' }
const TAKEN: PostPlan = { kind: 'taken' }

const noting = (caseId: string, ...references: readonly string[]): ServiceCase =>
  serviceCase(caseId, { raw: { id: caseId, notes: references.join('\n') } })

describe('references in what a service shows', () => {
  it.each<[name: string, raw: Record<string, unknown>, found: string[]]>([
    ['on a line of its own', { notes: `seen today\n${R1}` }, [R1]],
    ['in the name of a file', { images: [{ name: `${R1}_OD_1.jpg` }] }, [R1]],
    ['in small letters', { notes: R1.toLowerCase() }, [R1]],
    ['behind a letter that looks like its beginning', { notes: `FC${R1}` }, [R1]],
    ['two of them', { a: R1, b: [R2] }, [R1, R2]],
    ['none with a wrong check character', { notes: `${R1.slice(0, -1)}${R1.endsWith('A') ? 'B' : 'A'}` }, []],
    ['none', { notes: 'FC' }, []],
  ])('are found: %s', (_name, raw, found) => {
    expect([...referencesIn(serviceCase('1', { raw }))].toSorted()).toEqual(found.toSorted())
  })

  const ours: readonly OurSubmission[] = [
    { id: 'one', reference: R1, caseId: '11' },
    { id: 'two', reference: R2, caseId: '22' },
    { id: 'three', reference: R3, caseId: null },
  ]
  const lookup = {
    ofReference: (reference: string) => ours.find((one) => one.reference === reference) ?? null,
    ofCase: (caseId: string) => ours.find((one) => one.caseId === caseId) ?? null,
  }

  it.each<[name: string, cases: ServiceCase[], expected: unknown[]]>([
    ['its own case', [noting('11', R1)], [['one', ['11'], []]]],
    ['another case beside the bound one', [noting('90', R1)], [['one', ['11', '90'], []]]],
    ['two cases of an unbound one', [noting('90', R3), noting('91', R3)], [['three', ['90', '91'], []]]],
    ['a case that is bound to another', [noting('22', R3)], [['three', ['22'], ['two']]]],
    ['a quotation beside its own reference', [noting('22', R1, R2)], [['two', ['22'], []]]],
    ['the same case on two pages', [noting('11', R1), noting('11', R1)], [['one', ['11'], []]]],
    ['a reference of another station', [noting('5', referenceFrom(new Uint8Array(8).fill(9)))], []],
  ])('belong to submissions: %s', (_name, cases, expected) => {
    const noted = new Map<string, CarriedReference>()
    // One by one, as the slices of a long list come.
    for (const one of cases) noteReferences(noted, [one], lookup)
    const found = [...noted.values()].map((one) => [one.ours.id, caseIdsOf(one), [...one.boundToOthers]])
    expect(found).toEqual(expected)
  })
})

describe('a case that is seen at the service although nothing was unconfirmed', () => {
  const ON_ITS_WAY: FoundCase = {
    state: 'waiting',
    hasAttempt: true,
    isSettledByPerson: false,
    isUnchangedSinceAttempt: true,
    isSameDestination: true,
    mayBeAdopted: true,
  }
  it.each<[name: string, found: Partial<FoundCase>, verdict: ReturnType<typeof classifyFound>]>([
    ['on its way, and nothing speaks against it', {}, 'take'],
    ['a person has decided about it', { isSettledByPerson: true }, 'nothing'],
    ['never sent from here', { hasAttempt: false }, 'hold'],
    ['changed or approved again since the attempt', { isUnchangedSinceAttempt: false }, 'doubt'],
    ['not the center it was sent to', { isSameDestination: false }, 'doubt'],
    ['something speaks against it', { mayBeAdopted: false }, 'doubt'],
  ])('%s', (_name, found, verdict) => expect(classifyFound({ ...ON_ITS_WAY, ...found })).toBe(verdict))

  it('is adopted automatically in no other state', () => {
    const verdicts = SUBMISSION_STATES.map((state) => [state, classifyFound({ ...ON_ITS_WAY, state })])
    expect(Object.fromEntries(verdicts)).toEqual({
      collecting: 'doubt',
      incomplete: 'doubt',
      review: 'doubt',
      waiting: 'take',
      held: 'doubt',
      sending: 'nothing',
      unconfirmed: 'nothing',
      refused: 'doubt',
      sent: 'nothing',
      discarded: 'nothing',
    })
  })

  it('is not sent but adopted if its attempt was cut off', async () => {
    const { test, id } = await sending({ plan: [broken(10), TAKEN] })
    expect(stateOf(test, id)).toBe('waiting')
    // Whatever was assumed: the service has it.
    test.service.addCase(noting('200', referenceOf(test, id)))
    await test.clock.turn(HOUR)
    expect(test.service.posts).toHaveLength(0)
    expect(test.outbox.submissionOf(id)).toMatchObject({ state: 'sent', caseId: '200' })
    expect(test.outbox.openAlarms()).toEqual([])
  })

  it('is held with one alarm if it was never sent from here, and goes once a person has released it', async () => {
    const { test, id, delivery } = await sending({ turnMs: HOUR }, (made, caseId) => {
      made.service.addCase(noting('200', referenceOf(made, caseId)))
    })
    for (let count = 0; count < 3; count += 1) await learn(test, delivery)
    expect([test.service.posts, stateOf(test, id), test.alarms]).toEqual([[], 'held', [id]])
    const alarm = { kind: 'foundUnsent', submissionId: id, caseIds: ['200'] }
    expect(test.outbox.openAlarms()).toMatchObject([alarm])
    test.outbox.moveSubmission(id, 'releasedToSend', {}, { at: test.clock.now() })
    await test.clock.turn(30 * MINUTE)
    expect(outcomesOf(test, id)).toEqual(['delivered'])
  })

  it.each(['refused', 'held'] as const)('is left to a person if it is %s', async (state) => {
    const plan = [state === 'refused' ? answered(413) : broken(10), TAKEN]
    const { test, id, delivery } = await sending({ plan })
    if (state === 'held') test.outbox.moveSubmission(id, 'held', {}, { at: test.clock.now() })
    expect(stateOf(test, id)).toBe(state)
    test.service.addCase(noting('900', referenceOf(test, id)))
    await test.clock.turn(20 * MINUTE)
    addWaiting(test)
    delivery.retryNow()
    await test.clock.turn(DAY)
    expect(test.outbox.rowOf(id)).toMatchObject({ state: 'unconfirmed', case_id: null })
    expect(outcomesOf(test, id)).toHaveLength(1)
  })

  it('is left to a person if it was refused and an attempt before was never resolved', async () => {
    const { test, id, delivery } = await sending({ plan: [answered(502), answered(413)], turnMs: MINUTE })
    test.outbox.moveSubmission(id, 'provenAbsent', { notBefore: null }, { at: test.clock.now() })
    await test.clock.turn(MINUTE)
    expect(outcomesOf(test, id)).toEqual(['unknown', 'refused'])
    test.service.addCase(noting('900', referenceOf(test, id)))
    await learn(test, delivery)
    delivery.retryNow()
    await test.clock.turn(HOUR)
    expect(test.outbox.rowOf(id)).toMatchObject({ state: 'unconfirmed', case_id: null })
  })
})

describe('a quoted reference', () => {
  it('does not make the case of an addendum that of the case it was added to', async () => {
    const test = deliveryWith()
    const first = addWaiting(test, { fields: VISIT })
    const quoting = `addendum to ${referenceOf(test, first)}`
    const second = addWaiting(test, { fields: { ...VISIT, other_relevant_info: quoting } })
    // The first never arrived; the second did, and its answer was lost.
    test.service.plan = (number) => (number === 1 ? answered(502) : { kind: 'taken', answers: false })
    test.open()
    await test.clock.turn(3 * HOUR)
    expect([first, second].map((id) => stateOf(test, id))).toEqual(['unconfirmed', 'unconfirmed'])
    for (const id of [first, second]) expect(evidenceOf(test, id)).toContainEqual(['unclear', ['100']])
  })

  it('of a refused case makes it a question for a person, whose decision ends it', async () => {
    const { test, id, delivery } = await sending({ plan: [answered(413), TAKEN], turnMs: MINUTE })
    expect(stateOf(test, id)).toBe('refused')
    const notes = `same group as ${referenceOf(test, id)}, which was refused`
    test.service.addCase({ caseId: '900', historyNumber: 'OTHER-7', raw: { id: '900', notes } })
    await test.clock.turn(20 * MINUTE)
    addWaiting(test)
    delivery.wake()
    await test.clock.turn(2 * HOUR)
    expect(test.outbox.rowOf(id)).toMatchObject({ state: 'unconfirmed', case_id: null })
    expect(evidenceOf(test, id)).toEqual([['unclear', ['900']]])
    expect(test.outbox.listAudit({ submissionId: id, limit: 1 })).toMatchObject([{ what: 'foundAtService' }])
    // A person has decided: it goes again, and the case that was seen stops it no more.
    const attemptId = test.outbox.attemptsOf(id).at(-1)?.id ?? ''
    const at = test.clock.now()
    const decision = { kind: 'decision' as const, caseIds: [], message: '', by: 'AB' }
    test.outbox.appendEvidence({ submissionId: id, attemptId, at, ...decision })
    test.outbox.moveSubmission(id, 'provenAbsent', { notBefore: null }, { at })
    await test.clock.turn(2 * HOUR)
    expect(outcomesOf(test, id)).toEqual(['refused', 'delivered'])
  })
})

describe('a lookup that takes a while', () => {
  const HERE = (test: TestDelivery) => ({ ...test.service.identity, centerId: null })
  /** A case of which the answer was lost, and a new one at the service: `meanwhile` runs while that is requested. */
  const duringLookup = async (
    shown: ServiceCase | null,
    meanwhile: (test: TestDelivery, id: string) => void,
  ) => {
    const { test, id, delivery } = await sending({
      plan: answered(502),
      waiting: { fields: VISIT },
      delivery: { resendWhenProvenAbsent: true },
      turnMs: MINUTE,
    })
    const before = evidenceOf(test, id)
    test.service.addCase({ caseId: '700' })
    let wasAsked = false
    test.service.getCase = () => {
      if (!wasAsked) meanwhile(test, id)
      wasAsked = true
      return Promise.resolve(succeed(shown ?? noting('700', referenceOf(test, id))))
    }
    test.maySend = false
    delivery.retryNow()
    await test.clock.turn(SECOND)
    expect(wasAsked).toBe(true)
    return { test, id, before }
  }

  it('does not adopt a case that another submission got meanwhile', async () => {
    const { test, id } = await duringLookup(null, (made) => {
      attempted(made, addWaiting(made), HERE(made), { outcome: 'delivered', caseId: '700' }, made.clock.now())
    })
    expect(stateOf(test, id)).toBe('unconfirmed')
    expect(evidenceOf(test, id).at(-1)).toEqual(['unclear', ['700']])
  })

  it('says nothing about an attempt that was made meanwhile', async () => {
    const { test, id, before } = await duringLookup(null, (made, caseId) => {
      // A person says that it is not there, and a second attempt ends as the first did.
      const at = made.clock.now()
      made.outbox.moveSubmission(caseId, 'provenAbsent', { notBefore: null }, { at })
      attempted(made, caseId, HERE(made), { outcome: 'unknown', notBefore: at + DAY }, at)
    })
    expect(stateOf(test, id)).toBe('unconfirmed')
    const first = test.outbox.attemptsOf(id)[0]?.id
    const evidence = test.outbox.detailsOf(id)?.evidence ?? []
    expect(evidence.filter(({ attemptId }) => attemptId === first)).toHaveLength(before.length)
  })

  it.each<[string, Result<CaseList>, (test: TestDelivery, id: string, at: number) => void]>([
    [
      'another attempt was made',
      succeed({ cases: [], isComplete: true }),
      (made, id, at) =>
        void attempted(made, id, HERE(made), { outcome: 'unknown', notBefore: at + MINUTE }, at),
    ],
    ['it was to be sent again', fail(failureOf('answerUnreadable')), () => undefined],
  ])('changes nothing if %s since its list was asked for', async (_what, list, andThen) => {
    const { test, id, delivery } = await sending({
      plan: answered(502),
      waiting: { fields: VISIT },
      turnMs: MINUTE,
    })
    test.maySend = false
    const before = evidenceOf(test, id)
    let asked: unknown = null
    test.service.listAnswer = () => {
      if (asked !== null) return list
      // A person says that it is not there.
      const at = test.clock.now()
      test.outbox.moveSubmission(id, 'provenAbsent', { notBefore: null }, { at })
      andThen(test, id, at)
      asked = test.outbox.rowOf(id)
      return list
    }
    delivery.retryNow()
    await test.clock.turn(SECOND)
    expect([test.outbox.rowOf(id), evidenceOf(test, id)]).toEqual([asked, before])
  })

  it('takes an answer for another id for nothing', async () => {
    const { test, id } = await duringLookup(noting('5', 'nothing'), () => undefined)
    expect(stateOf(test, id)).toBe('unconfirmed')
  })
})

describe('the audit of a list', () => {
  it('raises one alarm if a second case with the reference of a sent one appears, found by the daily read', async () => {
    const { test, id } = await sending({ turnMs: 5 * SECOND })
    const listsBefore = askedCount(test, 'list')
    test.service.addCase(noting('200', 'again', referenceOf(test, id)))
    await test.clock.turn(23 * HOUR)
    expect(askedCount(test, 'list')).toBe(listsBefore)
    await test.clock.turn(2 * HOUR)
    expect(askedCount(test, 'list')).toBe(listsBefore + 1)
    const alarm = { kind: 'twoCasesOneReference', submissionId: id, caseIds: ['100', '200'] }
    expect(test.outbox.openAlarms()).toMatchObject([alarm])
    expect(evidenceOf(test, id).at(-1)).toEqual(['twice', ['100', '200']])
    expect(test.alarms).toEqual([id])
    // Settled by a person, and not raised again by any later list.
    const settled = { by: 'AB', why: null, at: test.clock.now() }
    test.outbox.settleAlarm(test.outbox.openAlarms()[0]?.id ?? '', settled)
    await test.clock.turn(3 * DAY)
    expect(test.outbox.openAlarms()).toEqual([])
    expect(evidenceOf(test, id).filter((one) => (one as [string])[0] === 'twice')).toHaveLength(1)
    expect(test.outbox.submissionOf(id)).toMatchObject({ state: 'sent', caseId: '100' })
    // A third one is news.
    test.service.addCase(noting('300', referenceOf(test, id)))
    await test.clock.turn(DAY)
    expect(test.outbox.openAlarms()).toMatchObject([{ caseIds: ['100', '200', '300'] }])
  })

  it('reads a list only for that for a month, and no more often if it cannot be read', async () => {
    const { test } = await sending({ turnMs: 5 * SECOND })
    test.service.listAnswer = () => fail(failureOf('answerUnreadable'))
    const listsBefore = askedCount(test, 'list')
    await test.clock.turn(3 * DAY)
    expect(askedCount(test, 'list') - listsBefore).toBe(3)
    // Whole days of single minutes take long to turn: the wall clock is set instead.
    test.clock.set(27 * DAY)
    await test.clock.turn(2 * MINUTE)
    const listsAfterAMonth = askedCount(test, 'list')
    await test.clock.turn(2 * DAY)
    expect(askedCount(test, 'list')).toBe(listsAfterAMonth)
  })

  it('raises one alarm if the service shows another patient under the id of a case', async () => {
    const plan: PostPlan = { kind: 'taken', caseId: '77' }
    const { test, id } = await sending({ plan, turnMs: 2 * DAY }, ({ service }) => {
      service.shows = 'nothing'
      service.getCase = () => Promise.resolve(succeed(serviceCase('77', { historyNumber: 'H-99999' })))
      service.listAnswer = () => succeed({ cases: [], isComplete: true })
    })
    const alarm = { kind: 'otherPatient', submissionId: id, caseIds: ['77'] }
    expect(test.outbox.openAlarms()).toMatchObject([alarm])
    expect(test.outbox.submissionOf(id)).toMatchObject({ state: 'sent', confirmedAt: null })
    expect(test.alarms).toEqual([id])
    expect(evidenceOf(test, id)).toEqual([['readBackFailed', ['77']]])
  })

  it('raises the alarm about a reference in the case of another submission whose attempt cannot be read', async () => {
    const folder = temporaryFolder()
    const before = await sending({ cases: 2, turnMs: 5 * SECOND, folder })
    const [named = '', unreadable = ''] = before.ids
    const caseId = before.test.outbox.submissionOf(unreadable)?.caseId ?? ''
    await before.delivery.close()
    before.test.close()
    const sql = new Database(join(folder, 'outbox.sqlite'))
    sql.pragma('ignore_check_constraints = ON')
    sql.prepare("UPDATE attempts SET phase = 'spoilt' WHERE submission_id = ?").run(unreadable)
    sql.close()
    const test = deliveryWith({ folder })
    await test.open().learnFromList(null, [noting(caseId, referenceOf(test, named))])
    const alarm = { kind: 'twoCasesOneReference', submissionId: named }
    expect(test.outbox.openAlarms()).toMatchObject([alarm])
    expect(evidenceOf(test, named).at(-1)).toEqual(['twice', expect.arrayContaining([caseId])])
  })
})

it('notes that the route works only once the adoption of a case is committed', () => {
  const test = openTestOutbox()
  const { outbox } = test
  const id = addWaiting(test)
  attempted(test, id, { ...SERVICE, centerId: null }, { outcome: 'unknown' })
  const row = outbox.rowOf(id)!
  const noteFound = vi.fn()
  const context = {
    outbox,
    client: { identity: SERVICE },
    health: { noteFound },
  } as unknown as DeliveryContext
  expect(() =>
    outbox.write(() => {
      adoptCase(context, row, '778899', MORNING)
      throw new Error('the disk failed at the commit')
    }),
  ).toThrow('the disk failed')
  expect(outbox.rowOf(id)?.state).toBe('unconfirmed')
  expect(noteFound).not.toHaveBeenCalled()
  outbox.write(() => adoptCase(context, row, '778899', MORNING))
  expect(outbox.rowOf(id)).toMatchObject({ state: 'sent', case_id: '778899' })
  expect(noteFound).toHaveBeenCalledOnce()
})

async function learn(test: TestDelivery, delivery: ReturnType<TestDelivery['open']>): Promise<void> {
  const list = await test.service.listCases()
  if (list.ok) await delivery.learnFromList(null, list.value.cases)
}
