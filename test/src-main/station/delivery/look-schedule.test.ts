import { describe, expect, it } from 'vitest'
import {
  isProvenAbsent,
  nextConfirmationAt,
  nextLookupAt,
} from '../../../../src-main/station/delivery/confirm.ts'
import { DAY, HOUR, MINUTE, SECOND } from '../../../../src-shared/durations.ts'
import { fc } from '../../../tools/property.ts'

const LOOKS = [2, 10, 30, 60, 120, 300, 900, 3_600]
const ENDED = 1_000_000

describe('the next look', () => {
  it('follows the plan, counted from the end of the attempt, then the last interval for a day', () => {
    const looks: number[] = []
    let now = ENDED
    for (;;) {
      const at = nextLookupAt(ENDED, now, LOOKS)
      if (at === null) break
      looks.push((at - ENDED) / SECOND)
      now = at
    }
    expect(looks.slice(0, 10)).toEqual([2, 10, 30, 60, 120, 300, 900, 3_600, 7_200, 10_800])
    expect(looks.at(-1)).toBe(DAY / SECOND)
    expect(looks).toHaveLength(31)
  })

  it('is the next of the plan that is still to come', () => {
    expect(nextLookupAt(ENDED, ENDED + 50 * SECOND, LOOKS)).toBe(ENDED + 60 * SECOND)
    expect(nextLookupAt(ENDED, ENDED + 60 * SECOND, LOOKS)).toBe(ENDED + 120 * SECOND)
  })

  it('that was missed is not made up for: one look at a late hour says what seven would', () => {
    const night = ENDED + 5 * HOUR
    // The look at the start was the first; the next one comes with the hour and not at once.
    expect(nextLookupAt(ENDED, night, LOOKS)).toBeGreaterThan(night)
  })

  it('ends after a day', () => {
    expect(nextLookupAt(ENDED, ENDED + DAY, LOOKS)).toBeNull()
  })

  it('is a whole millisecond whatever the plan says', () => {
    fc.assert(
      fc.property(
        fc.array(fc.double({ min: 0.001, max: 5_000, noNaN: true }), { minLength: 1, maxLength: 5 }),
        fc.nat(10_000_000),
        (plan, late) => {
          const at = nextLookupAt(ENDED, ENDED + late, plan)
          expect(at === null || Number.isInteger(at)).toBe(true)
        },
      ),
    )
  })
})

describe('absence', () => {
  const CALIBRATED = { seen: 3, missed: 0, echoed: 3, slowestMs: MINUTE }
  it.each([
    { what: 'three looks over a quarter of an hour', at: [0, 5 * MINUTE, 15 * MINUTE], proven: true },
    { what: 'many looks over a quarter of an hour', at: [0, 1, 2, 3, 15 * MINUTE], proven: true },
    { what: 'no look', at: [], proven: false },
    { what: 'two looks', at: [0, HOUR], proven: false },
    { what: 'three looks within less', at: [0, 5 * MINUTE, 15 * MINUTE - 1], proven: false },
  ])('in $what proves: $proven', ({ at, proven }) => {
    expect(isProvenAbsent(at, CALIBRATED)).toBe(proven)
  })

  it.each([
    { what: 'no case was ever seen in the list', calibration: { ...CALIBRATED, seen: 0 } },
    { what: 'few were', calibration: { ...CALIBRATED, seen: 2 } },
    { what: 'one was missed', calibration: { ...CALIBRATED, seen: 50, missed: 1 } },
    { what: 'one took half as long', calibration: { ...CALIBRATED, slowestMs: 8 * MINUTE } },
  ])('proves nothing where $what', ({ calibration }) => {
    expect(isProvenAbsent([0, 5 * MINUTE, 15 * MINUTE], calibration)).toBe(false)
  })
})

describe('the next try to read back', () => {
  it('comes soon at first, then ever more rarely, at the latest after a day', () => {
    expect(nextConfirmationAt(0, 0)).toBe(5 * SECOND)
    expect(nextConfirmationAt(0, 20 * SECOND)).toBe(30 * SECOND)
    expect(nextConfirmationAt(0, 100 * DAY)).toBe(101 * DAY)
  })

  it('is a whole millisecond, as the outbox takes no other', () => {
    expect(nextConfirmationAt(0, 30_001) % 1).toBe(0)
  })
})
