import { describe, expect, it } from 'vitest'
import { HOUR, MINUTE, SECOND } from '../../../../src-shared/durations.ts'
import { fail, failureOf } from '../../../../src-shared/failure.ts'
import { MORNING } from '../../../tools/outbox-with.ts'
import { NOT_READY, report, reportsWith } from './reports-with.ts'

const throttled = (until: number): ReturnType<typeof fail> =>
  fail({ ...failureOf('throttled'), notBefore: MORNING + until })

describe('a wait that the service asked for', () => {
  it('is kept to the end, for every report, whatever wakes the station', async () => {
    const it = reportsWith(({ at }) => (at < HOUR ? throttled(HOUR) : report('a report')))
    for (const caseId of ['1', '2', '3']) it.send(caseId)
    it.open()
    for (let minute = 0; minute < 60; minute += 1) {
      await it.clock.turn(MINUTE - 1)
      it.wake()
    }
    expect(it.asked).toHaveLength(1)
    expect(it.test.outbox.reports.dueWatches(MORNING + HOUR - 1)).toHaveLength(2)
    await it.clock.turn(MINUTE)
    expect(new Set(it.arrived)).toEqual(new Set(['1', '2', '3']))
    expect(it.asked[1]?.at).toBe(HOUR)
  })

  it('that is shorter than the own pause does not shorten that', async () => {
    const it = reportsWith(() => throttled(SECOND))
    it.send('1')
    it.open()
    await it.clock.turn(30 * SECOND - 1)
    expect(it.asked).toHaveLength(1)
  })

  it('is over where the clock is set back before it was asked for', async () => {
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
    for (const caseId of ['1', '2', '3']) it.send(caseId)
    it.open()
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
