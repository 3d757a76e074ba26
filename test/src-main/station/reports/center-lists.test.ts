import { describe, expect, it, vi } from 'vitest'
import type { AnnouncedReport } from '../../../../src-main/station/outbox/reports.ts'
import { assessList, canSkipCheck } from '../../../../src-main/station/reports/reports.ts'
import { DAY, HOUR, MINUTE, SECOND } from '../../../../src-shared/durations.ts'
import { fail, failureOf } from '../../../../src-shared/failure.ts'
import { MORNING, SERVICE } from '../../../tools/outbox-with.ts'
import { listed, NOT_READY, report, reportsWith, type TestReports } from './reports-with.ts'

const CAME = 1_000 * HOUR
const announced: AnnouncedReport = {
  first_version_at: CAME,
  state: 'reported',
  report_mark: null,
  changed_at: CAME,
  read_at: CAME,
}
const marked: AnnouncedReport = { ...announced, state: 'x', report_mark: 'there' }
const rejected = { ...announced, state: 'rejected' }
const late = { ...announced, changed_at: CAME + 1, read_at: CAME + 1 }
const silent = { ...announced, state: 'pending', changed_at: 0, read_at: CAME + 2 * HOUR }
const notReadSince = { ...silent, read_at: CAME - 1 }
const lagging = { ...silent, read_at: CAME + HOUR }

describe('what a list has announced', () => {
  it.each<[string, readonly AnnouncedReport[], string]>([
    ['nothing was seen', [], 'unknown'],
    ['two reports were announced', [announced, announced], 'unknown'],
    ['three were announced', [announced, announced, announced], 'proven'],
    ['a mark announced them', [marked, marked, marked], 'proven'],
    ['a rejection announced them', [rejected, rejected, rejected], 'proven'],
    ['it announced them only afterwards', [late, late, late], 'unknown'],
    ['it was silent about one', [announced, announced, announced, silent], 'silent'],
    ['it was not read since', [announced, announced, announced, notReadSince], 'proven'],
    ['it lags by less than an hour', [announced, announced, announced, lagging], 'proven'],
  ])('if %s', (_what, reports, reliability) => {
    expect(assessList(reports)).toBe(reliability)
  })
})

describe('a check is skipped', () => {
  const now = 2_000 * HOUR
  const watch = { first_version_at: null, asked_at: now - HOUR }
  const state = {
    state: 'pending',
    report_mark: null,
    urgency: null,
    changed_at: now - 5 * HOUR,
    read_at: now - 1,
  }
  type Skipped = Parameters<typeof canSkipCheck>
  const isSkipped = (
    reliability: Skipped[0],
    watched: Partial<Skipped[1]>,
    listed: Partial<Skipped[2]> | null,
  ): boolean =>
    canSkipCheck(reliability, { ...watch, ...watched }, listed && { ...state, ...listed }, {
      freshSince: now - 6 * MINUTE,
      now,
    })

  it.each<[string, boolean, ...Parameters<typeof isSkipped>]>([
    ['a proven list has just shown that nothing is there', true, 'proven', {}, {}],
    ['the list is not proven', false, 'unknown', {}, {}],
    ['the list was silent', false, 'silent', {}, {}],
    ['a report is there that may change', false, 'proven', { first_version_at: now - DAY }, {}],
    ['it was never asked about', false, 'proven', { asked_at: null }, {}],
    ['it was asked about a day ago', false, 'proven', { asked_at: now - DAY }, {}],
    ['it was asked about before the clock was set back', false, 'proven', { asked_at: now + HOUR }, {}],
    ['the list was read before the clock was set back', false, 'proven', {}, { read_at: now + 1 }],
    ['the list does not show it', false, 'proven', {}, null],
    ['the list shows an answer', false, 'proven', {}, { state: 'reported' }],
    ['its state has changed since', false, 'proven', {}, { changed_at: now - HOUR + 1 }],
    ['the list is old', false, 'proven', {}, { read_at: now - HOUR }],
  ])('if %s: %s', (_what, expected, ...options) => expect(isSkipped(...options)).toBe(expected))
})

