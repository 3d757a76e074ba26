import { schemaStateOf } from './check-schema.ts'
import { areTextsReadable } from './check-texts.ts'
import { unlikePassed } from './content-digest.ts'
import type { SqlDatabase } from './open-database.ts'
import { codeOf, DAMAGED, StorageError } from './opening-trouble.ts'

/** The version before kept the digest of a case that was changed and found to have arrived. */
const KEEPS_DIGESTS_SINCE = 2

/** Throws a StorageError where the database is damaged. Reads all of it: seconds for hundreds of megabytes. */
export function checkIntegrity(sql: SqlDatabase): void {
  if (!isSound(sql)) throw new StorageError(DAMAGED, { remedy: 'recover' })
}

function isSound(sql: SqlDatabase): boolean {
  const schema = schemaStateOf(sql)
  if (schema === 'changed') return false
  try {
    return (
      sql.pragma('integrity_check', { simple: true }) === 'ok' && areTextsReadable(sql) && readsAsSent(sql)
    )
  } catch (error) {
    // SQLite evaluates the indexes, too. What it cannot evaluate by a schema that is whole is what lies under it: a text
    // that is no JSON any more, say, is an error in a statement to SQLite, not a damage.
    if (schema === 'whole' && codeOf(error) === 'SQLITE_ERROR') return false
    throw error
  }
}

/** A changed letter of a name is a text like any other; what was sent is known by its digest. */
function readsAsSent(sql: SqlDatabase): boolean {
  const version = Number(sql.pragma('user_version', { simple: true }))
  return version < KEEPS_DIGESTS_SINCE || unlikePassed(sql).length === 0
}
