/**
 * What becomes of a case whose record has changed on the disk. And each column of each table is damaged in turn, in a
 * case that was sent and in one that waits: it blocks that case alone.
 */
import { rmSync } from 'node:fs'
import Database from 'better-sqlite3'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { findUnreadable, applyFindings, isIntact } from '../../../../src-main/station/outbox/check-rows.ts'
import { factsColumn } from '../../../../src-main/station/json-columns.ts'
import type { Outbox } from '../../../../src-main/station/outbox/outbox.ts'
import type { SubmissionEvent, SubmissionState } from '../../../../src-shared/states.ts'
import { MORNING, type openMemoryOutbox, SERVICE } from '../../../tools/outbox-with.ts'
import { addCase, partsWith, type TestParts } from '../calls/parts-with.ts'
import { makeThreeCases, opened, type ThreeCases } from './three-cases.ts'

let three: ThreeCases
beforeAll(async () => {
  three = await makeThreeCases()
})
afterAll(() => rmSync(three.manifestsFolder, { recursive: true, force: true }))
const open = (sql: Database.Database): Promise<Outbox> => opened(sql, three.manifestsFolder)

/** A copy of the outbox that the end of the test closes, and its waiting case. */
function fresh(): { readonly sql: Database.Database; readonly id: string } {
  const sql = new Database(three.bytes)
  onTestFinished(() => void sql.close())
  return { sql, id: three.cases.waiting.id }
}

/** The reasons of the waiting case: `[7` cannot be read, `[]` can. */
function setReasons(sql: Database.Database, reasons: '[7' | '[]'): void {
  sql.prepare('UPDATE submissions SET reasons = ? WHERE id = ?').run(reasons, three.cases.waiting.id)
}

describe('a row that can be read and is not what was sent', () => {
  const change = (which: 'sent' | 'waiting', statement: string): Database.Database => {
    const { sql } = fresh()
    expect(sql.prepare(statement).run(three.cases[which].id).changes).toBe(1)
    return sql
  }
  const EYE = "UPDATE images SET eye = 'left' WHERE submission_id = ?"

  it('raises an alarm once for a case that was sent', async () => {
    const sql = change('sent', EYE)
    const outbox = await open(sql)
    for (let day = 0; day < 2; day += 1) applyFindings(outbox, findUnreadable(sql), MORNING)
    const alarms = outbox.openAlarms().filter(({ kind }) => kind === 'contentChanged')
    expect(alarms).toMatchObject([{ submissionId: three.cases.sent.id }])
    expect(outbox.submissionOf(three.cases.sent.id)).toMatchObject({
      state: 'sent',
      fields: { history_number: 'H-1' },
    })
  })

  it('is not what was passed for sending in a case that waits', async () => {
    const sql = change('waiting', EYE)
    const outbox = await open(sql)
    expect(outbox.matchesClearance(three.cases.waiting.id)).toBe(false)
    expect(outbox.matchesClearance(three.cases.other.id)).toBe(true)
  })
})

describe('a row that is damaged after the start', () => {
  const spoil = (sql: Database.Database): string => {
    const { id } = three.cases.waiting
    sql.prepare("UPDATE images SET facts = '{' WHERE submission_id = ?").run(id)
    return id
  }

  it('keeps an attempt from being opened, and nothing of it stays', async () => {
    const { sql } = fresh()
    const outbox = await open(sql)
    const id = spoil(sql)
    const destination = { ...SERVICE, centerId: null }
    const begin = (): unknown =>
      outbox.openAttempt({ submissionId: id, destination, requestBytes: 1, at: MORNING })
    expect(begin).toThrow('images.facts')
    expect(sql.prepare('SELECT count(*) FROM attempts WHERE submission_id = ?').pluck().get(id)).toBe(1)
    expect(outbox.submissionOf(id)).toMatchObject({ state: 'waiting', unreadable: 'images.facts' })
  })

  it('is not written over by new content', async () => {
    const { sql, id } = fresh()
    const outbox = await open(sql)
    setReasons(sql, '[7')
    outbox.setContent(id, { fields: {}, sources: {}, reasons: [] }, MORNING)
    expect(sql.prepare('SELECT reasons FROM submissions WHERE id = ?').pluck().get(id)).toBe('[7')
    expect(outbox.quarantined()).toMatchObject([{ id, unreadable: 'submissions.reasons' }])
  })

  it('leaves the work for other cases of the same write as it is', async () => {
    const { sql } = fresh()
    const outbox = await open(sql)
    const id = spoil(sql)
    const { other } = three.cases
    outbox.write(() => {
      outbox.setUrgent(other.id, MORNING)
      if (outbox.rowOf(id)) outbox.imageRowsOf(id)
    })
    expect(outbox.submissionOf(other.id)?.urgent).toBe(true)
    expect(outbox.quarantined()).toMatchObject([{ id, unreadable: 'images.facts', state: 'waiting' }])
    expect(outbox.dueSubmissions(MORNING, 10).map((row) => row.id)).not.toContain(id)
  })
})

