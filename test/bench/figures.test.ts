import { describe, expect, it } from 'vitest'
import { quantileOf, ratioOf, tableOf, verdictOf, type Figure, type Verdict } from './figures.ts'
import { longestStall } from './measured-station.ts'
import { cpuSecondsIn, cpuSecondsOf, megabytesIn, peakMegabytesOf } from './programs.ts'

const figure = (changes: Partial<Figure>): Figure => ({
  row: 'intake',
  what: 'wall time',
  value: 10,
  unit: 's',
  ...changes,
})
const beside = (value: number, ratioAtMost?: number): NonNullable<Figure['beside']> => ({
  program: 'cp',
  value,
  ...(ratioAtMost === undefined ? {} : { ratioAtMost }),
})

describe('a figure', () => {
  it.each<[string, Partial<Figure>, Verdict]>([
    ['without a target', {}, 'none'],
    ['beside a program only', { beside: beside(1) }, 'none'],
    ['at its target', { atMost: 10 }, 'met'],
    ['above it', { atMost: 9.99 }, 'missed'],
    ['at its ratio', { beside: beside(5, 2) }, 'met'],
    ['above its ratio', { beside: beside(4.9, 2) }, 'missed'],
    ['within one of two targets', { atMost: 10, beside: beside(4, 2) }, 'missed'],
    ['that could not be taken', { value: null, atMost: 10 }, 'not measured'],
    ['beside nothing that took time', { beside: beside(0, 2) }, 'not measured'],
  ])('%s', (_, changes, verdict) => {
    expect(verdictOf(figure(changes))).toBe(verdict)
  })

  it('is a multiple of what the other program took', () => {
    expect(ratioOf(figure({ beside: beside(4) }))).toBe(2.5)
    expect(ratioOf(figure({}))).toBeNull()
  })

  it('shows a missed target in the table', () => {
    const [, row] = tableOf([figure({ atMost: 3, beside: beside(4, 2) })])
    expect(row).toEqual([
      'intake',
      'wall time',
      '10.0 s',
      '<= 3.00 s, <= 2 x',
      'missed',
      '2.50 x',
      'cp: 4.00 s',
    ])
  })
})

it.each([
  [[], 0.5, null],
  [[3], 0.95, 3],
  [[5, 1, 3], 0.5, 3],
  [[4, 1, 3, 2], 0.5, 2],
  [Array.from({ length: 100 }, (_, index) => 100 - index), 0.95, 95],
  [[1, 2], 1, 2],
])('of %j the quantile %d is %j', (values, share, expected) => {
  expect(quantileOf(values, share)).toBe(expected)
})

const STAT =
  '3825 (a name) with (2 parts) S 1 3825 3825 0 -1 4194560 22084 0 17 0 318 42 0 0 20 0 11 0 1712 1094'
const STATUS = 'Name:\tnode\nVmPeak:\t 11000000 kB\nVmHWM:\t  171875 kB\nVmRSS:\t  125000 kB\n'

it('reads the processor time after a name that holds anything', () => {
  expect(cpuSecondsIn(STAT)).toBe(3.6)
})

it('reads the memory of a process, now and at its highest', () => {
  expect(megabytesIn(STATUS, 'VmRSS')).toBe(128)
  expect(megabytesIn(STATUS, 'VmHWM')).toBe(176)
  expect(() => megabytesIn('Name:\tnode\n', 'VmRSS')).toThrow('There is no VmRSS')
})

it.runIf(process.platform === 'linux')('reads them of this very process', async () => {
  expect(await cpuSecondsOf(process.pid)).toBeGreaterThan(0)
  expect(await peakMegabytesOf(process.pid)).toBeGreaterThan(10)
})

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
  ['of none', 6_000, 7_000, { ms: 0, ownMs: 0 }],
])('the longest stall, %s', (_, from, until, expected) => {
  expect(longestStall(STALLS, from, until)).toEqual(expected)
})
