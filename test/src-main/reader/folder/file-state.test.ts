import { describe, expect, it } from 'vitest'
import {
  afterCheck,
  afterIncomplete,
  type FileObservation,
  type FileState,
  incompleteNote,
  NO_VAIN_READS,
  oneMoreInVain,
  patienceMs,
  pauseBeforeReopeningMs,
  recheckDueMs,
} from '../../../../src-main/reader/folder/file-state.ts'

/** The state after observations, each written as `instant:size/mtime`. */
function stateAfter(observations: string, settleMs: number): string {
  let state: FileState | null = null
  for (const one of observations.split(' ')) {
    const [atMs = 0, sizeBytes = 0, mtimeMs = 0] = one.split(/[:/]/).map(Number)
    state = afterCheck(state, { atMs, sizeBytes, mtimeMs, isHinted: false }, settleMs)
  }
  return state?.kind === 'settling' ? `settling since ${state.unchangedSinceMs}` : (state?.kind ?? '')
}

it.each([
  ['seen once', '0:5/1', 1_000, 'settling since 0'],
  ['seen once, long after the clock began', '9000:5/1', 1_000, 'settling since 9000'],
  ['seen twice, too early', '0:5/1 999:5/1', 1_000, 'settling since 0'],
  ['seen twice, at the settle time', '0:5/1 1000:5/1', 1_000, 'opening'],
  ['that grew', '0:5/1 900:6/1 1000:6/1', 1_000, 'settling since 900'],
  ['that grew and then stayed', '0:5/1 900:6/1 1900:6/1', 1_000, 'opening'],
  ['touched without growing', '0:5/1 900:5/2 1000:5/2', 1_000, 'settling since 900'],
  ['whose time went backwards', '0:5/9 900:5/1 1000:5/1', 1_000, 'settling since 900'],
  ['that changed and changed back in between', '0:5/1 500:6/2 1000:5/1', 1_000, 'settling since 1000'],
  ['with a time in the far future', '0:5/9e15 1000:5/9e15', 1_000, 'opening'],
  ['that is empty', '0:0/1 1000:0/1', 1_000, 'incomplete'],
  ['that is empty and young', '0:0/1 10:0/1', 1_000, 'settling since 0'],
  ['without a settle time, seen once', '0:5/1', 0, 'settling since 0'],
  ['without a settle time, seen twice at once', '0:5/1 0:5/1', 0, 'settling since 0'],
  ['without a settle time, seen twice', '0:5/1 50:5/1', 0, 'opening'],
])('a file %s (%s, settle time %i): %s', (_, observations, settleMs, state) => {
  expect(stateAfter(observations, settleMs)).toBe(state)
})

const SETTLE_MS = 4_000
const stamp = { sizeBytes: 5, mtimeMs: 1 }
const check = (state: FileState | null, atMs: number, more: Partial<FileObservation> = {}): FileState =>
  afterCheck(state, { ...stamp, atMs, isHinted: false, ...more }, SETTLE_MS)

const states: readonly FileState[] = [
  check(null, 0),
  { ...stamp, kind: 'opening', unchangedSinceMs: 0 },
  afterIncomplete(0, stamp, 'truncated', 4_000, SETTLE_MS),
  { ...stamp, kind: 'whole', content: 'image/png' },
  { ...stamp, kind: 'done' },
  { ...stamp, kind: 'leftAlone' },
]

describe('the state of a file', () => {
  it.each(states)('$kind: another size or mtime leads to settling, the same to no change', (state) => {
    for (const change of [{ sizeBytes: 6 }, { mtimeMs: 2 }])
      expect(check(state, 9_000, change)).toMatchObject({ kind: 'settling', ...change })
    if (state.kind !== 'settling') expect(check(state, 4_001)).toBe(state)
  })

  it('leads from settling to opening, checked no later than needed and more often while it is written', () => {
    const first = check(null, 0)
    expect(first).toMatchObject({ kind: 'settling', checkAtMs: SETTLE_MS })
    expect(check(first, SETTLE_MS)).toMatchObject({ kind: 'opening' })
    const hinted = check(null, 0, { isHinted: true })
    expect(hinted).toMatchObject({ kind: 'settling', checkAtMs: 1_000 })
    expect(check(hinted, 3_900)).toMatchObject({ checkAtMs: SETTLE_MS })
    expect(check(first, 10, { sizeBytes: 9 })).toMatchObject({ kind: 'settling', checkAtMs: 1_010 })
  })

  it('leads from incomplete to opening after its pause, sooner after a hint, and remembers its beginning', () => {
    const incomplete = afterIncomplete(0, stamp, 'truncated', 100_000, SETTLE_MS)
    expect(incomplete).toMatchObject({ incompleteSinceMs: 0, checkAtMs: 150_000 })
    const hinted = check(incomplete, 110_000, { isHinted: true })
    expect(hinted).toMatchObject({ kind: 'incomplete', checkAtMs: 114_000 })
    expect(check(hinted, 114_000)).toEqual({ ...stamp, kind: 'opening', unchangedSinceMs: 0 })
  })

  it('of an empty file is incomplete and never opening', () => {
    let state = check(null, 0, { sizeBytes: 0 })
    for (const atMs of [SETTLE_MS, 900_000]) {
      state = check(state, atMs, { sizeBytes: 0 })
      expect(state).toMatchObject({ kind: 'incomplete', why: 'empty', incompleteSinceMs: 0 })
    }
  })
})

describe('patience', () => {
  it('is ten settle times, and half a minute at least', () => {
    expect([patienceMs(0), patienceMs(1_000), patienceMs(5_000)]).toEqual([30_000, 30_000, 50_000])
  })

  it.each([
    ['truncated', 29_999, 'arriving'],
    ['truncated', 30_000, 'truncated'],
    ['empty', 30_000, 'truncated'],
    ['malformed', 30_000, 'unreadable'],
    ['busy', 30_000, 'unreadable'],
  ] as const)('calls a file that is %s after %i ms %s', (why, waitedMs, kind) => {
    expect(incompleteNote(why, waitedMs, 1_000).kind).toBe(kind)
  })

  it('opens a broken file ever more rarely, but never stops', () => {
    const pauses = [0, 1_000, 10_000, 60_000, 3_600_000, 86_400_000].map((waitedMs) =>
      pauseBeforeReopeningMs(waitedMs, 1_000),
    )
    expect(pauses).toEqual([1_000, 1_000, 5_000, 30_000, 600_000, 600_000])
    expect([pauseBeforeReopeningMs(0, 0), pauseBeforeReopeningMs(0, 3_600_000)]).toEqual([250, 3_600_000])
  })
})

it('a file is read again after the settle time, ever later while it is read in vain, and at once the next day', () => {
  let vain = NO_VAIN_READS
  const waits: number[] = []
  for (let time = 0; time < 12; time += 1) {
    const atMs = Math.max(vain.atMs, 0)
    const dueMs = recheckDueMs(vain, atMs, SETTLE_MS)
    waits.push((dueMs - atMs) / 1_000)
    vain = oneMoreInVain(vain, dueMs)
  }
  expect(waits).toEqual([4, 15, 30, 60, 120, 240, 480, 960, 1_920, 3_600, 3_600, 3_600])
  const tomorrow = vain.atMs + 86_400_000
  expect(recheckDueMs(vain, tomorrow, SETTLE_MS)).toBe(tomorrow + SETTLE_MS)
  expect(oneMoreInVain(vain, tomorrow).count).toBe(1)
})
