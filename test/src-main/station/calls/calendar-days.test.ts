import { afterEach, describe, expect, it, vi } from 'vitest'
import { dayStarts } from '../../../../src-main/station/calls/oversight.ts'
import { HOUR } from '../../../../src-shared/durations.ts'

afterEach(() => vi.unstubAllEnvs())

describe('the days of a calendar', () => {
  it.each([
    // Clocks go forward in the night to 29 March, and back in the one to 25 October.
    ['Europe/Madrid', [2026, 2, 30], ['2026-03-28', '2026-03-29', '2026-03-30'], [24, 23, 24]],
    ['Europe/Madrid', [2026, 9, 26], ['2026-10-24', '2026-10-25', '2026-10-26'], [24, 25, 24]],
    // There midnight itself does not exist on the day when clocks go forward.
    ['America/Santiago', [2026, 8, 7], ['2026-09-05', '2026-09-06', '2026-09-07'], [24, 23, 24]],
    ['UTC', [2027, 0, 1], ['2026-12-30', '2026-12-31', '2027-01-01'], [24, 24, 24]],
  ] as const)('in %s up to %j are %j', (zone, [year, month, date], days, hours) => {
    vi.stubEnv('TZ', zone)
    const starts = dayStarts(new Date(year, month, date, 15, 30).getTime(), 3)
    expect(starts.slice(0, -1).map(({ day }) => day)).toEqual(days)
    expect(starts.slice(1).map(({ since }, index) => (since - (starts[index]?.since ?? 0)) / HOUR)).toEqual(
      hours,
    )
  })
})
