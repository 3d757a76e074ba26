import { describe, expect, it } from 'vitest'
import {
  addStep,
  formatBytes,
  formatMeasurement,
  missedStepOf,
  readTypedMeasurement,
  readTypedNumber,
} from '../../../src-renderer/format/numbers.ts'
import { MEASUREMENTS } from '../../../src-shared/fields.ts'
import { hardRangeOf, isInRange } from '../../../src-shared/measurement-ranges.ts'
import { fc } from '../../tools/property.ts'

describe('a typed number', () => {
  it.each([
    ['1.25', 1.25],
    ['1,25', 1.25],
    ['+1,25', 1.25],
    [' -0.5 ', -0.5],
    ['\u22120.50', -0.5],
    ['.5', 0.5],
    ['16', 16],
    ['16.', 16],
    ['0', 0],
  ])('reads %j as %d', (text, value) => {
    expect(readTypedNumber(text)).toEqual({ kind: 'number', value })
  })

  it.each(['1.250,5', '1,250.5', '1e3', '1 000', '--1', '0x10', 'abc', '+', '1.2.3', '\u221e'])(
    'refuses %j instead of guessing',
    (text) => {
      expect(readTypedNumber(text)).toEqual({ kind: 'notANumber' })
    },
  )

  it('takes an empty text for nothing stated, not for zero', () => {
    expect(readTypedNumber('  ')).toEqual({ kind: 'empty' })
  })

  it('knows plano for the sphere only', () => {
    expect(readTypedMeasurement('sphere', 'Plano')).toEqual({ kind: 'number', value: 0 })
    expect(readTypedMeasurement('sphere', 'pl')).toEqual({ kind: 'number', value: 0 })
    expect(readTypedMeasurement('iop', 'pl')).toEqual({ kind: 'notANumber' })
  })

  it.each([
    ['sphere', '-1,25 D', -1.25],
    ['sphere', '+0.50 DS', 0.5],
    ['cylinder', '-0.75DC', -0.75],
    ['axis', '45\u00b0', 45],
    ['axis', '0', 180],
    ['axis', '045', 45],
    ['iop', '16 mmHg', 16],
    ['prism', '2 \u0394', 2],
    ['sphere', '-0', 0],
  ] as const)('of %s reads %j as %d', (measurement, text, value) => {
    expect(readTypedMeasurement(measurement, text)).toEqual({ kind: 'number', value })
  })

  it('with the unit of something else is refused', () => {
    expect(readTypedMeasurement('iop', '16 D')).toEqual({ kind: 'notANumber' })
  })
})

describe('a measurement on the screen', () => {
  it.each([
    ['sphere', 1.25, '+1.25'],
    ['sphere', -0.5, '-0.50'],
    ['sphere', 0, '0.00'],
    ['sphere', 1.125, '+1.125'],
    ['cylinder', -2, '-2.00'],
    ['add', 2, '+2.00'],
    ['axis', 45, '045'],
    ['axis', 7.5, '007.5'],
    ['axis', 180, '180'],
    ['iop', 16.5, '16.5'],
    ['axis', 0, '180'],
    ['prism_base', 270, '270'],
  ] as const)('writes %s %d as %s', (measurement, value, text) => {
    expect(formatMeasurement(measurement, value)).toBe(text)
  })

  it('never shows another value than the one that is sent', () => {
    for (const value of [0.1 + 0.2, -3.333, 12.005, 0.001])
      for (const measurement of ['sphere', 'axis', 'iop'] as const)
        expect(readTypedNumber(formatMeasurement(measurement, value))).toEqual({ kind: 'number', value })
  })
})

describe('a size on the screen', () => {
  it.each([
    [0, '0 B'],
    [812, '812 B'],
    [1_000, '1.0 kB'],
    [4_212_345, '4.2 MB'],
    [99_960_000, '100 MB'],
    [999_999, '1.0 MB'],
    [1_500_000_000, '1.5 GB'],
  ])('writes %d bytes as %s', (bytes, text) => {
    expect(formatBytes(bytes)).toBe(text)
  })
})

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
