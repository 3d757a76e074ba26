import { describe, expect, it } from 'vitest'
import {
  addDebt,
  payOff,
  pieceBytes,
  UNPACED,
  waitMs,
} from '../../../../src-main/station/delivery/throttle.ts'

describe('the pace', () => {
  it.each<[name: string, owed: number, at: number, limit: number | null, now: number, left: number]>([
    ['pays off with time', 10_000, 0, 4_096, 1_000, 5_904],
    ['never pays more than is owed', 100, 0, 4_096, 60_000, 0],
    ['owes nothing without a limit', 1_000_000, 0, null, 1, 0],
    ['pays nothing where a clock stands', 5_000, 9, 4_096, 9, 5_000],
    ['takes no debt from a clock that goes back', 5_000, 9_000, 4_096, 0, 5_000],
  ])('%s', (_name, owed, at, limit, now, left) => {
    expect(payOff({ owed, at }, limit, now)).toEqual({ owed: left, at: now })
  })

  it.each<[owed: number, limit: number | null, ms: number]>([
    [0, 4_096, 0],
    [1, 4_096, 1],
    [512, 4_096, 125],
    [1_000_000, 4_096, 250],
    [1_000_000, null, 0],
  ])('rests for %i bytes at %s a second: %i ms', (owed, limit, ms) => {
    expect(waitMs(addDebt(UNPACED, owed), limit)).toBe(ms)
  })

  it.each<[limit: number | null, bytes: number | null]>([
    [null, null],
    [4_096, 1_024],
    [1_000_000, 250_000],
    [100, 1_024],
  ])('lets at %s a second pieces of %s bytes go', (limit, bytes) => expect(pieceBytes(limit)).toBe(bytes))

  it.each([4_096, 50_000, 3_000_000])('keeps %i bytes a second over any ten seconds', (limit) => {
    let pace = UNPACED
    let now = 0
    const sent: { at: number; bytes: number }[] = []
    while (now < 30_000) {
      pace = payOff(pace, limit, now)
      const rest = waitMs(pace, limit)
      if (rest > 0) now += rest
      else {
        const bytes = pieceBytes(limit) ?? 0
        sent.push({ at: now, bytes })
        pace = addDebt(pace, bytes)
      }
    }
    for (const from of [0, 5_000, 17_321]) {
      const inside = sent.filter(({ at }) => at >= from && at < from + 10_000)
      const rate = inside.reduce((sum, { bytes }) => sum + bytes, 0) / 10
      expect(rate / limit).toBeGreaterThan(0.95)
      expect(rate / limit).toBeLessThan(1.05)
    }
  })
})
