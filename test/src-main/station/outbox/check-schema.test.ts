import Database from 'better-sqlite3'
import { fc, runs } from '../../../tools/property.ts'
import { describe, expect, it } from 'vitest'
import { schemaStateOf } from '../../../../src-main/station/outbox/check-schema.ts'
import { MIGRATIONS } from '../../../../src-main/station/outbox/migrate.ts'
import { rewriteSchema } from './rewrite-schema.ts'

/** A database in memory with the schema of this version. */
function withSchema(version: number): Database.Database {
  const sql = new Database(':memory:')
  for (const statements of MIGRATIONS.slice(0, version)) sql.exec(statements)
  sql.pragma(`user_version = ${version}`)
  return sql
}

describe('the schema of an outbox', () => {
  it.each(MIGRATIONS.map((_statements, index) => index + 1))(
    'of version %i is whole as it was written',
    (version) => {
      const sql = withSchema(version)
      sql.exec('CREATE INDEX of_somebody_else ON submissions (reference)')
      expect(schemaStateOf(sql)).toBe('whole')
    },
  )

  it('of a newer program is not judged', () => {
    const sql = withSchema(MIGRATIONS.length)
    sql.exec('DROP TABLE alarms')
    expect(schemaStateOf(sql)).toBe('changed')
    sql.pragma(`user_version = ${MIGRATIONS.length + 1}`)
    expect(schemaStateOf(sql)).toBe('newer')
  })

  it('is not whole with any letter changed', () => {
    const texts = withSchema(MIGRATIONS.length)
      .prepare<[], string>('SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL')
      .pluck()
      .all()
    const anyLetter = fc
      .constantFrom(...texts)
      .chain((text) =>
        fc.tuple(fc.constant(text), fc.nat(text.length - 1), fc.constantFrom('Y', '\u00e9', '7')),
      )
    fc.assert(
      fc.property(anyLetter, ([text, at, letter]) => {
        fc.pre(text[at] !== letter)
        const sql = withSchema(MIGRATIONS.length)
        try {
          expect(rewriteSchema(sql, text, text.slice(0, at) + letter + text.slice(at + 1))).toBeGreaterThan(0)
          expect(schemaStateOf(sql)).toBe('changed')
        } finally {
          sql.close()
        }
      }),
      { numRuns: runs(50) },
    )
  })
})
