import { describe, expect, it } from 'vitest'
import { observe, type Settling, verdictOf } from '../../../../src-main/station/watch/file-state.ts'

type Look = readonly [atMs: number, sizeBytes: number, mtimeMs: number]

/** The verdict after the last of these looks. */
function verdictAfter(looks: readonly Look[], settleMs: number): ReturnType<typeof verdictOf> {
  let settling: Settling | null = null
  for (const [atMs, sizeBytes, mtimeMs] of looks) settling = observe(settling, { atMs, sizeBytes, mtimeMs })
  return verdictOf(settling!, settleMs, looks.at(-1)![0])
}

const wait = (untilMs: number): unknown => ({ kind: 'wait', untilMs })
const ready = { kind: 'ready' }
const empty = { kind: 'empty' }

const table: readonly (readonly [
  what: string,
  looks: readonly Look[],
  settleMs: number,
  verdict: unknown,
])[] = [
  ['seen once', [[0, 5, 1]], 1_000, wait(1_000)],
  ['seen once, long after the clock began', [[9_000, 5, 1]], 1_000, wait(10_000)],
  [
    'seen twice, too early',
    [
      [0, 5, 1],
      [999, 5, 1],
    ],
    1_000,
    wait(1_000),
  ],
  [
    'seen twice, at the settle time',
    [
      [0, 5, 1],
      [1_000, 5, 1],
    ],
    1_000,
    ready,
  ],
  [
    'that grew',
    [
      [0, 5, 1],
      [900, 6, 1],
      [1_000, 6, 1],
    ],
    1_000,
    wait(1_900),
  ],
  [
    'that grew and then stayed',
    [
      [0, 5, 1],
      [900, 6, 1],
      [1_900, 6, 1],
    ],
    1_000,
    ready,
  ],
  [
    'touched without growing',
    [
      [0, 5, 1],
      [900, 5, 2],
      [1_000, 5, 2],
    ],
    1_000,
    wait(1_900),
  ],
  [
    'whose time went backwards',
    [
      [0, 5, 9],
      [900, 5, 1],
      [1_000, 5, 1],
    ],
    1_000,
    wait(1_900),
  ],
  [
    'that changed and changed back between looks',
    [
      [0, 5, 1],
      [500, 6, 2],
      [1_000, 5, 1],
    ],
    1_000,
    wait(2_000),
  ],
  [
    'with a time in the far future',
    [
      [0, 5, 9e15],
      [1_000, 5, 9e15],
    ],
    1_000,
    ready,
  ],
  [
    'that is empty',
    [
      [0, 0, 1],
      [1_000, 0, 1],
    ],
    1_000,
    empty,
  ],
  [
    'that is empty and young',
    [
      [0, 0, 1],
      [10, 0, 1],
    ],
    1_000,
    wait(1_000),
  ],
  ['without a settle time, seen once', [[0, 5, 1]], 0, wait(50)],
  [
    'without a settle time, seen twice at once',
    [
      [0, 5, 1],
      [0, 5, 1],
    ],
    0,
    wait(50),
  ],
  [
    'without a settle time, seen twice',
    [
      [0, 5, 1],
      [50, 5, 1],
    ],
    0,
    ready,
  ],
]

describe('a file', () => {
  it.each(table)('%s', (_, looks, settleMs, verdict) => {
    expect(verdictAfter(looks, settleMs)).toEqual(verdict)
  })
})
