import { describe, expect, it } from 'vitest'
import { chartShape, labelEvery, roundUp } from '../../../src-renderer/activity/days-chart.tsx'

const SIZE = { width: 320, height: 100, left: 20, top: 10 }

it.each([
  [0, 2],
  [1, 2],
  [3, 5],
  [5, 5],
  [6, 10],
  [11, 20],
  [20, 20],
  [21, 50],
  [640, 1_000],
])('ends a scale for %i at %i', (most, end) => {
  expect(roundUp(most)).toBe(end)
})

describe('the bars', () => {
  it('are as high as their numbers, stand on one line and keep to their day', () => {
    const { days, ticks } = chartShape(
      [
        { day: '2026-11-20', added: 10, sent: 5 },
        { day: '2026-11-21', added: 0, sent: 10 },
      ],
      SIZE,
    )
    expect(days.map(({ added, sent }) => [added.height, sent.height])).toEqual([
      [90, 45],
      [0, 90],
    ])
    for (const { added, sent, x, width } of days) {
      for (const bar of [added, sent]) expect(bar.y + bar.height).toBe(100)
      expect(added.x).toBeGreaterThanOrEqual(x)
      expect(added.x + added.width).toBeLessThan(sent.x)
      expect(sent.x + sent.width).toBeLessThanOrEqual(x + width)
    }
    expect(days.map(({ x }) => x)).toEqual([20, 170])
    expect(ticks.map(({ value }) => value)).toEqual([0, 5, 10])
  })

  it('of nothing, or in no room, are none that could break the drawing', () => {
    expect(chartShape([], SIZE).days).toEqual([])
    const { days } = chartShape([{ day: '2026-11-21', added: 3, sent: 1 }], { ...SIZE, width: 0 })
    expect(days[0]?.width).toBe(0)
    expect(days[0]?.added.width).toBe(0)
  })
})

it.each([
  [14, 1_000, 1],
  [30, 1_000, 2],
  [30, 300, 8],
  [14, 0, 14],
])('names of %i days in %i pixels every %i days', (days, width, every) => {
  expect(labelEvery(days, width, 62)).toBe(every)
})
