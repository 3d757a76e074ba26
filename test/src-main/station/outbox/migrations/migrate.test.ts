import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { StorageError } from '../../../../../src-main/station/lib/storage-error.ts'
import type { SqlDatabase } from '../../../../../src-main/station/outbox/database.ts'
import { migration0001 } from '../../../../../src-main/station/outbox/migrations/0001.ts'
import {
  migration0002,
  migration0003,
  migration0004,
} from '../../../../../src-main/station/outbox/migrations/since-0.1.ts'
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

/** A case whose paths named no one. */
const IDENTITY =
  '{"certainty":"none","conflict":null,"historyNumber":null,"visitDate":null,"historyNumberSource":null,' +
  '"visitDateSource":null,"idsInPaths":[],"statedIds":[],"isAddendumAccepted":false}'

/** Rows as the first version wrote them, in its own terms: no code of today has made them. */
const ROWS = `
INSERT INTO submissions (id, reference, state, folder_path, fields, sources, identity, reasons, case_id, added_at, changed_at, sent_at)
VALUES
  ('s-1', 'FC0000000A8', 'sent', '/exports', '{"history_number":"H-1"}', '{}', '${IDENTITY}', '[]', '778899', ${AT}, ${AT}, ${AT}),
  ('s-2', 'FC0000000BJ', 'waiting', '/exports', '{"history_number":"H-2"}', '{}', '${IDENTITY}', '[]', NULL, ${AT}, ${AT}, NULL),
  ('s-3', 'FC0000000CS', 'waiting', '/exports', '{"history_number":"H-3"}', '{}', '${IDENTITY}', '[]', NULL, ${AT}, ${AT}, NULL),
  ('s-4', 'FC0000000D3', 'unconfirmed', NULL, '{}', '{}', '${IDENTITY}', '[]', NULL, ${AT}, ${AT}, NULL);
INSERT INTO submission_words (rowid, words) SELECT position, reference FROM submissions;
INSERT INTO submission_keys VALUES ('/exports', 'h-1', 's-1'), ('/exports', 'h-2', 's-2');
INSERT INTO images (id, submission_id, folder_path, file_name, eye, size_bytes, sha256, spool_name, content_type, added_at)
VALUES
  ('i-1', 's-1', '/exports', 'a.jpg', 'right', 10, '${'a'.repeat(64)}', 'aa/a', 'image/jpeg', ${AT}),
  ('i-2', 's-2', '/exports', 'b.jpg', 'left', 20, '${'b'.repeat(64)}', 'bb/b', 'image/jpeg', ${AT});
INSERT INTO attempts (id, submission_id, number, base_url, client_id, phase, outcome, request_bytes, baseline, started_at)
VALUES
  ('a-1', 's-1', 1, 'https://service.example/', 'practice', 'ended', 'delivered', 100, '[]', ${AT}),
  ('a-4', 's-4', 1, 'https://service.example/', 'practice', 'handedOver', NULL, 100, '[]', ${AT});
INSERT INTO evidence (id, submission_id, attempt_id, at, kind, case_ids, message)
VALUES ('e-1', 's-4', 'a-4', ${AT}, 'absent', '[]', 'It is not in the list.');
INSERT INTO seen_files VALUES ('/exports', 'a.jpg', 10, ${AT}, 'image', 's-1', ${AT});
INSERT INTO sidecar_records (folder_path, relative_path, content, at)
VALUES ('/exports', 'H-1/case.json', '{"files":["OD/a.jpg"],"eyes":{"OS/B.jpg":"left"}}', ${AT}), ('/exports', 'x/case.json', '{', ${AT});
INSERT INTO report_watches (submission_id, case_id, base_url, client_id) VALUES ('s-1', '778899', 'https://service.example/', 'practice');
INSERT INTO audit (at, submission_id, what, details) VALUES (${AT}, 's-1', 'added', '{}'), (${AT}, 's-1', 'deliveredNow', '{}');
INSERT INTO case_lists VALUES ('https://service.example/', 'practice', '-', ${AT}, '["5","778899"]');
INSERT INTO facts VALUES ('pause', ''), ('lastSentAt', '${AT}');
`

const databaseIn = (folder: string): string => join(folder, 'outbox.sqlite')
const backupIn = (folder: string): string => `${databaseIn(folder)}.before-2`

