import { describe, expect, it } from 'vitest'
import { addStep, missedStepOf } from '../../../src-renderer/format/numbers.ts'
import { MEASUREMENTS } from '../../../src-shared/fields.ts'
import { hardRangeOf, isInRange } from '../../../src-shared/measurement-ranges.ts'
import { fc } from '../../tools/property.ts'

describe('an arrow key', () => {
  it.each([
    ['sphere', 1.25, 1, 1.5],
    ['sphere', 0.25, -1, 0],
    ['sphere', 0, -1, -0.25],
    ['sphere', 1.3, 1, 1.5],
    ['sphere', 1.3, -1, 1.25],
    ['sphere', 45, 1, 45],
    ['iop', 15, 1, 16],
    ['iop', 15.5, -1, 15],
    ['iop', 0, -1, 0],
    ['axis', 180, 1, 1],
    ['axis', 1, -1, 180],
    ['axis', 45, 1, 46],
    ['va', 0.8, 1, 0.85],
    ['va', 0, -1, 0],
    ['prism', 0, 1, 0.25],
  ] as const)('takes %s from %s by %d to %d', (measurement, value, by, next) => {
    expect(addStep(measurement, value, by, 'decimal')).toBe(next)
  })

  it('steps a logMAR by a line, also below zero', () => {
    expect(addStep('va', 0, -1, 'logMAR')).toBe(-0.1)
  })

  it('never leaves what is possible, and up and down from a step lead back', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...MEASUREMENTS),
        fc.integer({ min: -200, max: 200 }),
        fc.constantFrom('decimal' as const, 'logMAR' as const),
        (measurement, quarters, unit) => {
          const range = hardRangeOf(measurement, unit)
          const value = Math.min(range.max, Math.max(range.min, quarters / 4))
          for (const by of [1, -1] as const)
            expect(isInRange(addStep(measurement, value, by, unit), range)).toBe(true)
          const isInside = value > range.min && value < range.max
          if (measurement === 'sphere' && isInside)
            expect(addStep('sphere', addStep('sphere', value, 1, unit), -1, unit)).toBe(value)
        },
      ),
    )
  })
})

describe('a value beside the usual steps', () => {
  it.each([
    ['sphere', 1.3, 0.25],
    ['sphere', -1.75, null],
    ['sphere', 1.12, 0.25],
    ['axis', 7.5, 1],
    ['iop', 15.5, null],
    ['iop', 15.3, 0.5],
    ['va', 0.667, null],
    ['prism_base', 47.3, null],
  ] as const)('%s of %d misses %s', (measurement, value, step) => {
    expect(missedStepOf(measurement, value)).toBe(step)
  })
})
