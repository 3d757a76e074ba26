import { describe, expect, it } from 'vitest'
import { afterCrash, isCrashLooping, NO_CRASHES } from '../../../../src-main/station/watch/watch.ts'

const S = 1_000
const MIN = 60 * S

/** Lives one after the other: when each began and ended. */
function after(...lives: readonly (readonly [startedMs: number, diedMs: number])[]): typeof NO_CRASHES {
  return lives.reduce((deaths, [startedMs, diedMs]) => afterCrash(deaths, startedMs, diedMs), NO_CRASHES)
}

describe('the pause before the next start', () => {
  it.each([
    ['the first death', [[0, 5 * S]], S],
    [
      'a second, soon',
      [
        [0, 5 * S],
        [6 * S, 9 * S],
      ],
      2 * S,
    ],
    [
      'one after a short first sweep',
      [
        [0, 2 * S],
        [3 * S, 5 * S],
        [7 * S, 10 * S],
      ],
      4 * S,
    ],
    ['many in a row', Array.from({ length: 9 }, (_, index) => [index * S, index * S + 1] as const), 30 * S],
    [
      'one after a minute of life',
      [
        [0, 2 * S],
        [3 * S, 5 * S],
        [7 * S, 67 * S],
      ],
      S,
    ],
    [
      'one after a little less',
      [
        [0, 2 * S],
        [3 * S, 5 * S],
        [7 * S, 66 * S],
      ],
      4 * S,
    ],
  ] as const)('after %s', (_, lives, pauseMs) => {
    expect(after(...lives).pauseMs).toBe(pauseMs)
  })
})

describe('the folder is called watched', () => {
  it.each([
    ['where no thread died', [], 0, true],
    [
      'after two deaths',
      [
        [0, MIN],
        [MIN, 2 * MIN],
      ],
      2 * MIN,
      true,
    ],
    [
      'not after three within ten minutes',
      [
        [0, MIN],
        [MIN, 2 * MIN],
        [2 * MIN, 9 * MIN],
      ],
      9 * MIN,
      false,
    ],
    [
      'not before the first of them is ten minutes old',
      [
        [0, MIN],
        [MIN, 2 * MIN],
        [2 * MIN, 9 * MIN],
      ],
      11 * MIN - 1,
      false,
    ],
    [
      'again when it is',
      [
        [0, MIN],
        [MIN, 2 * MIN],
        [2 * MIN, 9 * MIN],
      ],
      11 * MIN,
      true,
    ],
    [
      'after three over a longer time',
      [
        [0, MIN],
        [MIN, 8 * MIN],
        [8 * MIN, 12 * MIN],
      ],
      12 * MIN,
      true,
    ],
    [
      'not after many',
      Array.from({ length: 9 }, (__, index) => [index * S, index * S + 1] as const),
      9 * MIN,
      false,
    ],
  ] as const)('%s', (_, lives, nowMs, isWatched) => {
    expect(isCrashLooping(after(...lives), nowMs)).toBe(!isWatched)
  })
})
