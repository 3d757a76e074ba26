import { describe, expect, it } from 'vitest'
import { quantileOf, ratioOf, tableOf, verdictOf, type Figure, type Verdict } from './figure.ts'

const figure = (given: Partial<Figure>): Figure => ({
  row: 'intake',
  what: 'wall time',
  value: 10,
  unit: 's',
  ...given,
})
const beside = (value: number, ratioAtMost?: number): NonNullable<Figure['beside']> => ({
  program: 'cp',
  value,
  ...(ratioAtMost === undefined ? {} : { ratioAtMost }),
})

describe('a figure', () => {
  it.each<[string, Partial<Figure>, Verdict]>([
    ['without a target', {}, 'none'],
    ['beside a program only', { beside: beside(1) }, 'none'],
    ['at its target', { atMost: 10 }, 'met'],
    ['above it', { atMost: 9.99 }, 'missed'],
    ['at its ratio', { beside: beside(5, 2) }, 'met'],
    ['above its ratio', { beside: beside(4.9, 2) }, 'missed'],
    ['within one of two targets', { atMost: 10, beside: beside(4, 2) }, 'missed'],
    ['that could not be taken', { value: null, atMost: 10 }, 'not measured'],
    ['beside nothing that took time', { beside: beside(0, 2) }, 'not measured'],
  ])('%s', (_, given, verdict) => {
    expect(verdictOf(figure(given))).toBe(verdict)
  })

  it('is a multiple of what the other program took', () => {
    expect(ratioOf(figure({ beside: beside(4) }))).toBe(2.5)
    expect(ratioOf(figure({}))).toBeNull()
  })

  it('shows a missed target in the table', () => {
    const [, row] = tableOf([figure({ atMost: 3, beside: beside(4, 2) })])
    expect(row).toEqual([
      'intake',
      'wall time',
      '10.0 s',
      '<= 3.00 s, <= 2 x',
      'missed',
      '2.50 x',
      'cp: 4.00 s',
    ])
  })
})

it.each([
  [[], 0.5, null],
  [[3], 0.95, 3],
  [[5, 1, 3], 0.5, 3],
  [[4, 1, 3, 2], 0.5, 2],
  [Array.from({ length: 100 }, (_, index) => 100 - index), 0.95, 95],
  [[1, 2], 1, 2],
])('of %j the quantile %d is %j', (values, share, expected) => {
  expect(quantileOf(values, share)).toBe(expected)
})
