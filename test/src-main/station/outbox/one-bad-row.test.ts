/** Each column of each table is damaged in turn, in a case that was sent and in one that waits: it blocks that case alone. */
import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  checkRowsAtStart,
  findUnreadable,
  heedFindings,
} from '../../../../src-main/station/outbox/check-rows.ts'
import { casesWithDanglingRows, isSound } from '../../../../src-main/station/outbox/check-integrity.ts'
import { writeManifest } from '../../../../src-main/station/outbox/manifest-files.ts'
import { migrate } from '../../../../src-main/station/outbox/migrate.ts'
import { bindOutbox, type Outbox } from '../../../../src-main/station/outbox/outbox.ts'
import { createWriteThrough } from '../../../../src-main/station/outbox/write-through.ts'
import { createKeptLogger } from '../../../tools/kept-logger.ts'
import { ManualClock } from '../../../tools/manual-clock.ts'
import { claim, MORNING, newSubmission, PLACE, type TestOutbox } from '../../../tools/outbox-with.ts'

type Case = {
  readonly id: string
  readonly reference: string
  readonly sha256: string
  readonly sopUid: string
}
type Scene = {
  readonly bytes: Buffer
  readonly manifestsFolder: string
  readonly cases: Readonly<Record<'sent' | 'waiting' | 'other', Case>>
}

const FACTS = {
  fields: {},
  birthDate: null,
  eye: null,
  capturedAt: null,
  view: null,
  device: null,
  rejected: [],
}

/** A case with two images of which one has another name as well, in the folder and visit of its own. */
function addCase(test: Pick<TestOutbox, 'outbox'>, number: number): Case {
  const { outbox } = test
  const id = outbox.createSubmission(
    newSubmission({
      groupKey: `visit-${number}`,
      fields: { history_number: `H-${number}`, visit_date: '2026-11-20' },
    }),
  )
  const sopUid = `1.2.${number}`
  const sha256 = createHash('sha256').update(`image ${number}`).digest('hex')
  const fileName = `v${number}/a.dcm`
  const imageId = outbox.addImage({
    submissionId: id,
    folderPath: '/exports',
    fileName,
    stemKey: `v${number}/a`,
    eye: 'right',
    eyeSource: 'dicom',
    sizeBytes: 9,
    sha256,
    spoolName: `${sha256.slice(0, 2)}/${sha256}`,
    contentType: 'application/dicom',
    facts: JSON.stringify({ ...FACTS, sopUid }),
    sopUid,
    at: MORNING,
  })
  outbox.addCopy({
    imageId,
    folderPath: '/exports',
    fileName: `v${number}/b.dcm`,
    stemKey: `v${number}/b`,
    facts: JSON.stringify({ ...FACTS, sopUid }),
    recordId: null,
  })
  const mark = { folderPath: '/exports', relativePath: fileName, sizeBytes: 9, mtimeMs: MORNING }
  outbox.markSeen(mark, 'image', id, MORNING)
  outbox.moveSubmission(id, 'gatheredToSend', {}, { at: MORNING })
  claim(test, id)
  const [attempt] = outbox.attemptsOf(id)
  if (!attempt) throw new Error('There is no attempt.')
  const end = { handedOverBytes: 1, failure: null, answer: null, at: MORNING }
  outbox.endAttempt(attempt.id, { ...end, outcome: 'unsent' }, 'stayedUnsent', {})
  const note = { submissionId: id, attemptId: attempt.id, at: MORNING, message: '', by: null, caseIds: [] }
  outbox.appendEvidence({ ...note, kind: 'lookFailed' })
  outbox.raiseAlarm({ kind: 'foundUnsent', submissionId: id, caseIds: ['1'], message: '', at: MORNING })
  return { id, reference: outbox.submissionOf(id)?.reference ?? '', sha256, sopUid }
}

let scene: Scene

