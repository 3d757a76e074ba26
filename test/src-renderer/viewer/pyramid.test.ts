import { describe, expect, it } from 'vitest'
import { levelsOf, sizeAt, tileBox, type Size } from '../../../src-renderer/viewer/pyramid.ts'

describe('the levels of a picture', () => {
  it.each<[Size, { min: number; max: number }]>([
    [
      { width: 900, height: 750 },
      { min: 8, max: 10 },
    ],
    [
      { width: 384, height: 300 },
      { min: 9, max: 9 },
    ],
    [
      { width: 1, height: 1 },
      { min: 0, max: 0 },
    ],
    [
      { width: 8660, height: 5774 },
      { min: 9, max: 14 },
    ],
    [
      { width: 4096, height: 4096 },
      { min: 8, max: 12 },
    ],
  ])('of %j are %j: down to what is small enough', (size, levels) => {
    expect(levelsOf(size)).toEqual(levels)
    const smallest = sizeAt(size, levels.max - levels.min)
    expect(Math.max(smallest.width, smallest.height)).toBeLessThanOrEqual(384)
  })

  it('are rounded up, so that no last row or column is lost', () => {
    expect(sizeAt({ width: 901, height: 3 }, 1)).toEqual({ width: 451, height: 2 })
    expect(sizeAt({ width: 901, height: 3 }, 4)).toEqual({ width: 57, height: 1 })
  })
})

describe('a tile', () => {
  const level: Size = { width: 1300, height: 700 }
  it.each([
    ['at the corner', 0, 0, { x: 0, y: 0, width: 513, height: 513 }],
    ['in the middle shares a pixel with both neighbours', 1, 0, { x: 511, y: 0, width: 514, height: 513 }],
    ['at the end stops with the picture', 2, 1, { x: 1023, y: 511, width: 277, height: 189 }],
  ] as const)('%s', (_where, column, row, box) => {
    expect(tileBox(level, column, row)).toEqual(box)
  })
})
