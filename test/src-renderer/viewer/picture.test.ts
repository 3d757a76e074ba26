import { describe, expect, it } from 'vitest'
import {
  type Adjustments,
  channelMatrix,
  transferTable,
  UNCHANGED,
} from '../../../src-renderer/viewer/adjustments.tsx'

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
