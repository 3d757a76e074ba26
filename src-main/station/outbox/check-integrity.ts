import { schemaStateOf } from './check-schema.ts'
import { areTextsReadable } from './check-texts.ts'
import type { SqlDatabase } from './open-database.ts'
import { codeOf, DAMAGED, StorageError } from './opening-trouble.ts'

/** Throws a StorageError where the database is damaged. Reads all of it: seconds for hundreds of megabytes. */
export function checkIntegrity(sql: SqlDatabase): void {
  if (!isSound(sql)) throw new StorageError(DAMAGED, { remedy: 'recover' })
}

function isSound(sql: SqlDatabase): boolean {
  const schema = schemaStateOf(sql)
  if (schema === 'changed') return false
  try {
    return sql.pragma('integrity_check', { simple: true }) === 'ok' && areTextsReadable(sql)
  } catch (error) {
    // SQLite evaluates the indexes, too. What it cannot evaluate by a schema that is whole is what lies under it: a text
    // that is no JSON any more, say, is an error in a statement to SQLite, not a damage.
    if (schema === 'whole' && codeOf(error) === 'SQLITE_ERROR') return false
    throw error
  }
}
