import type { WriteThrough } from './write-through.ts'

/** How many submissions came, and how many were taken by the service, from one instant to the next. */
export type PeriodCount = { readonly added: number; readonly sent: number }

/** Counts between each of these instants and the one after it; both are read from an index alone. */
export function countPeriods(store: WriteThrough, bounds: readonly number[]): PeriodCount[] {
  const added = store.sql
    .prepare<[number, number], number>(
      'SELECT count(*) FROM submissions WHERE added_at >= ? AND added_at < ?',
    )
    .pluck()
  const sent = store.sql
    .prepare<[number, number], number>('SELECT count(*) FROM submissions WHERE sent_at >= ? AND sent_at < ?')
    .pluck()
  return bounds.slice(1).map((until, index) => {
    const since = bounds[index] ?? until
    return { added: added.get(since, until) ?? 0, sent: sent.get(since, until) ?? 0 }
  })
}