/** A data folder as the first version left it. */
function firstVersion(): string {
  const folder = temporaryFolder()
  const sql = openDatabase(databaseIn(folder))
  sql.exec(migration0001)
  sql.exec(ROWS)
  sql.pragma('user_version = 1')
  sql.close()
  writeFileSync(join(folder, 'station.json'), STATION)
  return folder
}

/** Everything in a database that the first version knows, by table. */
function contentOf(path: string): Record<string, unknown[]> {
  const sql = new Database(path, { readonly: true })
  const first = new Database(':memory:')
  first.exec(migration0001)
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
    migrate(sql, databaseIn(folder))
  })
}

/** One line for each migration, for ever: a new one adds its own. */
const RELEASED = [
  'fea76906c9c1cf602c62c7541f56a72e065784d21450091eaf3820c3196db5fd',
  '4ab7e44fd0a5a0d6aa73b042625b75b0e7512f080b878edf0ac67852b2050f29',
  '7e58ca4bd948dce996e00be053c14f45d5e9077ee411641a50311cc28a885df0',
  '26db2e627fcb47d5574e05d70c155f24afac0ec74e77d02f9a6e7cb2fa4f71f1',
  '8cfffed9d2c5ba16bb249174f61004aaa97fedbf218769e1cdf44b32bb675e62',
  '59382b35e76492654773e32b806798eabc7f814c4dae542cb90eb275dd333a28',
  'c94ee00af85c3343ee6d90fdcaf18a517f0f8e6a93af56c856e8c3939d735e59',
]

it('a migration that was released is never changed', () => {
  expect(MIGRATIONS.map((text) => createHash('sha256').update(text).digest('hex'))).toEqual(RELEASED)
})

it.each([
  ['has cases', ROWS, 'due'],
  ['is new', '', undefined],
])('what waits is checked once more by version 7 of an outbox that %s', (_what, rows, expected) => {
  const sql = new Database(':memory:')
  sql.exec(migration0001)
  sql.exec(rows)
  for (const text of MIGRATIONS.slice(1, 6)) sql.exec(text)
  sql.exec("UPDATE facts SET value = 'explained' WHERE name = 'namesRule'")
  sql.exec(MIGRATIONS[6] ?? '')
  expect(sql.prepare("SELECT value FROM facts WHERE name = 'namesRule'").pluck().get()).toBe(expected)
  sql.close()
})

it.each(['0001.ts', 'since-0.1.ts', '0007.ts'])(
  '%s is made of nothing that the program may change',
  (name) => {
    const folder = new URL('../../../../../src-main/station/outbox/migrations/', import.meta.url)
    expect(readFileSync(new URL(name, folder), 'utf8')).not.toMatch(/^import |\$\{/m)
  },
)

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
  // If this fails, a new migration rebuilds the table; the released ones stay as they are.
  expect(allowedIn(table, column).toSorted()).toEqual([...terms].toSorted())
})

describe('the migrations from version 1', () => {
  it('keep every row, and count the cases', () => {
    const folder = firstVersion()
    const before = contentOf(databaseIn(folder))
    expect(Object.keys(before)).toContain('submissions')
    const sql = openDatabase(databaseIn(folder))
    migrate(sql, databaseIn(folder))
    expect(sql.prepare('SELECT state, count FROM submission_counts ORDER BY state').raw().all()).toEqual([
      ['sent', 1],
      ['unconfirmed', 1],
      ['waiting', 2],
    ])
    expect(sql.prepare('SELECT case_id FROM known_cases ORDER BY position').pluck().all()).toEqual([
      '5',
      '778899',
    ])
    expect(sql.prepare('SELECT removed_at FROM images').pluck().all()).toEqual([null, null])
    expect(sql.pragma('integrity_check', { simple: true })).toBe('ok')
    expect(sql.pragma('foreign_key_check')).toEqual([])
    sql.close()
    expect(versionOf(databaseIn(folder))).toBe(SCHEMA_VERSION)
    const facts = [...(before['facts'] ?? []), { name: 'namesRule', value: 'due' }]
    expect(contentOf(databaseIn(folder))).toEqual({
      ...before,
      // The images that a case.json names below its folder; the second record is no JSON.
      sidecar_matches: ['h-1/od/a.jpg', 'h-1/os/b.jpg'].map((match_key) => ({
        folder_path: '/exports',
        kind: 'file',
        match_key,
        record_id: 1,
      })),
      facts: expect.arrayContaining(facts) as unknown,
    })
  })

  it('make a backup first that is version 1 with every row, marked as a backup, one file, and opens on its own', () => {
    const folder = firstVersion()
    const before = contentOf(databaseIn(folder))
    openOutbox(folder).close()
    const kept = contentOf(backupIn(folder))
    const marks = kept['facts']?.filter((fact) => (fact as { name: string }).name === 'backupOf')
    expect(marks).toEqual([{ name: 'backupOf', value: expect.stringMatching(/^20\d\d-.*Z$/) as string }])
    expect({ ...kept, facts: kept['facts']?.filter((fact) => !marks?.includes(fact)) }).toEqual(before)
    expect(versionOf(backupIn(folder))).toBe(1)
    const sql = openDatabase(backupIn(folder))
    expect(sql.pragma('integrity_check', { simple: true })).toBe('ok')
    sql.close()
    expect(readdirSync(folder).filter((name) => name.startsWith('outbox.sqlite.before-2'))).toEqual([
      'outbox.sqlite.before-2',
    ])
  })

  it('make no backup of a station that is new, and none the second time', () => {
    const folder = temporaryFolder()
    openOutbox(folder).close()
    openOutbox(folder).close()
    expect(existsSync(backupIn(folder))).toBe(false)
  })
})

