import { readFileSync, writeFileSync } from 'node:fs'
import Database from 'better-sqlite3'
import { describe, expect, it } from 'vitest'
import { checkDatabase } from '../../../../src-main/station/outbox/check-database.ts'
import { databasePathIn, openOutbox } from '../../../../src-main/station/outbox/open-outbox.ts'
import { recoverOutbox } from '../../../../src-main/station/outbox/recover.ts'
import { addWaiting, MORNING } from '../../../tools/outbox-with.ts'
import { openKept } from './manifests-with.ts'
import { rewriteSchema } from './rewrite-schema.ts'

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
    expect(rewriteSchema(sql, from, to)).toBeGreaterThan(0)
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

  it.each(['eye_source', 'content_type'])('by a word in %s that nobody writes is refused', async (column) => {
    const closed = await closedOutbox()
    const sql = new Database(closed.path)
    expect(sql.prepare(`UPDATE images SET ${column} = 'fileNYme'`).run().changes).toBeGreaterThan(0)
    sql.close()
    expect(() => checkDatabase(closed.path)).toThrow(expect.objectContaining({ remedy: 'recover' }) as Error)
  })

  it('in any byte of its head opens as it was, or can be built anew', async () => {
    const { folder, path } = await closedOutbox()
    const bytes = readFileSync(path)
    for (let at = 0; at < 100; at += 1) {
      const flipped = Buffer.from(bytes)
      flipped.writeUInt8(flipped.readUInt8(at) ^ 0x80, at)
      writeFileSync(path, flipped)
      // The lowest byte of the version: a newer program, for all that anybody can know.
      const expected = at === 63 ? null : 'recover'
      try {
        openOutbox(folder, () => undefined).close()
      } catch (error) {
        expect(error, `byte ${at}`).toMatchObject({ name: 'StorageError', remedy: expected })
      }
    }
  })
})
