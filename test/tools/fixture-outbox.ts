/** The data folder with everything in it, see `test/fixtures/full-outbox/README.md`. */
import { hash } from 'node:crypto'
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { brotliDecompressSync } from 'node:zlib'
import Database from 'better-sqlite3'
import {
  APPLICATION_ID,
  MIGRATIONS,
  SCHEMA_VERSION,
} from '../../src-main/station/outbox/migrations/migrate.ts'
import { bindOutbox } from '../../src-main/station/outbox/outbox.ts'
import { createStore } from '../../src-main/station/outbox/database.ts'
import { temporaryFolder } from './temporary-folder.ts'

const FIXTURE = new URL('../fixtures/full-outbox/', import.meta.url)

/** Copies the data folder; answers with its path, of a temporary folder if none is given. */
export function copyFixtureOutbox(folder = temporaryFolder()): string {
  const unpacked = brotliDecompressSync(readFileSync(new URL('data.br', FIXTURE)))
  // A line of JSON says what the rest is, one file after the other.
  let at = unpacked.indexOf('\n') + 1
  const files = JSON.parse(unpacked.toString('utf8', 0, at)) as readonly { path: string; size: number }[]
  for (const { path, size } of files) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), unpacked.subarray(at, at + size))
    at += size
    if (path.endsWith('.sqlite')) copyIntoSchema(join(folder, path))
  }
  return folder
}

/** Moves the rows into the schema of today, edited in place until a version is released; tables that it lacks are left. */
function copyIntoSchema(path: string): void {
  const target = `${path}.now`
  const sql = new Database(target)
  const all = (text: string): readonly string[] => sql.prepare<[], string>(text).pluck().all()
  sql.pragma(`application_id = ${APPLICATION_ID}`)
  for (const text of MIGRATIONS) sql.exec(text)
  const triggers = sql
    .prepare<[], { name: string; sql: string }>("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'")
    .all()
  for (const { name } of triggers) sql.exec(`DROP TRIGGER ${name}`)
  sql.pragma('foreign_keys = OFF')
  sql.exec(`ATTACH '${path}' AS before`)
  const tables = all(
    `SELECT name FROM before.sqlite_schema WHERE type = 'table' AND name NOT GLOB 'sqlite_*' AND name NOT GLOB 'submission_words_*' AND name IN (SELECT name FROM main.sqlite_schema)`,
  )
  for (const table of tables) {
    const columns =
      table === 'submission_words'
        ? ['rowid', 'words']
        : all(
            `SELECT name FROM pragma_table_info('${table}', 'main') WHERE name IN (SELECT name FROM pragma_table_info('${table}', 'before'))`,
          )
    sql.exec(`INSERT INTO main.${table} (${columns.join()}) SELECT ${columns.join()} FROM before.${table}`)
  }
  // What the fixture has in a table of its own, or looks for.
  sql.exec(`UPDATE report_watches SET listed_state = listed.state, listed_urgency = listed.urgency,
    report_mark = listed.report_mark, listed_since = listed.changed_at, listed_at = listed.read_at
    FROM before.case_states AS listed WHERE listed.case_id = report_watches.case_id
    AND listed.base_url = report_watches.base_url AND listed.client_id = report_watches.client_id
    AND listed.center_key = coalesce(center_id, '-');
  UPDATE report_watches SET latest = (SELECT max(position) FROM report_versions AS each
    WHERE each.submission_id = report_watches.submission_id)`)
  sql.exec('DETACH before')
  renewDigests(sql)
  for (const trigger of triggers) sql.exec(trigger.sql)
  sql.pragma(`user_version = ${SCHEMA_VERSION}`)
  sql.close()
  rmSync(path)
  renameSync(target, path)
}

/** The build that wrote the rows made its digests of exactly this text: those of today take their turn. */
function renewDigests(sql: Database.Database): void {
  const outbox = bindOutbox(createStore(sql, () => undefined))
  const content = sql.prepare<[string]>('SELECT fields, no_image_because FROM submissions WHERE id = ?')
  const images = sql.prepare<[string]>(
    `SELECT id, eye, excluded_because IS NULL AS is_taken, twin_of, sends, sha256, picture_sha256
     FROM images WHERE submission_id = ? ORDER BY position`,
  )
  const ids = sql.prepare<[], string>('SELECT id FROM submissions WHERE passed_digest IS NOT NULL').pluck()
  for (const id of ids.all()) {
    const before = hash('sha256', JSON.stringify([content.get(id), images.all(id)]))
    const now = outbox.candidateOf(id)?.digest
    for (const column of ['passed_digest', 'approved_digest'])
      sql.prepare(`UPDATE submissions SET ${column} = ? WHERE id = ? AND ${column} = ?`).run(now, id, before)
  }
}