/** Three reports that the list showed when they came: enough to trust it. */
const PROOF = ['p1', 'p2', 'p3']
const PENDING = Array.from({ length: 12 }, (_, index) => `c${index}`)

const EVERY = [...PROOF, ...PENDING]

/** A service that answers the proving cases at once, and the others after a time; its list says so, or never does. */
function service(answersAt: number, saysSo = true): TestReports {
  const isAnswered = (caseId: string, at: number): boolean => PROOF.includes(caseId) || at >= answersAt
  const made = reportsWith(
    ({ caseId, at }) => (isAnswered(caseId, at) ? report(`report of ${caseId}`) : NOT_READY),
    (at) => EVERY.map((id) => listed(id, isAnswered(id, saysSo ? at : 0) ? 'reported' : 'pending')),
  )
  made.openWith(...EVERY)
  return made
}

describe('many cases without a report', () => {
  it('are asked about by one list, once it is proven, and one by one when they change', async () => {
    const it = service(2 * HOUR)
    await it.clock.turn(2 * HOUR - 1)
    // Once each at the beginning, and from then on the list alone.
    expect(it.asked).toHaveLength(EVERY.length)
    expect(it.lists.length).toBeGreaterThan(8)
    expect(it.lists.length).toBeLessThan(30)
    await it.clock.turn(20 * MINUTE)
    expect(new Set(it.arrived)).toEqual(new Set(EVERY))
    expect(it.asked.filter(({ caseId }) => caseId === 'c7')).toHaveLength(2)
  })

  it('are asked about on time if only one is left: no list is read for it, and an older one says nothing', async () => {
    const readyAt = 30 * SECOND
    const it = reportsWith(
      ({ caseId, at }) =>
        PROOF.includes(caseId) || at >= readyAt ? report(`report of ${caseId}`) : NOT_READY,
      (at) =>
        [...PROOF, 'last'].map((id) =>
          listed(id, PROOF.includes(id) || at >= readyAt ? 'reported' : 'pending'),
        ),
      2,
    )
    it.openWith(...PROOF, 'last')
    await it.clock.turn(readyAt + 5 * SECOND)
    expect(it.arrived).toContain('last')
  })

  it('are each asked about once a day all the same: a list may be wrong about one', async () => {
    const it = service(2 * HOUR, false)
    await it.clock.turn(DAY + 4 * HOUR)
    expect(new Set(it.arrived)).toEqual(new Set(EVERY))
  })

  it('are asked about at once if a person wants it', async () => {
    const it = service(2 * DAY)
    await it.clock.turn(HOUR)
    const before = it.asked.length
    it.test.outbox.checkMissingNow(it.clock.now())
    await it.clock.turn(MINUTE)
    expect(it.asked.length - before).toBe(PENDING.length)
  })
})

function showState({ test, clock }: TestReports, state: string): void {
  test.outbox.saveCaseStates({ ...SERVICE, centerId: null }, [listed('9', state)], clock.now())
}

describe('a case whose listed state changes', () => {
  it('is asked about at once, no matter why the list was read, and is not asked again within a minute', async () => {
    const it = reportsWith(() => NOT_READY)
    it.openWith('9')
    await it.clock.turn(10 * HOUR)
    const before = it.asked.length
    showState(it, 'pending')
    await it.clock.turn(MINUTE)
    expect(it.asked).toHaveLength(before)
    showState(it, 'in review')
    await it.clock.turn(MINUTE)
    expect(it.asked).toHaveLength(before + 1)
    for (const state of ['a', 'b', 'c', 'd']) showState(it, state)
    await it.clock.turn(2 * MINUTE)
    expect(it.asked).toHaveLength(before + 2)
  })

  it('is asked about again long after its report was given', async () => {
    const it = reportsWith(({ at }) => report(at < 50 * DAY ? 'first' : 'second'))
    it.openWith('9')
    await it.clock.turn(MINUTE)
    // Whole days of single minutes take long to turn: the wall clock is set instead.
    it.clock.set(40 * DAY)
    await it.clock.turn(2 * MINUTE)
    expect(it.test.outbox.nextReportCheckAt(SERVICE)).toBeNull()
    showState(it, 'reported')
    it.clock.set(11 * DAY)
    await it.clock.turn(2 * MINUTE)
    showState(it, 'corrected')
    await it.clock.turn(2 * MINUTE)
    expect(it.arrived).toEqual(['9', '9'])
  })
})

