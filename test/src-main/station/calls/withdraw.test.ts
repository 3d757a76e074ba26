/** A patient withdrew before the case was sent: what is erased, what is refused, and what does not come back. */
import { describe, expect, it } from 'vitest'
import type { SubmissionState } from '../../../../src-shared/states.ts'
import {
  addCase,
  addUnusable,
  caseIn,
  COMPLETE,
  loseAnswer,
  partsWith,
  type TestParts,
  trailOf,
} from './parts-with.ts'

const ERASABLE: readonly SubmissionState[] = [
  'collecting',
  'incomplete',
  'review',
  'waiting',
  'held',
  'refused',
  'discarded',
]

function withdraw(test: TestParts, id: string, seen = test.outbox.shownDigest(id)) {
  return test.call('submissions.withdraw', { ids: [id], seen: { [id]: seen ?? '' }, by: 'AB' })
}

describe('a patient who withdrew', () => {
  it.each(ERASABLE)('is erased from a case in %s', async (state) => {
    const { test, id } = await caseIn(state, { images: ['H-1_OD.jpg', 'H-1_OD_2.jpg'] })
    addUnusable(test, id, 'H-1/OS_2.jpg')
    const hashes = test.outbox.imageRowsOf(id).map(({ sha256 }) => sha256)
    expect(await withdraw(test, id)).toMatchObject({ value: { changed: [id], refused: [] } })
    expect(test.outbox.submissionOf(id)).toMatchObject({
      state: 'discarded',
      fields: {},
      sources: {},
      reasons: [],
      unusableFiles: [],
      failure: null,
      erasedAt: test.clock.now(),
    })
    for (const image of test.outbox.imageRowsOf(id))
      expect(image).toMatchObject({
        file_name: 'erased',
        facts: null,
        grey: null,
        removed_at: test.clock.now(),
      })
    // Each is known by its hash alone.
    expect(test.outbox.imageRowsOf(id).map(({ sha256 }) => sha256)).toEqual(hashes)
    for (const sha256 of hashes)
      expect(test.outbox.holdersOf(sha256)).toMatchObject([{ submissionId: id, erasedAt: test.clock.now() }])
    expect(JSON.stringify(test.outbox.manifestOf(id, null))).not.toContain('H-1')
    expect(test.outbox.listSubmissions({ search: 'H-1', limit: 9 }).items).toEqual([])
    expect(test.done).toContain('erase leftovers')
    expect(trailOf(test, id)[0]).toMatchObject({ what: 'withdrawn', by: 'AB', details: { images: 2 } })
  })

  it.each(['sending', 'unconfirmed', 'sent'] as const)('is not erased from a case in %s', async (state) => {
    const { test, id } = await caseIn(state)
    const before = test.outbox.rowOf(id)
    expect(await withdraw(test, id)).toMatchObject({
      value: { changed: [], refused: [{ failure: { kind: 'notAllowed' } }] },
    })
    expect(test.outbox.rowOf(id)).toEqual(before)
    expect(test.done).not.toContain('erase leftovers')
  })

  it('is not erased from a discarded case that may have arrived', async () => {
    const { test, id } = await caseIn('waiting')
    loseAnswer(test, id)
    test.outbox.moveSubmission(id, 'discarded', {}, { at: test.clock.now() })
    expect(await withdraw(test, id)).toMatchObject({ value: { changed: [] } })
    expect(test.outbox.submissionOf(id)).toMatchObject({ fields: COMPLETE, erasedAt: null })
  })

  it('is erased from the case that was shown, and from no other', async () => {
    const { test, id } = await caseIn('review')
    const other = addCase(test, 'review', { fields: { ...COMPLETE, history_number: 'H-2' } })
    const before = test.outbox.rowOf(other)
    expect(await withdraw(test, id, 'another digest')).toMatchObject({
      value: { refused: [{ failure: { kind: 'changed' } }] },
    })
    await withdraw(test, id)
    expect(test.outbox.rowOf(other)).toEqual(before)
  })

  it('does not come back', async () => {
    const { test, id } = await caseIn('review')
    await withdraw(test, id)
    for (const call of ['submissions.restore', 'submissions.withdraw'] as const)
      expect(await test.call(call, { ids: [id], by: 'AB' })).toMatchObject({
        value: { refused: [{ failure: { kind: 'notAllowed' } }] },
      })
    expect(test.outbox.submissionOf(id)).toMatchObject({ state: 'discarded', fields: {} })
  })

  it('drops a data file that names the patient under any name, and one that another may have under its own alone', async () => {
    const { test, id } = await caseIn('review')
    const seen = (relativePath: string, sha256: string) =>
      test.outbox.markSeen(
        { folderPath: '/exports', relativePath, sizeBytes: 1, mtimeMs: 1, sha256 },
        'sidecar',
        1,
      )
    const [named, plain] = ['a', 'b'].map((digit) => digit.repeat(64)) as [string, string]
    for (const [path, sha256, content] of [
      ['v/named.json', named, '[{"history_number":"H-1"}]'],
      ['v/eye.json', plain, '[{"eye":"right"}]'],
    ] as const) {
      seen(path, sha256)
      test.outbox.saveSidecarRecord(
        {
          folderPath: '/exports',
          relativePath: path,
          pathKey: path,
          form: 'document',
          content,
          trouble: null,
          statedBefore: null,
          matches: [{ kind: 'file', key: 'v/h-1' }],
          at: 1,
        },
        null,
      )
    }
    const keys = [{ kind: 'file' as const, key: 'v/h-1' }]
    test.outbox.moveSubmission(id, 'discarded', {}, { at: 2 })
    test.outbox.eraseCase(id, { folderPath: '/exports', number: 'H-1', keys, by: 'AB', at: 2 })
    const isErased = (relativePath: string, sha256: string): boolean =>
      test.outbox.isErased({ folderPath: '/exports', relativePath, sizeBytes: 1, mtimeMs: 1, sha256 })
    expect(isErased('v/named.json', named)).toBe(true)
    expect(isErased('w/other.json', named)).toBe(true)
    expect(isErased('v/eye.json', plain)).toBe(true)
    // The next patient's.
    expect(isErased('w/eye.json', plain)).toBe(false)
  })

  it('leaves what data files say of a number that another case has', async () => {
    const test = await partsWith()
    const [id, other] = [addCase(test, 'review'), addCase(test, 'review')]
    const record = (relativePath: string) => ({
      folderPath: '/exports',
      relativePath,
      pathKey: relativePath,
      form: 'table' as const,
      content: '[]',
      trouble: null,
      statedBefore: null,
      matches: [{ kind: 'patient' as const, key: 'h-1' }],
      at: 1,
    })
    const contents = () => [1, 2].map((one) => test.outbox.sidecarRecord(one)?.content)
    test.outbox.saveSidecarRecord(record('one.csv'), null)
    test.outbox.saveSidecarRecord(record('two.csv'), null)
    const key = { folderPath: '/exports', keys: [{ kind: 'patient' as const, key: 'h-1' }], by: 'AB', at: 2 }
    test.outbox.eraseCase(id, { ...key, number: 'H-1' })
    expect(contents()).toEqual(['[]', '[]'])
    test.outbox.eraseCase(other, { ...key, number: 'H-1' })
    expect(contents()).toEqual([null, null])
    expect(test.outbox.recordsMatching('/exports', { kind: 'patient', key: 'h-1' })).toEqual([])
  })
})
