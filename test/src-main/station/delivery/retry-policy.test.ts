import { describe, expect, it } from 'vitest'
import { retryDelayMs, stopsAtSameOffset } from '../../../../src-main/station/delivery/breaker.ts'
import { MINUTE, SECOND } from '../../../../src-shared/durations.ts'
import { fc } from '../../../tools/property.ts'

describe('the pause before another try', () => {
  it.each([
    [0, 5 * SECOND],
    [1, 10 * SECOND],
    [2, 20 * SECOND],
    [5, 160 * SECOND],
    [7, 640 * SECOND],
    [8, 15 * MINUTE],
    [9, 15 * MINUTE],
    [1_000_000, 15 * MINUTE],
  ])('after %i failures is anything up to %i ms', (failures, ceiling) => {
    expect(retryDelayMs(failures, 5 * SECOND, 0)).toBe(0)
    expect(retryDelayMs(failures, 5 * SECOND, 0.5)).toBe(ceiling / 2)
    expect(retryDelayMs(failures, 5 * SECOND, 0.999_999_99)).toBe(ceiling)
  })

  it('is a whole number of milliseconds from nothing to a quarter of an hour', () => {
    fc.assert(
      fc.property(
        fc.nat(10_000),
        fc.double({ min: 0.001, max: 1e7, noNaN: true }),
        fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
        (failures, baseMs, random) => {
          const pause = retryDelayMs(failures, baseMs, random)
          expect(Number.isInteger(pause) && pause >= 0 && pause <= 15 * MINUTE).toBe(true)
        },
      ),
    )
  })
})

describe('three stops', () => {
  const MB = 1024 * 1024
  it.each([
    { stops: [8 * MB, 8 * MB, 8 * MB], isOnePlace: true },
    { stops: [8 * MB, 8 * MB + 300_000, 8 * MB - 200_000], isOnePlace: true },
    { stops: [1 * MB, 8 * MB, 8 * MB, 8 * MB], isOnePlace: true },
    { stops: [8 * MB, 8 * MB], isOnePlace: false },
    { stops: [], isOnePlace: false },
    { stops: [0, 0, 0], isOnePlace: false },
    { stops: [8 * MB, 0, 8 * MB], isOnePlace: false },
    { stops: [8 * MB, 9 * MB, 8 * MB], isOnePlace: false },
    { stops: [8 * MB, 8 * MB, 8 * MB, 2 * MB], isOnePlace: false },
  ])('at $stops lie at one place: $isOnePlace', ({ stops, isOnePlace }) => {
    expect(stopsAtSameOffset(stops)).toBe(isOnePlace)
  })

  it('spread over a small request are weather and no limit', () => {
    expect(stopsAtSameOffset([60_000, 250_000, 400_000])).toBe(false)
  })
})