beforeAll(async () => {
  const sql = new Database(':memory:')
  migrate(sql, ':memory:')
  const test = { outbox: bindOutbox(createWriteThrough(sql, () => undefined)) }
  const cases = { sent: addCase(test, 1), waiting: addCase(test, 2), other: addCase(test, 3) }
  claim(test, cases.sent.id)
  const [, attempt] = test.outbox.attemptsOf(cases.sent.id)
  const end = { outcome: 'delivered', handedOverBytes: 1, failure: null, answer: null, at: MORNING } as const
  test.outbox.endAttempt(attempt?.id ?? '', end, 'deliveredNow', { caseId: '4711', sentAt: MORNING })
  test.outbox.setConfirmed(cases.sent.id, MORNING)
  test.outbox.watchReport({
    submissionId: cases.sent.id,
    caseId: '4711',
    destination: { ...PLACE, centerId: null },
    at: MORNING,
  })
  test.outbox.keepCaseList({ ...PLACE, centerId: null }, { readAt: MORNING, caseIds: ['4711'] })
  const manifestsFolder = mkdtempSync(join(tmpdir(), 'fundus-courier-'))
  for (const { id } of Object.values(cases)) {
    const manifest = test.outbox.manifestOf(id)
    if (manifest) await writeManifest(manifestsFolder, manifest)
  }
  scene = { bytes: sql.serialize(), manifestsFolder, cases }
  sql.close()
})

afterAll(() => rmSync(scene.manifestsFolder, { recursive: true, force: true }))

/** Tables whose rows belong to no case, or only describe: a change there never blocks one. */
const DESCRIBING: readonly string[] = [
  'submission_keys',
  'image_copies',
  'evidence',
  'seen_files',
  'report_watches',
  'report_versions',
  'audit',
  'alarms',
  'sidecar_records',
  'sidecar_matches',
  'case_lists',
  'calibrations',
  'case_states',
  'known_cases',
  'facts',
  'submission_counts',
  'spool_leftovers',
  'quarantine',
]
/** Columns whose every value can be read: what is in them says nothing that the program relies on by itself. */
const PLAIN = new Set([
  'submissions.folder_path',
  'submissions.center_id',
  'submissions.case_id',
  'submissions.quiet_until',
  'submissions.not_before',
  'submissions.added_at',
  'submissions.changed_at',
  'submissions.sent_at',
  'submissions.confirmed_at',
  'images.id',
  'images.position',
  'images.folder_path',
  'images.file_name',
  'images.stem_key',
  'images.mtime_ms',
  // The bytes are looked for when it is sent, and an image without its bytes is damaged.
  'images.spool_name',
  'images.excluded_because',
  'images.added_at',
  'images.removed_at',
  'attempts.id',
  'attempts.base_url',
  'attempts.client_id',
  'attempts.center_id',
  'attempts.answer_status',
  'attempts.answer_body',
  'attempts.started_at',
  'attempts.ended_at',
  'manifests.revision',
  'manifests.kept_revision',
])

type Column = { readonly table: string; readonly column: string; readonly type: string }

function columnsOf(bytes: Buffer): Column[] {
  const sql = new Database(bytes)
  const found = sql
    .prepare<[], Column>(
      `SELECT t.name AS "table", c.name AS "column", c.type FROM pragma_table_list AS t, pragma_table_info(t.name) AS c
       WHERE t.schema = 'main' AND t.type = 'table' AND t.name NOT LIKE 'sqlite%' AND t.name NOT LIKE 'submission_words%'`,
    )
    .all()
  sql.close()
  return found
}

const VALUES: Readonly<Record<string, unknown>> = {
  TEXT: 'spoilt',
  INTEGER: -7,
  REAL: -7.5,
  BLOB: Buffer.from([0]),
}

/** Changes one row behind the back of all triggers and constraints, as a disk does. False if the case has no such row. */
function damage(sql: Database.Database, { table, column, type }: Column, id: string): boolean {
  const triggers = sql
    .prepare<[], { name: string; sql: string }>("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'")
    .all()
  for (const { name } of triggers) sql.exec(`DROP TRIGGER ${name}`)
  sql.pragma('foreign_keys = OFF')
  sql.pragma('ignore_check_constraints = ON')
  const has = (name: string): boolean =>
    sql.prepare(`SELECT 1 FROM pragma_table_info('${table}') WHERE name = ?`).get(name) !== undefined
  const owner =
    table === 'submissions' ? 'id = @id' : has('submission_id') ? 'submission_id = @id' : '@id = @id'
  const value = VALUES[type]
  const keyed = has('position') ? ` AND position = (SELECT min(position) FROM ${table} WHERE ${owner})` : ''
  const { changes } = sql
    .prepare(`UPDATE OR IGNORE ${table} SET ${column} = @value WHERE ${owner}${keyed}`)
    .run({ id, value })
  sql.pragma('ignore_check_constraints = OFF')
  sql.pragma('foreign_keys = ON')
  for (const one of triggers) sql.exec(one.sql)
  return changes > 0
}

