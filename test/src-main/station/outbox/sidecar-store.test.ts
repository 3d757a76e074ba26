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
