import { expect, it } from 'vitest'
import { waitQuantileOf } from '../bench/figures.ts'

it.each<[stallsMs: number[], spanMs: number, share: number, waitMs: number]>([
  [[], 1_000, 0.99, 0],
  [[9], 1_000, 0.99, 0],
  [[300], 1_000, 0.9, 200],
  [[300, 300], 1_000, 0.9, 250],
  [[300, 100], 1_000, 0.9, 200],
  [[300, 260], 1_000, 0.9, 230],
  [[50], 10_000, 0.99, 0],
])(
  'of stalls of %j ms within %i ms, %d of all instants wait no longer than %d ms',
  (stalls, span, share, waitMs) => {
    expect(waitQuantileOf(stalls, span, share)).toBeCloseTo(waitMs)
  },
)
