import { describe, expect, it } from 'vitest'
import {
  addTestImage,
  MORNING,
  newSubmission,
  openMemoryOutbox,
  openTestOutbox,
  someBytes,
} from '../../../tools/outbox-with.ts'

const FILE = { folderPath: '/exports', relativePath: 'a/1.jpg', sizeBytes: 10, mtimeMs: 1_000.25 }

describe('files that were seen', () => {
  it('are known while they are unchanged', () => {
    const { outbox } = openTestOutbox()
    expect(outbox.hasSeen(FILE)).toBe(false)
    outbox.markSeen(FILE, 'image', MORNING)
    expect(outbox.hasSeen(FILE)).toBe(true)
    for (const other of [
      { sizeBytes: 11 },
      { mtimeMs: 1_000.5 },
      { relativePath: 'a/2.jpg' },
      { folderPath: '/x' },
    ])
      expect(outbox.hasSeen({ ...FILE, ...other })).toBe(false)
    outbox.markSeen({ ...FILE, sizeBytes: 11 }, 'image', MORNING)
    expect(outbox.hasSeen(FILE)).toBe(false)
  })

  it('entries of archives also by their checksum', () => {
    const { outbox } = openTestOutbox()
    const entry = { ...FILE, crc32: 0xcafe }
    outbox.markSeen(entry, 'image', MORNING)
    expect([entry, { ...entry, crc32: 1 }, FILE].map(outbox.hasSeen)).toEqual([true, false, false])
  })

  it.each<readonly [string, object, unknown]>([
    ['with the change time and the hash', {}, 'known'],
    ['with another change time', { ctimeMs: 6 }, { as: 'known', sha256: 'a' }],
    ['asked without a change time', { ctimeMs: undefined }, { as: 'known', sha256: 'a' }],
    ['of another size', { sizeBytes: 11 }, 'new'],
  ])('%s', (_, other, prior) => {
    const { outbox } = openTestOutbox()
    outbox.markSeen({ ...FILE, ctimeMs: 5.25, sha256: 'a' }, 'image', MORNING)
    const { ctimeMs, ...asked } = { ...FILE, ctimeMs: 5.25, ...other } as typeof FILE & { ctimeMs?: number }
    expect(outbox.priorResult(ctimeMs === undefined ? asked : { ...asked, ctimeMs })).toEqual(prior)
  })

  it('are new once their bytes are others, until they are read; a touched one is known by its new change time', () => {
    const { outbox } = openTestOutbox()
    const file = { ...FILE, ctimeMs: 5, sha256: 'a' }
    outbox.markSeen(file, 'image', MORNING)
    outbox.rememberSeen([{ ...file, ctimeMs: 6 }])
    expect(outbox.priorResult({ ...file, ctimeMs: 6 })).toBe('known')
    outbox.markRewritten(file, MORNING)
    expect([outbox.hasSeen(file), outbox.isRewritten(file)]).toEqual([false, true])
    outbox.markSeen({ ...file, ctimeMs: 7, sha256: 'b' }, 'image', MORNING)
    expect([outbox.hasSeen(file), outbox.isRewritten(file)]).toEqual([true, false])
  })

  it('and were never hashed are so answered; a name that is left alone is known whatever it holds', () => {
    const { outbox } = openTestOutbox()
    outbox.markSeen({ ...FILE, ctimeMs: 5 }, 'ignored', MORNING)
    expect(outbox.priorResult({ ...FILE, ctimeMs: 5 })).toEqual({ as: 'known', sha256: null })
    outbox.markRewritten(FILE, MORNING)
    expect(outbox.hasSeen(FILE)).toBe(false)
    outbox.markSeen(FILE, 'leftAlone', MORNING)
    expect(outbox.priorResult(FILE)).toBe('known')
  })

  it('and were ignored are names that the folder used, until a person chose to import them', () => {
    const { outbox } = openTestOutbox()
    outbox.markSeen(FILE, 'ignored', MORNING, { stemKey: 'a/1' })
    const used = () => outbox.namesUsed('/exports', ['a/1', 'a/2'])
    expect(used()).toMatchObject([{ id: '', name: 'a/1.jpg', stem_key: 'a/1' }])
    outbox.markSeen({ ...FILE, sizeBytes: 11 }, 'sidecar', MORNING)
    expect(outbox.summariseIgnored('/exports', 0)).toMatchObject({ count: 0 })
    outbox.importIgnoredSince('/exports', 0, MORNING)
    expect(used()).toHaveLength(1)
    outbox.markSeen(FILE, 'ignored', MORNING, { stemKey: 'a/1' })
    expect(outbox.summariseIgnored('/exports', 0)).toMatchObject({ count: 1, oldestMs: FILE.mtimeMs })
    outbox.importIgnoredSince('/exports', 0, 7)
    expect([outbox.importedAt(FILE), outbox.hasSeen(FILE), used()]).toEqual([7, false, []])
    // Written over before it was read.
    expect([outbox.importedAt({ ...FILE, sizeBytes: 12 }), used().length]).toEqual([null, 1])
  })
})

