import { describe, expect, it } from 'vitest'
import { MORNING, newSubmission, openTestOutbox } from '../../../tools/outbox-with.ts'

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
  content: '{"fields":{}}',
  trouble: null,
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
  expect(outbox.sidecars.recordsOf('/exports', 'a/case.json').map((row) => row.id)).toEqual([first, second])
})

it('replaces what was sentences of the same visit, and whom it speaks of', () => {
  const { outbox } = openTestOutbox()
  const id = outbox.sidecars.save(RECORD, null)
  outbox.sidecars.save(
    { ...RECORD, content: null, trouble: 'It cannot be read.', matches: [{ kind: 'patient', key: 'h-1' }] },
    id,
  )
  expect(outbox.sidecars.record(id)).toMatchObject({ content: null, trouble: 'It cannot be read.' })
  expect(outbox.sidecars.matching('/exports', { kind: 'directory', key: 'a' })).toEqual([])
  expect(outbox.sidecars.matching('/exports', { kind: 'patient', key: 'h-1' })).toHaveLength(1)
})
