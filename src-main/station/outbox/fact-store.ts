import type { WriteThrough } from './write-through.ts'

/**
 * - pause         outlives a restart: a person who stopped sending in the evening finds it stopped in the morning
 * - backupOf      stands in a backup only, see `restored-copy.ts`
 * - generation    which opening of the outbox wrote last, see `restored-copy.ts`; before it `previousGeneration`
 * - session       is `open` until the outbox was closed as it should be
 * - reportsSaveTo where reports are copied to, and after which one that began
 * - restored      why what happened since is not known, until that was dealt with
 * - clinicalUnits what visual acuities and prism bases are written in, so that a change of it is noticed
 * - namesRule     how far the rule of `names-rule.ts` was brought to an outbox that was in use before it
 * - centersMarkedAt  the service (address and client) that marks the current center in its list
 */
export type FactName =
  | 'pause'
  | 'existing'
  | 'lastSentAt'
  | 'stationId'
  | 'backupOf'
  | 'generation'
  | 'previousGeneration'
  | 'session'
  | 'reportsSaveTo'
  | 'restored'
  | 'clinicalUnits'
  | 'namesRule'
  | 'centersMarkedAt'

export function readFact(store: WriteThrough, name: FactName): string | null {
  return (
    store.sql.prepare<[string], string>('SELECT value FROM facts WHERE name = ?').pluck().get(name) ?? null
  )
}

export function writeFact(store: WriteThrough, name: FactName, value: string): void {
  store.sql.prepare('INSERT OR REPLACE INTO facts (name, value) VALUES (?, ?)').run(name, value)
}
