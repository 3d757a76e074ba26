/** What the bench measures: figures with what they are held against, and the table that shows them. Pure. */

export type RowName =
  | 'intake'
  | 'old-files'
  | 'visible'
  | 'data-files'
  | 'outbox'
  | 'screens'
  | 'desk'
  | 'delivery'
  | 'sent-before'
  | 'memory'
  | 'health'

export type Unit = 'ms' | 's' | 'MB' | '%' | 'cores' | ''

export type Figure = {
  readonly row: RowName
  readonly what: string
  /** Null if this machine cannot measure it. */
  readonly value: number | null
  readonly unit: Unit
  /** Of DESIGN.md, "Budgets". */
  readonly atMost?: number
  /** Another program with the same work in the same run, and what it took. */
  readonly beside?: { readonly program: string; readonly value: number; readonly ratioAtMost?: number }
}

/** Makes the figures of one row. */
export function figuresOf(
  row: RowName,
  unit: Unit,
): (what: string, value: number | null, rest?: Partial<Figure>) => Figure {
  return (what, value, rest = {}) => ({ row, what, value, unit, ...rest })
}

/** `none`: there is no target for it. */
export type Verdict = 'met' | 'missed' | 'not measured' | 'none'

/** The value as a multiple of what the other program took. */
export function ratioOf({ value, beside }: Figure): number | null {
  return value === null || beside === undefined || beside.value === 0 ? null : value / beside.value
}

/** Is the figure within all its targets? A figure that could not be taken meets none. */
export function verdictOf(figure: Figure): Verdict {
  const held = [
    { found: figure.value, atMost: figure.atMost },
    { found: ratioOf(figure), atMost: figure.beside?.ratioAtMost },
  ].filter(({ atMost }) => atMost !== undefined)
  if (held.length === 0) return 'none'
  if (held.some(({ found }) => found === null)) return 'not measured'
  return held.every(({ found, atMost = 0 }) => found !== null && found <= atMost) ? 'met' : 'missed'
}

/** The value below which `share` of the values lie (nearest rank); null of none. */
export function quantileOf(values: readonly number[], share: number): number | null {
  const sorted = values.toSorted((one, other) => one - other)
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? null
}

/**
 * What a request waits for that comes at any instant of a span, as the share of instants that wait no longer; milliseconds. Of
 * a stall of 300 ms, two thirds of the instants wait for more than 100.
 */
export function waitQuantileOf(stallsMs: readonly number[], spanMs: number, share: number): number {
  const longest = stallsMs.toSorted((one, other) => other - one)
  const mayWaitMs = spanMs * (1 - share)
  let sumMs = 0
  for (const [index, ms] of longest.entries()) {
    sumMs += ms
    const waitMs = (sumMs - mayWaitMs) / (index + 1)
    if (waitMs >= (longest[index + 1] ?? 0)) return waitMs
  }
  return 0
}

/** The middle of several rounds; null of none. */
export function medianOf(values: readonly number[]): number | null {
  return quantileOf(values, 0.5)
}

/**
 * The highest resident memory of a process (`VmHWM`), from /proc/PID/status; megabytes of 10^6. `getrusage` counts what
 * the parent had before the program was started.
 */
export function peakMegabytesIn(status: string): number {
  const kibibytes = /^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1]
  if (kibibytes === undefined) throw new Error('There is no VmHWM in the status of the process.')
  return (Number(kibibytes) * 1_024) / 1_000_000
}

function shown(value: number, unit: Unit): string {
  const digits = unit === 'MB' ? 0 : value < 10 ? 2 : value < 100 ? 1 : 0
  return `${value.toFixed(digits)} ${unit}`.trim()
}

function targetOf({ atMost, unit, beside }: Figure): string {
  const targets = [
    atMost === undefined ? null : `<= ${shown(atMost, unit)}`,
    beside?.ratioAtMost === undefined ? null : `<= ${beside.ratioAtMost} x`,
  ]
  return targets.filter((target) => target !== null).join(', ')
}

/** The cells of the table, a heading first. */
export function tableOf(figures: readonly Figure[]): readonly (readonly string[])[] {
  return [
    ['row', 'figure', 'value', 'target', 'verdict', 'ratio', 'beside'],
    ...figures.map((figure) => {
      const ratio = ratioOf(figure)
      const verdict = verdictOf(figure)
      return [
        figure.row,
        figure.what,
        figure.value === null ? '?' : shown(figure.value, figure.unit),
        targetOf(figure),
        verdict === 'none' ? '' : verdict,
        ratio === null ? '' : `${ratio.toFixed(2)} x`,
        figure.beside === undefined
          ? ''
          : `${figure.beside.program}: ${shown(figure.beside.value, figure.unit)}`,
      ]
    }),
  ]
}

/** How a row is run. */
export type BenchOptions = {
  /** An empty folder of this row, removed when it is done. */
  readonly folder: string
  /** The share of the work that DESIGN.md names, 0 to 1. */
  readonly scale: number
  /** `smoke`: as little as shows that the bench still works; its figures say nothing. */
  readonly effort: 'full' | 'smoke'
  /** Says what goes on. */
  readonly report: (line: string) => void
}

export type BenchRow = (options: BenchOptions) => Promise<readonly Figure[]>

/** So many of a whole, and at least one. */
export function scaled(count: number, { scale }: Pick<BenchOptions, 'scale'>): number {
  return Math.max(1, Math.round(count * scale))
}
