import { describe, expect, it } from 'vitest'
import { MORNING, openTestOutbox, SERVICE, type TestOutbox } from '../../../tools/outbox-with.ts'
import type { ServiceCase } from '../../../../src-shared/case.ts'
import { MINUTE } from '../../../../src-shared/durations.ts'
import { sentCase } from '../../../tools/sent-case.ts'
import { serviceCase } from '../delivery/scripted-service.ts'

const HERE = { baseUrl: 'https://service.example', clientId: 'clinic', centerId: '101' }
const OTHERS = [
  { ...HERE, centerId: '102' },
  { ...HERE, centerId: null },
  { ...HERE, clientId: 'other' },
  { ...HERE, baseUrl: 'https://other.example' },
]

/** An attempt that began when so much was known. */
const attemptAt = (at: typeof HERE | (typeof OTHERS)[number], known_position: number) => ({
  base_url: at.baseUrl,
  client_id: at.clientId,
  center_id: at.centerId,
  known_position,
})

describe('what was learnt of a service', () => {
  it('is kept for its address, client and center, and for no other', () => {
    const { outbox } = openTestOutbox()
    outbox.saveCaseList(HERE, { readAt: 5, caseIds: ['1', '2'] })
    outbox.saveCalibration(HERE, { seen: 3, missed: 1, slowestMs: 900 })
    expect(outbox.caseListReadAt(HERE)).toBe(5)
    const known_position = outbox.knownPosition()
    expect(outbox.wasKnownBefore(attemptAt(HERE, known_position), '1')).toBe(true)
    expect(outbox.calibrationOf(HERE)).toEqual({ seen: 3, missed: 1, slowestMs: 900 })
    for (const other of OTHERS) {
      expect(outbox.caseListReadAt(other)).toBeNull()
      expect(outbox.knownPositions(other)).toEqual(new Map())
      expect(outbox.wasKnownBefore(attemptAt(other, known_position), '1')).toBe(false)
      expect(outbox.calibrationOf(other)).toEqual({ seen: 0, missed: 0, slowestMs: 0 })
    }
  })

  it('stays known, also if a later list shows it no more and if there is no center', () => {
    const { outbox } = openTestOutbox()
    for (const destination of [HERE, { ...HERE, centerId: null }]) {
      outbox.saveCaseList(destination, { readAt: 5, caseIds: ['1'] })
      const before = attemptAt(destination, outbox.knownPosition())
      outbox.saveCaseList(destination, { readAt: 6, caseIds: ['2', '2'] })
      outbox.saveCaseList(destination, { readAt: 7, caseIds: ['1', '2'] })
      expect(outbox.caseListReadAt(destination)).toBe(7)
      expect(['1', '2', '3'].map((id) => outbox.wasKnownBefore(before, id))).toEqual([true, false, false])
      const after = attemptAt(destination, outbox.knownPosition())
      expect(['1', '2', '3'].map((id) => outbox.wasKnownBefore(after, id))).toEqual([true, true, false])
      const positions = outbox.knownPositions(destination)
      expect([...positions.keys()]).toEqual(['1', '2'])
      // The same list once more writes nothing of it.
      outbox.saveCaseList(destination, { readAt: 8, caseIds: ['2', '1'], isComplete: true })
      expect(outbox.knownPositions(destination)).toEqual(positions)
    }
  })

  it('is known no more once a whole list shows it no more: a service may number again', () => {
    const { outbox } = openTestOutbox()
    const elsewhere = { ...HERE, centerId: '102' }
    for (const destination of [HERE, elsewhere])
      outbox.saveCaseList(destination, { readAt: 5, caseIds: ['1', '2'] })
    outbox.saveCaseList(HERE, { readAt: 6, caseIds: ['2'], isComplete: false })
    const known = (destination: typeof HERE): boolean[] =>
      ['1', '2'].map((id) => outbox.wasKnownBefore(attemptAt(destination, outbox.knownPosition()), id))
    expect(known(HERE)).toEqual([true, true])
    outbox.saveCaseList(HERE, { readAt: 7, caseIds: ['2'], isComplete: true })
    expect([known(HERE), known(elsewhere)]).toEqual([
      [false, true],
      [true, true],
    ])
    // What comes back is new to anyone who was sent before.
    const before = attemptAt(HERE, outbox.knownPosition())
    outbox.saveCaseList(HERE, { readAt: 8, caseIds: ['1', '2'], isComplete: true })
    expect(outbox.wasKnownBefore(before, '1')).toBe(false)
  })
})

