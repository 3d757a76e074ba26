import { describe, expect, it } from 'vitest'
import { MEASUREMENTS } from '../../src-shared/fields.ts'
import { eyesDifferingIn, hardRangeOf, isInRange, usualRangeOf } from '../../src-shared/measurement-ranges.ts'

describe('the ranges of a measurement', () => {
  it.each(MEASUREMENTS)('of %s: what is usual is possible', (measurement) => {
    for (const unit of ['decimal', 'logMAR'] as const) {
      const hard = hardRangeOf(measurement, unit)
      const usual = usualRangeOf(measurement, unit)
      expect(hard.min).toBeLessThan(hard.max)
      expect([isInRange(usual.min, hard), isInRange(usual.max, hard)]).toEqual([true, true])
    }
  })

  it.each([
    ['decimal', -0.1, false],
    ['decimal', 0, true],
    ['decimal', 3, true],
    ['decimal', 3.1, false],
    ['logMAR', -0.8, true],
    ['logMAR', -0.9, false],
    ['logMAR', 3, true],
  ] as const)('a visual acuity in %s of %d: possible %s', (unit, value, isPossible) => {
    expect(isInRange(value, hardRangeOf('va', unit))).toBe(isPossible)
  })
})

describe('the two eyes', () => {
  it.each([
    [{ od_sphere: -1, os_sphere: -7 }, []],
    [{ od_sphere: -1, os_sphere: -7.25 }, ['spheres']],
    [{ od_sphere: 8, os_sphere: -8 }, ['sphereSigns']],
    [{ od_sphere: 0, os_sphere: -2 }, []],
    [{ od_iop: 10, os_iop: 18 }, []],
    [{ od_iop: 10, os_iop: 19 }, ['pressures']],
    [{ od_iop: 30 }, []],
    [{ od_sphere: -3 }, []],
  ] as const)('%j differ in %j', (fields, differing) => {
    expect(eyesDifferingIn(fields)).toEqual(differing)
  })
})
