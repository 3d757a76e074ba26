import { expect, it } from 'vitest'
import { type Adjustments, filterOf, UNCHANGED } from '../../../src-renderer/viewer/adjustments.tsx'

it.each<[string, Partial<Adjustments>, string]>([
  ['nothing', {}, 'none'],
  ['red-free', { isRedFree: true }, 'url("#viewer-red-free")'],
  ['inversion, last', { isInverted: true, brightness: 1.2 }, 'brightness(1.2) invert(1)'],
  ['contrast after brightness', { contrast: 0.5, brightness: 2 }, 'brightness(2) contrast(0.5)'],
])('the filter of %s', (_what, changes, filter) => {
  expect(filterOf({ ...UNCHANGED, ...changes })).toBe(filter)
})
