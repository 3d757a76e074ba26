import { isSchemaWhole } from './check-schema.ts'
import { areTextsReadable } from './check-texts.ts'
import type { SqlDatabase } from './open-database.ts'
import { DAMAGED, StorageError } from './opening-trouble.ts'

/** Throws a StorageError where the database is damaged. Reads all of it: seconds for hundreds of megabytes. */
export function checkIntegrity(sql: SqlDatabase): void {
  const isSound =
    isSchemaWhole(sql) && sql.pragma('integrity_check', { simple: true }) === 'ok' && areTextsReadable(sql)
  if (!isSound) throw new StorageError(DAMAGED, { remedy: 'recover' })
}
