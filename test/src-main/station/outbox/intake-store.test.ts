import { describe, expect, it } from 'vitest'
import {
  addTestImage,
  MORNING,
  newSubmission,
  openTestOutbox,
  someBytes,
} from '../../../tools/outbox-with.ts'

const FILE = { folderPath: '/exports', relativePath: 'a/1.jpg', sizeBytes: 10, mtimeMs: 1_000.25 }

describe('files that were seen', () => {
  it('are known while they are unchanged', () => {
    const { outbox } = openTestOutbox()
    expect(outbox.hasSeen(FILE)).toBe(false)
    outbox.markSeen(FILE, 'image', null, MORNING)
    expect(outbox.hasSeen(FILE)).toBe(true)
    for (const other of [
      { sizeBytes: 11 },
      { mtimeMs: 1_000.5 },
      { relativePath: 'a/2.jpg' },
      { folderPath: '/x' },
    ])
      expect(outbox.hasSeen({ ...FILE, ...other })).toBe(false)
    outbox.markSeen({ ...FILE, sizeBytes: 11 }, 'image', null, MORNING)
    expect(outbox.hasSeen(FILE)).toBe(false)
  })

  it('are counted and forgotten where they were left out', () => {
    const { outbox } = openTestOutbox()
    outbox.markSeen(FILE, 'ignored', null, MORNING)
    outbox.markSeen({ ...FILE, relativePath: 'b.jpg' }, 'image', null, MORNING)
    expect([outbox.countIgnored('/exports'), outbox.countIgnored('/other')]).toEqual([1, 0])
    outbox.forgetIgnored('/exports')
    expect(outbox.hasSeen(FILE)).toBe(false)
    expect(outbox.hasSeen({ ...FILE, relativePath: 'b.jpg' })).toBe(true)
  })
})

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
    test.outbox.moveImages(from, to)
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

describe('quiet time', () => {
  it('is over at its instant, and only for what collects', () => {
    const { outbox } = openTestOutbox()
    const [first, second] = [5, 9].map((quietUntil) =>
      outbox.createSubmission(newSubmission({ quietUntil })),
    ) as [string, string]
    expect(outbox.quietSubmissions(4)).toEqual([])
    expect(outbox.quietSubmissions(5)).toEqual([first])
    outbox.moveSubmission(first, 'gatheredForReview', { quietUntil: null }, { at: 5 })
    expect(outbox.nextQuietAt()).toBe(9)
    outbox.setQuietUntil(second, 20)
    expect([outbox.nextQuietAt(), outbox.quietSubmissions(19), outbox.quietSubmissions(20)]).toEqual([
      20,
      [],
      [second],
    ])
  })
})

describe('sidecars', () => {
  it('are kept by their directory, the newest instead of the one before', () => {
    const { outbox } = openTestOutbox()
    const sidecar = { folderPath: '/exports', directory: 'a', relativePath: 'a/case.json', at: 1 }
    outbox.keepSidecar({ ...sidecar, content: '{}', trouble: null })
    outbox.keepSidecar({ ...sidecar, content: null, trouble: 'It cannot be read.' })
    expect(outbox.sidecarIn('/exports', 'a')).toMatchObject({ content: null, trouble: 'It cannot be read.' })
    expect(outbox.sidecarIn('/exports', 'b')).toBeNull()
  })
})
