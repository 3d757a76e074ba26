import { describe, expect, it } from 'vitest'
import { DAY, HOUR } from '../../../../src-shared/durations.ts'
import {
  addWaiting,
  MORNING,
  openTestOutbox,
  type TestOutbox,
  startAttempt,
  SERVICE,
} from '../../../tools/outbox-with.ts'
import { serviceCase } from '../delivery/scripted-service.ts'
import { reportVersion } from './case-in.ts'

const AT = { ...SERVICE, centerId: null }

function sentCase(
  test: TestOutbox,
  caseId: string,
  { centerId = null as string | null, lastName = 'L.', sentAt = MORNING } = {},
): string {
  const fields = { history_number: `H-${caseId}`, first_name: 'Ada', last_name: lastName }
  const id = addWaiting(test, { fields })
  startAttempt(test, id)
  test.outbox.moveSubmission(id, 'deliveredNow', { caseId, sentAt }, { at: sentAt })
  test.outbox.watchReport({ submissionId: id, caseId, destination: { ...AT, centerId }, at: sentAt + 10 })
  return id
}

const save = (test: TestOutbox, id: string, caseId: string, sha256: string, fetched_at = MORNING): boolean =>
  test.outbox.saveReportVersion(reportVersion(id, caseId, { sha256, fetched_at }))

function sayUrgency(test: TestOutbox, caseId: string, urgency: string): void {
  test.outbox.saveCaseStates(AT, [serviceCase(caseId, { state: 'pending', urgency })], MORNING)
}

describe('the versions of a report', () => {
  it('are kept, newest first, and the same bytes again are no new version', () => {
    const test = openTestOutbox()
    const id = sentCase(test, '9')
    expect(save(test, id, '9', 'first', MORNING + 1)).toBe(true)
    expect(save(test, id, '9', 'first', MORNING + 2)).toBe(false)
    expect(save(test, id, '9', 'second', MORNING + 3)).toBe(true)
    const versions = test.outbox.reportVersionsOf('9')
    expect(versions.map((version) => [version.sha256, version.fetched_at])).toEqual([
      ['second', MORNING + 3],
      ['first', MORNING + 1],
    ])
    expect(test.outbox.reportVersion(versions[0]?.id ?? '')?.file_name).toBe('second.txt')
    expect(test.outbox.reportVersion('no one')).toBeUndefined()
    expect(test.outbox.submissionOf(id)?.hasReport).toBe(true)
  })

  it('are unread until someone reads them, and unread again when one is new', () => {
    const test = openTestOutbox()
    const id = sentCase(test, '9')
    sentCase(test, '10')
    expect(test.outbox.countReports()).toEqual({ unread: 0, awaiting: 2 })
    save(test, id, '9', 'first')
    expect(test.outbox.countReports()).toEqual({ unread: 1, awaiting: 1 })
    test.outbox.markReportRead('9', MORNING + 5)
    expect(test.outbox.countReports()).toEqual({ unread: 0, awaiting: 1 })
    expect(test.outbox.listReports()).toMatchObject([{ caseId: '9', readAt: MORNING + 5, versionCount: 1 }])
    save(test, id, '9', 'second')
    expect(test.outbox.countReports()).toEqual({ unread: 1, awaiting: 1 })
    expect(test.outbox.listReports()).toMatchObject([
      { caseId: '9', historyNumber: 'H-9', patientName: 'L., Ada', readAt: null, versionCount: 2 },
    ])
  })
})

describe('the watch for a report', () => {
  it('is due at its time, urgent ones first', () => {
    const test = openTestOutbox()
    const [first, urgent] = [sentCase(test, '1', { centerId: '101' }), sentCase(test, '2')]
    test.outbox.setUrgent(urgent, MORNING)
    const due = (at: number): string[] => test.outbox.dueReportWatches(at).map((watch) => watch.submission_id)
    expect(due(MORNING)).toEqual([])
    expect(due(MORNING + 10)).toEqual([urgent, first])
    expect(test.outbox.dueReportWatches(MORNING + 10)[1]).toMatchObject({ case_id: '1', center_id: '101' })
    expect(test.outbox.nextReportCheckAt(SERVICE)).toBe(MORNING + 10)
    // Of another service no one asks, and no one waits.
    const elsewhere = { ...SERVICE, clientId: 'another' }
    expect(test.outbox.dueReportWatches(MORNING + 10, SERVICE)).toHaveLength(2)
    expect(test.outbox.dueReportWatches(MORNING + 10, elsewhere)).toEqual([])
    expect(test.outbox.nextReportCheckAt(elsewhere)).toBeNull()
  })

  it('moves on, is not begun twice, and ends', () => {
    const test = openTestOutbox()
    const id = sentCase(test, '1')
    test.outbox.setNextReportCheck(id, MORNING + 99, MORNING)
    test.outbox.watchReport({ submissionId: id, caseId: '1', destination: AT, at: MORNING })
    expect(test.outbox.nextReportCheckAt(SERVICE)).toBe(MORNING + 99)
    test.outbox.setNextReportCheck(id, null, MORNING)
    expect(test.outbox.nextReportCheckAt(SERVICE)).toBeNull()
    expect(test.outbox.dueReportWatches(Number.MAX_SAFE_INTEGER)).toEqual([])
  })

  it('is due if it lies further ahead than it could have been planned: the clock was set back', () => {
    const test = openTestOutbox()
    const id = sentCase(test, '1')
    const isDue = (aheadMs: number, longestMs?: number): boolean => {
      test.outbox.setNextReportCheck(id, MORNING + aheadMs, MORNING)
      return test.outbox.dueReportWatches(MORNING, SERVICE, longestMs).length > 0
    }
    expect([isDue(DAY), isDue(DAY + HOUR), isDue(DAY + HOUR + 1)]).toEqual([false, false, true])
    expect([isDue(7 * DAY, 7 * DAY), isDue(8 * DAY, 7 * DAY)]).toEqual([false, true])
  })

  it('is made due by a wish for what is missing, and only that', () => {
    const test = openTestOutbox()
    const [missing, there] = [sentCase(test, '1'), sentCase(test, '2')]
    save(test, there, '2', 'a report')
    for (const id of [missing, there]) test.outbox.setNextReportCheck(id, MORNING + 9_999, MORNING)
    test.outbox.checkMissingNow(MORNING)
    expect(test.outbox.dueReportWatches(MORNING).map((watch) => watch.submission_id)).toEqual([missing])
  })
})

