import { describe, expect, it } from 'vitest'
import type { ServiceCase } from '../../../../src-shared/case.ts'
import { DAY, HOUR } from '../../../../src-shared/durations.ts'
import type { Fields } from '../../../../src-shared/fields.ts'
import { addWaiting, claim, MORNING, newSubmission, PLACE } from '../../../tools/outbox-with.ts'
import { partsWith, type TestParts } from './parts-with.ts'

const VISIT = { history_number: 'H-7', visit_date: '2026-11-20' }

function sentCase(test: TestParts, caseId: string, fields: Fields, at: number): string {
  const id = addWaiting(test, { fields })
  claim(test, id)
  test.outbox.submissions.transition(id, 'deliveredNow', { caseId, sentAt: at }, { at })
  test.outbox.reports.watch({ submissionId: id, caseId, destination: { ...PLACE, centerId: null }, at })
  return id
}

function say(test: TestParts, caseId: string, state: string): void {
  const unsaid = { historyNumber: null, firstName: null, lastName: null, visitDate: null, createdAt: null }
  const said: ServiceCase = { caseId, state, ...unsaid, urgency: null, raw: {} }
  test.outbox.cases.saveStates({ ...PLACE, centerId: null }, [said], test.clock.now())
}

async function ageing(test: TestParts): Promise<string[]> {
  const answer = await test.call('submissions.ageing', {})
  return answer.ok ? answer.value.items.map(({ kind, submissionId }) => `${kind} ${submissionId}`) : []
}

describe('the ageing list', () => {
  it('begins empty, and gains a line at each step that lasts too long, the oldest first', async () => {
    const test = await partsWith()
    const captured = test.outbox.submissions.create(newSubmission())
    const sent = sentCase(test, '9', VISIT, MORNING + 1)
    expect(await ageing(test)).toEqual([])
    await test.clock.turn(HOUR + 2)
    expect(await ageing(test)).toEqual([`notConfirmed ${sent}`])
    test.outbox.submissions.setConfirmed(sent, test.clock.now())
    await test.clock.turn(DAY)
    expect(await ageing(test)).toEqual([`notSent ${captured}`])
    await test.clock.turn(DAY)
    expect(await ageing(test)).toEqual([`notSent ${captured}`, `noReport ${sent}`])
    test.outbox.reports.saveVersion({
      submission_id: sent,
      case_id: '9',
      kind: 'text',
      content_type: 'text/plain',
      size_bytes: 1,
      sha256: 'a',
      file_name: 'a.txt',
      fetched_at: test.clock.now(),
    })
    test.outbox.submissions.transition(captured, 'discarded', {}, { at: test.clock.now() })
    expect(await ageing(test)).toEqual([])
  })

  it('tells how many there are, and only the oldest where no more are asked for', async () => {
    const test = await partsWith()
    const [oldest] = [1, 2, 3].map(() => test.outbox.submissions.create(newSubmission()))
    await test.clock.turn(DAY + 1)
    const answer = await test.call('submissions.ageing', { limit: 1 })
    expect(answer).toMatchObject({ ok: true, value: { items: [{ submissionId: oldest }], count: 3 } })
  })

  it('has an unconfirmed case from an hour after its attempt on', async () => {
    const test = await partsWith()
    const id = addWaiting(test)
    const destination = { ...PLACE, centerId: null }
    const plan = { submissionId: id, destination, requestBytes: 9, at: MORNING }
    const { attemptId } = test.outbox.attempts.open(plan)
    const end = { handedOverBytes: 9, failure: null, answer: null, at: MORNING }
    test.outbox.attempts.end(attemptId, { ...end, outcome: 'unknown' }, 'becameUnknown', {})
    expect(await ageing(test)).toEqual([])
    await test.clock.turn(HOUR + 1)
    test.outbox.submissions.setUrgent(id, test.clock.now())
    expect(await ageing(test)).toEqual([`notConfirmed ${id}`])
  })

  it('has a rejected case until the patient was sent again, and not for late images of the same visit', async () => {
    const test = await partsWith()
    const id = sentCase(test, '9', VISIT, MORNING)
    test.outbox.submissions.setConfirmed(id, MORNING)
    say(test, '9', 'Rejected')
    await test.clock.turn(3 * DAY)
    expect(await ageing(test)).toEqual([`notRedone ${id}`])
    const confirm = (other: string): void => {
      test.outbox.submissions.setConfirmed(other, test.clock.now())
      test.outbox.reports.setNextCheck(other, null, null, test.clock.now())
    }
    const late = sentCase(test, '10', VISIT, test.clock.now())
    test.outbox.submissions.setAddendumTo(late, id)
    confirm(late)
    confirm(sentCase(test, '11', { ...VISIT, history_number: 'H-8' }, test.clock.now()))
    confirm(sentCase(test, '12', { ...VISIT, visit_date: '2026-11-19' }, test.clock.now()))
    expect(await ageing(test)).toEqual([`notRedone ${id}`])
    confirm(sentCase(test, '13', { ...VISIT, visit_date: '2026-11-23' }, test.clock.now()))
    expect(await ageing(test)).toEqual([])
  })

  it('takes the word of the service that is set for a case, and no other service’s', async () => {
    const test = await partsWith()
    const id = sentCase(test, '9', VISIT, MORNING)
    test.outbox.submissions.setConfirmed(id, MORNING)
    const elsewhere = { ...PLACE, clientId: 'another', centerId: null }
    const unsaid = { historyNumber: null, firstName: null, lastName: null, visitDate: null, createdAt: null }
    test.outbox.cases.saveStates(
      elsewhere,
      [{ caseId: '9', state: 'reject', ...unsaid, urgency: null, raw: {} }],
      MORNING,
    )
    expect(await ageing(test)).toEqual([])
  })
})

describe('the answer to an attempt', () => {
  it('is shown as it came, and null where none came', async () => {
    const test = await partsWith()
    const id = addWaiting(test)
    claim(test, id)
    const [attempt] = test.outbox.attempts.of(id)
    const attemptId = attempt?.id ?? ''
    const ask = (): Promise<unknown> => test.call('submissions.answer', { attemptId })
    expect(await ask()).toEqual({ ok: true, value: { answer: null } })
    const answer = { status: 422, body: Buffer.from('{"error":"age"}') }
    test.outbox.attempts.end(
      attemptId,
      { outcome: 'refused', handedOverBytes: 1, failure: null, answer, at: MORNING },
      'wasRefused',
      {},
    )
    expect(await ask()).toMatchObject({
      value: { answer: { status: 422, sizeBytes: 15, text: '{"error":"age"}' } },
    })
    expect(await test.call('submissions.answer', { attemptId: 'nobody' })).toMatchObject({
      failure: { kind: 'notFound' },
    })
  })
})

it('counts the cases of the last days on the calendar of this computer', async () => {
  const test = await partsWith()
  sentCase(test, '9', VISIT, MORNING + 1)
  addWaiting(test, { at: MORNING - DAY })
  expect(await test.call('station.days', { days: 3 })).toEqual({
    ok: true,
    value: {
      items: [
        { day: dayBefore(2), added: 0, sent: 0 },
        { day: dayBefore(1), added: 1, sent: 0 },
        { day: dayBefore(0), added: 1, sent: 1 },
      ],
    },
  })
  expect(await test.call('station.days', {})).toMatchObject({ value: { items: { length: 14 } } })
})

function dayBefore(days: number): string {
  return new Date(MORNING - days * DAY).toLocaleDateString('sv-SE')
}
