/**
 * The rows of cases as they are stored and checked, and the quarantine: a case with an unreadable row keeps its state, is
 * shown with its reference and the reason, and is not processed. Its images, its id at the service and its visit still count.
 */
import type { Fields } from '../../../src-shared/fields.ts'
import { IMAGE_TYPES } from '../../../src-shared/image-files.ts'
import { EYES } from '../../../src-shared/measurement-ranges.ts'
import { isReference } from '../../../src-shared/reference.ts'
import { SUBMISSION_STATES, type SubmissionState, submissionStateSchema } from '../../../src-shared/states.ts'
import { ATTEMPT_PHASES, OUTCOMES, SOURCES } from '../../../src-shared/submission.ts'
import {
  beforeApprovalColumn,
  factsColumn,
  failureColumn,
  fieldsColumn,
  identityColumn,
  type JsonColumn,
  noImageBecauseColumn,
  odditiesColumn,
  reasonsColumn,
  sentWronglyColumn,
  sourcesColumn,
  textsColumn,
} from '../json-columns.ts'
import { CaseUnreadable, readFact, type Store } from './database.ts'

/** Rows of a long list are checked one by one: these are faster than schemas, which JSON has. */
type Check<Value> = (value: unknown) => value is Value

const text: Check<string> = (value) => typeof value === 'string'
const filled: Check<string> = (value): value is string => typeof value === 'string' && value !== ''
const number: Check<number> = (value): value is number => Number.isFinite(value)
const integer: Check<number> = (value): value is number => Number.isSafeInteger(value)
const count: Check<number> = (value): value is number => integer(value) && value >= 0
const ordinal: Check<number> = (value): value is number => integer(value) && value >= 1
const flag: Check<0 | 1> = (value) => value === 0 || value === 1
const reference: Check<string> = (value): value is string => typeof value === 'string' && isReference(value)
const rowId: Check<string> = (value): value is string =>
  typeof value === 'string' && /^[0-9a-f-]{36}$/.test(value)
const digest: Check<string> = (value): value is string =>
  typeof value === 'string' && /^[0-9a-f]{64}$/.test(value)

function oneOf<const Value extends string>(values: readonly Value[]): Check<Value> {
  const known = new Set<unknown>(values)
  return (value): value is Value => known.has(value)
}

const orNull =
  <Value>(check: Check<Value>): Check<Value | null> =>
  (value) =>
    value === null || check(value)

const json =
  <Value>(column: JsonColumn<Value>): Check<string> =>
  (value): value is string =>
    typeof value === 'string' && column.canRead(value)

/** A readable row passes these. */
const submissionRow = {
  position: ordinal,
  id: filled,
  reference,
  state: oneOf(SUBMISSION_STATES),
  folder_path: orNull(text),
  addendum_to: orNull(text),
  fields: json(fieldsColumn),
  sources: json(sourcesColumn),
  identity: json(identityColumn),
  reasons: json(reasonsColumn),
  oddities: json(odditiesColumn),
  /** Null in rows of versions that had none, until the case is read again. A text that cannot be read proves nothing. */
  verdict: orNull(text),
  no_image_because: json(noImageBecauseColumn),
  passed_digest: orNull(digest),
  passed_at: orNull(integer),
  approved_digest: orNull(digest),
  approved_verdict: orNull(text),
  approved_by: orNull(text),
  approved_via: orNull(text),
  approved_at: orNull(integer),
  undo_ms: orNull(ordinal),
  undo_to: orNull(json(beforeApprovalColumn)),
  held_from: orNull(oneOf(SUBMISSION_STATES)),
  grouped_by: oneOf(['program', 'person']),
  center_id: orNull(text),
  is_urgent: flag,
  attempts: count,
  looks: count,
  case_id: orNull(filled),
  failure: orNull(json(failureColumn)),
  quiet_until: orNull(integer),
  not_before: orNull(integer),
  planned_at: orNull(integer),
  added_at: integer,
  changed_at: integer,
  sent_at: orNull(integer),
  confirmed_at: orNull(integer),
  images_shown: orNull(count),
  sent_wrongly: orNull(json(sentWronglyColumn)),
  replaces: orNull(rowId),
  erased_at: orNull(integer),
}

