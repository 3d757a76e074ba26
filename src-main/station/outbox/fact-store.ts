import type { WriteThrough } from './write-through.ts'

/** `pause` outlives a restart: a person who stopped sending in the evening finds it stopped in the morning. */
export type FactName = 'pause' | 'existing' | 'lastSentAt'

export function readFact(store: WriteThrough, name: FactName): string | null {
  return (
    store.sql.prepare<[string], string>('SELECT value FROM facts WHERE name = ?').pluck().get(name) ?? null
  )
}

export function writeFact(store: WriteThrough, name: FactName, value: string): void {
  store.sql.prepare('INSERT OR REPLACE INTO facts (name, value) VALUES (?, ?)').run(name, value)
}
