import Database from 'better-sqlite3'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { createStore } from '../../../../src-main/station/outbox/database.ts'
import { hasIgnoredOther, markSeen } from '../../../../src-main/station/outbox/files.ts'
import { MIGRATIONS } from '../../../../src-main/station/outbox/migrations/migrate.ts'
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
    expect(outbox.files.hasSeen(FILE)).toBe(false)
    outbox.files.markSeen(FILE, 'image', null, MORNING)
    expect(outbox.files.hasSeen(FILE)).toBe(true)
    for (const other of [
      { sizeBytes: 11 },
      { mtimeMs: 1_000.5 },
      { relativePath: 'a/2.jpg' },
      { folderPath: '/x' },
    ])
      expect(outbox.files.hasSeen({ ...FILE, ...other })).toBe(false)
    outbox.files.markSeen({ ...FILE, sizeBytes: 11 }, 'image', null, MORNING)
    expect(outbox.files.hasSeen(FILE)).toBe(false)
  })

  it('entries of archives also by their checksum', () => {
    const { outbox } = openTestOutbox()
    const entry = { ...FILE, crc32: 0xcafe }
    outbox.files.markSeen(entry, 'image', null, MORNING)
    expect([entry, { ...entry, crc32: 1 }, FILE].map(outbox.files.hasSeen)).toEqual([true, false, false])
  })

  it.each<readonly [string, object, unknown]>([
    ['with the change time and the hash', {}, 'known'],
    ['with another change time', { ctimeMs: 6 }, { as: 'known', sha256: 'a' }],
    ['asked without a change time', { ctimeMs: undefined }, { as: 'known', sha256: 'a' }],
    ['of another size', { sizeBytes: 11 }, 'new'],
  ])('%s', (_, other, prior) => {
    const { outbox } = openTestOutbox()
    outbox.files.markSeen({ ...FILE, ctimeMs: 5.25, sha256: 'a' }, 'image', null, MORNING)
    const { ctimeMs, ...asked } = { ...FILE, ctimeMs: 5.25, ...other } as typeof FILE & { ctimeMs?: number }
    expect(outbox.files.priorResult(ctimeMs === undefined ? asked : { ...asked, ctimeMs })).toEqual(prior)
  })

  it('are new once their bytes are others, until they are read; a touched one is known by its new change time', () => {
    const { outbox } = openTestOutbox()
    const file = { ...FILE, ctimeMs: 5, sha256: 'a' }
    outbox.files.markSeen(file, 'image', null, MORNING)
    outbox.files.rememberSeen([{ ...file, ctimeMs: 6 }])
    expect(outbox.files.priorResult({ ...file, ctimeMs: 6 })).toBe('known')
    outbox.files.markRewritten(file, MORNING)
    expect([outbox.files.hasSeen(file), outbox.files.isRewritten(file)]).toEqual([false, true])
    outbox.files.markSeen({ ...file, ctimeMs: 7, sha256: 'b' }, 'image', null, MORNING)
    expect([outbox.files.hasSeen(file), outbox.files.isRewritten(file)]).toEqual([true, false])
  })

  it('and were never hashed are so answered; a name that is left alone is known whatever it holds', () => {
    const { outbox } = openTestOutbox()
    outbox.files.markSeen({ ...FILE, ctimeMs: 5 }, 'ignored', null, MORNING)
    expect(outbox.files.priorResult({ ...FILE, ctimeMs: 5 })).toEqual({ as: 'known', sha256: null })
    outbox.files.markRewritten(FILE, MORNING)
    expect(outbox.files.hasIgnoredOther(FILE)).toBe(true)
    outbox.files.markSeen(FILE, 'leftAlone', null, MORNING)
    expect(outbox.files.priorResult(FILE)).toBe('known')
  })

  it('and were ignored are found by any spelling of the name, without a look at all others', () => {
    const sql = new Database(':memory:')
    onTestFinished(() => void sql.close())
    for (const text of MIGRATIONS) sql.exec(text)
    const prepare = vi.spyOn(sql, 'prepare')
    const store = createStore(sql, () => undefined)
    markSeen(store, { ...FILE, relativePath: 'a/\u00c9.JPG' }, 'ignored', null, MORNING)
    prepare.mockClear()
    const other = { ...FILE, sizeBytes: 11, relativePath: 'A/e\u0301.jpg' }
    expect(
      [other, { ...other, sizeBytes: FILE.sizeBytes }].map((file) => hasIgnoredOther(store, file)),
    ).toEqual([true, false])
    const [text = ''] = prepare.mock.calls[0] ?? []
    const values = ['/exports', '[]', 1, 1]
    const plan = sql.prepare<unknown[], { detail: string }>(`EXPLAIN QUERY PLAN ${text}`).all(...values)
    expect(plan.map(({ detail }) => detail).join()).toMatch(
      /SEARCH seen_files USING INDEX seen_files_ignored \(folder_path=\? AND <expr>=\?\)/,
    )
  })
})

describe('quiet time', () => {
  it('is over at its instant, and only for what collects', () => {
    const { outbox } = openTestOutbox()
    const [first, second] = [5, 9].map((quietUntil) =>
      outbox.submissions.create(newSubmission({ quietUntil })),
    ) as [string, string]
    expect(outbox.submissions.quiet(4)).toEqual([])
    expect(outbox.submissions.quiet(5)).toEqual([first])
    outbox.submissions.transition(first, 'gatheredForReview', { quietUntil: null }, { at: 5 })
    expect(outbox.submissions.nextQuietAt()).toBe(9)
    outbox.submissions.setQuietUntil(second, 20)
    expect([
      outbox.submissions.nextQuietAt(),
      outbox.submissions.quiet(19),
      outbox.submissions.quiet(20),
    ]).toEqual([20, [], [second]])
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
  const first = outbox.sidecars.save(RECORD, null)
  const second = outbox.sidecars.save({ ...RECORD, at: 2 }, null)
  const found = (key: string): number[] =>
    outbox.sidecars.matching('/exports', { kind: 'directory', key }).map((row) => row.id)
  expect(found('a')).toEqual([first, second])
  expect(found('b')).toEqual([])
  expect(outbox.sidecars.matching('/exports', { kind: 'file', key: 'a' })).toEqual([])
  expect(outbox.sidecars.recordsOf('/exports', RECORD.pathKey).map((row) => row.id)).toEqual([first, second])
  // What replaces a record speaks of others, or of no one.
  const matches = [{ kind: 'patient', key: 'h-1' }] as const
  outbox.sidecars.save({ ...RECORD, content: null, trouble: 'It cannot be read.', matches }, first)
  expect(outbox.sidecars.record(first)).toMatchObject({ content: null, trouble: 'It cannot be read.' })
  expect(found('a')).toEqual([second])
  expect(outbox.sidecars.matching('/exports', matches[0])).toHaveLength(1)
})

describe('images', () => {
  it('are held by the submission that has their bytes, unless it was discarded', () => {
    const test = openTestOutbox()
    const id = test.outbox.submissions.create(newSubmission())
    const image = test.outbox.images.byId(addTestImage(test, id, { bytes: someBytes() }))
    const sha256 = image?.sha256 ?? ''
    expect(test.outbox.images.holdersOf(sha256)).toMatchObject([{ submissionId: id, state: 'collecting' }])
    expect(test.outbox.images.holdersOf('b'.repeat(64))).toEqual([])
    test.outbox.submissions.transition(id, 'discarded', {}, { at: MORNING })
    expect(test.outbox.images.holdersOf(sha256)).toEqual([])
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