const imageRow = {
  id: filled,
  submission_id: filled,
  folder_path: orNull(text),
  file_name: filled,
  stem_key: text,
  eye: oneOf(EYES),
  eye_source: orNull(oneOf(SOURCES)),
  eye_statements: orNull(json(textsColumn)),
  /** What stated the eye when a person chose it, each with its source. */
  eye_settled: orNull(text),
  size_bytes: count,
  sha256: filled,
  spool_name: filled,
  content_type: oneOf(IMAGE_TYPES),
  mtime_ms: number,
  facts: orNull(json(factsColumn)),
  oddities: json(odditiesColumn),
  sop_uid: orNull(text),
  /** Of its picture, see `twins.ts`; null if nothing could be decoded, or a version before took it in. */
  grey: orNull(text),
  picture_spool_name: orNull(filled),
  picture_content_type: orNull(oneOf(IMAGE_TYPES)),
  picture_size_bytes: orNull(count),
  picture_sha256: orNull(filled),
  sends: oneOf(['original', 'picture']),
  twin_of: orNull(text),
  record_id: orNull(integer),
  excluded_because: orNull(text),
  added_at: integer,
  imported_at: orNull(integer),
  removed_at: orNull(integer),
}

const attemptRow = {
  id: filled,
  submission_id: filled,
  number: ordinal,
  base_url: text,
  client_id: text,
  center_id: orNull(text),
  phase: oneOf(ATTEMPT_PHASES),
  outcome: orNull(oneOf(OUTCOMES)),
  request_bytes: count,
  handed_over_bytes: count,
  known_position: count,
  failure: orNull(json(failureColumn)),
  answer_status: orNull(integer),
  answer_size_bytes: orNull(count),
  /** How an unknown outcome was resolved: the case is at the service, or is proven or decided not to be. */
  resolution: orNull(oneOf(['arrived', 'absent'])),
  /** When the service showed the case although nothing was in doubt: from then on a person decides. */
  found_at: orNull(integer),
  warned_case_id: orNull(text),
  started_at: integer,
  ended_at: orNull(integer),
}

const COLUMNS = {
  submissions: Object.entries(submissionRow),
  images: Object.entries(imageRow),
  attempts: Object.entries(attemptRow),
}

type Checked<Checks> = { [Column in keyof Checks]: Checks[Column] extends Check<infer Value> ? Value : never }

export type SubmissionRow = Checked<typeof submissionRow>

export type ImageRow = Checked<typeof imageRow> & { position: number }

export type AttemptRow = Checked<typeof attemptRow> & { answer_body: Uint8Array | null }

/** The destination of an attempt: evidence counts only there. */
export type Destination = {
  readonly baseUrl: string
  readonly clientId: string
  readonly centerId: string | null
}

/** A case of which a row cannot be read. */
export type Quarantined = {
  readonly id: string
  /** Table and column. */
  readonly unreadable: string
  readonly reference: string | null
  /** As of the last successful read. */
  readonly state: SubmissionState
}

/** The tables whose rows are checked before use. A check names the bad column, never its value. */
export type CaseTable = keyof typeof COLUMNS

type Row = Readonly<Record<string, unknown>>

/** The first unreadable column of a row, such as `images.eye`; null if all can be read. */
export function unreadableIn(table: CaseTable, row: Row): string | null {
  for (const [column, isReadable] of COLUMNS[table]) if (!isReadable(row[column])) return `${table}.${column}`
  return table === 'images' ? contradictionIn(row) : null
}

const PICTURE = ['picture_spool_name', 'picture_content_type', 'picture_size_bytes', 'picture_sha256']

