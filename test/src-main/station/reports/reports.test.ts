import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { Delivery } from '../../../../src-main/station/delivery/delivery.ts'
import { openReports, planNextCheck } from '../../../../src-main/station/reports/reports.ts'
import { DAY, HOUR, MINUTE, SECOND } from '../../../../src-shared/durations.ts'
import { fail, failureOf } from '../../../../src-shared/failure.ts'
import { addWaiting, MORNING } from '../../../tools/outbox-with.ts'
import { deliveryWith, type TestDelivery } from '../delivery/delivery-with.ts'
import { listed, NOT_READY, report, reportsWith } from './reports-with.ts'

describe('a report', () => {
  it('is requested until there is one, is stored byte for byte, and is announced once', async () => {
    const it = reportsWith(({ at }) => (at < 12 * MINUTE ? NOT_READY : report('No retinopathy.')))
    const id = it.send('9')
    it.open()
    await it.clock.turn(HOUR)
    expect(it.asked.map(({ at }) => at / MINUTE)).toEqual([0, 5, 10, 15])
    expect(it.arrived).toEqual(['9'])
    const sha256 = createHash('sha256').update('No retinopathy.').digest('hex')
    expect(it.test.outbox.reportVersionsOf('9')).toMatchObject([
      {
        submission_id: id,
        kind: 'text',
        content_type: 'text/plain',
        size_bytes: 15,
        sha256,
        fetched_at: MORNING + 15 * MINUTE,
      },
    ])
    expect(readFileSync(join(it.folder, `${sha256}.txt`), 'utf8')).toBe('No retinopathy.')
    expect(it.test.outbox.submissionOf(id)?.hasReport).toBe(true)
  })

  it('is asked for at an interval that grows, also when the clock shows odd milliseconds', async () => {
    const it = reportsWith(() => NOT_READY)
    it.openWith('9')
    await it.clock.turn(HOUR + 12_347)
    await it.clock.turn(11 * HOUR)
    expect(it.logger.errors()).toEqual([])
    const gaps = it.asked.slice(1).map(({ at }, index) => at - (it.asked[index]?.at ?? 0))
    expect(gaps).toEqual(gaps.toSorted((left, right) => left - right))
    expect(gaps.at(-1)).toBeGreaterThan(30 * MINUTE)
  })

  it('is asked for again once a day, and a change is a version of its own', async () => {
    const it = reportsWith(({ at }) => report(at < 2 * DAY ? 'first' : 'second'))
    it.openWith('9')
    await it.clock.turn(4 * DAY)
    expect(it.arrived).toEqual(['9', '9'])
    expect(it.test.outbox.reportVersionsOf('9')).toHaveLength(2)
    expect(it.asked.map(({ at }) => at / DAY)).toEqual([0, 1, 2, 3, 4])
    expect(readdirSync(it.folder)).toHaveLength(2)
  })

  it('that goes back to an earlier one is announced, and is the latest; one that is missing takes none away', async () => {
    const it = reportsWith(({ at }) =>
      at >= 3 * DAY ? NOT_READY : report(at >= DAY && at < 2 * DAY ? 'withdrawn' : 'normal'),
    )
    it.openWith('9')
    await it.clock.turn(4 * DAY)
    const [latest] = it.test.outbox.reportVersionsOf('9')
    expect(latest?.sha256).toBe(createHash('sha256').update('normal').digest('hex'))
    expect(it.arrived).toHaveLength(3)
  })

  it('lies in a file whose name is its hash, and says nothing of the case', async () => {
    const it = reportsWith(() => report('content', { reportKind: 'pdf' }))
    it.openWith('../../9')
    await it.clock.settle()
    const name = createHash('sha256').update('content').digest('hex')
    expect(readdirSync(it.folder)).toEqual([`${name}.pdf`])
  })
})

