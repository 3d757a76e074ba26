import type { Cases, StoredCase } from './cases.ts'
import type { Centers } from './centers.ts'
import type { Dialect } from './dialects.ts'
import type { JournalEntry } from './journal.ts'
import type { PracticeSettings } from './practice-options.ts'
import type { Tokens } from './tokens.ts'

/** What the endpoints work on. The dialect may change between two requests. */
export type Desk = {
  readonly settings: PracticeSettings
  readonly tokens: Tokens
  readonly centers: Centers
  readonly cases: Cases
  dialect: Dialect
}

/** Stores a case that was found good, under the center that is current now. */
export function storeCase(
  desk: Desk,
  parts: Pick<JournalEntry, 'fields' | 'images'>,
  centerId = desk.centers.currentId,
): StoredCase {
  const now = desk.settings.now()
  return desk.cases.add(desk.dialect.ids, {
    centerId,
    fields: Object.fromEntries(parts.fields.map(({ name, value }) => [name, value])),
    images: [...parts.images],
    storedAt: now,
    listedAt: now + desk.settings.listDelayMs,
    reportReadyAt: now + desk.settings.reportDelayMs,
  })
}