/** Hash and DICOM uid are stored twice and must agree. A picture is described completely or not at all. */
function contradictionIn(row: Row): string | null {
  for (const prefix of ['', 'picture_']) {
    const spoolName = String(row[`${prefix}spool_name`])
    const hash = row[`${prefix}sha256`]
    if (spoolName.slice(-64) === hash) continue
    const named = /[0-9a-f]{64}/.exec(spoolName)?.[0]
    if (named !== undefined && named !== hash) return `images.${prefix}sha256`
  }
  const missing = PICTURE.filter((column) => row[column] === null)
  if (missing.length > 0 && missing.length < PICTURE.length) return `images.${missing[0]}`
  if (typeof row['facts'] !== 'string') return null
  const { sopUid } = factsColumn.read(row['facts'])
  return sopUid !== undefined && sopUid !== row['sop_uid'] ? 'images.sop_uid' : null
}

/** The column with the case of a row. */
export const OWNER_OF = { submissions: 'id', images: 'submission_id', attempts: 'submission_id' } as const

/**
 * Parses rows as they are read; those of quarantined cases are not asked for. An unreadable row quarantines its case and
 * drops all rows of that case.
 */
export function readableRows<Read extends object>(
  store: Store,
  table: CaseTable,
  rows: readonly Read[],
): Read[] {
  const dropped = new Set<string>()
  return rows.filter((read) => {
    const row = read as Row
    const id = String(row[OWNER_OF[table]])
    if (dropped.has(id)) return false
    const column = unreadableIn(table, row)
    if (column === null) return true
    quarantine(store, id, column)
    dropped.add(id)
    return false
  })
}

/** Parses all rows of one case; throws CaseUnreadable if any cannot be read: nothing may be done with some. */
export function rowsOfCase<Read extends object>(store: Store, table: CaseTable, rows: Read[]): Read[] {
  for (const row of rows as readonly Row[]) {
    const column = unreadableIn(table, row)
    if (column === null) continue
    const id = String(row[OWNER_OF[table]])
    // Final outside a write; within one it is rolled back with the rest, and the write sets it again.
    quarantine(store, id, column)
    throw unreadable(id, column)
  }
  return rows
}

/** In these words all ask for a case, so that a transaction reads it once. */
const CASE = 'SELECT * FROM submissions WHERE id = ? AND id NOT IN (SELECT submission_id FROM quarantine)'
export const IMAGES_OF_CASE = 'SELECT * FROM images WHERE submission_id = ? ORDER BY file_name, position'

/** Every row of a case, unchecked; its images by name. */
function rowsBehind(store: Store, id: string, which = 'SELECT * FROM submissions WHERE id = ?') {
  return {
    submissions: store.rows<Row>(which, id),
    images: store.rows<Row>(IMAGES_OF_CASE, id),
    attempts: store.rows<Row>`SELECT * FROM attempts WHERE submission_id = ${id}`,
  }
}

/** Reads every row of a case. Returns the first unreadable column, or null. Writes nothing. */
export function unreadableColumnOf(store: Store, id: string, rows = rowsBehind(store, id)): string | null {
  const tables = ['submissions', 'images', 'attempts'] as const
  return tables.flatMap((table) => rows[table].flatMap((row) => unreadableIn(table, row) ?? []))[0] ?? null
}

/** A case with its images, if every row of it can be read; one that cannot quarantines it. */
export function wholeCase(
  store: Store,
  id: string,
): { readonly row: SubmissionRow; readonly images: readonly ImageRow[] } | null {
  const rows = rowsBehind(store, id, CASE)
  const [row] = rows.submissions
  if (row === undefined) return null
  const column = unreadableColumnOf(store, id, rows)
  if (column !== null) quarantine(store, id, column)
  return column === null ? { row: row as SubmissionRow, images: rows.images as ImageRow[] } : null
}

/** Is every row of this case readable? If not, quarantines the case. */
export function isReadable(store: Store, id: string): boolean {
  if (isQuarantined(store, id)) return false
  const column = unreadableColumnOf(store, id)
  if (column !== null) quarantine(store, id, column)
  return column === null
}

