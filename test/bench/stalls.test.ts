import { expect, it } from 'vitest'
import { longestStall } from './stalls.ts'

const STALLS = [
  { at: 1_000, ms: 400, waitedMs: 0 },
  { at: 2_000, ms: 90, waitedMs: 80 },
  { at: 3_000, ms: 30, waitedMs: 0 },
  { at: 5_300, ms: 500, waitedMs: 100 },
]

it.each([
  ['all of the time', 0, Infinity, { ms: 500, ownMs: 400 }],
  ['after what came before', 1_500, 4_000, { ms: 90, ownMs: 30 }],
  ['with one that began within', 2_500, 5_000, { ms: 500, ownMs: 400 }],
  ['where nothing was', 6_000, 7_000, { ms: 0, ownMs: 0 }],
])('the longest stall, %s', (_, from, until, expected) => {
  expect(longestStall(STALLS, from, until)).toEqual(expected)
})
