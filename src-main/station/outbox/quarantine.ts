/**
 * Cases with an unreadable row. Such a case keeps its state, is shown with its reference and the reason, and is
 * not processed; all other cases go on. Its images, its id at the service and its visit still count.
 */
import type { Fields } from '../../../src-shared/fields.ts'
import { referenceSchema } from '../../../src-shared/reference.ts'
import { type SubmissionState, submissionStateSchema } from '../../../src-shared/states.ts'
import { factsColumn, fieldsColumn } from '../json-columns.ts'
import { CaseUnreadable, type Store } from './database.ts'
import { type Quarantined, ROW_SCHEMAS } from './rows.ts'

/** The tables whose rows are checked before use. A check names the bad column, never its value. */
export type CaseTable = keyof typeof ROW_SCHEMAS

/** The first unreadable column of a row, such as `images.eye`; null if the row is readable. */
export function unreadableIn(table: CaseTable, row: Readonly<Record<string, unknown>>): string | null {
  const parsed = ROW_SCHEMAS[table].safeParse(row)
  if (!parsed.success) return `${table}.${String(parsed.error.issues[0]?.path[0] ?? '')}`
  return table === 'images' ? contradictionIn(row) : null
}

/**
 * The hash and the DICOM uid are stored in two places each: if they differ, it is unknown which is right. A
 * derived picture must be described completely or not at all.
 */
function contradictionIn(row: Readonly<Record<string, unknown>>): string | null {
  const names: readonly (readonly [string, string])[] = [
    ['sha256', 'spool_name'],
    ['picture_sha256', 'picture_spool_name'],
  ]
  for (const [hash, name] of names) {
    const named = /[0-9a-f]{64}/.exec(String(row[name]))?.[0]
    if (named !== undefined && named !== row[hash]) return `images.${hash}`
  }
  const picture = ['picture_spool_name', 'picture_content_type', 'picture_size_bytes', 'picture_sha256']
  const isMissing = picture.filter((column) => row[column] === null)
  if (isMissing.length > 0 && isMissing.length < picture.length) return `images.${isMissing[0]}`
  if (typeof row['facts'] !== 'string') return null
  const { sopUid } = factsColumn.read(row['facts'])
  return sopUid !== undefined && sopUid !== row['sop_uid'] ? 'images.sop_uid' : null
}

type Row = Readonly<Record<string, unknown>>

export function isQuarantined(store: Store, id: string): boolean {
  return store.row`SELECT 1 AS found FROM quarantine WHERE submission_id = ${id}` !== undefined
}

/** The submission that a row belongs to. */
function ownerOf(table: CaseTable, row: Row): string {
  return String(table === 'submissions' ? row['id'] : row['submission_id'])
}

/** Parses rows as they are read. An unreadable row quarantines its case and drops all rows of that case. */
export function readableRows<Read extends object>(
  store: Store,
  table: CaseTable,
  rows: readonly Read[],
): Read[] {
  return rows.filter((row) => {
    const id = ownerOf(table, row as Row)
    if (isQuarantined(store, id)) return false
    const column = unreadableIn(table, row as Row)
    if (column !== null) quarantine(store, id, column)
    return column === null
  })
}

/**
 * Parses all rows of one case; throws CaseUnreadable if any cannot be read. Nothing may be done with only some
 * of them.
 */
export function rowsOfCase<Read extends object>(
  store: Store,
  table: CaseTable,
  rows: readonly Read[],
): Read[] {
  for (const row of rows) {
    const column = unreadableIn(table, row as Row)
    if (column === null) continue
    const id = ownerOf(table, row as Row)
    // Final outside a write; within one it is rolled back with the rest, and the write sets it again.
    quarantine(store, id, column)
    throw unreadable(id, column)
  }
  return [...rows]
}

/** Reads every row of a case. Returns the first unreadable column, or null. Writes nothing. */
function unreadableColumnOf(store: Store, id: string): string | null {
  const tables: readonly (readonly [CaseTable, string])[] = [
    ['submissions', 'SELECT * FROM submissions WHERE id = ?'],
    ['images', 'SELECT * FROM images WHERE submission_id = ?'],
    ['attempts', 'SELECT * FROM attempts WHERE submission_id = ?'],
  ]
  for (const [table, question] of tables) {
    for (const row of store.rows<Row>(question, id)) {
      const column = unreadableIn(table, row)
      if (column !== null) return column
    }
  }
  return null
}

/** Is every row of this case readable? If not, quarantines the case. */
export function isReadable(store: Store, id: string): boolean {
  if (isQuarantined(store, id)) return false
  const column = unreadableColumnOf(store, id)
  if (column !== null) quarantine(store, id, column)
  return column === null
}

