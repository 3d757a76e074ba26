import Database from 'better-sqlite3'
import { expect, it } from 'vitest'
import { checkIntegrity } from '../../../../src-main/station/outbox/check-rows.ts'
import { databasePathIn } from '../../../../src-main/station/outbox/open-outbox.ts'
import type { SubmissionEvent } from '../../../../src-shared/states.ts'
import {
  addWaiting,
  startAttempt,
  MORNING,
  newSubmission,
  openTestOutbox,
  type TestOutbox,
} from '../../../tools/outbox-with.ts'
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
  startAttempt(test, id)
  outbox.submissions.transition(id, 'wasRefused', {}, { at: MORNING })
  outbox.submissions.setContent(
    id,
    { fields: { history_number: 'H-00018' }, sources: {}, reasons: [] },
    MORNING,
  )
  outbox.submissions.transition(id, 'foundAtService', {}, { at: MORNING })
  expect(digestAfter(test, id)).toBeNull()
})

it('a manifest that is laid over a sent case with another digest is no damage', () => {
  const test = openTestOutbox()
  const id = sentCase(test, '4711')
  const manifest = test.outbox.manifests.of(id)
  if (!manifest) throw new Error('There is no manifest.')
  const images = manifest.images.map((image) => ({ ...image, excluded_because: 'It was moved.' }))
  test.outbox.manifests.apply([{ ...manifest, revision: manifest.revision + 10, images }], MORNING)
  expect(digestAfter(test, id)).toBeNull()
})

it('the time of the last passing and if a hold came from stand beside the case, and the hold only as long as it lasts', () => {
  const { outbox } = openTestOutbox()
  const id = outbox.submissions.create(newSubmission())
  const after = (event: SubmissionEvent, at: number): unknown[] => {
    outbox.submissions.transition(id, event, {}, { at })
    const row = outbox.submissions.row(id)
    return [row?.state, row?.passed_at, row?.held_from]
  }
  expect(after('gatheredForReview', 1)).toEqual(['review', null, null])
  expect(after('approved', 2)).toEqual(['waiting', 2, null])
  expect(after('held', 3)).toEqual(['held', 2, 'waiting'])
  expect(after('edited', 4)).toEqual(['held', 2, 'waiting'])
  expect(after('releasedToSend', 5)).toEqual(['waiting', 5, null])
  expect(after('held', 6)).toEqual(['held', 5, 'waiting'])
  expect(after('discarded', 7)).toEqual(['discarded', 5, null])
})