describe('a case that cannot be read', () => {
  it('is known after the start without anybody having asked for it, and its state stays', async () => {
    const { sql, id } = fresh()
    setReasons(sql, '[7')
    const outbox = await open(sql)
    expect(outbox.quarantined()).toMatchObject([{ id, state: 'waiting' }])
    for (const event of ['held', 'discarded', 'gatheredForReview'] as const)
      expect(() => outbox.moveSubmission(id, event, {}, { at: MORNING })).toThrow('not possible')
    expect(outbox.submissionOf(id)?.state).toBe('waiting')
  })
})

describe('a wording that cannot be read', () => {
  it.each([{ key: 7 }, 'text', { key: 'k', values: { a: { of: 'a later version' } } }])(
    'is left out, and blocks nothing: %j',
    async (wording) => {
      const { sql, id } = fresh()
      const message = { message: 'm', wording }
      const reasons = JSON.stringify([{ kind: 'sidecarUnreadable', ...message }])
      sql.prepare('UPDATE submissions SET reasons = ? WHERE id = ?').run(reasons, id)
      const facts = `json_set(facts, '$.rejected', json(?))`
      const rejected = JSON.stringify([{ field: 'age', ...message }])
      sql.prepare(`UPDATE images SET facts = ${facts} WHERE submission_id = ?`).run(rejected, id)
      const outbox = await open(sql)
      expect(outbox.quarantined()).toEqual([])
      const reason = { kind: 'sidecarUnreadable', message: 'm' }
      expect(outbox.submissionOf(id)?.reasons).toEqual([reason])
      for (const image of outbox.imageRowsOf(id))
        expect(factsColumn.read(image.facts ?? '').rejected).toEqual([{ field: 'age', message: 'm' }])
    },
  )

  it('leaves one that can be read as it is, each time', async () => {
    const { sql, id } = fresh()
    const reason = { kind: 'sidecarUnreadable', message: 'm', wording: { key: 'of:aLaterVersion' } }
    sql.prepare('UPDATE submissions SET reasons = ? WHERE id = ?').run(JSON.stringify([reason]), id)
    const outbox = await open(sql)
    for (let time = 0; time < 2; time += 1) expect(outbox.submissionOf(id)?.reasons).toEqual([reason])
  })
})

describe('a call on several cases of which one cannot be read', () => {
  it.each<readonly [string, (test: TestParts, id: string) => void]>([
    ['is known beforehand', ({ outbox }, id) => outbox.quarantine(id, 'images.eye')],
    ['is found as its row is read', ({ outbox }, id) => outbox.setIdentity(id, {} as never)],
    [
      'is found in the middle of the work on it',
      ({ outbox }, submissionId) => {
        const sha256 = 'e'.repeat(64)
        const file = { folderPath: '/exports', fileName: 'e.jpg', stemKey: 'e', sha256, spoolName: sha256 }
        const image = { ...file, eye: 'left', eyeSource: 'sidecar', sizeBytes: 9, facts: '{' } as const
        outbox.addImage({ ...image, submissionId, contentType: 'image/jpeg', at: MORNING })
      },
    ],
  ])('refuses that one and changes the others if it %s', async (_when, spoil) => {
    const test = await partsWith()
    const [first, bad, last] = ['H-1', 'H-2', 'H-3'].map(() => addCase(test, 'review'))
    spoil(test, bad ?? '')
    expect(await test.call('submissions.approve', { ids: [first, bad, last] })).toMatchObject({
      value: { changed: [first, last], refused: [{ id: bad, failure: { kind: 'caseUnreadable' } }] },
    })
    expect([first, bad, last].map((id) => test.outbox.submissionOf(id ?? '')?.state)).toEqual([
      'waiting',
      'review',
      'waiting',
    ])
  })
})