it('of a name that is written over again and again, only what it was lately and the images that it held are remembered', () => {
  const test = openMemoryOutbox()
  const { outbox } = test
  const imageId = addTestImage(test, outbox.createSubmission(newSubmission()), { bytes: someBytes() })
  const rows = (): unknown[] => test.sql.prepare('SELECT became FROM sightings ORDER BY id').pluck().all()
  outbox.markSeen(FILE, 'image', MORNING, { imageId })
  for (const became of ['sidecar', 'archive', 'unreadable', 'leftAlone', 'duplicate'] as const)
    for (const mtimeMs of [1, 2]) {
      outbox.markSeen({ ...FILE, mtimeMs }, became, MORNING)
      outbox.markRewritten({ ...FILE, mtimeMs }, MORNING)
      outbox.markSeen({ ...FILE, mtimeMs }, became, MORNING)
      expect(rows()).toEqual(['image', became])
    }
  for (const became of ['copy', 'lateCopy'] as const)
    for (const mtimeMs of [3, 4]) outbox.markSeen({ ...FILE, mtimeMs }, became, MORNING, { imageId })
  expect(rows()).toEqual(['image', 'copy', 'lateCopy'])
  expect(outbox.hasSeen({ ...FILE, mtimeMs: 4 })).toBe(true)
})

describe('copies of the images of a discarded case', () => {
  const copy = { ...FILE, relativePath: 'b/1.jpg' }
  const withImage = () => {
    const test = openTestOutbox()
    const id = test.outbox.createSubmission(newSubmission())
    const imageId = addTestImage(test, id, { bytes: someBytes(), fileName: FILE.relativePath })
    test.outbox.markSeen(FILE, 'image', MORNING, { imageId, submissionId: id })
    return { outbox: test.outbox, id, imageId }
  }

  it.each(['copy', 'lateCopy', 'duplicate'] as const)('are read again: %s', (became) => {
    const { outbox, id, imageId } = withImage()
    outbox.markSeen(copy, became, MORNING, { imageId })
    expect([outbox.forgetDuplicatesOf(id), outbox.hasSeen(copy)]).toEqual([1, false])
    expect([outbox.forgetDuplicatesOf(id), outbox.hasSeen(FILE)]).toEqual([0, true])
  })

  it('are not if other bytes were read under their names since', () => {
    const { outbox, id, imageId } = withImage()
    outbox.markSeen(copy, 'lateCopy', MORNING, { imageId })
    const other = { ...copy, sizeBytes: 11 }
    outbox.markSeen(other, 'image', MORNING)
    expect([outbox.forgetDuplicatesOf(id), outbox.hasSeen(other)]).toEqual([0, true])
  })

  it('the file of an image itself is none, however often it was touched', () => {
    const { outbox, id, imageId } = withImage()
    const touched = { ...FILE, mtimeMs: 2_000 }
    outbox.markSeen(touched, 'duplicate', MORNING, { imageId })
    expect([outbox.forgetDuplicatesOf(id), outbox.hasSeen(touched)]).toEqual([0, true])
  })
})

