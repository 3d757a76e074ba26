import { describe, expect, it } from 'vitest'
import {
  isRejected,
  reportMarkOf,
  saysAnswered,
  urgencyRank,
} from '../../../../src-main/station/lib/case-ids.ts'

describe("the service's word for a state", () => {
  it.each([
    ['reject', true],
    ['Rejected', true],
    [' REJECT ', true],
    ['rejected_quality', true],
    ['rechazado', true],
    ['reported', false],
    ['not rejected', false],
    ['pending', false],
    [null, false],
  ])('%s: rejected %s', (state, expected) => {
    expect(isRejected(state)).toBe(expected)
  })

  it.each([
    ['reported', null, true],
    ['reject', null, true],
    ['pending', 'there', true],
    ['pending', 'notThere', false],
    ['received', null, false],
    ['unreported', null, false],
    [null, null, false],
  ] as const)('%s with the mark %s: answered %s', (state, mark, expected) => {
    expect(saysAnswered({ state, mark })).toBe(expected)
  })
})

it.each<[Record<string, unknown>, ReturnType<typeof reportMarkOf>]>([
  [{}, null],
  [{ id: 5, state: 'pending' }, null],
  [{ has_report: false }, 'notThere'],
  [{ has_report: 1 }, 'there'],
  [{ has_report: '0' }, 'notThere'],
  [{ report: null }, 'notThere'],
  [{ report: {} }, 'notThere'],
  [{ report_url: 'https://x.example/r' }, 'there'],
  [{ reported: 'false', report_id: 9 }, 'there'],
])('the mark of %j is %s', (raw, mark) => {
  expect(reportMarkOf({ raw })).toBe(mark)
})

it.each([
  ['urgent', 2],
  ['URGENT ', 2],
  ['preferential', 1],
  ['normal', 0],
  ['routine', 0],
  [null, 0],
])('the urgency %s ranks %i', (urgency, rank) => {
  expect(urgencyRank(urgency)).toBe(rank)
})
