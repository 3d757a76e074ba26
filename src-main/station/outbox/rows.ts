/**
 * The rows of cases as they are stored and checked, what rests on names alone, and the quarantine.
 *
 * A case with an unreadable row keeps its state, is shown with its reference and the reason, and is not processed; all
 * others go on. Its images, its id at the service and its visit still count.
 */
import { z } from 'zod'
import type { Fields } from '../../../src-shared/fields.ts'
import { eyeSchema, IMAGE_TYPES } from '../../../src-shared/measurement-ranges.ts'
import { referenceSchema } from '../../../src-shared/reference.ts'
import { type SubmissionState, submissionStateSchema } from '../../../src-shared/states.ts'
import {
  attemptPhaseSchema,
  outcomeSchema,
  type Source,
  sourceSchema,
} from '../../../src-shared/submission.ts'
import {
  factsColumn,
  failureColumn,
  fieldsColumn,
  identityColumn,
  type JsonColumn,
  type NamedOnly,
  noImageBecauseColumn,
  odditiesColumn,
  reasonsColumn,
  sourcesColumn,
  textsColumn,
} from '../json-columns.ts'
import { CaseUnreadable, type Store } from './database.ts'

/** Proof. Not the patient list, which is searched for the number in a name, nor the time of a file. */
const PROOF: readonly Source[] = ['sidecar', 'dicom', 'person']

/** A row of version 0.1 does not say which facts of an image only its name states: each may be one. */
const NOTHING_PROVEN: readonly NamedOnly[] = ['patient', 'visitDay']

/** Null in a row of version 0.1 that was not refreshed since. */
export function namedOnlyOf({ identity }: SubmissionRow): readonly NamedOnly[] | null {
  return identityColumn.read(identity).namedOnly ?? null
}

/**
 * Does any of it rest on names only: the patient, the day if one is sent, or the eye of an image that is sent? What a
 * person entered holds for the images that were there.
 */
export function restsOnNames(
  row: Pick<SubmissionRow, 'fields' | 'sources' | 'identity'>,
  images: readonly Pick<ImageRow, 'eye_source' | 'excluded_because' | 'twin_of'>[],
): boolean {
  const { history_number: patient, visit_date: visitDay } = sourcesColumn.read(row.sources)
  const { namedOnly = NOTHING_PROVEN, joinedAfterEntry = [] } = identityColumn.read(row.identity)
  const isProven = (source: Source | null | undefined, what: NamedOnly): boolean =>
    isProof(source) && !(namedOnly.includes(what) && (source !== 'person' || joinedAfterEntry.includes(what)))
  if (!isProven(patient, 'patient')) return true
  if (fieldsColumn.read(row.fields).visit_date !== undefined && !isProven(visitDay, 'visitDay')) return true
  const sent = images.filter((image) => image.excluded_because === null && image.twin_of === null)
  return sent.some((image) => !isProof(image.eye_source))
}

function isProof(source: Source | null | undefined): boolean {
  return source !== null && source !== undefined && PROOF.includes(source)
}

const text = z.string()
const instant = z.int()
const count = z.int().min(0)
const flag = z.union([z.literal(0), z.literal(1)])
const digest = z.string().regex(/^[0-9a-f]{64}$/)

const json = <Value>(column: JsonColumn<Value>): z.ZodType<string> =>
  z.string().refine((stored) => column.canRead(stored))

/** Rows are checked by these before use: a readable one has this form. */
const submissionRowSchema = z.object({
  position: z.int().min(1),
  id: text.min(1),
  reference: referenceSchema,
  state: submissionStateSchema,
  folder_path: text.nullable(),
  addendum_to: text.nullable(),
  fields: json(fieldsColumn),
  sources: json(sourcesColumn),
  identity: json(identityColumn),
  reasons: json(reasonsColumn),
  oddities: json(odditiesColumn),
  no_image_because: json(noImageBecauseColumn),
  passed_digest: digest.nullable(),
  /** When the content in `passed_digest` was last cleared for sending, epoch milliseconds. */
  passed_at: instant.nullable(),
  approved_digest: digest.nullable(),
  approved_by: text.nullable(),
  approved_at: instant.nullable(),
  /** The state from which it was put on hold; null in every other state. */
  held_from: submissionStateSchema.nullable(),
  grouped_by: z.enum(['program', 'person']),
  center_id: text.nullable(),
  is_urgent: flag,
  attempts: count,
  looks: count,
  case_id: text.min(1).nullable(),
  failure: json(failureColumn).nullable(),
  quiet_until: instant.nullable(),
  not_before: instant.nullable(),
  added_at: instant,
  changed_at: instant,
  sent_at: instant.nullable(),
  confirmed_at: instant.nullable(),
})

const imageRowSchema = z.object({
  id: text.min(1),
  submission_id: text.min(1),
  folder_path: text.nullable(),
  file_name: text.min(1),
  stem_key: text,
  eye: eyeSchema,
  eye_source: sourceSchema.nullable(),
  eye_statements: json(textsColumn).nullable(),
  size_bytes: count,
  // The hash is compared with the spool name, see below.
  sha256: text.min(1),
  spool_name: text.min(1),
  content_type: z.enum(IMAGE_TYPES),
  mtime_ms: z.number(),
  facts: json(factsColumn).nullable(),
  oddities: json(odditiesColumn),
  sop_uid: text.nullable(),
  picture_spool_name: text.min(1).nullable(),
  picture_content_type: z.enum(IMAGE_TYPES).nullable(),
  picture_size_bytes: count.nullable(),
  picture_sha256: text.min(1).nullable(),
  sends: z.enum(['original', 'picture']),
  twin_of: text.nullable(),
  record_id: z.int().nullable(),
  is_record_doubtful: flag,
  excluded_because: text.nullable(),
  added_at: instant,
  removed_at: instant.nullable(),
})

