/**
 * Looks whether the texts of an outbox still read as what was written. SQLite's own check knows its pages and its
 * constraints; a byte that flipped inside a JSON text leaves both as they were, and one such row would keep the whole
 * list from being read.
 */
import type Database from 'better-sqlite3'
import { imageSchema, submissionSchema } from '../../../src-shared/submission.ts'

/** Columns whose texts are few, however many rows there are: each text is read once. */
const FEW = {
  sources: submissionSchema.shape.sources,
  reasons: submissionSchema.shape.reasons,
  oddities: submissionSchema.shape.oddities,
  no_image_because: submissionSchema.shape.noImageBecause,
  failure: submissionSchema.shape.failure,
} as const

/** Single words about an image, of which the schema of the database knows only that they are texts. */
const WORDS = {
  eye_source: imageSchema.shape.eyeSource,
  content_type: imageSchema.shape.contentType,
} as const

/** Columns of which it is enough that they are objects or lists: no word in them keeps anything from being read. */
const JSON_TEXTS = [
  ['submissions', 'identity'],
  ['images', 'facts'],
  ['images', 'oddities'],
  ['images', 'eye_statements'],
  ['attempts', 'baseline'],
  ['attempts', 'failure'],
  ['evidence', 'case_ids'],
  ['audit', 'details'],
  ['alarms', 'case_ids'],
] as const

/** False where a text cannot be read. Reads all rows: a second or two for a hundred thousand submissions. */
export function areTextsReadable(sql: Database.Database): boolean {
  const tables = sql.prepare<[], string>("SELECT name FROM sqlite_schema WHERE type = 'table'").pluck().all()
  // The file of a first start that was cut off: nothing was written yet.
  if (!tables.includes('submissions')) return true
  return areJson(sql, tables) && areFewReadable(sql) && areWordsKnown(sql) && areFieldsReadable(sql)
}

function areJson(sql: Database.Database, tables: readonly string[]): boolean {
  // An earlier version has fewer.
  return JSON_TEXTS.filter(([table]) => tables.includes(table)).every(
    ([table, column]) =>
      sql
        .prepare<[], number>(
          `SELECT 1 FROM ${table} WHERE ${column} IS NOT NULL
             AND (NOT json_valid(${column}) OR json_type(${column}) NOT IN ('object', 'array')) LIMIT 1`,
        )
        .pluck()
        .get() === undefined,
  )
}

function areFewReadable(sql: Database.Database): boolean {
  return Object.entries(FEW).every(([column, schema]) => {
    const texts = sql
      .prepare<[], string>(`SELECT DISTINCT ${column} FROM submissions WHERE ${column} IS NOT NULL`)
      .pluck()
      .iterate()
    for (const text of texts) if (!reads(text, schema)) return false
    return true
  })
}

function areWordsKnown(sql: Database.Database): boolean {
  return Object.entries(WORDS).every(([column, schema]) =>
    sql
      .prepare<[], string>(`SELECT DISTINCT ${column} FROM images WHERE ${column} IS NOT NULL`)
      .pluck()
      .all()
      .every((word) => schema.safeParse(word).success),
  )
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

function reads(
  text: string,
  schema: (typeof FEW)[keyof typeof FEW] | typeof submissionSchema.shape.fields,
): boolean {
  try {
    return schema.safeParse(JSON.parse(text)).success
  } catch {
    return false
  }
}
