import { expect, it } from 'vitest'
import type { Sidecar } from '../../../../src-main/station/intake/evidence.ts'
import { EarlierRecords } from '../../../../src-main/station/intake/late-data.ts'
import type { Fields } from '../../../../src-shared/fields.ts'

const record = (fields: Fields, files: readonly string[] = []): Sidecar => ({
  fields,
  birthDate: null,
  files,
  eyes: {},
  rejected: [],
  ignoredCount: 0,
})
const kept = (...records: readonly (Sidecar | null)[]) =>
  records.map((content, index) => ({
    id: index + 1,
    folder_path: '/camera',
    relative_path: 'values.json',
    content: content === null ? null : JSON.stringify(content),
    trouble: null,
    at: 0,
  }))

it('of one file take one place each, the one that says the same or is of the same visit first', () => {
  const dated = record({ history_number: 'H-00017', visit_date: '2026-11-20', od_iop: 14 })
  const undated = record({ history_number: 'H-00017', age: 70 })
  const earlier = new EarlierRecords('document', kept(dated, undated))
  expect(earlier.findReplaced({ ...dated, fields: { ...dated.fields, od_iop: 15 } })?.id).toBe(1)
  expect(earlier.findReplaced(undated)?.id).toBe(2)
  expect(earlier.findReplaced(undated)).toBeNull()
})

it('of a table that name a file each take the place of the row of that file, whatever their order', () => {
  const [right, left] = [record({ od_iop: 14 }, ['OD.jpg']), record({ od_iop: 14 }, ['OS.jpg'])]
  const earlier = new EarlierRecords('table', kept(right, left))
  expect(earlier.findReplaced({ ...left, fields: { od_iop: 15 } })?.id).toBe(2)
  expect(earlier.findReplaced(right)?.id).toBe(1)
})

it('take the place of what could not be read, and of nothing of another visit', () => {
  const next = record({ history_number: 'H-00018' })
  expect(new EarlierRecords('case', kept(null)).findReplaced(next)?.id).toBe(1)
  expect(
    new EarlierRecords('case', kept(record({ history_number: 'H-00017' }))).findReplaced(next),
  ).toBeNull()
})

it('are free again after a commit that was undone, and not after one that was kept', () => {
  const [right, left] = [record({ od_iop: 14 }, ['OD.jpg']), record({ od_iop: 14 }, ['OS.jpg'])]
  const earlier = new EarlierRecords('table', kept(right, left))
  expect(earlier.findReplaced(right)?.id).toBe(1)
  earlier.commit()
  expect(earlier.findReplaced(left)?.id).toBe(2)
  earlier.rollback()
  expect(earlier.findReplaced(right)).toBeNull()
  expect(earlier.findReplaced(left)?.id).toBe(2)
})
