/** What a row of a case must be to be read. Pure: the answer is the column that is not, and never its value. */
import { z } from 'zod'
import { eyeSchema } from '../../../src-shared/eye.ts'
import { IMAGE_TYPES } from '../../../src-shared/image-type.ts'
import { referenceSchema } from '../../../src-shared/reference.ts'
import { submissionStateSchema } from '../../../src-shared/states.ts'
import { attemptPhaseSchema, outcomeSchema, sourceSchema } from '../../../src-shared/submission.ts'
import {
  factsColumn,
  failureColumn,
  fieldsColumn,
  identityColumn,
  noImageBecauseColumn,
  odditiesColumn,
  reasonsColumn,
  sourcesColumn,
  textsColumn,
  type JsonColumn,
} from '../json-columns.ts'

const text = z.string()
const instant = z.int()
const count = z.int().min(0)
const flag = z.union([z.literal(0), z.literal(1)])
const digest = z.string().regex(/^[0-9a-f]{64}$/)
const json = <Value>(column: JsonColumn<Value>): z.ZodType =>
  z.string().refine((stored) => column.canRead(stored))

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
  // What it is worth is told by the name in the spool, see below.
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
  baseline: json(textsColumn),
  known_position: count,
  failure: json(failureColumn).nullable(),
  answer_status: z.int().nullable(),
  answer_size_bytes: count.nullable(),
  started_at: instant,
  ended_at: instant.nullable(),
})

const SCHEMAS = {
  submissions: submissionRowSchema,
  images: imageRowSchema,
  attempts: attemptRowSchema,
} as const

export type CaseTable = keyof typeof SCHEMAS

/** The first column of a row that cannot be read, such as `images.eye`; null if all of it can. */
export function unreadableIn(table: CaseTable, row: Readonly<Record<string, unknown>>): string | null {
  const parsed = SCHEMAS[table].safeParse(row)
  if (!parsed.success) return `${table}.${String(parsed.error.issues[0]?.path[0] ?? '')}`
  return table === 'images' ? contradictionIn(row) : null
}

/**
 * A hash and a DICOM name are kept in two places each: if they differ, nobody knows which is right. Of the picture made of
 * an image all is known, or nothing.
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
