import { describe, expect, it } from 'vitest'
import { transposed } from '../../../src-renderer/format/optics.ts'
import { fc } from '../../tools/property.ts'

describe('a transposed refraction', () => {
  it.each([
    [
      [1.25, -0.75, 45],
      [0.5, 0.75, 135],
    ],
    [
      [0.5, 0.75, 135],
      [1.25, -0.75, 45],
    ],
    [
      [-2, -1, 180],
      [-3, 1, 90],
    ],
    [
      [-3, 1, 90],
      [-2, -1, 180],
    ],
    [
      [0.75, -0.75, 91],
      [0, 0.75, 1],
    ],
    [
      [1.1, -0.3, 10],
      [0.8, 0.3, 100],
    ],
    [
      [0, 0.5, 0],
      [0.5, -0.5, 90],
    ],
  ] as const)('of %j is %j', ([sphere, cylinder, axis], [toSphere, toCylinder, toAxis]) => {
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
