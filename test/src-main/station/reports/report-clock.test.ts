import { describe, expect, it } from 'vitest'
import { DAY, HOUR, MINUTE, SECOND } from '../../../../src-shared/durations.ts'
import { listed, NOT_READY, report, reportsWith } from './reports-with.ts'

const YEAR = 365 * DAY
const PROOF = ['p1', 'p2', 'p3']

describe('a clock that was wrong while reports were asked for', () => {
  it('by a year, and is right again, keeps none of them waiting', async () => {
    const it = reportsWith(() => NOT_READY)
    it.send('9')
    it.open()
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

  it('keeps no list from being read, and none from being believed wrongly', async () => {
    const it = reportsWith(
      ({ caseId }) => (PROOF.includes(caseId) ? report(caseId) : NOT_READY),
      () => [...PROOF, 'a', 'b'].map((id) => listed(id, PROOF.includes(id) ? 'reported' : 'pending')),
    )
    for (const caseId of [...PROOF, 'a', 'b']) it.send(caseId)
    it.open()
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
    it.send('9')
    it.open()
    await it.clock.turn(3 * HOUR)
    expect(it.asked).toHaveLength(1)
  })
})