const attemptRowSchema = z.object({
  id: text.min(1),
  submission_id: text.min(1),
  number: z.int().min(1),
  base_url: text,
  client_id: text,
  center_id: text.nullable(),
  phase: attemptPhaseSchema,
  outcome: outcomeSchema.nullable(),
  request_bytes: count,
  handed_over_bytes: count,
  /** For attempts of the first version: the ids that were known before. */
  baseline: json(textsColumn),
  known_position: count,
  failure: json(failureColumn).nullable(),
  answer_status: z.int().nullable(),
  answer_size_bytes: count.nullable(),
  /** How an unknown outcome was resolved: the case is at the service, or is proven or decided not to be. */
  resolution: z.enum(['arrived', 'absent']).nullable(),
  /** When the service showed the case although nothing was in doubt: from then on a person decides. */
  found_at: instant.nullable(),
  /** The case id that a person was last warned about when they said that it is this one. */
  warned_case_id: text.nullable(),
  started_at: instant,
  ended_at: instant.nullable(),
})

const ROW_SCHEMAS = {
  submissions: submissionRowSchema,
  images: imageRowSchema,
  attempts: attemptRowSchema,
} as const

export type SubmissionRow = z.infer<typeof submissionRowSchema>

export type ImageRow = z.infer<typeof imageRowSchema> & { position: number }

export type AttemptRow = z.infer<typeof attemptRowSchema> & { answer_body: Uint8Array | null }

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
export type CaseTable = keyof typeof ROW_SCHEMAS

type Row = Readonly<Record<string, unknown>>

/** The first unreadable column of a row, such as `images.eye`; null if the row is readable. */
export function unreadableIn(table: CaseTable, row: Row): string | null {
  const parsed = ROW_SCHEMAS[table].safeParse(row)
  if (!parsed.success) return `${table}.${String(parsed.error.issues[0]?.path[0] ?? '')}`
  return table === 'images' ? contradictionIn(row) : null
}

const PICTURE = ['picture_spool_name', 'picture_content_type', 'picture_size_bytes', 'picture_sha256']

/** Hash and DICOM uid are stored twice and must agree. A picture is described completely or not at all. */
function contradictionIn(row: Row): string | null {
  for (const prefix of ['', 'picture_']) {
    const named = /[0-9a-f]{64}/.exec(String(row[`${prefix}spool_name`]))?.[0]
    if (named !== undefined && named !== row[`${prefix}sha256`]) return `images.${prefix}sha256`
  }
  const missing = PICTURE.filter((column) => row[column] === null)
  if (missing.length > 0 && missing.length < PICTURE.length) return `images.${missing[0]}`
  if (typeof row['facts'] !== 'string') return null
  const { sopUid } = factsColumn.read(row['facts'])
  return sopUid !== undefined && sopUid !== row['sop_uid'] ? 'images.sop_uid' : null
}

/** The column with the case of a row. */
export const OWNER_OF = { submissions: 'id', images: 'submission_id', attempts: 'submission_id' } as const

/** Parses rows as they are read. An unreadable row quarantines its case and drops all rows of that case. */
export function readableRows<Read extends object>(
  store: Store,
  table: CaseTable,
  rows: readonly Read[],
): Read[] {
  return rows.filter((read) => {
    const row = read as Row
    const id = String(row[OWNER_OF[table]])
    if (isQuarantined(store, id)) return false
    const column = unreadableIn(table, row)
    if (column !== null) quarantine(store, id, column)
    return column === null
  })
}

/** Parses all rows of one case; throws CaseUnreadable if any cannot be read: nothing may be done with some. */
export function rowsOfCase<Read extends object>(store: Store, table: CaseTable, rows: Read[]): Read[] {
  for (const read of rows) {
    const row = read as Row
    const column = unreadableIn(table, row)
    if (column === null) continue
    const id = String(row[OWNER_OF[table]])
    // Final outside a write; within one it is rolled back with the rest, and the write sets it again.
    quarantine(store, id, column)
    throw unreadable(id, column)
  }
  return rows
}

/** Reads every row of a case. Returns the first unreadable column, or null. Writes nothing. */
export function unreadableColumnOf(store: Store, id: string): string | null {
  for (const table of ['submissions', 'images', 'attempts'] as const)
    for (const row of store.rows<Row>(`SELECT * FROM ${table} WHERE ${OWNER_OF[table]} = ?`, id)) {
      const column = unreadableIn(table, row)
      if (column !== null) return column
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

const QUARANTINED = 'SELECT submission_id AS id, unreadable, reference, state FROM quarantine'

/** What is shown of an unreadable case; null if it is readable. */
export function quarantinedOf(store: Store, id: string): Quarantined | null {
  return store.row<Quarantined>(`${QUARANTINED} WHERE submission_id = ?`, id) ?? null
}

/** All quarantined cases, for the diagnostics and for a start. */
export function quarantined(store: Store): Quarantined[] {
  return store.rows<Quarantined>(`${QUARANTINED} ORDER BY submission_id`)
}

/** Lifts the quarantine if every row is readable again, and returns whether the case is unconfirmed; null if it stays. */
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
  const row = store.row<SubmissionRow>`SELECT * FROM submissions WHERE id = ${id}`
  return row && readableRows(store, 'submissions', [row])[0]
}

export function imageRowsOf(store: Store, submissionId: string): ImageRow[] {
  const rows = store.rows<ImageRow>`
    SELECT * FROM images WHERE submission_id = ${submissionId} ORDER BY file_name, position`
  return rowsOfCase(store, 'images', rows)
}
