import { describe, expect, it } from 'vitest'
import { decimalOf, formatAcuity, logMarOf, readTypedAcuity } from '../../../src-renderer/format/optics.ts'
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
  ] as const)('%j is the word %s and no number', (text, word) => {
    for (const unit of ['decimal', 'logMAR'] as const)
      expect(readTypedAcuity(text, unit)).toEqual({ kind: 'code', code: word })
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