/** Throws CaseUnreadable unless every row of this case is readable: in the transaction that opens an attempt. */
export function refuseUnreadable(store: Store, id: string): void {
  const column = quarantinedOf(store, id)?.unreadable ?? unreadableColumnOf(store, id)
  if (column !== null) throw unreadable(id, column)
}

/** The case is quarantined after the write that throws this is rolled back. */
function unreadable(id: string, column: string): CaseUnreadable {
  return new CaseUnreadable(id, column, (store) => quarantine(store, id, column))
}

export function isQuarantined(store: Store, id: string): boolean {
  return quarantinedOf(store, id) !== null
}

/** Quarantines a case. `column` names table and column, never a value. */
export function quarantine(store: Store, id: string, column: string): void {
  store.write(() => {
    const row = store.row<Row>`SELECT * FROM submissions WHERE id = ${id}`
    if (!row || isQuarantined(store, id)) return
    const fields = String(row['fields'])
    store.run`
      INSERT INTO quarantine (submission_id, unreadable, reference, state, fields, units)
      VALUES (${id}, ${column}, ${referenceOf(store, row)}, ${stateOf(store, row)},
      ${fieldsColumn.canRead(fields) ? fields : null}, ${readFact(store, 'clinicalUnits')})`
    store.touch(id)
  })
}

/** The reference of a row; otherwise from the search index, which contains it as well. */
function referenceOf(store: Store, row: Row): string | null {
  const stored = row['reference']
  if (reference(stored)) return stored
  const searchText = store.value<string>`
    SELECT words FROM submission_words WHERE rowid = ${row['position']}`
  return searchText?.split(' ').find((term) => isReference(term)) ?? null
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

const QUARANTINED = 'SELECT submission_id AS id, unreadable, reference, state FROM quarantine'

/** What is shown of an unreadable case; null if it is readable. */
export function quarantinedOf(store: Store, id: string): Quarantined | null {
  return store.row<Quarantined>(`${QUARANTINED} WHERE submission_id = ?`, id) ?? null
}

/** All quarantined cases, for the diagnostics, a start and lists. */
export function quarantined(store: Store): Quarantined[] {
  return store.rows<Quarantined>(`${QUARANTINED} ORDER BY submission_id`)
}

/** Lifts the quarantine if every row is readable again, and returns what is known of it since; null if it stays. */
export function liftQuarantine(store: Store, id: string) {
  return store.write(() => {
    if (unreadableColumnOf(store, id) !== null) return null
    const row = store.row<{ is_in_doubt: number; units: string | null }>`
      DELETE FROM quarantine WHERE submission_id = ${id} RETURNING is_in_doubt, units`
    if (!row) return null
    store.touch(id)
    return { isUnconfirmed: row.is_in_doubt === 1, units: row.units }
  })
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

/** The visits of unreadable cases with an open attempt. */
export function quarantinedVisits(store: Store): { readonly id: string; readonly fields: Fields }[] {
  return store
    .rows<{ id: string; fields: string | null }>(`SELECT submission_id AS id, fields FROM quarantine
       WHERE state = 'sending' OR EXISTS (SELECT 1 FROM attempts
         WHERE attempts.submission_id = quarantine.submission_id AND outcome IS NULL)`)
    .map(({ id, fields }) => ({ id, fields: fields === null ? {} : fieldsColumn.readOr(fields, {}) }))
}

/** The row of a submission; undefined if it is quarantined, because such a case is not processed. */
export function rowOf(store: Store, id: string): SubmissionRow | undefined {
  return readableRows(store, 'submissions', store.rows<SubmissionRow>(CASE, id))[0]
}

export function imageRowsOf(store: Store, submissionId: string): ImageRow[] {
  return rowsOfCase(store, 'images', store.rows<ImageRow>(IMAGES_OF_CASE, submissionId))
}
