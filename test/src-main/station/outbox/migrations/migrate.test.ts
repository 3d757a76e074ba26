import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { describe, expect, it, vi } from 'vitest'
import { StorageError } from '../../../../../src-main/station/lib/storage-faults.ts'
import type { SqlDatabase } from '../../../../../src-main/station/outbox/database.ts'
import {
  migrate,
  MIGRATIONS,
  SCHEMA_VERSION,
  openDatabase,
} from '../../../../../src-main/station/outbox/migrations/migrate.ts'
import { openOutbox } from '../../../../../src-main/station/outbox/open-outbox.ts'
import { ALARM_KINDS } from '../../../../../src-shared/alarms.ts'
import { EYES } from '../../../../../src-shared/measurement-ranges.ts'
import { REPORT_KINDS } from '../../../../../src-shared/report.ts'
import { SUBMISSION_STATES } from '../../../../../src-shared/states.ts'
import { ATTEMPT_PHASES, OUTCOMES } from '../../../../../src-shared/submission.ts'
import { temporaryFolder } from '../../../../tools/temporary-folder.ts'

const STATION = '{"stationId":"0c7c4fd2-8b5e-4a53-9c21-000000000001"}\n'
const AT = Date.UTC(2026, 10, 20, 9)

/** Rows in their own terms: no code of today has made them. */
const ROWS = `
INSERT INTO submissions (id, reference, state, folder_path, fields, sources, identity, reasons, case_id, added_at, changed_at, sent_at)
VALUES
  ('s-1', 'FC0000000A8', 'sent', '/exports', '{"history_number":"H-1"}', '{}', '{}', '[]', '778899', ${AT}, ${AT}, ${AT}),
  ('s-2', 'FC0000000BJ', 'waiting', '/exports', '{"history_number":"H-2"}', '{}', '{}', '[]', NULL, ${AT}, ${AT}, NULL),
  ('s-4', 'FC0000000D3', 'unconfirmed', NULL, '{}', '{}', '{}', '[]', NULL, ${AT}, ${AT}, NULL);
INSERT INTO submission_words (rowid, words) SELECT position, reference FROM submissions;
INSERT INTO submission_keys VALUES ('/exports', 'h-1', 's-1'), ('/exports', 'h-2', 's-2');
INSERT INTO images (id, submission_id, folder_path, file_name, eye, size_bytes, sha256, spool_name, content_type, added_at)
VALUES
  ('i-1', 's-1', '/exports', 'a.jpg', 'right', 10, '${'a'.repeat(64)}', 'aa/a', 'image/jpeg', ${AT}),
  ('i-2', 's-2', '/exports', 'b.jpg', 'left', 20, '${'b'.repeat(64)}', 'bb/b', 'image/jpeg', ${AT});
INSERT INTO attempts (id, submission_id, number, base_url, client_id, phase, outcome, request_bytes, started_at)
VALUES
  ('a-1', 's-1', 1, 'https://service.example/', 'practice', 'ended', 'delivered', 100, ${AT}),
  ('a-4', 's-4', 1, 'https://service.example/', 'practice', 'handedOver', NULL, 100, ${AT});
INSERT INTO evidence (id, submission_id, attempt_id, at, kind, case_ids, message)
VALUES ('e-1', 's-4', 'a-4', ${AT}, 'absent', '[]', 'It is not in the list.');
INSERT INTO sightings (folder_path, relative_path, size_bytes, mtime_ms, became, submission_id, at)
VALUES ('/exports', 'a.jpg', 10, ${AT}, 'image', 's-1', ${AT});
INSERT INTO sidecar_records (folder_path, relative_path, path_key, form, content, at)
VALUES ('/exports', 'H-1/case.json', 'h-1/case.json', 'case', '{"files":["OD/a.jpg"],"eyes":{"OS/B.jpg":"left"}}', ${AT}), ('/exports', 'x/case.json', 'x/case.json', 'case', '{', ${AT});
INSERT INTO report_watches (submission_id, case_id, base_url, client_id) VALUES ('s-1', '778899', 'https://service.example/', 'practice');
INSERT INTO audit (at, submission_id, what, details) VALUES (${AT}, 's-1', 'added', '{}'), (${AT}, 's-1', 'deliveredNow', '{}');
INSERT INTO case_lists (base_url, client_id, center_key, read_at) VALUES ('https://service.example/', 'practice', '-', ${AT});
INSERT INTO facts VALUES ('pause', ''), ('lastSentAt', '${AT}');
`

const databaseIn = (folder: string): string => join(folder, 'outbox.sqlite')
const backupIn = (folder: string): string => `${databaseIn(folder)}.before-${NEXT_VERSION}`

/** What a version after this one might add. */
const NEXT = 'ALTER TABLE submissions ADD COLUMN next TEXT; UPDATE submissions SET next = id;'
const PLANTED = [...MIGRATIONS, NEXT]
const NEXT_VERSION = SCHEMA_VERSION + 1

