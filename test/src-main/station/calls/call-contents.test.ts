/** What calls answer, value by value, if no other spec compares it: a shape that fits may still be empty. */
import { describe, expect, it } from 'vitest'
import { DAY } from '../../../../src-shared/durations.ts'
import type { UpdateState } from '../../../../src-shared/desktop.ts'
import { worded } from '../../../../src-shared/wording.ts'
import { MORNING } from '../../../tools/outbox-with.ts'
import { addCase, COMPLETE, partsWith, type TestParts } from './parts-with.ts'
import { submissionOf } from './stated-cases.ts'

async function valueOf(test: TestParts, name: Parameters<TestParts['call']>[0], input: object = {}) {
  const answer = await test.call(name, input)
  if (!answer.ok) throw new Error(answer.failure.message)
  return answer.value
}

describe('cases', () => {
  const FIELDS = { ...COMPLETE, last_name: 'Probe', od_iop: 17, gender: 1 as const }

  it('submissions.list and submissions.get: the same values, images and failures, and how many there are', async () => {
    const test = await partsWith()
    const ids = [
      addCase(test, 'review', { fields: FIELDS, images: ['x/OD.jpg', 'x/OS.jpg'] }),
      addCase(test, 'refused', { fields: { ...COMPLETE, history_number: 'R-8' } }),
    ]
    const listed = (await valueOf(test, 'submissions.list')) as { items: object[] }
    expect(listed).toMatchObject({ total: 2, counts: { review: 1, refused: 1, sent: 0 } })
    expect(listed.items).toMatchObject([
      { id: ids[1], fields: { history_number: 'R-8' }, failure: { kind: 'serviceRefused' }, attempts: 1 },
      {
        id: ids[0],
        state: 'review',
        fields: FIELDS,
        failure: null,
        images: [
          { fileName: 'x/OD.jpg', eye: 'right', sizeBytes: expect.any(Number) },
          { fileName: 'x/OS.jpg', eye: 'right' },
        ],
      },
    ])
    const details = await valueOf(test, 'submissions.get', { id: ids[1] })
    expect(details).toMatchObject({
      ...listed.items[0],
      attemptList: [{ number: 1, outcome: 'refused', failure: { kind: 'serviceRefused' } }],
    })
    expect(await valueOf(test, 'submissions.list', { search: 'R-8' })).toMatchObject({
      items: [{ id: ids[1] }],
      total: 1,
    })
  })

  it('reports.awaiting: whose report is missing, and when it is asked for next', async () => {
    const test = await partsWith()
    const submissionId = addCase(test, 'sent', { fields: FIELDS })
    const destination = { baseUrl: 'https://x', clientId: 'c', centerId: null }
    test.outbox.watchReport({ submissionId, caseId: submissionId, destination, at: MORNING + DAY })
    const { reference } = submissionOf(test, submissionId)
    const items = [
      {
        submissionId,
        caseId: submissionId,
        reference,
        patientName: 'Probe',
        nextCheckAt: MORNING + DAY,
      },
    ]
    expect(await valueOf(test, 'reports.awaiting')).toMatchObject({ items })
    expect(await valueOf(test, 'reports.awaiting', { search: 'probe' })).toMatchObject({ items })
    expect(await valueOf(test, 'reports.awaiting', { search: 'nothing' })).toEqual({ items: [] })
  })
})

describe('oversight', () => {
  it('station.settleAlarm: that alarm alone is settled, and the trail names it', async () => {
    const test = await partsWith()
    const ids = [addCase(test, 'sent'), addCase(test, 'sent')]
    for (const submissionId of ids)
      test.outbox.raiseAlarm({
        kind: 'contradicted',
        submissionId,
        caseIds: ['c-1'],
        ...worded('intake:contradicted.patient', { reference: submissionOf(test, submissionId).reference }),
        at: MORNING,
      })
    const [first, second] = test.outbox.openAlarms()
    expect(await valueOf(test, 'station.settleAlarm', { id: first?.id, by: 'AB' })).toMatchObject({
      alarms: [{ id: second?.id, kind: 'contradicted', caseIds: ['c-1'] }],
    })
    expect(await valueOf(test, 'audit.list', { by: 'AB' })).toMatchObject({
      items: [{ submissionId: first?.submissionId, by: 'AB', details: expect.any(Object) }],
    })
  })

  it('audit.list: newest first, by case, by person and since an instant, page by page', async () => {
    const test = await partsWith()
    const [one, other] = [addCase(test, 'review'), addCase(test, 'review')]
    await test.call('submissions.hold', { ids: [one], by: 'AB', why: 'blurred' })
    await test.clock.turn(5_000)
    await test.call('submissions.discard', { ids: [other], by: 'CD' })
    const { items } = (await valueOf(test, 'audit.list', { limit: 2 })) as { items: { id: number }[] }
    expect(items).toHaveLength(2)
    expect(items[0]).toMatchObject({ submissionId: other, what: 'discarded', by: 'CD' })
    expect(await valueOf(test, 'audit.list', { by: 'AB' })).toMatchObject({
      items: [{ submissionId: one, what: 'held', details: { from: 'review', to: 'held', why: 'blurred' } }],
    })
    const since = await valueOf(test, 'audit.list', { since: test.clock.now() })
    expect(since).toMatchObject({ items: [{ what: 'discarded' }] })
  })
})

describe('updates', () => {
  it('updates.*: the state of the app after what was asked of it; none of its own without an app', async () => {
    let state: UpdateState = { kind: 'current', lookedAt: 7, trouble: null }
    const asked: string[] = []
    const updates = {
      state: () => state,
      check: async () => {
        state = { kind: 'ready', version: '9.9.9', waitsFor: 'sending', trouble: null }
      },
      install: () => {
        state = { kind: 'installing', version: '9.9.9' }
      },
      postpone: (seconds: number) => void asked.push(`postpone ${seconds}`),
    }
    const test = await partsWith({}, { updates })
    expect(await valueOf(test, 'updates.get')).toEqual({ kind: 'current', lookedAt: 7, trouble: null })
    expect(await valueOf(test, 'updates.look')).toMatchObject({ kind: 'ready', version: '9.9.9' })
    expect(await valueOf(test, 'updates.install')).toEqual({ kind: 'installing', version: '9.9.9' })
    expect(await valueOf(test, 'updates.holdOff', { seconds: 30 })).toEqual({})
    expect(asked).toEqual(['postpone 30'])
    const headless = await partsWith()
    expect(await valueOf(headless, 'updates.look')).toEqual({ kind: 'off', why: 'headless' })
  })
})
