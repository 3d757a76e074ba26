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
    const id = test.outbox.submissions.create(newSubmission())
    const image = test.outbox.images.byId(addTestImage(test, id, { bytes: someBytes() }))
    const sha256 = image?.sha256 ?? ''
    expect(test.outbox.images.holderOf(sha256)).toMatchObject({ submissionId: id, state: 'collecting' })
    expect(test.outbox.images.holderOf('b'.repeat(64))).toBeNull()
    test.outbox.submissions.transition(id, 'discarded', {}, { at: MORNING })
    expect(test.outbox.images.holderOf(sha256)).toBeNull()
  })

  it('keep the eye, its source, what disagrees, and why one was left out', () => {
    const test = openTestOutbox()
    const id = test.outbox.submissions.create(newSubmission())
    const imageId = addTestImage(test, id, { bytes: someBytes() })
    test.outbox.images.setEye(imageId, { eye: 'unknown', source: null, statements: ['a: OD', 'b: OS'] })
    test.outbox.images.setExcluded(imageId, 'blurred')
    expect(test.outbox.images.byId(imageId)?.eye_statements).toBe('["a: OD","b: OS"]')
    expect(test.outbox.submissions.get(id)?.images).toMatchObject([
      { id: imageId, eye: 'unknown', eyeSource: null, excludedBecause: 'blurred' },
    ])
  })

  it('move to another submission in their order', () => {
    const test = openTestOutbox()
    const [from, to] = [1, 2].map(() => test.outbox.submissions.create(newSubmission())) as [string, string]
    const ids = [1, 2].map(() => addTestImage(test, from, { bytes: someBytes() }))
    test.outbox.images.move(ids, to)
    expect(test.outbox.submissions.get(from)?.images).toEqual([])
    expect(test.outbox.submissions.get(to)?.images.map((image) => image.id)).toEqual(ids)
    expect(test.notified.at(-1)).toEqual([from, to])
  })

  it('are found by their directory, and not by a name that only begins alike', () => {
    const test = openTestOutbox()
    const [inside, beside] = [1, 2].map(() => test.outbox.submissions.create(newSubmission())) as [
      string,
      string,
    ]
    addTestImage(test, inside, { bytes: someBytes(), fileName: 'case-1/deep/a.jpg' })
    addTestImage(test, beside, { bytes: someBytes(), fileName: 'case-10/a.jpg' })
    const inDirectory = (directory: string): string[] =>
      test.outbox.images.submissionsInFolder('/exports', directory).map((row) => row.id)
    expect(inDirectory('case-1')).toEqual([inside])
    expect(inDirectory('')).toEqual([inside, beside])
    expect(inDirectory('case')).toEqual([])
  })
})