describe('what is in the way', () => {
  it('of one report does not stop the others', async () => {
    const it = reportsWith(({ caseId }) =>
      caseId === '1' ? fail(failureOf('serviceRefused')) : report('a report'),
    )
    it.openWith('1', '2', '3')
    await it.clock.settle()
    expect(new Set(it.arrived)).toEqual(new Set(['2', '3']))
  })

  it('of all is asked once, and every half minute until it is over', async () => {
    const it = reportsWith(({ at }) => (at < MINUTE ? fail(failureOf('offline')) : report('a report')))
    it.openWith('1', '2', '3')
    await it.clock.settle()
    expect(it.asked).toHaveLength(1)
    await it.clock.turn(HOUR)
    expect(new Set(it.arrived)).toEqual(new Set(['1', '2', '3']))
    expect(it.asked.length).toBeLessThan(10)
  })

  it('of the disk loses no report: it is fetched again', async () => {
    const it = reportsWith(() => report('a report'))
    // A file in the place of the folder: nothing can be written into it.
    writeFileSync(it.folder, '')
    it.openWith('9')
    await it.clock.settle()
    expect([it.arrived, it.test.outbox.reportVersionsOf('9')]).toEqual([[], []])
    rmSync(it.folder)
    await it.clock.turn(10 * MINUTE)
    expect(it.arrived).toEqual(['9'])
  })

  it('in one file does not stop the reports of the other cases', async () => {
    const it = reportsWith(({ caseId }) => report(caseId === '1' ? 'bad' : `report of ${caseId}`))
    const badName = `${createHash('sha256').update('bad').digest('hex')}.txt`
    // A folder in the place of the file that the first report would become.
    mkdirSync(join(it.folder, badName, 'inside'), { recursive: true })
    // The urgent one is asked for first.
    it.test.outbox.setUrgent(it.send('1'), MORNING)
    it.openWith('2')
    await it.clock.turn(30 * MINUTE)
    expect(it.arrived).toEqual(['2'])
  })
})

const throttled = (until: number): ReturnType<typeof fail> =>
  fail({ ...failureOf('throttled'), notBefore: MORNING + until })

describe('a wait that the service asked for', () => {
  it('is respected to the end, for every report, whatever wakes the station', async () => {
    const it = reportsWith(({ at }) => (at < HOUR ? throttled(HOUR) : report('a report')))
    it.openWith('1', '2', '3')
    for (let minute = 0; minute < 60; minute += 1) {
      await it.clock.turn(MINUTE - 1)
      it.wake()
    }
    expect(it.asked).toHaveLength(1)
    expect(it.test.outbox.dueReportWatches(MORNING + HOUR - 1)).toHaveLength(2)
    await it.clock.turn(MINUTE)
    expect(new Set(it.arrived)).toEqual(new Set(['1', '2', '3']))
    expect(it.asked[1]?.at).toBe(HOUR)
  })

  it('that is shorter than the own pause does not shorten that', async () => {
    const it = reportsWith(() => throttled(SECOND))
    it.openWith('1')
    await it.clock.turn(30 * SECOND - 1)
    expect(it.asked).toHaveLength(1)
  })

  it('is over if the clock is set back before it was asked for', async () => {
    const it = reportsWith(({ at }) => (at >= 0 ? throttled(300 * HOUR) : NOT_READY))
    it.send('1', { at: MORNING - 2 * HOUR })
    it.send('2', { at: MORNING - 2 * HOUR })
    it.open()
    await it.clock.settle()
    it.clock.set(-HOUR)
    await it.clock.turn(2 * MINUTE)
    expect(it.asked.length).toBeGreaterThan(1)
  })
})

describe('while the service is in trouble', () => {
  it('nothing is asked and no list is read, and both begin again soon after it', async () => {
    const it = reportsWith(({ caseId }) => report(caseId))
    for (const caseId of ['1', '2', '3']) it.send(caseId)
    it.troubledUntil = MORNING + 2 * HOUR
    it.open()
    await it.clock.turn(HOUR)
    it.wake()
    await it.clock.settle()
    expect([it.asked, it.lists]).toEqual([[], []])
    it.troubledUntil = null
    await it.clock.turn(MINUTE)
    expect(it.arrived).toHaveLength(3)
  })

  it('that begins in the middle of a run, the rest is not asked', async () => {
    const it = reportsWith(({ caseId }) => {
      it.troubledUntil = MORNING + HOUR
      return report(caseId)
    })
    it.openWith('1', '2', '3')
    await it.clock.turn(10 * MINUTE)
    expect(it.asked).toHaveLength(1)
  })

  it('and its next try is past already, the station does not turn in circles', async () => {
    const it = reportsWith(({ caseId }) => report(caseId))
    it.send('1')
    it.troubledUntil = MORNING - HOUR
    it.open()
    await it.clock.turn(10 * SECOND)
    expect(it.asked).toEqual([])
  })
})

const YEAR = 365 * DAY
const PROOF = ['p1', 'p2', 'p3']

