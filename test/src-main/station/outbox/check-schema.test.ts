import { readFileSync, writeFileSync } from 'node:fs'
import Database from 'better-sqlite3'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { checkDatabase } from '../../../../src-main/station/outbox/check-database.ts'
import { schemaStateOf } from '../../../../src-main/station/outbox/check-schema.ts'
import { MIGRATIONS } from '../../../../src-main/station/outbox/migrate.ts'
import { databasePathIn, openOutbox } from '../../../../src-main/station/outbox/open-outbox.ts'
import { recoverOutbox } from '../../../../src-main/station/outbox/recover.ts'
import { addWaiting, MORNING } from '../../../tools/outbox-with.ts'
import { openKept } from './manifests-with.ts'

/** A database in memory with the schema of this version. */
function withSchema(version: number): Database.Database {
  const sql = new Database(':memory:')
  for (const statements of MIGRATIONS.slice(0, version)) sql.exec(statements)
  sql.pragma(`user_version = ${version}`)
  return sql
}

/** As a flipped byte does: behind the back of SQLite, which goes by the text when it opens the file the next time. */
function rewrite(sql: Database.Database, from: string, to: string): number {
  sql.unsafeMode(true)
  sql.pragma('writable_schema = ON')
  return sql
    .prepare('UPDATE sqlite_schema SET sql = replace(sql, ?, ?) WHERE sql LIKE ?')
    .run(from, to, `%${from}%`).changes
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
          expect(rewrite(sql, text, text.slice(0, at) + letter + text.slice(at + 1))).toBeGreaterThan(0)
          expect(schemaStateOf(sql)).toBe('changed')
        } finally {
          sql.close()
        }
      }),
      { numRuns: 50 },
    )
  })
})

/** An outbox with one case, closed in order; where its file is. */
async function closedOutbox(): Promise<{
  readonly folder: string
  readonly path: string
  readonly id: string
}> {
  const test = await openKept()
  const id = addWaiting(test)
  await test.end()
  return { folder: test.folder, path: databasePathIn(test.folder), id }
}

async function expectBuiltAnew({
  folder,
  path,
  id,
}: Awaited<ReturnType<typeof closedOutbox>>): Promise<void> {
  expect(() => checkDatabase(path)).toThrow(expect.objectContaining({ remedy: 'recover' }) as Error)
  await recoverOutbox(folder, MORNING)
  const recovered = openOutbox(folder, () => undefined)
  expect(recovered.outbox.submissionOf(id)?.id).toBe(id)
  recovered.close()
}

describe('an outbox that has changed on the disk', () => {
  it.each([
    ['a function that nobody knows', 'coalesce', 'coalesYe'],
    ['a column of another name', 'no_image_because', 'no_image_becauYe'],
    ['a trail that may be cut', 'DELETE ON audit BEGIN', 'DELETE ON audit WHEN 0 BEGIN'],
  ])('by %s is refused, and is built anew with its cases', async (_what, from, to) => {
    const closed = await closedOutbox()
    const sql = new Database(closed.path)
    expect(rewrite(sql, from, to)).toBeGreaterThan(0)
    sql.close()
    await expectBuiltAnew(closed)
  })

  it('by a text under an index that is no JSON any more is refused, and is built anew with its cases', async () => {
    const closed = await closedOutbox()
    const sql = new Database(closed.path, { readonly: true })
    const fields = sql.prepare<[], string>('SELECT fields FROM submissions').pluck().get() ?? ''
    sql.close()
    const bytes = readFileSync(closed.path)
    bytes.write('Y', bytes.indexOf(fields))
    writeFileSync(closed.path, bytes)
    await expectBuiltAnew(closed)
  })
})
