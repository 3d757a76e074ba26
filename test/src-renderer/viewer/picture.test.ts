import { describe, expect, it } from 'vitest'
import {
  type Adjustments,
  channelMatrix,
  transferTable,
  UNCHANGED,
} from '../../../src-renderer/viewer/adjustments.tsx'
import { levelsOf, type Size, sizeAt, tileBox } from '../../../src-renderer/viewer/pyramid.ts'

/** What an feColorMatrix makes of a colour. */
function through(matrix: readonly number[], [red, green, blue]: readonly [number, number, number]): number[] {
  const changes = [red, green, blue, 1, 1]
  return [0, 5, 10, 15].map((row) =>
    changes.reduce((sum, value, at) => sum + value * (matrix[row + at] ?? 0), 0),
  )
}

describe('the channel', () => {
  it.each([
    ['colour', [0.1, 0.4, 0.8, 1]],
    ['red', [0.1, 0.1, 0.1, 1]],
    ['green', [0.4, 0.4, 0.4, 1]],
    ['blue', [0.8, 0.8, 0.8, 1]],
  ] as const)('%s shows its own values as grey, and colour what is there', (channel, shown) => {
    expect(channelMatrix(channel)).toHaveLength(20)
    expect(through(channelMatrix(channel), [0.1, 0.4, 0.8])).toEqual(shown)
  })
})

describe('the levels', () => {
  /** A browser cuts off what is behind the whole number. */
  const at = (value: number, changes: Partial<Adjustments>): number =>
    Math.floor((transferTable({ ...UNCHANGED, ...changes })[value] ?? Number.NaN) * 255)

  it('have an entry for each of the 256 values, and leave each as it is unless asked', () => {
    const table = transferTable(UNCHANGED)
    expect(table).toHaveLength(256)
    for (const cut of [Math.floor, Math.round])
      expect(table.map((level) => cut(level * 255))).toEqual(Array.from(table, (_, index) => index))
  })

  it.each<[string, number, Partial<Adjustments>, number]>([
    ['inverts', 51, { isInverted: true }, 0.8],
    ['brightens', 51, { brightness: 0.25 }, 0.45],
    ['never goes beyond white', 230, { brightness: 0.5 }, 1],
    ['never goes below black', 51, { brightness: -0.5 }, 0],
    ['steepens around the middle', 153, { contrast: 2 }, 0.7],
    ['flattens around the middle', 153, { contrast: 0.5 }, 0.55],
    ['brings up what is dark', 64, { gamma: 2 }, 0.501],
    ['keeps black by any gamma', 0, { gamma: 2.5 }, 0],
    ['keeps white by any gamma', 255, { gamma: 0.4 }, 1],
    ['inverts last', 255, { isInverted: true, brightness: -0.25 }, 0.25],
  ])('%s', (_what, value, changes, level) => {
    expect(at(value, changes)).toBe(Math.round(level * 255))
  })
})

describe('the levels of a picture', () => {
  it.each([
    [900, 750, 8, 10],
    [384, 300, 9, 9],
    [1, 1, 0, 0],
    [8660, 5774, 9, 14],
    [4096, 4096, 8, 12],
  ])('of %i x %i are %i to %i: down to what is small enough', (width, height, min, max) => {
    expect(levelsOf({ width, height })).toEqual({ min, max })
    const smallest = sizeAt({ width, height }, max - min)
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
