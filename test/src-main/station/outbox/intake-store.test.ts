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
