import { describe, expect, it } from 'vitest'
import { openMemoryOutbox, updateVerdict } from '../../../tools/outbox-with.ts'
import { inReview, storeVerdict, type TableTest } from './outbox-with-sql.ts'

describe('the digest of what is shown', () => {
  const shownOf = (test: TableTest, id: string): string | undefined => test.outbox.submissionOf(id)?.digest
  const set = (test: TableTest, id: string, column: string, value: unknown): void =>
    void test.sql.prepare(`UPDATE submissions SET ${column} = ? WHERE id = ?`).run(value, id)
  const setImage = (test: TableTest, id: string, column: string, value: unknown): void =>
    void test.sql.prepare(`UPDATE images SET ${column} = ? WHERE submission_id = ?`).run(value, id)

  it('is the same in the list, in the case and for the check of an approval', () => {
    const test = openMemoryOutbox()
    const id = inReview(test)
    const shown = shownOf(test, id)
    expect(shown).toMatch(/^[0-9a-f]{64}$/)
    expect(test.outbox.listSubmissions({ limit: 9 }).items[0]?.digest).toBe(shown)
    expect(test.outbox.detailsOf(id)?.digest).toBe(shown)
    expect(test.outbox.shownDigest(id)).toBe(shown)
  })

  it.each<readonly [string, 'content' | 'verdict', (test: TableTest, id: string) => void]>([
    ['a value', 'content', (test, id) => set(test, id, 'fields', '{"history_number":"H-2"}')],
    ['an eye', 'content', (test, id) => setImage(test, id, 'eye', 'left')],
    ['an image left out', 'content', (test, id) => setImage(test, id, 'excluded_because', 'blurred')],
    ['other bytes', 'content', (test, id) => setImage(test, id, 'sha256', 'f'.repeat(64))],
    [
      'why an eye has no image',
      'content',
      (test, id) => set(test, id, 'no_image_because', '{"left":"absent"}'),
    ],
    [
      'what is proven',
      'verdict',
      (test, id) => {
        for (const { id: imageId, eye } of test.outbox.imageRowsOf(id))
          test.outbox.setEye(imageId, { eye, source: 'dicom', statements: null })
        updateVerdict(test, id)
      },
    ],
  ])('covers %s', (_what, part, change) => {
    const test = openMemoryOutbox()
    const id = inReview(test)
    const before = shownOf(test, id)
    const content = test.outbox.candidateOf(id)?.digest
    change(test, id)
    // The hash in a row is compared with the name of its file: only the digest is of interest here.
    expect(test.outbox.shownDigest(id)).not.toBe(before)
    expect(test.outbox.candidateOf(id)?.digest === content).toBe(part === 'verdict')
  })

  it('does not depend on the order of values, nor on why something is no proof', () => {
    const test = openMemoryOutbox()
    const id = inReview(test)
    const before = shownOf(test, id)
    const { fields, verdict } = test.outbox.submissionOf(id) ?? {}
    set(test, id, 'fields', JSON.stringify(Object.fromEntries(Object.entries(fields ?? {}).toReversed())))
    const who = { ...verdict?.who, why: 'other', by: ['folderName'] }
    storeVerdict(test, id, JSON.stringify({ ...verdict, who }))
    set(test, id, 'center_id', '102')
    expect(shownOf(test, id)).toBe(before)
  })
})
