/** Is there space again? Only a write says so. */
import type { WriteThrough } from './write-through.ts'

/** Writes something that means nothing; false where that does not work. Never throws. */
export function tryWrite(store: WriteThrough, at: number): boolean {
  try {
    store.write(() =>
      store.sql.prepare(`INSERT OR REPLACE INTO facts (name, value) VALUES ('writtenAt', ?)`).run(String(at)),
    )
    return true
  } catch {
    return false
  }
}
