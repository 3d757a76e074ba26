/** Writes happen in one immediate transaction each, and whoever listens is told after the commit, never before. */
import type { SqlDatabase } from './open-database.ts'

export type WriteThrough = {
  readonly sql: Pick<SqlDatabase, 'prepare'>
  /** Runs the work in a transaction, or within the one that is open. What it throws undoes all of it. */
  write<Value>(work: () => Value): Value
  /** Marks a submission as changed by the work that is running. */
  touch(submissionId: string): void
}

/** More texts than the stores have: only lists build theirs of parts. */
const MOST_STATEMENTS = 500

/**
 * Keeps prepared statements by their text: preparing anew costs more than most of them take. No text is used both with
 * `pluck` and without.
 */
function preparedOnce(sql: SqlDatabase): Pick<SqlDatabase, 'prepare'> {
  const statements = new Map<string, unknown>()
  const prepare = (text: string): unknown => {
    const known = statements.get(text)
    if (known !== undefined) return known
    if (statements.size >= MOST_STATEMENTS) statements.clear()
    const statement = sql.prepare(text)
    statements.set(text, statement)
    return statement
  }
  return { prepare: prepare as SqlDatabase['prepare'] }
}

export function createWriteThrough(
  sql: SqlDatabase,
  onChanged: (submissionIds: readonly string[]) => void,
): WriteThrough {
  let touched = new Set<string>()
  return {
    sql: preparedOnce(sql),
    write(work) {
      if (sql.inTransaction) return work()
      touched = new Set()
      const value = sql.transaction(work).immediate()
      const changed = [...touched]
      touched = new Set()
      if (changed.length > 0) onChanged(changed)
      return value
    },
    touch: (submissionId) => void touched.add(submissionId),
  }
}