describe('a clock that was wrong while reports were asked for', () => {
  it('by a year, and is right again, delays none of them', async () => {
    const it = reportsWith(() => NOT_READY)
    it.openWith('9')
    await it.clock.settle()
    it.clock.set(YEAR)
    await it.clock.turn(10 * MINUTE)
    it.clock.set(-YEAR)
    const before = it.asked.length
    await it.clock.turn(2 * MINUTE)
    expect(it.asked).toHaveLength(before + 1)
    // And from then on at its own pace.
    await it.clock.turn(HOUR)
    expect(it.asked.length - before).toBeLessThan(14)
  })

  it('stops no list from being read, and makes none trusted wrongly', async () => {
    const it = reportsWith(
      ({ caseId }) => (PROOF.includes(caseId) ? report(caseId) : NOT_READY),
      () => [...PROOF, 'a', 'b'].map((id) => listed(id, PROOF.includes(id) ? 'reported' : 'pending')),
    )
    it.openWith(...PROOF, 'a', 'b')
    await it.clock.turn(HOUR)
    it.clock.set(YEAR)
    await it.clock.turn(DAY + HOUR)
    it.clock.set(-YEAR)
    const [asked, lists] = [it.asked.length, it.lists.length]
    await it.clock.turn(2 * MINUTE)
    expect(it.lists.length).toBeGreaterThan(lists)
    expect(new Set(it.asked.slice(asked).map(({ caseId }) => caseId))).toEqual(new Set(['a', 'b']))
  })

  it('leaves what a longer interval of the setting has planned', async () => {
    const it = reportsWith(() => NOT_READY, undefined, (7 * DAY) / SECOND)
    it.openWith('9')
    await it.clock.turn(3 * HOUR)
    expect(it.asked).toHaveLength(1)
  })
})

const SENT = 1_000_000_000
const CHECK = 5 * MINUTE

function after(elapsedMs: number, firstVersionAfter: number | null = null, checkMs = CHECK): number | null {
  const now = SENT + elapsedMs
  const at = planNextCheck({
    sentAt: SENT,
    firstVersionAt: firstVersionAfter === null ? null : SENT + firstVersionAfter,
    now,
    checkMs,
  })
  return at === null ? null : at - now
}

describe('the next question for a report', () => {
  it.each([
    { elapsed: 0, pause: CHECK },
    { elapsed: 40 * MINUTE, pause: CHECK },
    { elapsed: 100 * MINUTE, pause: 10 * MINUTE },
    { elapsed: 20 * HOUR, pause: 2 * HOUR },
    { elapsed: 10 * DAY, pause: DAY },
    { elapsed: 400 * DAY, pause: DAY },
  ])(
    'comes $pause ms after it was asked $elapsed ms after the sending, without an end',
    ({ elapsed, pause }) => {
      expect(after(elapsed)).toBe(pause)
    },
  )

  it('comes once a day for thirty days after the first version, and then never', () => {
    expect(after(HOUR, HOUR)).toBe(DAY)
    expect(after(HOUR + 30 * DAY - 1, HOUR)).toBe(DAY)
    expect(after(HOUR + 30 * DAY, HOUR)).toBeNull()
  })
})

/** Two cases that are sent, and the asking for their reports by the delivery that sent them. */
async function twoSent(): Promise<{ test: TestDelivery; delivery: Delivery; ids: string[] }> {
  const test = deliveryWith()
  const ids = [addWaiting(test), addWaiting(test)]
  const delivery = test.open()
  await test.clock.turn(MINUTE)
  expect(test.outbox.submissionIdsIn('sent')).toHaveLength(2)
  const reports = openReports({
    outbox: test.outbox,
    clock: test.clock,
    logger: test.logger,
    settings: () => test.settings,
    folder: join(test.folder, 'reports'),
    delivery: () => delivery,
  })
  onTestFinished(() => reports.close())
  return { test, delivery, ids }
}

it('compares the list that is read for reports with ours, as every list', async () => {
  const { test, ids } = await twoSent()
  await test.clock.turn(MINUTE)
  const reference = test.outbox.rowOf(ids[0] ?? '')?.reference ?? ''
  test.service.addCase({ caseId: '900', raw: { id: '900', notes: reference } })
  await test.clock.turn(HOUR)
  expect(test.outbox.openAlarms()).toMatchObject([{ kind: 'twoCasesOneReference', submissionId: ids[0] }])
  expect(test.alarms).toEqual([ids[0]])
})

it('asks for no report while the delivery meets trouble, and asks again after it', async () => {
  const { test, delivery } = await twoSent()
  await test.clock.turn(MINUTE)
  const questions = (): number => test.service.asked.filter((what) => what.startsWith('report')).length
  const before = questions()
  expect(before).toBe(2)
  const until = test.clock.now() + HOUR
  delivery.noteTrouble({ ...failureOf('throttled'), notBefore: until })
  await test.clock.turn(HOUR - MINUTE)
  expect(questions()).toBe(before)
  await test.clock.turn(3 * MINUTE)
  expect(delivery.serviceStatus().health).toBe('reachable')
  expect(questions()).toBeGreaterThan(before)
})
