import { describe, expect, it } from 'vitest'
import {
  BASE_DIRECTIONS,
  degreesOfBase,
  directionOfBase,
  formatAcuity,
  formatBytes,
  formatMeasurement,
  missedStepOf,
  readTypedAcuity,
  readTypedMeasurement,
  readTypedNumber,
} from '../../../src-renderer/format/numbers.ts'
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

  it.each([
    ['sphere', 'Plano', 0],
    ['sphere', 'pl', 0],
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

  it.each(['16 D', 'pl'])('of a pressure is refused as %s, a unit of something else', (text) => {
    expect(readTypedMeasurement('iop', text)).toEqual({ kind: 'notANumber' })
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

describe('a typed visual acuity', () => {
  it.each([
    ['0.8', 'decimal', 0.8, false],
    ['0,8', 'decimal', 0.8, false],
    ['1', 'decimal', 1, false],
    ['0', 'decimal', 0, false],
    ['6/7.5', 'decimal', 0.8, true],
    ['6/7,5', 'decimal', 0.8, true],
    ['20 / 25', 'decimal', 0.8, true],
    ['20/30', 'decimal', 0.667, true],
    ['6/60', 'decimal', 0.1, true],
    ['20/1500', 'decimal', 0.013, true],
    ['logMAR 0.1', 'decimal', 0.794, true],
    ['logmar 0', 'decimal', 1, true],
    ['LogMAR -0,1', 'decimal', 1.259, true],
    ['1', 'logMAR', 0, true],
    ['0.8', 'logMAR', 0.097, true],
    ['20/25', 'logMAR', 0.097, true],
    ['6/60', 'logMAR', 1, true],
    // The logarithm of the fraction as it was typed, not of a rounded one.
    ['20/1500', 'logMAR', 1.875, true],
    ['logMAR 0.1', 'logMAR', 0.1, false],
    ['logMAR -0.2', 'logMAR', -0.2, false],
  ] as const)('%j, if the service expects %s, is %d', (text, unit, value, wasConverted) => {
    expect(readTypedAcuity(text, unit)).toEqual({ kind: 'number', value, wasConverted })
  })

  it.each([
    ['CF', 'CF'],
    ['C.F.', 'CF'],
    ['cd', 'CF'],
    ['counting fingers', 'CF'],
    ['HM', 'HM'],
    ['mm', 'HM'],
    ['LP', 'LP'],
    ['PL', 'LP'],
    ['NLP', 'NLP'],
    ['npl', 'NLP'],
  ] as const)('%j is the code %s and no number', (text, code) => {
    for (const unit of ['decimal', 'logMAR'] as const)
      expect(readTypedAcuity(text, unit)).toEqual({ kind: 'code', code })
  })

  it.each(['20/', '/25', '20/0', '0/25', '-6/6', '20/25/3', 'logMAR', 'good', '1e-1', '20/25 -2'])(
    '%j is refused instead of guessed at',
    (text) => {
      expect(readTypedAcuity(text, 'decimal').kind).toBe('notANumber')
    },
  )

  it.each([
    ['logMAR 10', -0.8, 3],
    ['logMAR -3', -0.8, 3],
    ['20/50000', 0.001, 3],
  ] as const)('%j is refused, because its conversion would look possible', (text, min, max) => {
    expect(readTypedAcuity(text, 'decimal')).toEqual({ kind: 'impossible', range: { min, max } })
  })

  it('of zero has no logarithm, and of nothing states nothing', () => {
    expect(readTypedAcuity('0', 'logMAR')).toEqual({ kind: 'notANumber' })
    expect(readTypedAcuity(' ', 'logMAR')).toEqual({ kind: 'empty' })
  })
})

describe('a stored visual acuity', () => {
  it('is read again as what it is, in either unit', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: -800, max: 3_000 }),
        fc.constantFrom('decimal' as const, 'logMAR' as const),
        (thousandths, unit) => {
          const value = thousandths / 1_000
          if (unit === 'decimal' && value < 0) return
          const read = readTypedAcuity(formatAcuity(value, unit), unit)
          expect(read).toEqual({ kind: 'number', value, wasConverted: false })
        },
      ),
    )
  })
})

describe('the base of a prism', () => {
  it.each([
    ['examiner', 'right', { up: 90, down: 270, in: 0, out: 180 }],
    ['examiner', 'left', { up: 90, down: 270, in: 180, out: 0 }],
    ['patient', 'right', { up: 90, down: 270, in: 180, out: 0 }],
    ['patient', 'left', { up: 90, down: 270, in: 0, out: 180 }],
  ] as const)('as the %s sees it, %s eye', (coding, eye, degrees) => {
    for (const direction of BASE_DIRECTIONS)
      expect([
        degreesOfBase(eye, direction, coding),
        directionOfBase(eye, degrees[direction], coding),
      ]).toEqual([degrees[direction], direction])
  })

  it('has no direction between the four', () => {
    expect(directionOfBase('right', 45, 'examiner')).toBeNull()
    expect(directionOfBase('right', 360, 'examiner')).toBe('in')
  })
})
