import { describe, expect, it } from 'vitest'
import {
  addTestImage,
  MORNING,
  newSubmission,
  openTestOutbox,
  someBytes,
} from '../../../tools/outbox-with.ts'

describe('images', () => {
  it('are held by the submission that has their bytes, unless it was discarded', () => {
    const test = openTestOutbox()
    const id = test.outbox.createSubmission(newSubmission())
    const image = test.outbox.imageById(addTestImage(test, id, { bytes: someBytes() }))
    const sha256 = image?.sha256 ?? ''
    expect(test.outbox.holderOf(sha256)).toMatchObject({ submissionId: id, state: 'collecting' })
    expect(test.outbox.holderOf('b'.repeat(64))).toBeNull()
    test.outbox.moveSubmission(id, 'discarded', {}, { at: MORNING })
    expect(test.outbox.holderOf(sha256)).toBeNull()
  })

  it('keep the eye, its source, what disagrees, and why one was left out', () => {
    const test = openTestOutbox()
    const id = test.outbox.createSubmission(newSubmission())
    const imageId = addTestImage(test, id, { bytes: someBytes() })
    test.outbox.setEye(imageId, { eye: 'unknown', source: null, statements: ['a: OD', 'b: OS'] })
    test.outbox.setExcluded(imageId, 'blurred')
    expect(test.outbox.imageById(imageId)?.eye_statements).toBe('["a: OD","b: OS"]')
    expect(test.outbox.submissionOf(id)?.images).toMatchObject([
      { id: imageId, eye: 'unknown', eyeSource: null, excludedBecause: 'blurred' },
    ])
  })

  it('move to another submission in their order', () => {
    const test = openTestOutbox()
    const [from, to] = [1, 2].map(() => test.outbox.createSubmission(newSubmission())) as [string, string]
    const ids = [1, 2].map(() => addTestImage(test, from, { bytes: someBytes() }))
    test.outbox.moveImages(ids, to)
    expect(test.outbox.submissionOf(from)?.images).toEqual([])
    expect(test.outbox.submissionOf(to)?.images.map((image) => image.id)).toEqual(ids)
    expect(test.told.at(-1)).toEqual([from, to])
  })

  it('are found by their directory, and not by a name that only begins alike', () => {
    const test = openTestOutbox()
    const [inside, beside] = [1, 2].map(() => test.outbox.createSubmission(newSubmission())) as [
      string,
      string,
    ]
    addTestImage(test, inside, { bytes: someBytes(), fileName: 'case-1/deep/a.jpg' })
    addTestImage(test, beside, { bytes: someBytes(), fileName: 'case-10/a.jpg' })
    const under = (directory: string): string[] =>
      test.outbox.submissionsUnder('/exports', directory).map((row) => row.id)
    expect(under('case-1')).toEqual([inside])
    expect(under('')).toEqual([inside, beside])
    expect(under('case')).toEqual([])
  })
})
