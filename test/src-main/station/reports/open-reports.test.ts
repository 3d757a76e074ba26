import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { DAY, HOUR, MINUTE } from '../../../../src-shared/durations.ts'
import { fail, failureOf } from '../../../../src-shared/failure.ts'
import { MORNING } from '../../../tools/outbox-with.ts'
import { NOT_READY, report, reportsWith } from './reports-with.ts'

describe('a report', () => {
  it('is asked for until there is one, is kept byte for byte, and is told once', async () => {
    const it = reportsWith(({ at }) => (at < 12 * MINUTE ? NOT_READY : report('No retinopathy.')))
    const id = it.send('9')
    it.open()
    await it.clock.turn(HOUR)
    expect(it.asked.map(({ at }) => at / MINUTE)).toEqual([0, 5, 10, 15])
    expect(it.arrived).toEqual(['9'])
    const sha256 = createHash('sha256').update('No retinopathy.').digest('hex')
    expect(it.test.outbox.reports.versionsOf('9')).toMatchObject([
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
    expect(it.test.outbox.submissions.get(id)?.hasReport).toBe(true)
  })

  it('is asked for at an interval that grows, also when the clock shows odd milliseconds', async () => {
    const it = reportsWith(() => NOT_READY)
    it.send('9')
    it.open()
    await it.clock.turn(HOUR + 12_347)
    await it.clock.turn(11 * HOUR)
    expect(it.logger.errors()).toEqual([])
    const gaps = it.asked.slice(1).map(({ at }, index) => at - (it.asked[index]?.at ?? 0))
    expect(gaps).toEqual(gaps.toSorted((left, right) => left - right))
    expect(gaps.at(-1)).toBeGreaterThan(30 * MINUTE)
  })

  it('is asked for again once a day, and a change is a version of its own', async () => {
    const it = reportsWith(({ at }) => report(at < 2 * DAY ? 'first' : 'second'))
    it.send('9')
    it.open()
    await it.clock.turn(4 * DAY)
    expect(it.arrived).toEqual(['9', '9'])
    expect(it.test.outbox.reports.versionsOf('9')).toHaveLength(2)
    expect(it.asked.map(({ at }) => at / DAY)).toEqual([0, 1, 2, 3, 4])
    expect(readdirSync(it.folder)).toHaveLength(2)
  })

  it('that goes back to an earlier one is told, and is the latest', async () => {
    const it = reportsWith(({ at }) => report(at >= DAY && at < 2 * DAY ? 'withdrawn' : 'normal'))
    it.send('9')
    it.open()
    await it.clock.turn(3 * DAY)
    const [latest] = it.test.outbox.reports.versionsOf('9')
    expect(latest?.sha256).toBe(createHash('sha256').update('normal').digest('hex'))
    expect(it.arrived).toHaveLength(3)
  })

  it.each([
    ['pdf', 'pdf'],
    ['json', 'json'],
    ['html', 'html'],
    ['text', 'txt'],
    ['image', 'img'],
    ['link', 'url'],
  ] as const)('of kind %s lies in a file whose name is its hash and .%s', async (reportKind, ending) => {
    const it = reportsWith(() => report('content', { reportKind }))
    it.send('../../9')
    it.open()
    await it.clock.settle()
    expect(readdirSync(it.folder)).toEqual([
      `${createHash('sha256').update('content').digest('hex')}.${ending}`,
    ])
  })
})

describe('what stands in the way', () => {
  it('of one report keeps the others from nothing', async () => {
    const it = reportsWith(({ caseId }) =>
      caseId === '1' ? fail(failureOf('serviceRefused')) : report('a report'),
    )
    for (const caseId of ['1', '2', '3']) it.send(caseId)
    it.open()
    await it.clock.settle()
    expect(new Set(it.arrived)).toEqual(new Set(['2', '3']))
  })

  it('of all is asked once, and every half minute until it is over', async () => {
    const it = reportsWith(({ at }) => (at < MINUTE ? fail(failureOf('offline')) : report('a report')))
    for (const caseId of ['1', '2', '3']) it.send(caseId)
    it.open()
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
    it.send('9')
    it.open()
    await it.clock.settle()
    expect([it.arrived, it.test.outbox.reports.versionsOf('9')]).toEqual([[], []])
    rmSync(it.folder)
    await it.clock.turn(10 * MINUTE)
    expect(it.arrived).toEqual(['9'])
  })

  it('in one file keeps the reports of the other cases from nothing', async () => {
    const it = reportsWith(({ caseId }) => report(caseId === '1' ? 'bad' : `report of ${caseId}`))
    const badName = `${createHash('sha256').update('bad').digest('hex')}.txt`
    // A folder in the place of the file that the first report would become.
    mkdirSync(join(it.folder, badName, 'inside'), { recursive: true })
    // The urgent one is asked for first.
    it.test.outbox.submissions.setUrgent(it.send('1'), MORNING)
    it.send('2')
    it.open()
    await it.clock.turn(30 * MINUTE)
    expect(it.arrived).toEqual(['2'])
  })
})
