import type { Figure } from './figure.ts'

/** How a row is run. */
export type BenchOptions = {
  /** An empty folder of this row, removed when it is done. */
  readonly folder: string
  /** The share of the work that DESIGN.md names, 0 to 1. */
  readonly scale: number
  /** `smoke`: as little as shows that the bench still works; its figures say nothing. */
  readonly effort: 'full' | 'smoke'
  /** Says what goes on. */
  readonly tell: (line: string) => void
}

export type BenchRow = (options: BenchOptions) => Promise<readonly Figure[]>

/** So many of a whole, and at least one. */
export function scaled(count: number, { scale }: Pick<BenchOptions, 'scale'>): number {
  return Math.max(1, Math.round(count * scale))
}
