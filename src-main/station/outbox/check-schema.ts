/**
 * Looks whether the schema of an outbox still reads as its migrations wrote it. SQLite keeps it as text and knows only
 * whether that can be parsed: with one byte flipped a trigger may guard nothing, a column bear another name, or a
 * function be unknown, which is no damage to SQLite but an error in a statement.
 */
import Database from 'better-sqlite3'
import { MIGRATIONS } from './migrate.ts'
import type { SqlDatabase } from './open-database.ts'

/** Tables, indexes and triggers with their texts; an index that SQLite makes by itself has none. */
function objectsOf(sql: SqlDatabase): string[] {
  return sql
    .prepare<[], object>('SELECT type, name, tbl_name, sql FROM sqlite_schema WHERE sql IS NOT NULL')
    .all()
    .map((object) => JSON.stringify(object))
}

/** `changed`: something is missing or reads otherwise; what else is there harms nothing. `newer`: another program's to judge. */
export type SchemaState = 'whole' | 'changed' | 'newer'

export function schemaStateOf(sql: SqlDatabase): SchemaState {
  const version = Number(sql.pragma('user_version', { simple: true }))
  if (version > MIGRATIONS.length) return 'newer'
  const fresh = new Database(':memory:')
  try {
    for (const statements of MIGRATIONS.slice(0, version)) fresh.exec(statements)
    const found = new Set(objectsOf(sql))
    return objectsOf(fresh).every((object) => found.has(object)) ? 'whole' : 'changed'
  } finally {
    fresh.close()
  }
}
