import { expect, it } from 'vitest'
import { copiedToLeft } from '../../../src-renderer/submission/measurements.tsx'

it('copies a refraction whole, and empties what the right eye does not have', () => {
  expect(copiedToLeft('refraction', { sphere: -1, cylinder: -0.5, axis: 20 }, 'examiner')).toEqual([
    ['os_sphere', -1],
    ['os_cylinder', -0.5],
    ['os_axis', 20],
    ['os_add', null],
  ])
})

it('copies a zero as a zero', () => {
  expect(copiedToLeft('iop', { iop: 0 }, 'examiner')).toEqual([['os_iop', 0]])
})

it.each([
  ['in', 0, 180],
  ['up', 90, 90],
  ['an angle', 45, 45],
] as const)('keeps a base %s what people call it', (_what, right, left) => {
  expect(copiedToLeft('prism', { prism: 2, prism_base: right }, 'examiner')).toEqual([
    ['os_prism', 2],
    ['os_prism_base', left],
  ])
})
