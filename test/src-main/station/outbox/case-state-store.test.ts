import { describe, expect, it } from 'vitest'
import type { ServiceCase } from '../../../../src-shared/case.ts'
import { MINUTE } from '../../../../src-shared/durations.ts'
import { MORNING, openTestOutbox, PLACE, type TestOutbox } from '../../../tools/outbox-with.ts'
import { sentCase } from '../../../tools/sent-case.ts'

const HERE = { ...PLACE, centerId: null }

/** One of which nothing more is asked by itself. */
function settledCase(test: TestOutbox, caseId: string, centerId: string | null = null): string {
  const id = sentCase(test, caseId, centerId, MORNING)
  test.outbox.reports.setNextCheck(id, null, null, MORNING)
  return id
}

function said(caseId: string, state: string | null, given: Partial<ServiceCase> = {}): ServiceCase {
  const unsaid = { historyNumber: null, firstName: null, lastName: null, visitDate: null, createdAt: null }
  return { caseId, state, ...unsaid, urgency: null, raw: {}, ...given }
}

describe('what the service says of a case', () => {
  it('is kept for ours alone, with the instant since when it says so', () => {
    const test = openTestOutbox()
    settledCase(test, '9')
    const keep = (state: string, at: number): void =>
      test.outbox.cases.saveStates(HERE, [said('9', state, { urgency: 'urgent' }), said('10', state)], at)
    keep('pending', MORNING)
    keep('pending', MORNING + 5 * MINUTE)
    expect(test.outbox.cases.stateOf(HERE, '9')).toEqual({
      state: 'pending',
      urgency: 'urgent',
      report_mark: null,
      changed_at: MORNING,
      read_at: MORNING + 5 * MINUTE,
    })
    keep('reported', MORNING + 6 * MINUTE)
    expect(test.outbox.cases.stateOf(HERE, '9')).toMatchObject({ changed_at: MORNING + 6 * MINUTE })
    expect(test.outbox.cases.stateOf(HERE, '10')).toBeNull()
    expect(test.outbox.cases.stateOf({ ...HERE, clientId: 'another' }, '9')).toBeNull()
  })

  it('belongs to the center that numbers it, and is known by any of its ids', () => {
    const test = openTestOutbox()
    settledCase(test, '9', '101')
    const other = settledCase(test, '9', '102')
    const there = { ...PLACE, centerId: '102' }
    test.outbox.cases.saveStates(there, [said('9', 'pending')], MORNING)
    expect(test.outbox.cases.stateOf({ ...PLACE, centerId: '101' }, '9')).toBeNull()
    test.outbox.cases.saveStates(there, [said('55', 'reported', { raw: { id: 55, uuid: '9' } })], MORNING + 1)
    expect(test.outbox.cases.stateOf(there, '9')).toMatchObject({ state: 'reported' })
    expect(test.outbox.reports.dueWatches(MORNING + MINUTE).map((watch) => watch.submission_id)).toEqual([
      other,
    ])
    expect(test.outbox.reports.announced({ ...PLACE, centerId: '101' }, 9)).toEqual([])
  })

  it('is read now where it was read in the future: the clock was set back', () => {
    const test = openTestOutbox()
    settledCase(test, '9')
    for (const at of [MORNING + 99 * MINUTE, MORNING])
      test.outbox.cases.saveStates(HERE, [said('9', 'pending')], at)
    expect(test.outbox.cases.stateOf(HERE, '9')).toMatchObject({ read_at: MORNING })
  })

  it('makes its report due when it changes, a mark included, and wakes whoever asks', () => {
    const test = openTestOutbox()
    const id = settledCase(test, '9')
    const dueAt = (): number | null => test.outbox.reports.nextCheckAt(PLACE)
    test.outbox.cases.saveStates(HERE, [said('9', 'pending')], MORNING)
    expect(dueAt()).toBeNull()
    const told = test.told.length
    test.outbox.cases.saveStates(HERE, [said('9', 'pending', { urgency: 'urgent' })], MORNING + 1)
    expect([dueAt(), test.told.length]).toEqual([null, told])
    test.outbox.cases.saveStates(HERE, [said('9', 'pending', { raw: { has_report: true } })], MORNING + 2)
    expect(test.told.at(-1)).toEqual([id])
    // Not sooner than a minute after it was asked for last.
    expect(dueAt()).toBe(MORNING + MINUTE)
    test.outbox.cases.saveStates(HERE, [said('9', 'other')], MORNING + 9 * MINUTE)
    expect(dueAt()).toBe(MORNING + MINUTE)
  })
})
