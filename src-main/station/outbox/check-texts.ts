/**
 * Looks whether the texts of an outbox, and the counts beside them, still read as what was written. SQLite's own check
 * knows its pages and its constraints; a byte that flipped inside a JSON text leaves both as they were, and one such row
 * would keep the whole list from being read.
 */
import type Database from 'better-sqlite3'
import { z } from 'zod'
import {
  attemptSchema,
  evidenceSchema,
  imageSchema,
  submissionSchema,
} from '../../../src-shared/submission.ts'

type Column = readonly [table: string, column: string]

/** JSON texts that are few, however many rows there are: each is read once, as those read it who show it. */
const FEW: readonly (readonly [...Column, z.ZodType])[] = [
  ['submissions', 'sources', submissionSchema.shape.sources],
  ['submissions', 'reasons', submissionSchema.shape.reasons],
  ['submissions', 'oddities', submissionSchema.shape.oddities],
  ['submissions', 'no_image_because', submissionSchema.shape.noImageBecause],
  ['submissions', 'failure', submissionSchema.shape.failure],
  // They become the submission's when its images are gathered anew.
  ['images', 'oddities', submissionSchema.shape.oddities],
  ['attempts', 'failure', attemptSchema.shape.failure],
  ['attempts', 'baseline', z.array(z.string())],
  ['evidence', 'case_ids', evidenceSchema.shape.caseIds],
]

/** Single words of which the schema of the database knows only that they are texts. */
const WORDS: readonly (readonly [...Column, z.ZodType])[] = [
  ['images', 'eye_source', imageSchema.shape.eyeSource],
  ['images', 'content_type', imageSchema.shape.contentType],
  ['images', 'picture_content_type', imageSchema.shape.contentType],
  ['evidence', 'kind', evidenceSchema.shape.kind],
]

/** JSON texts as many as there are rows, looked at by SQLite: of which kinds they are, and their parts that are reached for. */
const MANY: readonly (readonly [...Column, Readonly<Record<string, readonly string[]>>])[] = [
  [
    'submissions',
    'identity',
    { $: ['object'], '$.certainty': ['text'], '$.idsInPaths': ['array'], '$.statedIds': ['array'] },
  ],
  [
    'images',
    'facts',
    { $: ['object'], '$.fields': ['object'], '$.rejected': ['array'], '$.view': ['text', 'null'] },
  ],
  ['image_copies', 'facts', { $: ['object'], '$.fields': ['object'], '$.rejected': ['array'] }],
  ['images', 'eye_statements', { $: ['array'] }],
  ['sidecar_records', 'content', { $: ['object'] }],
  ['audit', 'details', { $: ['object'] }],
  ['alarms', 'case_ids', { $: ['array'] }],
]

/** False where a text cannot be read. Reads all rows: a second or two for a hundred thousand submissions. */
export function areTextsReadable(sql: Database.Database): boolean {
  const tables = sql.prepare<[], string>("SELECT name FROM sqlite_schema WHERE type = 'table'").pluck().all()
  // The file of a first start that was cut off: nothing was written yet.
  if (!tables.includes('submissions')) return true
  // An earlier version has fewer.
  const isThere = ([table]: readonly [...Column, unknown]): boolean => tables.includes(table)
  return (
    MANY.filter(isThere).every(([table, column, parts]) => hasParts(sql, [table, column], parts)) &&
    FEW.every(([table, column, schema]) => areAll(sql, [table, column], (text) => reads(text, schema))) &&
    WORDS.every(([table, column, schema]) =>
      areAll(sql, [table, column], (word) => schema.safeParse(word).success),
    ) &&
    (!tables.includes('submission_counts') || areCountsTrue(sql)) &&
    areFieldsReadable(sql)
  )
}

/** They are kept by triggers and shown with every page of the list. */
function areCountsTrue(sql: Database.Database): boolean {
  type Count = { readonly state: string; readonly count: number }
  const kept = sql.prepare<[], Count>('SELECT state, count FROM submission_counts').all()
  const counted = sql
    .prepare<[], Count>('SELECT state, count(*) AS count FROM submissions GROUP BY state')
    .all()
  const countOf = (counts: readonly Count[], state: string): number =>
    counts.find((one) => one.state === state)?.count ?? 0
  return (
    kept.every(
      ({ state, count }) =>
        submissionSchema.shape.state.safeParse(state).success && count === countOf(counted, state),
    ) && counted.every(({ state, count }) => count === countOf(kept, state))
  )
}

function hasParts(
  sql: Database.Database,
  [table, column]: Column,
  parts: Readonly<Record<string, readonly string[]>>,
): boolean {
  const wanted = Object.entries(parts).map(
    ([path, kinds]) =>
      `coalesce(json_type(${column}, '${path}'), '') IN (${kinds.map((kind) => `'${kind}'`).join(', ')})`,
  )
  const odd = sql.prepare<[], number>(
    `SELECT 1 FROM ${table} WHERE ${column} IS NOT NULL
       AND NOT CASE WHEN json_valid(${column}) THEN ${wanted.join(' AND ')} ELSE FALSE END LIMIT 1`,
  )
  return odd.pluck().get() === undefined
}

/** Reads each text of a column once. */
function areAll(
  sql: Database.Database,
  [table, column]: Column,
  accepts: (text: string) => boolean,
): boolean {
  const texts = sql
    .prepare<[], string>(`SELECT DISTINCT ${column} FROM ${table} WHERE ${column} IS NOT NULL`)
    .pluck()
    .iterate()
  for (const text of texts) if (!accepts(text)) return false
  return true
}

function areFieldsReadable(sql: Database.Database): boolean {
  const rows = sql
    .prepare<[], { readonly reference: string; readonly fields: string }>(
      'SELECT reference, fields FROM submissions',
    )
    .iterate()
  const { reference, fields } = submissionSchema.shape
  for (const row of rows)
    if (!reference.safeParse(row.reference).success || !reads(row.fields, fields)) return false
  return true
}

function reads(text: string, schema: z.ZodType): boolean {
  try {
    return schema.safeParse(JSON.parse(text)).success
  } catch {
    return false
  }
}
