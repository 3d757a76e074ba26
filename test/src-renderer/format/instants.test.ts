import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  formatAge,
  formatCalendarDay,
  formatCountdown,
  formatDay,
  formatInstant,
} from '../../../src-renderer/format/dates.ts'
import { formatBytes, formatCount, formatMeasurement } from '../../../src-renderer/format/numbers.ts'
import { DAY, HOUR, MINUTE, SECOND } from '../../../src-shared/durations.ts'
import { speak } from '../speak.ts'

describe('a day', () => {
  it('is the same in every time zone, and shown as it came if it is none', () => {
    expect(formatCalendarDay('2026-11-20')).toBe('20 Nov 2026')
    expect(formatCalendarDay('2026-01-01')).toBe('1 Jan 2026')
    expect(formatCalendarDay('20/11/2026')).toBe('20/11/2026')
  })
})

describe('an instant', () => {
  const now = new Date(2026, 10, 21, 15, 30).getTime()

  it('of today is a time, of another day a day', () => {
    const morning = new Date(2026, 10, 21, 9, 5).getTime()
    const yesterday = new Date(2026, 10, 20, 9, 5).getTime()
    expect(formatInstant(morning, now)).toBe('09:05')
    expect(formatInstant(yesterday, now)).toBe('20 Nov 2026, 09:05')
  })
})

it.each([
  [formatCountdown, -5 * SECOND, '0 s'],
  [formatCountdown, 11.2 * SECOND, '12 s'],
  [formatCountdown, 3 * MINUTE + 5 * SECOND, '3 min 05 s'],
  [formatCountdown, 2 * HOUR + 10 * MINUTE, '2 h 10 min'],
  [formatCountdown, 3 * DAY, '3 days'],
  [formatAge, 10 * SECOND, 'just now'],
  [formatAge, 4 * MINUTE, '4 min ago'],
  [formatAge, 3 * HOUR, '3 h ago'],
  [formatAge, 50 * HOUR, '2 days ago'],
])('%o of %d ms is %s', (format, ms, text) => {
  expect(format(ms)).toBe(text)
})

describe('in Spanish', () => {
  beforeAll(() => speak('es'))
  afterAll(() => speak('en'))

  it('days and times are Spanish', () => {
    const now = new Date(2026, 10, 21, 15, 30).getTime()
    const earlier = new Date(2026, 0, 5, 9, 5).getTime()
    expect(formatCalendarDay('2026-01-05')).toBe('5 ene 2026')
    expect(formatDay(earlier)).toBe('5 ene 2026')
    expect(formatInstant(earlier, now)).toBe('5 ene 2026, 09:05')
    expect(formatInstant(now, now)).toBe('15:30')
  })

  it('what is left and how long ago it was are Spanish', () => {
    expect(formatCountdown(3 * MINUTE + 5 * SECOND)).toBe('3 min 05 s')
    expect(formatCountdown(3 * DAY)).toBe('3 días')
    expect(formatAge(SECOND)).toBe('ahora mismo')
    expect([4 * MINUTE, 3 * HOUR, 50 * HOUR].map((age) => formatAge(age))).toEqual([
      'hace 4 min',
      'hace 3 h',
      'hace 2 días',
    ])
  })

  it('sizes and counts have the decimal comma; measurements keep the point of the interface', () => {
    expect([812, 4_200_000, 42_400_000_000].map(formatBytes)).toEqual(['812 B', '4,2 MB', '42,4 GB'])
    expect(formatCount(12_480)).toBe('12.480')
    expect(formatMeasurement('sphere', -1.5)).toBe('-1.50')
  })
})