describe('the cases that are ours', () => {
  it('are known by their id', () => {
    const test = openTestOutbox()
    const sent = sentCase(test, '77', null, MORNING)
    const { reference } = test.outbox.submissionOf(sent) ?? {}
    expect(test.outbox.submissionByCase('77', SERVICE)).toEqual({ id: sent, reference })
    expect(test.outbox.submissionByCase('78', SERVICE)).toBeNull()
    // A center that numbers for itself.
    expect(test.outbox.submissionByCase('77', { ...SERVICE, centerId: null })?.id).toBe(sent)
    expect(test.outbox.submissionByCase('77', { ...SERVICE, centerId: '102' })).toBeNull()
    // The same id at another service, or for another client, is another case.
    expect(test.outbox.submissionByCase('77', { ...SERVICE, clientId: 'other' })).toBeNull()
  })
})

const ANYWHERE = { ...SERVICE, centerId: null }

/** One of which nothing more is asked on its own. */
function settledCase(test: TestOutbox, caseId: string, centerId: string | null = null): string {
  const id = sentCase(test, caseId, centerId, MORNING)
  test.outbox.setNextReportCheck(id, null, MORNING)
  return id
}

const shown = (caseId: string, state: string | null, options: Partial<ServiceCase> = {}): ServiceCase =>
  serviceCase(caseId, { state, ...options })

describe('what the service says of a case', () => {
  it('is kept for ours alone, with the instant since when it says so', () => {
    const test = openTestOutbox()
    settledCase(test, '9')
    const save = (state: string, at: number): void =>
      test.outbox.saveCaseStates(ANYWHERE, [shown('9', state, { urgency: 'urgent' }), shown('10', state)], at)
    save('pending', MORNING)
    save('pending', MORNING + 5 * MINUTE)
    expect(test.outbox.caseStateOf(ANYWHERE, '9')).toEqual({
      state: 'pending',
      urgency: 'urgent',
      report_mark: null,
      changed_at: MORNING,
      read_at: MORNING + 5 * MINUTE,
    })
    save('reported', MORNING + 6 * MINUTE)
    expect(test.outbox.caseStateOf(ANYWHERE, '9')).toMatchObject({ changed_at: MORNING + 6 * MINUTE })
    // Read in the future: the clock was set back.
    for (const at of [MORNING + 99 * MINUTE, MORNING]) save('pending', at)
    expect(test.outbox.caseStateOf(ANYWHERE, '9')).toMatchObject({ read_at: MORNING })
    expect(test.outbox.caseStateOf(ANYWHERE, '10')).toBeNull()
    expect(test.outbox.caseStateOf({ ...ANYWHERE, clientId: 'another' }, '9')).toBeNull()
  })

  it('belongs to the center that numbers it, and is known by any of its ids', () => {
    const test = openTestOutbox()
    settledCase(test, '9', '101')
    const other = settledCase(test, '9', '102')
    const there = { ...SERVICE, centerId: '102' }
    test.outbox.saveCaseStates(there, [shown('9', 'pending')], MORNING)
    expect(test.outbox.caseStateOf({ ...SERVICE, centerId: '101' }, '9')).toBeNull()
    test.outbox.saveCaseStates(there, [shown('55', 'reported', { raw: { id: 55, uuid: '9' } })], MORNING + 1)
    expect(test.outbox.caseStateOf(there, '9')).toMatchObject({ state: 'reported' })
    expect(test.outbox.dueReportWatches(MORNING + MINUTE).map((watch) => watch.submission_id)).toEqual([
      other,
    ])
    expect(test.outbox.announcedReports({ ...SERVICE, centerId: '101' }, 9)).toEqual([])
  })

  it('makes its report due when it changes, a mark included, and wakes anyone who asks', () => {
    const test = openTestOutbox()
    const id = settledCase(test, '9')
    const dueAt = (): number | null => test.outbox.nextReportCheckAt(SERVICE)
    test.outbox.saveCaseStates(ANYWHERE, [shown('9', 'pending')], MORNING)
    expect(dueAt()).toBeNull()
    const notified = test.notified.length
    test.outbox.saveCaseStates(ANYWHERE, [shown('9', 'pending', { urgency: 'urgent' })], MORNING + 1)
    expect([dueAt(), test.notified.length]).toEqual([null, notified])
    test.outbox.saveCaseStates(ANYWHERE, [shown('9', 'pending', { raw: { has_report: true } })], MORNING + 2)
    expect(test.notified.at(-1)).toEqual([id])
    // Not sooner than a minute after it was asked for last.
    expect(dueAt()).toBe(MORNING + MINUTE)
    test.outbox.saveCaseStates(ANYWHERE, [shown('9', 'other')], MORNING + 9 * MINUTE)
    expect(dueAt()).toBe(MORNING + MINUTE)
  })
})