describe('a migration that cannot be done', () => {
  it.each([
    ['at its end', `${migration0002}; CREATE TABLE submissions (a);`],
    ['in the middle', `DELETE FROM seen_files; ALTER TABLE nothing ADD COLUMN a; ${migration0002}`],
  ])('leaves version 1 untouched if it fails %s, and says so', (_where, broken) => {
    const folder = firstVersion()
    const before = contentOf(databaseIn(folder))
    const refusal = refusalOf(folder, (sql) => migrate(sql, databaseIn(folder), [migration0001, broken]))
    expect(refusal).toContain('could not be brought to this version')
    expect(refusal).toContain('not changed')
    expect(versionOf(databaseIn(folder))).toBe(1)
    expect(contentOf(databaseIn(folder))).toEqual(before)
    // The program of today then takes it from if it was.
    expect(refusalOf(folder, (sql) => migrate(sql, databaseIn(folder)))).toBe('migrated')
  })

  it('refuses a newer database and changes nothing', () => {
    const folder = firstVersion()
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
      'no space left',
      [],
    ],
    [
      'the copy cannot be verified, and keeps an earlier backup',
      (path) => writeFileSync(path, 'no database, but long enough to be taken for one. '.repeat(100)),
      'backup',
      ['outbox.sqlite.before-2'],
    ],
  ])('refuses and changes nothing if %s', (_what, run, says, left) => {
    const folder = firstVersion()
    const before = contentOf(databaseIn(folder))
    for (const name of left) writeFileSync(join(folder, name), 'an earlier backup')
    const refusal = refusalWithCopy(folder, run)
    for (const part of [says, 'not changed']) expect(refusal).toContain(part)
    expect(versionOf(databaseIn(folder))).toBe(1)
    expect(contentOf(databaseIn(folder))).toEqual(before)
    expect(readdirSync(folder).filter((name) => name.includes('before'))).toEqual(left)
  })
})

/** An outbox of version 2 with these rows, after a migration. */
function migratedWith(rows: string, migration: string): SqlDatabase {
  const sql = new Database(':memory:')
  onTestFinished(() => void sql.close())
  for (const statements of [migration0001, migration0002, rows, migration]) sql.exec(statements)
  return sql
}

const CASE = `INSERT INTO submissions (id, reference, state, fields, sources, identity, reasons, added_at, changed_at, case_id, passed_digest) VALUES`
const LINE = 'INSERT INTO audit (at, submission_id, what, by, details) VALUES'

