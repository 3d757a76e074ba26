import { readFileSync, writeFileSync } from 'node:fs'
import Database from 'better-sqlite3'
import { describe, expect, it } from 'vitest'
import { checkIntegrity } from '../../../../src-main/station/outbox/check-integrity.ts'
import { checkDatabase } from '../../../../src-main/station/outbox/check-database.ts'
import { databasePathIn, openOutbox } from '../../../../src-main/station/outbox/open-outbox.ts'
import { recoverOutbox } from '../../../../src-main/station/outbox/recover.ts'
import { sentCase } from '../../../tools/sent-case.ts'
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

  it.each([
    ['where an eye came from', "UPDATE images SET eye_source = 'fileNYme'"],
    ['what kind of image it is', "UPDATE images SET content_type = 'image/jpYg'"],
    ['what kind of picture is shown', "UPDATE images SET picture_content_type = 'image/jpYg'"],
    ['what is odd about a picture', `UPDATE images SET oddities = '[{"kind":"blankImagY","message":""}]'`],
    ['what a file says of itself', `UPDATE images SET facts = '{"fields":{},"rejected":[],"vieY":null}'`],
    [
      'which ids were found',
      "UPDATE submissions SET identity = replace(identity, 'idsInPaths', 'idsInPathY')",
    ],
    ['how an attempt ended', `UPDATE attempts SET failure = '{"kinY":"offline","message":""}'`],
    ['what a look has found', "UPDATE evidence SET kind = 'absenY'"],
    ['which cases a look has found', "UPDATE evidence SET case_ids = '[7]'"],
    ['which state is counted', "UPDATE submission_counts SET state = 'senY' WHERE state = 'sent'"],
    ['how many are in a state', 'UPDATE submission_counts SET count = count + 1'],
    ['who was sent', `UPDATE submissions SET fields = json_set(fields, '$.last_name', 'Fiktiona')`],
    ['of which eye an image was sent', "UPDATE images SET eye = 'left'"],
  ])('by a byte in a text that says %s is refused', async (_what, statement) => {
    const test = await openKept()
    const id = sentCase(test, '4711')
    const attemptId = test.outbox.detailsOf(id)?.attemptList[0]?.id ?? ''
    test.outbox.appendEvidence({
      submissionId: id,
      attemptId,
      at: MORNING,
      kind: 'absent',
      caseIds: [],
      message: '',
      by: null,
    })
    await test.end()
    const sql = new Database(databasePathIn(test.folder))
    checkIntegrity(sql)
    expect(sql.prepare(statement).run().changes).toBeGreaterThan(0)
    expect(() => checkIntegrity(sql)).toThrow(expect.objectContaining({ remedy: 'recover' }) as Error)
    sql.close()
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
