import { describe, expect, it } from 'vitest'
import {
  excessOf,
  oneMoreDeath,
  pauseAfterDeath,
  READER_LIMITS,
  suspicionAfter,
} from '../../../../src-main/station/lib/poison.ts'

const once = { count: 1, at: 100_000, version: '1' }
const twice = { ...once, count: 2 }

it.each([
  ['a file on which nothing died is like any other', undefined, 100_000, '1', { kind: 'none' }],
  ['one death is waited for', once, 130_000, '1', { kind: 'suspect', inMs: 30_000 }],
  ['and the file is read after a minute', once, 160_000, '1', { kind: 'suspect', inMs: 0 }],
  ['also if the clock was set back', once, 90_000, '1', { kind: 'suspect', inMs: 0 }],
  ['two deaths set it aside', twice, 9_000_000, '1', { kind: 'setAside' }],
  ['but for another version', twice, 100_001, '2', { kind: 'suspect', inMs: 0 }],
] as const)('%s', (_what, deaths, at, version, suspicion) => {
  expect(suspicionAfter(deaths, { at, version })).toEqual(suspicion)
})

it.each([
  ['the first', undefined, 100_000, '1', true, 1],
  ['one too soon', once, 159_999, '1', true, 1],
  ['one among others', once, 160_000, '1', false, 1],
  ['the second, alone, after a minute', once, 160_000, '1', true, 2],
  ['the one that another version tried', twice, 160_000, '2', true, 2],
  ['one of another version, among others', twice, 160_000, '2', false, 1],
] as const)('%s counts so many', (_what, deaths, at, version, isProof, count) => {
  expect(oneMoreDeath(deaths, { at, version }, isProof)).toEqual({ count, at, version })
})

describe('what one file may take', () => {
  const little = { elapsedMs: 0, processorMs: 0, memoryMb: 60, idleMb: 60, bytes: 0, entries: 0 }
  const MB = 1_024 * 1_024
  it.each([
    ['folder', { processorMs: 10_000 }, null],
    ['folder', { processorMs: 10_001 }, 'time'],
    ['folder', { processorMs: 15_000, bytes: 20 * MB, entries: 3 }, null],
    ['folder', { processorMs: 15_001, bytes: 20 * MB, entries: 3 }, 'time'],
    ['folder', { elapsedMs: 86_400_000 }, null],
    ['folder', { memoryMb: 700 }, null],
    ['folder', { memoryMb: 701 }, 'memory'],
    ['folder', { memoryMb: 1_300, idleMb: 900 }, null],
    ['folder', { memoryMb: 1_301, idleMb: 900 }, 'memory'],
    ['pictures', { processorMs: 60_000, elapsedMs: 240_000 }, null],
    ['pictures', { elapsedMs: 240_001 }, 'time'],
    ['pictures', { memoryMb: 701 }, 'memory'],
    ['data', { elapsedMs: 120_001 }, 'time'],
    ['data', { memoryMb: 1_400 }, null],
  ] as const)('from a process of %s: %o is %s', (reader, spent, excess) => {
    expect(excessOf(READER_LIMITS[reader], { ...little, ...spent })).toBe(excess)
  })
})

it('pauses grow to five minutes, and begin again after ten minutes without a death', () => {
  const pauses: number[] = []
  for (let pauseMs = 0; pauses.length < 11; pauses.push(pauseMs)) pauseMs = pauseAfterDeath(pauseMs, 1_000)
  expect(pauses.map((pauseMs) => pauseMs / 1_000)).toEqual([1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300])
  expect(pauseAfterDeath(300_000, 599_999)).toBe(300_000)
  expect(pauseAfterDeath(300_000, 600_000)).toBe(1_000)
})
