import { describe, expect, it } from 'vitest'
import {
  formatBytes,
  formatMeasurement,
  readTypedMeasurement,
  readTypedNumber,
} from '../../../src-renderer/format/numbers.ts'

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