/** A data folder as this version leaves it. */
function dataFolder(): string {
  const folder = temporaryFolder()
  const sql = openDatabase(databaseIn(folder))
  sql.exec(MIGRATIONS.join(''))
  sql.exec(ROWS)
  sql.pragma(`user_version = ${SCHEMA_VERSION}`)
  sql.close()
  writeFileSync(join(folder, 'station.json'), STATION)
  return folder
}

/** Everything in a database that this version knows, by table. */
function contentOf(path: string): Record<string, unknown[]> {
  const sql = new Database(path, { readonly: true })
  const first = new Database(':memory:')
  first.exec(MIGRATIONS.join(''))
  const tables = first
    .prepare<[], string>("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%'")
    .pluck()
    .all()
  const content = Object.fromEntries(
    tables.map((table) => {
      const columns = first
        .prepare<[], string>(`SELECT name FROM pragma_table_info('${table}')`)
        .pluck()
        .all()
      return [table, sql.prepare(`SELECT ${columns.join(', ')} FROM ${table}`).all()]
    }),
  )
  first.close()
  sql.close()
  return content
}

function versionOf(path: string): unknown {
  const sql = new Database(path, { readonly: true })
  const version: unknown = sql.pragma('user_version', { simple: true })
  sql.close()
  return version
}

/** Runs the work on the open database; what it throws must be a StorageError, whose sentence is the answer. */
function refusalOf(folder: string, work: (sql: SqlDatabase) => void): string {
  const sql = openDatabase(databaseIn(folder))
  try {
    work(sql)
    return 'migrated'
  } catch (error) {
    expect(error).toBeInstanceOf(StorageError)
    expect((error as StorageError).message).toMatch(/^[A-Z].*\.$/)
    return (error as StorageError).message
  } finally {
    sql.close()
  }
}

/** The refusal of a migration whose backup is written in this way. */
function refusalWithCopy(folder: string, run: (path: string) => void): string {
  return refusalOf(folder, (sql) => {
    const prepare = sql.prepare.bind(sql)
    vi.spyOn(sql, 'prepare').mockImplementation(((text: string) =>
      text === 'VACUUM INTO ?' ? { run } : prepare(text)) as typeof sql.prepare)
    migrate(sql, databaseIn(folder), PLANTED)
  })
}

