import { describe, expect, it } from 'vitest'
import type { ServiceCase } from '../../../../src-shared/case.ts'
import { MINUTE } from '../../../../src-shared/durations.ts'
import { MORNING, openTestOutbox, SERVICE, type TestOutbox } from '../../../tools/outbox-with.ts'
import { sentCase } from '../../../tools/sent-case.ts'
import { serviceCase } from '../delivery/scripted-service.ts'

const HERE = { ...SERVICE, centerId: null }

/** One of which nothing more is asked on its own. */
function settledCase(test: TestOutbox, caseId: string, centerId: string | null = null): string {
  const id = sentCase(test, caseId, centerId, MORNING)
  test.outbox.reports.setNextCheck(id, null, null, MORNING)
  return id
}

const shown = (caseId: string, state: string | null, options: Partial<ServiceCase> = {}): ServiceCase =>
  serviceCase(caseId, { state, ...options })

describe('what the service says of a case', () => {
  it('is kept for ours alone, with the instant since when it says so', () => {
    const test = openTestOutbox()
    settledCase(test, '9')
    const save = (state: string, at: number): void =>
      test.outbox.cases.saveStates(HERE, [shown('9', state, { urgency: 'urgent' }), shown('10', state)], at)
    save('pending', MORNING)
    save('pending', MORNING + 5 * MINUTE)
    expect(test.outbox.cases.stateOf(HERE, '9')).toEqual({
      state: 'pending',
      urgency: 'urgent',
      report_mark: null,
      changed_at: MORNING,
      read_at: MORNING + 5 * MINUTE,
    })
    save('reported', MORNING + 6 * MINUTE)
    expect(test.outbox.cases.stateOf(HERE, '9')).toMatchObject({ changed_at: MORNING + 6 * MINUTE })
    expect(test.outbox.cases.stateOf(HERE, '10')).toBeNull()
    expect(test.outbox.cases.stateOf({ ...HERE, clientId: 'another' }, '9')).toBeNull()
  })

  it('belongs to the center that numbers it, and is known by any of its ids', () => {
    const test = openTestOutbox()
    settledCase(test, '9', '101')
    const other = settledCase(test, '9', '102')
    const there = { ...SERVICE, centerId: '102' }
    test.outbox.cases.saveStates(there, [shown('9', 'pending')], MORNING)
    expect(test.outbox.cases.stateOf({ ...SERVICE, centerId: '101' }, '9')).toBeNull()
    test.outbox.cases.saveStates(
      there,
      [shown('55', 'reported', { raw: { id: 55, uuid: '9' } })],
      MORNING + 1,
    )
    expect(test.outbox.cases.stateOf(there, '9')).toMatchObject({ state: 'reported' })
    expect(test.outbox.reports.dueWatches(MORNING + MINUTE).map((watch) => watch.submission_id)).toEqual([
      other,
    ])
    expect(test.outbox.reports.announced({ ...SERVICE, centerId: '101' }, 9)).toEqual([])
  })

  it('is read now if it was read in the future: the clock was set back', () => {
    const test = openTestOutbox()
    settledCase(test, '9')
    for (const at of [MORNING + 99 * MINUTE, MORNING])
      test.outbox.cases.saveStates(HERE, [shown('9', 'pending')], at)
    expect(test.outbox.cases.stateOf(HERE, '9')).toMatchObject({ read_at: MORNING })
  })

  it('makes its report due when it changes, a mark included, and wakes anyone who asks', () => {
    const test = openTestOutbox()
    const id = settledCase(test, '9')
    const dueAt = (): number | null => test.outbox.reports.nextCheckAt(SERVICE)
    test.outbox.cases.saveStates(HERE, [shown('9', 'pending')], MORNING)
    expect(dueAt()).toBeNull()
    const notified = test.notified.length
    test.outbox.cases.saveStates(HERE, [shown('9', 'pending', { urgency: 'urgent' })], MORNING + 1)
    expect([dueAt(), test.notified.length]).toEqual([null, notified])
    test.outbox.cases.saveStates(HERE, [shown('9', 'pending', { raw: { has_report: true } })], MORNING + 2)
    expect(test.notified.at(-1)).toEqual([id])
    // Not sooner than a minute after it was asked for last.
    expect(dueAt()).toBe(MORNING + MINUTE)
    test.outbox.cases.saveStates(HERE, [shown('9', 'other')], MORNING + 9 * MINUTE)
    expect(dueAt()).toBe(MORNING + MINUTE)
  })
})