describe('one case id at two centers', () => {
  function twoCases(): { test: TestOutbox; one: string; other: string } {
    const test = openTestOutbox()
    const one = sentCase(test, '9', { centerId: '101' })
    const other = sentCase(test, '9', { centerId: '102' })
    save(test, other, '9', 'of the other')
    save(test, one, '9', 'of the one')
    return { test, one, other }
  }

  it('is read as the one that is asked for', () => {
    const { test, one, other } = twoCases()
    const shown = (id?: string): string[] => test.outbox.reportVersionsOf('9', id).map(({ sha256 }) => sha256)
    expect([shown(one), shown(other), shown()]).toEqual([['of the one'], ['of the other'], ['of the one']])
    expect([shown('no one'), test.outbox.reportVersionsOf('8', one)]).toEqual([[], []])
    expect(test.outbox.awaitsReport('9', 'no one')).toBe(false)
    expect(test.outbox.listReports({ submissionId: other })).toMatchObject([{ submissionId: other }])
  })

  it('is marked as read only if it was read', () => {
    const { test, one, other } = twoCases()
    const unread = (): string[] =>
      test.outbox
        .listReports()
        .filter(({ readAt }) => readAt === null)
        .map(({ submissionId }) => submissionId)
    test.outbox.markReportRead('9', MORNING, other)
    expect(unread()).toEqual([one])
    test.outbox.markReportRead('9', MORNING)
    expect(unread()).toEqual([])
  })
})

describe('the inbox', () => {
  it('has what no one has read first, within that the newest, and how urgent each is', () => {
    const test = openTestOutbox()
    for (const caseId of ['1', '2', '3']) save(test, sentCase(test, caseId), caseId, caseId)
    test.outbox.markReportRead('3', MORNING)
    sayUrgency(test, '1', 'Preferente')
    expect(test.outbox.listReports().map(({ caseId, urgency }) => `${caseId} ${urgency}`)).toEqual([
      '2 routine',
      '1 preferential',
      '3 routine',
    ])
  })

  it('calls urgent what a person sent as urgent, whatever the service says', () => {
    const test = openTestOutbox()
    const id = sentCase(test, '1')
    test.outbox.setUrgent(id, MORNING)
    save(test, id, '1', 'first')
    expect(test.outbox.listReports()).toMatchObject([{ urgency: 'urgent' }])
  })

  it('is searched by number, name and case, by the beginnings of words', () => {
    const test = openTestOutbox()
    save(test, sentCase(test, '41', { lastName: 'Trialgado' }), '41', 'one')
    save(test, sentCase(test, '42', { lastName: 'Demoson' }), '42', 'other')
    const found = (search: string): string[] =>
      test.outbox.listReports({ search }).map(({ caseId }) => caseId)
    expect(found('trial')).toEqual(['41'])
    expect(found('H-42')).toEqual(['42'])
    expect(found('demoson H-41')).toEqual([])
    expect(found(' - ')).toEqual(['42', '41'])
  })
})

describe('the cases that wait for a report', () => {
  it('are notified with since when they wait, the longest first, until one has come', () => {
    const test = openTestOutbox()
    const late = sentCase(test, '2', { lastName: 'Trialgado', sentAt: MORNING + 5 })
    const early = sentCase(test, '1', { lastName: 'Demoson' })
    sayUrgency(test, '2', 'urgent')
    expect(test.outbox.pendingReports()).toMatchObject([
      { caseId: '1', submissionId: early, sentAt: MORNING, nextCheckAt: MORNING + 10, state: null },
      { caseId: '2', submissionId: late, urgency: 'urgent', state: 'pending' },
    ])
    expect(test.outbox.pendingReports({ search: 'demo' })).toHaveLength(1)
    expect(test.outbox.hasReportOf(early)).toBe(false)
    save(test, early, '1', 'first')
    expect(test.outbox.hasReportOf(early)).toBe(true)
    expect(test.outbox.pendingReports().map(({ caseId }) => caseId)).toEqual(['2'])
  })
})