describe('approvals of before the columns', () => {
  const APPROVED = `(1, 's', 'approved', 'AB', '{"from":"review"}')`
  const AGAIN = `(2, 's', 'approved', NULL, '{"from":"review"}')`
  const RETRIED = `(2, 's', 'approved', 'AB', '{"from":"refused"}')`
  const HELD = `(2, 's', 'held', NULL, '{"from":"waiting"}'), (3, 's', 'releasedToSend', NULL, '{"from":"held"}')`
  const BY_FOLDER = `(2, 's', 'gatheredToSend', NULL, '{"from":"review"}')`
  const NONE = [null, null, null]
  it.each<readonly [string, readonly string[], string, unknown]>([
    ['are filled from the trail', [APPROVED], "'digest'", ['digest', 'AB', 1]],
    ['outlast a hold and its release', [APPROVED, HELD], "'digest'", ['digest', 'AB', 1]],
    ['are the last of several', [APPROVED, AGAIN], "'digest'", ['digest', null, 2]],
    ['are none of a folder that sends on its own', [BY_FOLDER], "'digest'", NONE],
    ['are none of what a folder let through', [APPROVED, BY_FOLDER], "'digest'", NONE],
    ['are none of a retry, which was noted as one', [RETRIED], "'digest'", NONE],
    ['are none before a retry, which may have let something else go', [APPROVED, RETRIED], "'digest'", NONE],
    [
      'are none of a line that cannot be read',
      [APPROVED, "(2, 's', 'approved', 'AB', '{')"],
      "'digest'",
      NONE,
    ],
    ['are none if it is not known of what', [APPROVED], 'NULL', NONE],
  ])('%s', (_what, trail, cleared, columns) => {
    const rows = `${CASE} ('s', 'FC0000000A8', 'waiting', '{}', '{}', '{}', '[]', 1, 1, NULL, ${cleared});`
    const sql = migratedWith(`${rows} ${LINE} ${trail.join(', ')};`, migration0003)
    const approval = sql.prepare('SELECT approved_digest, approved_by, approved_at FROM submissions')
    expect(approval.raw().get()).toEqual(columns)
  })
})

describe('what decided about a case in the trail and in evidence, before the columns', () => {
  const states = ['sent', 'held', 'held', 'unconfirmed']
  const cases = states.map(
    (state, index) =>
      `('s-${index + 1}', 'FC${index}', '${state}', '{}', '{}', '{}', '[]', 1, 1, 'c-${index}', NULL)`,
  )
  const attempts = ['s-1', 's-3', 's-4', 's-4', 's-4', 's-4'].map(
    (id, index) =>
      `('a-${index + 1}', '${id}', ${Math.max(1, index - 1)}, 'b', 'c', 'ended', 'unknown', 1, '[]', 1)`,
  )
  const rows = `${CASE} ${cases.join(', ')};
    ${LINE}
      (2, 's-2', 'held', NULL, '{"from":"review"}'), (3, 's-2', 'approved', NULL, '{"from":"review"}'),
      (4, 's-2', 'held', NULL, '{"from":"waiting"}'), (5, 's-3', 'held', NULL, '{'),
      (6, 's-1', 'held', NULL, '{"from":"waiting"}'), (7, 's-4', 'provenAbsent', NULL, '{"attempt":2}'),
      (8, 's-4', 'provenAbsent', NULL, '{'), (9, 's-4', 'foundAtService', NULL, '{"attempt":3}'),
      (10, 's-4', 'insistenceNeeded', NULL, '{"attempt":4,"caseId":"5"}'),
      (11, 's-4', 'insistenceNeeded', NULL, '{"attempt":4,"caseId":"6"}');
    INSERT INTO attempts (id, submission_id, number, base_url, client_id, phase, outcome, request_bytes, baseline, started_at)
      VALUES ${attempts.join(', ')};
    INSERT INTO evidence (id, submission_id, attempt_id, at, kind, case_ids, message) VALUES
      ('e-2', 's-3', 'a-2', 1, 'decision', '[]', 'absent'), ('e-3', 's-4', 'a-5', 1, 'decision', '["7"]', 'there');`

  it.each([
    [
      'from where it was put on hold, and when it was passed',
      'SELECT id, held_from, passed_at FROM submissions WHERE coalesce(held_from, passed_at) IS NOT NULL',
      [['s-2', 'waiting', 3]],
    ],
    [
      'how the doubt about an attempt ended, when its case was found, and what a person was warned about',
      'SELECT submission_id, number, resolution, found_at, warned_case_id FROM attempts ORDER BY id',
      [
        ['s-1', 1, 'arrived', null, null],
        ['s-3', 1, 'absent', null, null],
        ['s-4', 1, 'absent', null, null],
        ['s-4', 2, 'absent', null, null],
        ['s-4', 3, 'arrived', 9, null],
        ['s-4', 4, null, null, '6'],
      ],
    ],
  ])('is kept: %s', (_what, question, columns) => {
    expect(migratedWith(rows, migration0004).prepare(question).raw().all()).toEqual(columns)
  })
})
