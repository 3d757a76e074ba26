import { describe, expect, it } from 'vitest'
import { planNextCheck } from '../../../../src-main/station/reports/reports.ts'
import { DAY, HOUR, MINUTE } from '../../../../src-shared/durations.ts'
import { fc } from '../../../tools/property.ts'

const SENT = 1_000_000_000
const CHECK = 5 * MINUTE

function after(passedMs: number, firstVersionAfter: number | null = null, checkMs = CHECK): number | null {
  const now = SENT + passedMs
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
    { passed: 0, pause: CHECK },
    { passed: 40 * MINUTE, pause: CHECK },
    { passed: 100 * MINUTE, pause: 10 * MINUTE },
    { passed: 20 * HOUR, pause: 2 * HOUR },
    { passed: 10 * DAY, pause: DAY },
    { passed: 400 * DAY, pause: DAY },
  ])(
    'comes $pause ms after it was asked $passed ms after the sending, without an end',
    ({ passed, pause }) => {
      expect(after(passed)).toBe(pause)
    },
  )

  it('comes once a day for thirty days after the first version, and then never', () => {
    expect(after(HOUR, HOUR)).toBe(DAY)
    expect(after(HOUR + 30 * DAY - 1, HOUR)).toBe(DAY)
    expect(after(HOUR + 30 * DAY, HOUR)).toBeNull()
  })

  it('keeps to a longer interval where the clinic wants one', () => {
    expect(after(HOUR, null, 3 * DAY)).toBe(3 * DAY)
  })

  it('is a whole millisecond, as the outbox takes no other', () => {
    fc.assert(
      fc.property(fc.nat(10 * DAY), fc.double({ min: 0.01, max: 1e6, noNaN: true }), (passed, checkMs) => {
        expect(Number.isInteger(SENT + passed + (after(passed, null, checkMs) ?? 0))).toBe(true)
      }),
    )
  })
})
