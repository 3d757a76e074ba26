import { describe, expect, it } from 'vitest'
import {
  auditQuery,
  type DetailLabels,
  detailsLine,
  isFiltered,
  NO_FILTER,
} from '../../../src-renderer/activity/activity-filters.tsx'
import { DAY } from '../../../src-shared/durations.ts'
import { referenceOf } from '../../../src-shared/reference.ts'

describe('a filter', () => {
  it('of nothing asks for all', () => {
    expect(isFiltered({ ...NO_FILTER, by: '  ' })).toBe(false)
    expect(auditQuery(NO_FILTER, null)).toEqual({})
  })

  it('includes the whole of its last day', () => {
    const { since = 0, until = 0 } = auditQuery(
      { ...NO_FILTER, since: '2026-11-20', until: '2026-11-20' },
      null,
    )
    expect(new Date(since).getHours()).toBe(0)
    // Not a day when clocks change in any zone.
    expect(until - since).toBe(DAY)
  })

  it('goes over the end of a month and of a year', () => {
    const { until = 0 } = auditQuery({ ...NO_FILTER, until: '2026-12-31' }, null)
    expect(new Date(until).getFullYear()).toBe(2027)
  })

  it('names a group of words, initials without blanks, and the case', () => {
    expect(auditQuery({ ...NO_FILTER, what: 'alarms', by: ' QX ' }, 's1')).toEqual({
      what: ['alarmRaised', 'alarmSettled'],
      by: 'QX',
      submissionId: 's1',
    })
  })

  it.each([
    [' FC7K3M9QXAW ', 'FC7K3M9QXAW'],
    ['88 390', '88390'],
    ['ab-1', 'ab-1'],
  ])('asks for the case %j as %j', (reference, asked) => {
    expect(auditQuery({ ...NO_FILTER, reference }, null)).toEqual({ reference: asked })
  })

  it('takes a reference that was read out in small letters', () => {
    const reference = referenceOf(Uint8Array.of(1, 2, 3, 4, 5, 6, 7, 8))
    expect(auditQuery({ ...NO_FILTER, reference: reference.toLowerCase() }, null)).toEqual({ reference })
  })

  it('leaves out a day that is not finished yet', () => {
    expect(auditQuery({ ...NO_FILTER, since: '2026-1' }, null)).toEqual({})
  })
})

const LABELS: DetailLabels = {
  why: 'Why',
  state: (state) => `<${state}>`,
  move: (from, to) => `<${from}> > <${to}>`,
  name: (name) => name,
  value: (_name, value) => value,
}

it.each([
  [{}, ''],
  [{ from: 'review', to: 'waiting' }, '<review> > <waiting>'],
  [{ from: 'held', to: 'held' }, '<held>'],
  [{ from: 'review', to: 'discarded', why: 'Test images' }, 'Why: Test images \u00b7 <review> > <discarded>'],
  [{ from: ['a', 'b'] }, 'from: a, b'],
  [{ from: null, to: '102' }, 'to: 102'],
  [{ fields: [], images: 2, isUrgent: true, nothing: null }, 'images: 2 \u00b7 isUrgent: true'],
])('tells the facts of %j', (details, line) => {
  expect(detailsLine(details, LABELS)).toBe(line)
})
