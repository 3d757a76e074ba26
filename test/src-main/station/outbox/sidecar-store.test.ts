import { expect, it } from 'vitest'
import { openTestOutbox } from '../../../tools/outbox-with.ts'

const RECORD = {
  folderPath: '/exports',
  relativePath: 'a/case.json',
  content: '{"fields":{}}',
  trouble: null,
  matches: [{ kind: 'directory', key: 'a' }],
  at: 1,
} as const

it('finds what a data file said by what it speaks of, oldest first', () => {
  const { outbox } = openTestOutbox()
  const first = outbox.keepSidecarRecord(RECORD, null)
  const second = outbox.keepSidecarRecord({ ...RECORD, at: 2 }, null)
  const found = (key: string): number[] =>
    outbox.recordsMatching('/exports', { kind: 'directory', key }).map((row) => row.id)
  expect(found('a')).toEqual([first, second])
  expect(found('b')).toEqual([])
  expect(outbox.recordsMatching('/exports', { kind: 'file', key: 'a' })).toEqual([])
  expect(outbox.recordsOfSidecar('/exports', 'a/case.json').map((row) => row.id)).toEqual([first, second])
})

it('replaces what was said of the same visit, and whom it speaks of', () => {
  const { outbox } = openTestOutbox()
  const id = outbox.keepSidecarRecord(RECORD, null)
  outbox.keepSidecarRecord(
    { ...RECORD, content: null, trouble: 'It cannot be read.', matches: [{ kind: 'patient', key: 'h-1' }] },
    id,
  )
  expect(outbox.sidecarRecord(id)).toMatchObject({ content: null, trouble: 'It cannot be read.' })
  expect(outbox.recordsMatching('/exports', { kind: 'directory', key: 'a' })).toEqual([])
  expect(outbox.recordsMatching('/exports', { kind: 'patient', key: 'h-1' })).toHaveLength(1)
})