it('a migration is made of nothing that the program may change', () => {
  const folder = new URL('../../../../../src-main/station/outbox/migrations/', import.meta.url)
  const texts = readdirSync(folder).filter((name) => name !== 'migrate.ts')
  expect(texts).toEqual(['0001-cases.ts', '0001-service.ts'])
  for (const name of texts) expect(readFileSync(new URL(name, folder), 'utf8')).not.toMatch(/^import |\$\{/m)
})

/** The terms that the newest schema allows in a column. */
function allowedIn(table: string, column: string): readonly string[] {
  const sql = new Database(':memory:')
  migrate(sql, ':memory:')
  const text =
    sql.prepare<[string], string>('SELECT sql FROM sqlite_schema WHERE name = ?').pluck().get(table) ?? ''
  sql.close()
  const list = new RegExp(`CHECK \\(${column} IN \\(([^)]*)\\)\\)`).exec(text)?.[1] ?? ''
  return [...list.matchAll(/'([^']*)'/g)].map(([, term = '']) => term)
}

it.each([
  ['submissions', 'state', SUBMISSION_STATES],
  ['images', 'eye', EYES],
  ['attempts', 'phase', ATTEMPT_PHASES],
  ['attempts', 'outcome', OUTCOMES],
  ['report_versions', 'kind', REPORT_KINDS],
  ['alarms', 'kind', ALARM_KINDS],
] as const)('the newest schema allows in %s.%s just what the program writes', (table, column, terms) => {
  expect(allowedIn(table, column).toSorted()).toEqual([...terms].toSorted())
})

describe('a migration to the next version', () => {
  it('keeps every row, and counts the cases as before', () => {
    const folder = dataFolder()
    const before = contentOf(databaseIn(folder))
    expect(before['submissions']).toHaveLength(3)
    const sql = openDatabase(databaseIn(folder))
    migrate(sql, databaseIn(folder), PLANTED)
    expect(sql.prepare('SELECT next FROM submissions ORDER BY id').pluck().all()).toEqual([
      's-1',
      's-2',
      's-4',
    ])
    expect(sql.pragma('integrity_check', { simple: true })).toBe('ok')
    expect(sql.pragma('foreign_key_check')).toEqual([])
    sql.close()
    expect(versionOf(databaseIn(folder))).toBe(NEXT_VERSION)
    const after = contentOf(databaseIn(folder))
    // The hash of the schema is that of the new one.
    const factsOf = (content: typeof before) =>
      content['facts']?.filter((fact) => (fact as { name: string }).name !== 'schema')
    expect({ ...after, facts: factsOf(after) }).toEqual({ ...before, facts: factsOf(before) })
    expect(after['facts']).not.toEqual(before['facts'])
  })

  it('makes a backup first that has every row, is marked as a backup, is one file, and opens on its own', () => {
    const folder = dataFolder()
    const before = contentOf(databaseIn(folder))
    expect(refusalOf(folder, (sql) => migrate(sql, databaseIn(folder), PLANTED))).toBe('migrated')
    const kept = contentOf(backupIn(folder))
    const marks = kept['facts']?.filter((fact) => (fact as { name: string }).name === 'backupOf')
    expect(marks).toEqual([{ name: 'backupOf', value: expect.stringMatching(/^20\d\d-.*Z$/) as string }])
    expect({ ...kept, facts: kept['facts']?.filter((fact) => !marks?.includes(fact)) }).toEqual(before)
    expect(versionOf(backupIn(folder))).toBe(SCHEMA_VERSION)
    const sql = openDatabase(backupIn(folder))
    expect(sql.pragma('integrity_check', { simple: true })).toBe('ok')
    sql.close()
    expect(readdirSync(folder).filter((name) => name.includes('.before-'))).toEqual([
      `outbox.sqlite.before-${NEXT_VERSION}`,
    ])
  })

  it('makes no backup of a station that is new, and none the second time', () => {
    const folder = temporaryFolder()
    openOutbox(folder).close()
    openOutbox(folder).close()
    expect(readdirSync(folder).filter((name) => name.includes('.before-'))).toEqual([])
  })
})

describe('a migration that cannot be done', () => {
  it.each([
    ['at its end', `${NEXT} CREATE TABLE submissions (a);`],
    ['in the middle', `DELETE FROM sightings; ALTER TABLE nothing ADD COLUMN a; ${NEXT}`],
  ])('leaves the outbox untouched if it fails %s, and says so', (_where, broken) => {
    const folder = dataFolder()
    const before = contentOf(databaseIn(folder))
    const refusal = refusalOf(folder, (sql) => migrate(sql, databaseIn(folder), [...MIGRATIONS, broken]))
    expect(refusal).toContain('could not be updated to this version')
    expect(refusal).toContain('Nothing was changed')
    expect(versionOf(databaseIn(folder))).toBe(SCHEMA_VERSION)
    expect(contentOf(databaseIn(folder))).toEqual(before)
    // A mended program takes it from there.
    expect(refusalOf(folder, (sql) => migrate(sql, databaseIn(folder), PLANTED))).toBe('migrated')
  })

  it('refuses a newer database and changes nothing', () => {
    const folder = dataFolder()
    const before = contentOf(databaseIn(folder))
    const sql = openDatabase(databaseIn(folder))
    sql.pragma(`user_version = ${SCHEMA_VERSION + 1}`)
    sql.close()
    expect(refusalOf(folder, (opened) => migrate(opened, databaseIn(folder)))).toContain(
      'newer Fundus Courier',
    )
    expect(contentOf(databaseIn(folder))).toEqual(before)
    expect(versionOf(databaseIn(folder))).toBe(SCHEMA_VERSION + 1)
    expect(existsSync(backupIn(folder))).toBe(false)
  })

  it.each<readonly [string, (path: string) => void, string, readonly string[]]>([
    [
      'the disk is full during the backup, and leaves nothing behind',
      (path) => {
        // SQLite leaves the part that it has written.
        writeFileSync(path, 'part of a backup')
        writeFileSync(`${path}-journal`, 'x')
        throw new Database.SqliteError('database or disk is full', 'SQLITE_FULL')
      },
      'The disk is full',
      [],
    ],
    [
      'the copy cannot be verified, and keeps an earlier backup',
      (path) => writeFileSync(path, 'no database, but long enough to be taken for one. '.repeat(100)),
      'backed up',
      [`outbox.sqlite.before-${NEXT_VERSION}`],
    ],
  ])('refuses and changes nothing if %s', (_what, run, says, left) => {
    const folder = dataFolder()
    const before = contentOf(databaseIn(folder))
    for (const name of left) writeFileSync(join(folder, name), 'an earlier backup')
    const refusal = refusalWithCopy(folder, run)
    for (const part of [says, 'Nothing was changed']) expect(refusal).toContain(part)
    expect(versionOf(databaseIn(folder))).toBe(SCHEMA_VERSION)
    expect(contentOf(databaseIn(folder))).toEqual(before)
    expect(readdirSync(folder).filter((name) => name.includes('before'))).toEqual(left)
  })
})

it('an outbox of a preview build is refused with what to do, and nothing of it is touched', () => {
  const folder = dataFolder()
  const bytes = readFileSync(databaseIn(folder))
  bytes.write('FCOB', 68, 'latin1')
  writeFileSync(databaseIn(folder), bytes)
  expect(() => openOutbox(folder)).toThrow('Send its cases with that preview')
  expect(readFileSync(databaseIn(folder)).equals(bytes)).toBe(true)
})
