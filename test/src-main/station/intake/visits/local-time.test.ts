import { expect, it } from 'vitest'
import {
  localDate,
  localTime,
  minutesBetween,
} from '../../../../../src-main/station/intake/visits/evidence.ts'

it("writes days and times of this workstation's calendar", () => {
  const morning = new Date(2026, 0, 3, 0, 0, 1).getTime()
  const evening = new Date(2026, 10, 20, 23, 59, 59).getTime()
  expect([localDate(morning), localDate(evening)]).toEqual(['2026-01-03', '2026-11-20'])
  expect([localTime(morning), localTime(evening)]).toEqual(['2026-01-03T00:00:01', '2026-11-20T23:59:59'])
})

it('counts the minutes between two times, in either order, and none where one is no time', () => {
  expect(minutesBetween('2026-01-03T10:00:00', '2026-01-03T12:30:00')).toBe(150)
  expect(minutesBetween('2026-01-04T00:10:00', '2026-01-03T23:50:00')).toBe(20)
  expect(minutesBetween('2026-01-04T25:10:00', '2026-01-03T23:50:00')).toBe(Infinity)
})