it.each(['copy', 'lateCopy', 'duplicate'] as const)(
  'a late copy that was a %s since is read again if it is forgotten, with its archive; what states something stays',
  (became) => {
    const test = openTestOutbox()
    const { outbox } = test
    const imageId = addTestImage(test, outbox.createSubmission(newSubmission()), { bytes: someBytes() })
    const of = { imageId, stemKey: 'a.zip/1' }
    const [archive, late, other] = ['a.zip', 'a.zip/1.jpg', 'a.zip/2.jpg'].map((relativePath) => ({
      ...FILE,
      relativePath,
    })) as [typeof FILE, typeof FILE, typeof FILE]
    for (const file of [late, other]) outbox.markSeen(file, 'lateCopy', MORNING, of)
    outbox.markSeen(late, became, MORNING, of)
    outbox.markSeen(archive, 'archive', MORNING)
    outbox.forgetCopy('/exports', late.relativePath)
    expect([late, archive, other].map(outbox.hasSeen)).toEqual([false, false, true])
    expect(outbox.lateCopiesOfStem('/exports', of.stemKey)).toEqual([{ imageId, name: other.relativePath }])
    expect(outbox.copiesOf(imageId)).toHaveLength(became === 'copy' ? 1 : 0)
  },
)

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

const RECORD = {
  folderPath: '/exports',
  relativePath: 'a/case.json',
  form: 'case',
  content: '{"fields":{}}',
  trouble: null,
  pathKey: 'a/case.json',
  statedBefore: null,
  matches: [{ kind: 'directory', key: 'a' }],
  at: 1,
} as const

it('finds what a data file sentences by what it speaks of, oldest first', () => {
  const { outbox } = openTestOutbox()
  const first = outbox.saveSidecarRecord(RECORD, null)
  const second = outbox.saveSidecarRecord({ ...RECORD, at: 2 }, null)
  const found = (key: string): number[] =>
    outbox.recordsMatching('/exports', { kind: 'directory', key }).map((row) => row.id)
  expect(found('a')).toEqual([first, second])
  expect(found('b')).toEqual([])
  expect(outbox.recordsMatching('/exports', { kind: 'file', key: 'a' })).toEqual([])
  expect(outbox.recordsOfSidecar('/exports', RECORD.pathKey).map((row) => row.id)).toEqual([first, second])
  // What replaces a record speaks of others, or of no one.
  const matches = [{ kind: 'patient', key: 'h-1' }] as const
  outbox.saveSidecarRecord({ ...RECORD, content: null, trouble: 'It cannot be read.', matches }, first)
  expect(outbox.sidecarRecord(first)).toMatchObject({ content: null, trouble: 'It cannot be read.' })
  expect(found('a')).toEqual([second])
  expect(outbox.recordsMatching('/exports', matches[0])).toHaveLength(1)
})

describe('images', () => {
  it('are held by the submission that has their bytes, unless it was discarded', () => {
    const test = openTestOutbox()
    const id = test.outbox.createSubmission(newSubmission())
    const image = test.outbox.imageById(addTestImage(test, id, { bytes: someBytes() }))
    const sha256 = image?.sha256 ?? ''
    expect(test.outbox.holdersOf(sha256)).toMatchObject([{ submissionId: id, state: 'collecting' }])
    expect(test.outbox.holdersOf('b'.repeat(64))).toEqual([])
    test.outbox.moveSubmission(id, 'discarded', {}, { at: MORNING })
    expect(test.outbox.holdersOf(sha256)).toEqual([])
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
    expect(test.notified.at(-1)).toEqual([from, to])
  })

  it('are found by their directory, and not by a name that only begins alike', () => {
    const test = openTestOutbox()
    const [inside, beside] = [1, 2].map(() => test.outbox.createSubmission(newSubmission())) as [
      string,
      string,
    ]
    addTestImage(test, inside, { bytes: someBytes(), fileName: 'case-1/deep/a.jpg' })
    addTestImage(test, beside, { bytes: someBytes(), fileName: 'case-10/a.jpg' })
    const inDirectory = (directory: string): string[] =>
      test.outbox.submissionsInFolder('/exports', directory).map((row) => row.id)
    expect(inDirectory('case-1')).toEqual([inside])
    expect(inDirectory('')).toEqual([inside, beside])
    expect(inDirectory('case')).toEqual([])
  })
})
