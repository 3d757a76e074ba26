import { describe, expect, it } from 'vitest'
import {
  BASE_DIRECTIONS,
  decimalOf,
  degreesOfBase,
  directionOfBase,
  formatAcuity,
  logMarOf,
  readTypedAcuity,
  sameBaseOfOtherEye,
  transposed,
} from '../../../src-renderer/format/numbers.ts'
import { fc } from '../../tools/property.ts'

describe('a typed visual acuity', () => {
  it.each([
    ['0.8', 0.8, false],
    ['0,8', 0.8, false],
    ['1', 1, false],
    ['6/7.5', 0.8, true],
    ['6/7,5', 0.8, true],
    ['20/25', 0.8, true],
    ['20 / 25', 0.8, true],
    ['6/6', 1, true],
    ['20/30', 0.667, true],
    ['6/60', 0.1, true],
    ['logMAR 0.1', 0.794, true],
    ['logmar 0', 1, true],
    ['LogMAR -0,1', 1.259, true],
  ] as const)('%j is %d where the service expects decimals', (text, value, wasConverted) => {
    expect(readTypedAcuity(text, 'decimal')).toEqual({ kind: 'number', value, wasConverted })
  })

  it.each([
    ['1', 0, true],
    ['0.8', 0.097, true],
    ['20/25', 0.097, true],
    ['6/60', 1, true],
    ['logMAR 0.1', 0.1, false],
    ['logMAR -0.2', -0.2, false],
  ] as const)('%j is %d where the service expects logMAR', (text, value, wasConverted) => {
    expect(readTypedAcuity(text, 'logMAR')).toEqual({ kind: 'number', value, wasConverted })
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
    expect(readTypedAcuity('0', 'decimal')).toEqual({ kind: 'number', value: 0, wasConverted: false })
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

  it('converted and back is the same line of the chart', () => {
    fc.assert(
      fc.property(fc.integer({ min: -30, max: 130 }), (hundredths) => {
        const logMar = hundredths / 100
        expect(Math.abs(logMarOf(decimalOf(logMar)) - logMar)).toBeLessThan(0.01)
      }),
    )
  })
})

it('takes the logarithm of the fraction as it was typed', () => {
  expect(readTypedAcuity('20/1500', 'logMAR')).toEqual({ kind: 'number', value: 1.875, wasConverted: true })
  expect(readTypedAcuity('20/1500', 'decimal')).toEqual({ kind: 'number', value: 0.013, wasConverted: true })
})

const anyEye = fc.constantFrom('right' as const, 'left' as const)
const anyCoding = fc.constantFrom('examiner' as const, 'patient' as const)

describe('the base of a prism', () => {
  it.each([
    ['examiner', 'right', { up: 90, down: 270, in: 0, out: 180 }],
    ['examiner', 'left', { up: 90, down: 270, in: 180, out: 0 }],
    ['patient', 'right', { up: 90, down: 270, in: 180, out: 0 }],
    ['patient', 'left', { up: 90, down: 270, in: 0, out: 180 }],
  ] as const)('as the %s sees it, %s eye', (coding, eye, degrees) => {
    for (const direction of BASE_DIRECTIONS)
      expect(degreesOfBase(eye, direction, coding)).toBe(degrees[direction])
  })

  it('comes back from its degrees as the same direction', () => {
    fc.assert(
      fc.property(anyEye, anyCoding, fc.constantFrom(...BASE_DIRECTIONS), (eye, coding, direction) => {
        expect(directionOfBase(eye, degreesOfBase(eye, direction, coding), coding)).toBe(direction)
      }),
    )
  })

  it('has no direction between the four', () => {
    expect(directionOfBase('right', 45, 'examiner')).toBeNull()
    expect(directionOfBase('right', 360, 'examiner')).toBe('in')
  })

  it('copied to the other eye keeps its word, or its angle', () => {
    expect(sameBaseOfOtherEye('right', 0, 'examiner')).toBe(180)
    expect(sameBaseOfOtherEye('right', 90, 'examiner')).toBe(90)
    expect(sameBaseOfOtherEye('right', 45, 'examiner')).toBe(45)
    expect(sameBaseOfOtherEye('left', 0, 'patient')).toBe(180)
  })
})

describe('a transposed refraction', () => {
  it.each([
    [1.25, -0.75, 45, 0.5, 0.75, 135],
    [-2, -1, 180, -3, 1, 90],
    [0.75, -0.75, 91, 0, 0.75, 1],
    [1.1, -0.3, 10, 0.8, 0.3, 100],
    [0, 0.5, 0, 0.5, -0.5, 90],
  ])('of %d, %d, %d is %d, %d, %d', (sphere, cylinder, axis, toSphere, toCylinder, toAxis) => {
    expect(transposed({ sphere, cylinder, axis })).toEqual({
      sphere: toSphere,
      cylinder: toCylinder,
      axis: toAxis,
    })
  })

  it('transposed again is as before, and its axis stays within 1 to 180', () => {
    const hundredths = (most: number) =>
      fc.integer({ min: -most, max: most }).map((value) => value / 100 || 0)
    fc.assert(
      fc.property(
        hundredths(4_500),
        hundredths(2_500),
        fc.integer({ min: 1, max: 180 }),
        (sphere, cylinder, axis) => {
          const before = { sphere, cylinder, axis }
          const once = transposed(before)
          expect(once.axis).toBeGreaterThanOrEqual(1)
          expect(once.axis).toBeLessThanOrEqual(180)
          expect(transposed(once)).toEqual(before)
        },
      ),
    )
  })

  it('means the same lens in both meridians', () => {
    const powersOf = ({ sphere, cylinder, axis }: { sphere: number; cylinder: number; axis: number }) =>
      new Map([
        [axis, sphere],
        [axis > 90 ? axis - 90 : axis + 90, Math.round((sphere + cylinder) * 1_000) / 1_000 || 0],
      ])
    const before = { sphere: -1.25, cylinder: 0.75, axis: 20 }
    const after = powersOf(transposed(before))
    for (const [meridian, power] of powersOf(before)) expect(after.get(meridian)).toBe(power)
  })
})