it('a case is not approved if the record of an earlier attempt cannot be read', async () => {
  const test = await partsWith()
  const id = addCase(test, 'refused')
  const { sql } = test as TestParts & ReturnType<typeof openMemoryOutbox>
  sql.pragma('ignore_check_constraints = ON')
  sql.exec('UPDATE attempts SET request_bytes = -1')
  expect(await test.call('submissions.approve', { ids: [id] })).toMatchObject({
    value: { changed: [], refused: [{ id, failure: { kind: 'caseUnreadable' } }] },
  })
  expect(test.outbox.listAudit({ submissionId: id, what: ['approved'], limit: 9 })).toEqual([])
})

describe('a case that can be read again', () => {
  const CONTENT = {
    fields: { history_number: 'H-2', visit_date: '2026-11-20' },
    sources: { history_number: 'sidecar', visit_date: 'sidecar' },
    reasons: [],
  } as const

  it('comes back to a person, and never goes on its own', async () => {
    const { sql, id } = fresh()
    setReasons(sql, '[7')
    expect((await open(sql)).submissionOf(id)).toMatchObject({
      state: 'waiting',
      unreadable: 'submissions.reasons',
    })
    setReasons(sql, '[]')
    expect((await open(sql)).submissionOf(id)).toMatchObject({
      state: 'review',
      fields: { history_number: 'H-2' },
    })
  })

  it.each<readonly [SubmissionState, readonly SubmissionEvent[], isApproved: boolean]>([
    ['waiting', [], false],
    ['held', ['held'], false],
    ['refused', ['wasRefused'], false],
    ['unconfirmed', ['claimed', 'becameUnknown'], false],
    ['sent', ['claimed', 'deliveredNow'], true],
  ])(
    'that was %s has lost its approval and its clearance unless it was sent',
    async (_state, events, isStored) => {
      const { sql, id } = fresh()
      const before = await open(sql)
      before.moveSubmission(id, 'gatheredForReview', {}, { at: MORNING })
      for (const event of ['approved', ...events] as const)
        before.moveSubmission(id, event, { caseId: '9' }, { at: MORNING })
      setReasons(sql, '[7')
      await open(sql)
      setReasons(sql, '[]')
      const after = await open(sql)
      const row = after.rowOf(id)
      expect([after.matchesClearance(id), row?.approved_digest !== null]).toEqual([isStored, isStored])
    },
  )

  it('has a value of another unit if a unit changed meanwhile', async () => {
    const { sql, id } = fresh()
    const before = await open(sql)
    before.setContent(id, { ...CONTENT, fields: { ...CONTENT.fields, od_va: 0.8 } }, MORNING)
    before.applyUnits({ vaUnit: 'decimal', prismBase: 'examiner' }, MORNING)
    before.moveSubmission(id, 'held', {}, { at: MORNING })
    setReasons(sql, '[7')
    const meanwhile = await open(sql)
    expect(meanwhile.applyUnits({ vaUnit: 'logMAR', prismBase: 'examiner' }, MORNING)).toEqual([])
    setReasons(sql, '[]')
    const row = (await open(sql)).rowOf(id)
    expect(JSON.parse(row?.identity ?? '{}')).toMatchObject({ unitChanged: ['od_va'] })
  })

  it('may have a value of any other unit if the units of then cannot be read', async () => {
    const { sql, id } = fresh()
    const before = await open(sql)
    before.setContent(id, { ...CONTENT, fields: { ...CONTENT.fields, od_va: 0.8 } }, MORNING)
    before.quarantine(id, 'images.eye')
    before.applyUnits({ vaUnit: 'decimal', prismBase: 'examiner' }, MORNING)
    sql.prepare("UPDATE quarantine SET units = '{'").run()
    const row = (await open(sql)).rowOf(id)
    expect(JSON.parse(row?.identity ?? '{}')).toMatchObject({ unitChanged: ['od_va'] })
  })

  it('is in doubt if the outbox was found older meanwhile', async () => {
    const { sql, id } = fresh()
    setReasons(sql, '[7')
    const outbox = await open(sql)
    outbox.markAllUnconfirmed('backup', { service: SERVICE, at: MORNING })
    expect(outbox.submissionOf(id)?.state).toBe('waiting')
    setReasons(sql, '[]')
    expect((await open(sql)).submissionOf(id)?.state).toBe('unconfirmed')
  })
})

