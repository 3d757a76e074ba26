/** A SQLite connection whose writes fail if a test says, as SQLite's own tests have it. */
import Database from 'better-sqlite3'
import type { SqlDatabase } from '../../../../src-main/station/outbox/database.ts'

type Sql = Pick<SqlDatabase, 'prepare' | 'transaction'>
type Act = (...values: unknown[]) => unknown

export class FaultySql {
  /** Writing statements and commits so far. */
  steps = 0
  #at = Infinity
  #code = ''
  #times = 0

  /** From this step on (1 is the first from now) so many fail with this code. */
  failAt(at: number, code: string, times = Infinity): void {
    Object.assign(this, { steps: 0 })
    this.#at = at
    this.#code = code
    this.#times = times
  }

  hasFailed(): boolean {
    return this.steps >= this.#at
  }

  over(sql: SqlDatabase): Sql {
    const prepare = (text: string): unknown => {
      const statement = sql.prepare(text) as unknown as { readonly: boolean } & Record<string, Act>
      if (statement.readonly) return statement
      for (const name of ['run', 'get', 'all']) {
        const act = statement[name]?.bind(statement)
        statement[name] = (...values) => {
          this.#step()
          return act?.(...values)
        }
      }
      return statement
    }
    const transaction = (work: Act): unknown =>
      sql.transaction((...values: unknown[]) => {
        const value = work(...values)
        // The commit, after which nothing is undone.
        this.#step()
        return value
      })
    return { prepare, transaction } as unknown as Sql
  }

  #step(): void {
    this.steps += 1
    const past = this.steps - this.#at
    if (past >= 0 && past < this.#times) throw new Database.SqliteError('injected', this.#code)
  }
}