describe('the order', () => {
  it('is: urgent by hand, urgent for the service, and then a center at a time', async () => {
    const it = reportsWith(() => NOT_READY)
    it.send('a', { centerId: '101' })
    it.send('b', { centerId: '102' })
    it.send('c', { centerId: '101' })
    it.send('preferential', { centerId: '102' })
    it.send('urgent', { centerId: '101' })
    const byHand = it.send('by hand', { centerId: '102' })
    it.test.outbox.setUrgent(byHand, MORNING)
    const save = (centerId: string, caseId: string, urgency: string): void =>
      it.test.outbox.saveCaseStates(
        { ...SERVICE, centerId },
        [listed(caseId, 'pending', { urgency })],
        MORNING,
      )
    save('101', 'urgent', 'Urgent')
    save('102', 'preferential', 'preferential')
    it.open()
    await it.clock.settle()
    const order = it.asked.map(({ caseId, centerId }) => `${caseId} ${centerId ?? ''}`)
    expect(order.slice(0, 3)).toEqual(['by hand 102', 'urgent 101', 'preferential 102'])
    expect(new Set(order.slice(3))).toEqual(new Set(['a 101', 'c 101', 'b 102']))
    expect(order.slice(3).indexOf('b 102')).not.toBe(1)
  })

  it('is never held up by cases of a service that is not set any more', async () => {
    const it = reportsWith(({ caseId }) => report(caseId))
    const old = { ...SERVICE, baseUrl: 'https://old.example/' }
    for (let index = 0; index < 30; index += 1)
      it.test.outbox.setUrgent(it.send(`old${index}`, { destination: old }), MORNING)
    it.openWith('new')
    await it.clock.settle()
    expect(it.arrived).toEqual(['new'])
    expect(it.asked).toHaveLength(1)
  })

  it('lets a center that cannot be set keep only its own cases waiting', async () => {
    const it = reportsWith(({ centerId }) =>
      centerId === '102' ? fail(failureOf('centerNotChanged')) : report('a report'),
    )
    it.send('b', { centerId: '102' })
    it.send('a', { centerId: '101' })
    it.open()
    await it.clock.settle()
    expect(it.arrived).toEqual(['a'])
  })
})

const MANY = Array.from({ length: 600 }, (_, index) => `c${index}`)
/** Counts the commits, and how often a list is assessed. */
function counted({ test }: TestReports): { commits: number; assessed: number } {
  const counts = { commits: 0, assessed: 0 }
  const { write } = test.outbox
  vi.spyOn(test.outbox, 'write').mockImplementation((work) => {
    counts.commits += 1
    return write(work)
  })
  const { announcedReports: announced } = test.outbox
  vi.spyOn(test.outbox, 'announcedReports').mockImplementation((...options) => {
    counts.assessed += 1
    return announced(...options)
  })
  return counts
}

it('many whose check a list makes unnecessary are postponed in slices, in few commits, and the list is assessed once', async () => {
  const it = reportsWith(
    ({ caseId }) => (PROOF.includes(caseId) ? report(caseId) : NOT_READY),
    () => [...PROOF, ...MANY].map((id) => listed(id, PROOF.includes(id) ? 'reported' : 'pending')),
  )
  it.test.outbox.write(() => {
    for (const caseId of [...PROOF, ...MANY]) it.send(caseId, { centerId: '101' })
  })
  it.open()
  await it.clock.turn(MINUTE)
  expect(it.asked).toHaveLength(PROOF.length + MANY.length)
  const counts = counted(it)
  await it.clock.turn(HOUR / 10)
  // Of a slice of 250 each.
  expect(counts.commits).toBeGreaterThanOrEqual(3)
  expect(counts.commits).toBeLessThan(10)
  expect(counts.assessed).toBeLessThan(10)
  expect(it.asked).toHaveLength(PROOF.length + MANY.length)
})
