/** Where the bars of the chart stand, in pixels of a drawing of this size. Pure. */
import type { DayCount } from '../../src-shared/day-count.ts'

export type Bar = { readonly x: number; readonly y: number; readonly width: number; readonly height: number }
export type DayBars = {
  readonly day: string
  /** The column of the day, for the pointer. */
  readonly x: number
  readonly width: number
  readonly added: Bar
  readonly sent: Bar
}
export type ChartShape = {
  readonly days: readonly DayBars[]
  readonly ticks: readonly { readonly value: number; readonly y: number }[]
}

export type ChartSize = {
  readonly width: number
  readonly height: number
  readonly left: number
  readonly top: number
}

/** The end of the scale: 1, 2 or 5 times a power of ten, and never a fraction of a case. */
export function roundUp(max: number): number {
  if (max <= 2) return 2
  const power = 10 ** Math.floor(Math.log10(max))
  return ([1, 2, 5, 10].find((factor) => factor * power >= max) ?? 10) * power
}

/** Two bars for each day: what came, and what was sent. */
export function chartShape(items: readonly DayCount[], { width, height, left, top }: ChartSize): ChartShape {
  const end = roundUp(Math.max(0, ...items.flatMap(({ added, sent }) => [added, sent])))
  const yOf = (value: number): number => top + (height - top) * (1 - value / end)
  const step = items.length === 0 ? 0 : Math.max(0, width - left) / items.length
  const bar = Math.min(14, step * 0.36)
  const barOf = (x: number, value: number): Bar => ({
    x,
    y: yOf(value),
    width: bar,
    height: height - yOf(value),
  })
  return {
    days: items.map(({ day, added, sent }, index) => {
      const x = left + index * step
      const middle = x + step / 2
      return { day, x, width: step, added: barOf(middle - bar - 0.5, added), sent: barOf(middle + 0.5, sent) }
    }),
    ticks: [0, end / 2, end].map((value) => ({ value, y: yOf(value) })),
  }
}

/** Every how manieth day has its name below it, the last one always, so that no two touch. */
export function labelEvery(days: number, width: number, labelWidth: number): number {
  const fitting = Math.max(1, Math.floor(width / labelWidth))
  return Math.max(1, Math.ceil(days / fitting))
}
