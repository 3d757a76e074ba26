import Database from 'better-sqlite3'
import { expect, it } from 'vitest'
import { checkIntegrity } from '../../../../src-main/station/outbox/check-integrity.ts'
import { databasePathIn } from '../../../../src-main/station/outbox/open-outbox.ts'
import { addWaiting, claim, MORNING, openTestOutbox, type TestOutbox } from '../../../tools/outbox-with.ts'
import { sentCase } from '../../../tools/sent-case.ts'

/** Closes it, and answers with what stands there as the digest of what was passed. */
function digestAfter(test: TestOutbox, id: string): string | null {
  test.close()
  const sql = new Database(databasePathIn(test.folder), { readonly: true })
  try {
    checkIntegrity(sql)
    return (
      sql.prepare<[string], string>('SELECT passed_digest FROM submissions WHERE id = ?').pluck().get(id) ??
      null
    )
  } finally {
    sql.close()
  }
}

it('what was sent as it was passed keeps its digest', () => {
  const test = openTestOutbox()
  expect(digestAfter(test, sentCase(test, '4711'))).toMatch(/^[0-9a-f]{64}$/)
})

it('what was changed since it was passed, and has arrived after all, keeps no digest, and is no damage', () => {
  const test = openTestOutbox()
  const { outbox } = test
  const id = addWaiting(test)
  claim(test, id)
  outbox.moveSubmission(id, 'wasRefused', {}, { at: MORNING })
  outbox.setContent(id, { fields: { history_number: 'H-00018' }, sources: {}, reasons: [] }, MORNING)
  outbox.moveSubmission(id, 'foundAtService', {}, { at: MORNING })
  expect(digestAfter(test, id)).toBeNull()
})

it('a manifest that is laid over a sent case with another digest is no damage', () => {
  const test = openTestOutbox()
  const id = sentCase(test, '4711')
  const manifest = test.outbox.manifestOf(id)
  if (!manifest) throw new Error('There is no manifest.')
  const images = manifest.images.map((image) => ({ ...image, excluded_because: 'It was moved.' }))
  test.outbox.layOver([{ ...manifest, revision: manifest.revision + 10, images }], MORNING)
  expect(digestAfter(test, id)).toBeNull()
})