/** Tables whose rows belong to no case, or only describe: a change there never blocks one. */
const DESCRIBING = (
  'submission_keys evidence sightings report_watches report_versions audit alarms sidecar_records ' +
  'sidecar_matches case_lists known_cases facts submission_counts spool_leftovers quarantine ' +
  'folder_answers folder_terms folder_shapes folder_mentions unusable_files'
).split(' ')
/**
 * Columns whose every value can be read: what is in them says nothing that the program relies on on its own. The digest
 * that was approved says whether this is what was; who approved it, and when, decides nothing. A verdict that cannot be
 * read proves nothing, nor do grey levels; what a person knew of an eye is asked again. The bytes of an image are read
 * when it is sent, and an image without its bytes is damaged.
 */
const PLAIN = Object.entries({
  submissions:
    'folder_path center_id case_id approved_by approved_via approved_at verdict approved_verdict passed_at quiet_until not_before planned_at added_at changed_at ' +
    'sent_at confirmed_at erased_at',
  images:
    'id position folder_path file_name stem_key mtime_ms spool_name excluded_because added_at removed_at ' +
    'eye_settled imported_at grey',
  attempts:
    'id base_url client_id center_id answer_status answer_body found_at warned_case_id started_at ended_at',
  manifests: 'revision kept_revision',
}).flatMap(([table, columns]) => columns.split(' ').map((column) => `${table}.${column}`))

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

function expectOthersGoOn(outbox: Outbox): void {
  const { other, sent, waiting } = three.cases
  for (const order of ['added', 'urgency'] as const)
    expect(
      outbox
        .listSubmissions({ limit: 9, order })
        .items.map(({ reference }) => reference)
        .toSorted(),
      order,
    ).toEqual([other, sent, waiting].map(({ reference }) => reference).toSorted())
  expect(outbox.submissionOf(other.id)).toMatchObject({
    state: 'waiting',
    fields: { history_number: 'H-3' },
  })
  expect(outbox.submissionOf(other.id)?.unreadable).toBeUndefined()
  expect(outbox.dueSubmissions(MORNING, 9).map(({ id }) => id)).toContain(other.id)
  // No image is taken in again.
  for (const { sha256 } of Object.values(three.cases)) {
    expect(outbox.holdersOf(sha256)).not.toEqual([])
  }
  const destination = { ...SERVICE, centerId: null }
  outbox.openAttempt({ submissionId: other.id, destination, requestBytes: 1, at: MORNING })
}

describe.each(['sent', 'waiting'] as const)('one bad row of a case that is %s', (which) => {
  it('blocks that case alone, whichever column of whichever table it is', { timeout: 60_000 }, async () => {
    const tried: string[] = []
    const wrong: string[] = []
    for (const column of columnsOf(three.bytes)) {
      const name = `${column.table}.${column.column}`
      const { id, reference } = three.cases[which]
      const sql = new Database(three.bytes)
      try {
        if (!damage(sql, column, id)) continue
        tried.push(name)
        const outbox = await open(sql)
        const found = findUnreadable(sql)
        applyFindings(outbox, found, MORNING)
        expectOthersGoOn(outbox)
        const isBlocked = outbox.quarantined().some((one) => one.reference === reference)
        const isPlain = DESCRIBING.includes(column.table) || PLAIN.includes(name)
        if (isBlocked === isPlain) wrong.push(name)
        if (isBlocked) {
          const shown = outbox.listSubmissions({ limit: 9 }).items.find((one) => one.reference === reference)
          expect(shown).toMatchObject({ state: which, fields: {}, images: [] })
          expect(outbox.dueSubmissions(MORNING, 9).map((row) => row.id)).not.toContain(id)
          const destination = { ...SERVICE, centerId: null }
          expect(() =>
            outbox.openAttempt({
              submissionId: shown?.id ?? '',
              destination,
              requestBytes: 1,
              at: MORNING,
            }),
          ).toThrow()
        }
        expect(isIntact(sql, 'integrity_check'), name).toBe(true)
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