async function opened(sql: Database.Database): Promise<Outbox> {
  expect(isSound(sql, 'quick_check')).toBe(true)
  const outbox = bindOutbox(createWriteThrough(sql, () => undefined))
  await checkRowsAtStart({
    outbox,
    manifestsFolder: scene.manifestsFolder,
    dangling: casesWithDanglingRows(sql),
    service: null,
    clock: new ManualClock(),
    logger: createKeptLogger(),
  })
  return outbox
}

function expectOthersGoOn(outbox: Outbox): void {
  const { other, sent, waiting } = scene.cases
  for (const order of ['added', 'urgency'] as const)
    expect(
      outbox
        .listSubmissions({ limit: 9, order })
        .items.map(({ reference }) => reference)
        .toSorted(),
      order,
    ).toEqual([other, sent, waiting].map(({ reference }) => reference).toSorted())
  expect(outbox.submissionOf(other.id)).toMatchObject({ state: 'waiting', fields: { history_number: 'H-3' } })
  expect(outbox.submissionOf(other.id)?.unreadable).toBeUndefined()
  expect(outbox.dueSubmissions(MORNING, 9).map(({ id }) => id)).toContain(other.id)
  // No image is taken in again, by its bytes or by its DICOM name.
  for (const { sha256, sopUid } of Object.values(scene.cases)) {
    expect(outbox.holderOf(sha256)).not.toBeNull()
    expect(outbox.holderOf('f'.repeat(64), sopUid)).not.toBeNull()
  }
  const destination = { ...PLACE, centerId: null }
  outbox.openAttempt({ submissionId: other.id, destination, requestBytes: 1, at: MORNING })
}

describe.each(['sent', 'waiting'] as const)('one bad row of a case that is %s', (which) => {
  it('blocks that case alone, whichever column of whichever table it is', { timeout: 60_000 }, async () => {
    const tried: string[] = []
    const wrong: string[] = []
    for (const column of columnsOf(scene.bytes)) {
      const name = `${column.table}.${column.column}`
      const { id, reference } = scene.cases[which]
      const sql = new Database(scene.bytes)
      try {
        if (!damage(sql, column, id)) continue
        tried.push(name)
        const outbox = await opened(sql)
        const found = findUnreadable(sql)
        heedFindings(outbox, found, MORNING)
        expectOthersGoOn(outbox)
        const isBlocked = outbox.quarantined().some((one) => one.reference === reference)
        const isPlain = DESCRIBING.includes(column.table) || PLAIN.has(name)
        if (isBlocked === isPlain) wrong.push(name)
        if (isBlocked) {
          const shown = outbox.listSubmissions({ limit: 9 }).items.find((one) => one.reference === reference)
          expect(shown).toMatchObject({ state: which, fields: {}, images: [] })
          expect(outbox.dueSubmissions(MORNING, 9).map((row) => row.id)).not.toContain(id)
          const destination = { ...PLACE, centerId: null }
          expect(() =>
            outbox.openAttempt({ submissionId: shown?.id ?? '', destination, requestBytes: 1, at: MORNING }),
          ).toThrow()
        }
        expect(isSound(sql, 'integrity_check'), name).toBe(true)
      } catch (error) {
        throw new Error(name, { cause: error })
      } finally {
        sql.close()
      }
    }
    expect(wrong).toEqual([])
    for (const table of ['submissions', 'images', 'attempts', 'evidence', 'audit', 'alarms', 'manifests'])
      expect(tried.filter((name) => name.startsWith(`${table}.`)).length, table).toBeGreaterThan(2)
  })
})

