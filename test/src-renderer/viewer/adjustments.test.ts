import { expect, it } from 'vitest'
import {
  type Adjustments,
  filterOf,
  levelOf,
  powerOf,
  UNCHANGED,
} from '../../../src-renderer/viewer/adjustments.tsx'

it.each<[string, Partial<Adjustments>, string]>([
  ['nothing', {}, 'none'],
  ['red-free', { isRedFree: true }, 'url("#viewer-red-free")'],
  ['inversion, last', { isInverted: true, brightness: 1.2 }, 'brightness(1.2) invert(1)'],
  ['contrast after brightness', { contrast: 0.5, brightness: 2 }, 'brightness(2) contrast(0.5)'],
])('the filter of %s', (_what, changes, filter) => {
  expect(filterOf({ ...UNCHANGED, ...changes })).toBe(filter)
})

it('a slider rests in its middle, and finds its value again', () => {
  expect([powerOf(UNCHANGED.contrast), levelOf(0)]).toEqual([0, UNCHANGED.contrast])
  expect(levelOf(-1) * levelOf(1)).toBeCloseTo(1)
  expect(powerOf(levelOf(0.35))).toBeCloseTo(0.35)
})
