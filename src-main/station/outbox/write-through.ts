/** Writes happen in one immediate transaction each, and whoever listens is told after the commit, never before. */
import type { SqlDatabase } from './open-database.ts'

export type WriteThrough = {
  readonly sql: SqlDatabase
  /** Runs the work in a transaction, or within the one that is open. What it throws undoes all of it. */
  write<Value>(work: () => Value): Value
  /** Marks a submission as changed by the work that is running. */
  touch(submissionId: string): void
}

export function createWriteThrough(
  sql: SqlDatabase,
  onChanged: (submissionIds: readonly string[]) => void,
): WriteThrough {
  let touched = new Set<string>()
  return {
    sql,
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