describe('a row that can be read and is not what was sent', () => {
  const change = (which: 'sent' | 'waiting', statement: string): Database.Database => {
    const sql = new Database(scene.bytes)
    expect(sql.prepare(statement).run(scene.cases[which].id).changes).toBe(1)
    return sql
  }
  const EYE = "UPDATE images SET eye = 'left' WHERE submission_id = ?"

  it('raises an alarm once for a case that was sent', async () => {
    const sql = change('sent', EYE)
    const outbox = await opened(sql)
    for (let day = 0; day < 2; day += 1) heedFindings(outbox, findUnreadable(sql), MORNING)
    const alarms = outbox.openAlarms().filter(({ kind }) => kind === 'contentChanged')
    expect(alarms).toMatchObject([{ submissionId: scene.cases.sent.id }])
    expect(outbox.submissionOf(scene.cases.sent.id)).toMatchObject({
      state: 'sent',
      fields: { history_number: 'H-1' },
    })
    sql.close()
  })

  it('is not what was passed for sending in a case that waits', async () => {
    const sql = change('waiting', EYE)
    const outbox = await opened(sql)
    expect(outbox.isAsPassed(scene.cases.waiting.id)).toBe(false)
    expect(outbox.isAsPassed(scene.cases.other.id)).toBe(true)
    sql.close()
  })
})

describe('a row that is damaged after the start', () => {
  const spoil = (sql: Database.Database): string => {
    const { id } = scene.cases.waiting
    sql.prepare("UPDATE images SET facts = '{' WHERE submission_id = ?").run(id)
    return id
  }

  it('keeps an attempt from being opened, and nothing of it stays', async () => {
    const sql = new Database(scene.bytes)
    const outbox = await opened(sql)
    const id = spoil(sql)
    const destination = { ...PLACE, centerId: null }
    const open = (): unknown =>
      outbox.openAttempt({ submissionId: id, destination, requestBytes: 1, at: MORNING })
    expect(open).toThrow('images.facts')
    expect(sql.prepare('SELECT count(*) FROM attempts WHERE submission_id = ?').pluck().get(id)).toBe(1)
    expect(outbox.submissionOf(id)).toMatchObject({ state: 'waiting', unreadable: 'images.facts' })
    sql.close()
  })

  it('leaves the work for other cases of the same write as it is', async () => {
    const sql = new Database(scene.bytes)
    const outbox = await opened(sql)
    const id = spoil(sql)
    const { other } = scene.cases
    outbox.write(() => {
      outbox.setUrgent(other.id, MORNING)
      if (outbox.rowOf(id)) outbox.imageRowsOf(id)
    })
    expect(outbox.submissionOf(other.id)?.urgent).toBe(true)
    expect(outbox.quarantined()).toMatchObject([{ id, unreadable: 'images.facts', state: 'waiting' }])
    sql.close()
  })
})

describe('a case that can be read again', () => {
  it('comes back to a person, and never goes by itself', async () => {
    const sql = new Database(scene.bytes)
    const { id } = scene.cases.waiting
    sql.prepare("UPDATE submissions SET reasons = '[7' WHERE id = ?").run(id)
    expect((await opened(sql)).submissionOf(id)).toMatchObject({
      state: 'waiting',
      unreadable: 'submissions.reasons',
    })
    sql.prepare("UPDATE submissions SET reasons = '[]' WHERE id = ?").run(id)
    expect((await opened(sql)).submissionOf(id)).toMatchObject({
      state: 'review',
      fields: { history_number: 'H-2' },
    })
    sql.close()
  })

  it('is in doubt if the outbox was found older meanwhile', async () => {
    const sql = new Database(scene.bytes)
    const { id } = scene.cases.waiting
    sql.prepare("UPDATE submissions SET reasons = '[7' WHERE id = ?").run(id)
    const outbox = await opened(sql)
    outbox.putAllInDoubt('backup', { service: PLACE, at: MORNING })
    expect(outbox.submissionOf(id)?.state).toBe('waiting')
    sql.prepare("UPDATE submissions SET reasons = '[]' WHERE id = ?").run(id)
    expect((await opened(sql)).submissionOf(id)?.state).toBe('unconfirmed')
    sql.close()
  })
})
