import type Database from 'better-sqlite3'

/** As a flipped byte does: behind the back of SQLite, which goes by the text when it opens the file the next time. */
export function rewriteSchema(sql: Database.Database, from: string, to: string): number {
  sql.unsafeMode(true)
  sql.pragma('writable_schema = ON')
  return sql
    .prepare('UPDATE sqlite_schema SET sql = replace(sql, ?, ?) WHERE sql LIKE ?')
    .run(from, to, `%${from}%`).changes
}