/**
 * Throws CaseUnreadable unless every row of this case is readable. Used in the transaction that opens an
 * attempt.
 */
export function refuseUnreadable(store: Store, id: string): void {
  const column = quarantinedOf(store, id)?.unreadable ?? unreadableColumnOf(store, id)
  if (column !== null) throw unreadable(id, column)
}

/** The case is quarantined after the write that throws this is rolled back. */
function unreadable(id: string, column: string): CaseUnreadable {
  return new CaseUnreadable(id, column, (store) => quarantine(store, id, column))
}

/** Quarantines a case. `column` names table and column, never a value. */
export function quarantine(store: Store, id: string, column: string): void {
  store.write(() => {
    const row = store.row<Row>`SELECT * FROM submissions WHERE id = ${id}`
    if (!row || isQuarantined(store, id)) return
    const fields = String(row['fields'])
    store.run`
      INSERT INTO quarantine (submission_id, unreadable, reference, state, fields)
      VALUES (${id}, ${column}, ${referenceOf(store, row)}, ${stateOf(store, row)},
      ${fieldsColumn.canRead(fields) ? fields : null})`
    store.touch(id)
  })
}

/** The reference of a row; otherwise from the search index, which contains it as well. */
function referenceOf(store: Store, row: Row): string | null {
  const stored = referenceSchema.safeParse(row['reference'])
  if (stored.success) return stored.data
  const searchText = store.value<string>`
    SELECT words FROM submission_words WHERE rowid = ${row['position']}`
  return searchText?.split(' ').find((term) => referenceSchema.safeParse(term).success) ?? null
}

/** The state of a row; otherwise the last one in the audit trail, or else one that triggers nothing. */
function stateOf(store: Store, row: Row): SubmissionState {
  const stored = submissionStateSchema.safeParse(row['state'])
  if (stored.success) return stored.data
  const moved = store.value<string>`
    SELECT details ->> 'to' FROM audit WHERE submission_id = ${row['id']} AND json_valid(details)
    AND details ->> 'to' IS NOT NULL ORDER BY id DESC LIMIT 1`
  return submissionStateSchema.catch('held').parse(moved)
}

/** What is shown of an unreadable case; null if it is readable. */
export function quarantinedOf(store: Store, id: string): Quarantined | null {
  return (
    store.row<Quarantined>`
      SELECT submission_id AS id, unreadable, reference, state FROM quarantine WHERE submission_id = ${id}` ??
    null
  )
}

/** All quarantined cases, for the diagnostics and for a start. */
export function quarantined(store: Store): Quarantined[] {
  return store.rows<Quarantined>(
    'SELECT submission_id AS id, unreadable, reference, state FROM quarantine ORDER BY submission_id',
  )
}

/** The visits of unreadable cases with an open attempt. */
export function quarantinedVisits(store: Store): { readonly id: string; readonly fields: Fields }[] {
  return store
    .rows<{ id: string; fields: string | null }>(`SELECT submission_id AS id, fields FROM quarantine
       WHERE state = 'sending' OR EXISTS (SELECT 1 FROM attempts
         WHERE attempts.submission_id = quarantine.submission_id AND outcome IS NULL)`)
    .map(({ id, fields }) => ({ id, fields: fields === null ? {} : fieldsColumn.readOr(fields, {}) }))
}

/** Stores what the manifest of such a case says: its reference and its visit. */
export function rememberQuarantined(
  store: Store,
  id: string,
  known: { readonly reference: string; readonly fields: unknown },
): void {
  store.run`
    UPDATE quarantine SET reference = coalesce(reference, ${known.reference}),
    fields = coalesce(fields, ${typeof known.fields === 'string' ? known.fields : null})
    WHERE submission_id = ${id}`
}

/**
 * After a restore the outbox is outdated: quarantined cases become unconfirmed like all others once they are
 * readable.
 */
export function markQuarantinedUnconfirmed(store: Store): void {
  store.run('UPDATE quarantine SET is_in_doubt = 1')
}

/**
 * Lifts the quarantine if every row is readable again; null if it stays. Returns whether the case is unconfirmed
 * since.
 */
export function liftQuarantine(store: Store, id: string): { readonly isUnconfirmed: boolean } | null {
  return store.write(() => {
    if (unreadableColumnOf(store, id) !== null) return null
    const row = store.row<{ is_in_doubt: number }>`
      DELETE FROM quarantine WHERE submission_id = ${id} RETURNING is_in_doubt`
    if (!row) return null
    store.touch(id)
    return { isUnconfirmed: row.is_in_doubt === 1 }
  })
}
