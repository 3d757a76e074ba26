import { describe, expect, it } from 'vitest'
import {
  addWaiting,
  startAttempt,
  MORNING,
  openTestOutbox,
  SERVICE,
  type TestOutbox,
} from '../../../tools/outbox-with.ts'

const AT = { ...SERVICE, centerId: null }

function sentCase(test: TestOutbox, caseId: string, lastName: string, sentAt = MORNING): string {
  const id = addWaiting(test, { fields: { history_number: `H-${caseId}`, last_name: lastName } })
  startAttempt(test, id)
  test.outbox.submissions.transition(id, 'deliveredNow', { caseId, sentAt }, { at: sentAt })
  test.outbox.reports.watch({ submissionId: id, caseId, destination: AT, at: sentAt + 10 })
  return id
}

function save(test: TestOutbox, submissionId: string, caseId: string): void {
  test.outbox.reports.saveVersion({
    submission_id: submissionId,
    case_id: caseId,
    kind: 'text',
    content_type: 'text/plain',
    size_bytes: 1,
    sha256: caseId,
    file_name: `${caseId}.txt`,
    fetched_at: MORNING,
  })
}

function sayUrgency(test: TestOutbox, caseId: string, urgency: string): void {
  const unsaid = { historyNumber: null, firstName: null, lastName: null, visitDate: null, createdAt: null }
  test.outbox.cases.saveStates(AT, [{ caseId, state: 'pending', ...unsaid, urgency, raw: {} }], MORNING)
}

describe('the inbox', () => {
  it('has what no one has read first, within that the newest, and how urgent each is', () => {
    const test = openTestOutbox()
    for (const caseId of ['1', '2', '3']) save(test, sentCase(test, caseId, 'Testcase'), caseId)
    test.outbox.reports.markRead('3', MORNING)
    sayUrgency(test, '1', 'Preferente')
    expect(test.outbox.reports.list().map(({ caseId, urgency }) => `${caseId} ${urgency}`)).toEqual([
      '2 routine',
      '1 preferential',
      '3 routine',
    ])
  })

  it('calls urgent what a person sent as urgent, whatever the service says', () => {
    const test = openTestOutbox()
    const id = addWaiting(test)
    test.outbox.submissions.setUrgent(id, MORNING)
    startAttempt(test, id)
    test.outbox.submissions.transition(id, 'deliveredNow', { caseId: '1', sentAt: MORNING }, { at: MORNING })
    test.outbox.reports.watch({ submissionId: id, caseId: '1', destination: AT, at: MORNING })
    save(test, id, '1')
    expect(test.outbox.reports.list()).toMatchObject([{ urgency: 'urgent' }])
  })

  it('is searched by number, name and case, by the beginnings of words', () => {
    const test = openTestOutbox()
    save(test, sentCase(test, '41', 'Trialgado'), '41')
    save(test, sentCase(test, '42', 'Demoson'), '42')
    const found = (search: string): string[] =>
      test.outbox.reports.list({ search }).map(({ caseId }) => caseId)
    expect(found('trial')).toEqual(['41'])
    expect(found('H-42')).toEqual(['42'])
    expect(found('demoson H-41')).toEqual([])
    expect(found(' - ')).toEqual(['42', '41'])
  })
})

describe('the cases that wait for a report', () => {
  it('are notified with since when they wait, the longest first, until one has come', () => {
    const test = openTestOutbox()
    const late = sentCase(test, '2', 'Trialgado', MORNING + 5)
    const early = sentCase(test, '1', 'Demoson', MORNING)
    sayUrgency(test, '2', 'urgent')
    expect(test.outbox.reports.pending()).toMatchObject([
      { caseId: '1', submissionId: early, sentAt: MORNING, nextCheckAt: MORNING + 10, state: null },
      { caseId: '2', submissionId: late, urgency: 'urgent', state: 'pending' },
    ])
    expect(test.outbox.reports.pending({ search: 'demo' })).toHaveLength(1)
    expect(test.outbox.reports.exists(early)).toBe(false)
    save(test, early, '1')
    expect(test.outbox.reports.exists(early)).toBe(true)
    expect(test.outbox.reports.pending().map(({ caseId }) => caseId)).toEqual(['2'])
  })
})

it('counts what is not over by the center that it was made for', () => {
  const test = openTestOutbox()
  for (const centerId of ['101', '102', '101', null]) addWaiting(test, { centerId })
  const gone = addWaiting(test, { centerId: '101' })
  test.outbox.submissions.transition(gone, 'discarded', {}, { at: MORNING })
  sentCase(test, '9', 'Testcase')
  expect(test.outbox.centers.count()).toEqual([
    { centerId: '101', count: 2 },
    { centerId: null, count: 1 },
    { centerId: '102', count: 1 },
  ])
})
