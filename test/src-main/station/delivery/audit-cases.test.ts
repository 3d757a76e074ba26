import { join } from 'node:path'
import Database from 'better-sqlite3'
import { expect, it } from 'vitest'
import { DAY, HOUR, MINUTE, SECOND } from '../../../../src-shared/durations.ts'
import { fail, failureOf } from '../../../../src-shared/failure.ts'
import { addWaiting, stateOf } from '../../../tools/outbox-with.ts'
import { deliveryWith, type TestDelivery } from './delivery-with.ts'

const LISTS = (test: TestDelivery): number => test.service.asked.filter((what) => what === 'list').length

function referenceOf(test: TestDelivery, id: string): string {
  return test.outbox.submissions.get(id)?.reference ?? ''
}

async function sendOne(test: TestDelivery): Promise<string> {
  const id = addWaiting(test)
  test.open()
  await test.clock.turn(5 * SECOND)
  expect(test.outbox.submissions.get(id)).toMatchObject({ state: 'sent', caseId: '100' })
  expect(test.outbox.submissions.get(id)?.confirmedAt).not.toBeNull()
  return id
}

it('raises one alarm where a second case with the reference of a sent one appears, found by the daily read', async () => {
  const test = deliveryWith()
  const id = await sendOne(test)
  const listsBefore = LISTS(test)
  test.service.addCase({ caseId: '200', raw: { id: '200', notes: `again\n${referenceOf(test, id)}` } })
  await test.clock.turn(23 * HOUR)
  expect(LISTS(test)).toBe(listsBefore)
  await test.clock.turn(2 * HOUR)
  expect(LISTS(test)).toBe(listsBefore + 1)
  const alarm = { kind: 'twoCasesOneReference', submissionId: id, caseIds: ['100', '200'] }
  expect(test.outbox.alarms.listOpen()).toMatchObject([alarm])
  expect(test.outbox.submissions.details(id)?.evidence.at(-1)).toMatchObject({
    kind: 'twice',
    caseIds: ['100', '200'],
  })
  expect(test.alarms).toEqual([id])
  // Settled by a person, and not raised again by any later list.
  test.outbox.alarms.settle(test.outbox.alarms.listOpen()[0]?.id ?? '', {
    by: 'AB',
    why: null,
    at: test.clock.now(),
  })
  await test.clock.turn(3 * DAY)
  expect(test.outbox.alarms.listOpen()).toEqual([])
  expect(test.outbox.submissions.details(id)?.evidence.filter(({ kind }) => kind === 'twice')).toHaveLength(1)
  expect(test.outbox.submissions.get(id)).toMatchObject({ state: 'sent', caseId: '100' })
  // A third one is news.
  test.service.addCase({ caseId: '300', raw: { id: '300', notes: referenceOf(test, id) } })
  await test.clock.turn(DAY)
  expect(test.outbox.alarms.listOpen()).toMatchObject([{ caseIds: ['100', '200', '300'] }])
})

it('reads a list only for that for a month, and asks no more often where it cannot be read', async () => {
  const test = deliveryWith()
  await sendOne(test)
  test.service.listAnswer = () => fail(failureOf('answerUnreadable'))
  const listsBefore = LISTS(test)
  await test.clock.turn(4 * DAY)
  expect(LISTS(test) - listsBefore).toBe(4)
  // Whole days of single minutes are dear to turn: the wall clock is set instead.
  test.clock.set(26 * DAY)
  await test.clock.turn(2 * MINUTE)
  const listsAfterAMonth = LISTS(test)
  await test.clock.turn(2 * DAY)
  expect(LISTS(test)).toBe(listsAfterAMonth)
})

it('does not send what the list shows has arrived, and takes it as sent', async () => {
  const test = deliveryWith()
  const id = addWaiting(test)
  test.service.plan = () => ({ kind: 'broken', afterBytes: 10 })
  test.open()
  await test.clock.settle()
  expect(stateOf(test, id)).toBe('waiting')
  // Whatever was believed: the service has it.
  test.service.plan = () => ({ kind: 'taken' })
  test.service.addCase({ caseId: '200', raw: { id: '200', notes: referenceOf(test, id) } })
  await test.clock.turn(HOUR)
  expect(test.service.posts).toHaveLength(0)
  expect(test.outbox.submissions.get(id)).toMatchObject({ state: 'sent', caseId: '200' })
  expect(test.outbox.alarms.listOpen()).toEqual([])
})

it('holds what it never sent and the service has: the outbox is older than what happened', async () => {
  const test = deliveryWith()
  const id = addWaiting(test)
  test.service.addCase({ caseId: '200', raw: { id: '200', notes: referenceOf(test, id) } })
  test.open()
  await test.clock.turn(HOUR)
  expect(test.service.posts).toHaveLength(0)
  expect(stateOf(test, id)).toBe('held')
  expect(test.outbox.alarms.listOpen()).toMatchObject([
    { kind: 'foundUnsent', submissionId: id, caseIds: ['200'] },
  ])
  expect(test.alarms).toEqual([id])
})

it('alarms where the service shows another patient under the id of a case, once', async () => {
  const test = deliveryWith()
  const id = addWaiting(test)
  test.service.plan = () => ({ kind: 'taken', caseId: '77' })
  test.service.shows = 'nothing'
  test.open()
  test.service.getCase = () =>
    Promise.resolve({
      ok: true,
      value: { ...NOBODY, caseId: '77', historyNumber: 'H-99999', raw: { id: '77' } },
    })
  test.service.listAnswer = () => ({ ok: true, value: { cases: [], isComplete: true } })
  await test.clock.turn(3 * DAY)
  expect(test.outbox.alarms.listOpen()).toMatchObject([
    { kind: 'otherPatient', submissionId: id, caseIds: ['77'] },
  ])
  expect(test.outbox.submissions.get(id)).toMatchObject({ state: 'sent', confirmedAt: null })
  expect(test.alarms).toEqual([id])
  expect(test.outbox.submissions.details(id)?.evidence.map(({ kind }) => kind)).toEqual(['readBackFailed'])
})

it('writes down that a case was read back', async () => {
  const test = deliveryWith()
  const id = await sendOne(test)
  expect(test.outbox.submissions.details(id)?.evidence).toMatchObject([
    { kind: 'readBack', caseIds: ['100'], by: null },
  ])
})

it('raises the alarm about a reference in the case of another submission whose attempt cannot be read', async () => {
  const before = deliveryWith()
  const [named, unreadable] = [addWaiting(before), addWaiting(before)]
  const first = before.open()
  await before.clock.turn(5 * SECOND)
  const caseId = before.outbox.submissions.get(unreadable)?.caseId ?? ''
  await first.close()
  before.close()
  const sql = new Database(join(before.folder, 'outbox.sqlite'))
  sql.pragma('ignore_check_constraints = ON')
  sql.prepare("UPDATE attempts SET phase = 'spoilt' WHERE submission_id = ?").run(unreadable)
  sql.close()

  const test = deliveryWith({ folder: before.folder })
  const raw = { id: caseId, notes: referenceOf(test, named) }
  await test.open().learnFromList(null, [{ ...NOBODY, historyNumber: null, caseId, raw }])
  expect(test.outbox.alarms.listOpen()).toMatchObject([{ kind: 'twoCasesOneReference', submissionId: named }])
  expect(test.outbox.submissions.details(named)?.evidence.at(-1)).toMatchObject({ kind: 'twice' })
})

const NOBODY = {
  state: null,
  firstName: null,
  lastName: null,
  visitDate: null,
  createdAt: null,
  urgency: null,
}
