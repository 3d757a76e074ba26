import { describe, expect, it } from 'vitest'
import {
  afterCheck,
  afterIncomplete,
  type FileObservation,
  type FileState,
  noteKindOf,
  patienceMs,
  pauseBeforeReopeningMs,
} from '../../../../src-main/station/watch/file-state.ts'

const SETTLE_MS = 4_000
const look = { sizeBytes: 5, mtimeMs: 1 }
const seen = (atMs: number, more: Partial<FileObservation> = {}): FileObservation => ({
  ...look,
  atMs,
  isHinted: false,
  ...more,
})

const states: readonly FileState[] = [
  afterCheck(null, seen(0), SETTLE_MS),
  { ...look, kind: 'opening', unchangedSinceMs: 0 },
  afterIncomplete(0, look, 'truncated', 4_000, SETTLE_MS),
  { ...look, kind: 'whole', content: 'image/png' },
  { ...look, kind: 'done' },
  { ...look, kind: 'leftAlone' },
]

describe('the state of a file', () => {
  it.each(states)('$kind: another size or time of change leads to settling', (state) => {
    for (const change of [{ sizeBytes: 6 }, { mtimeMs: 2 }]) {
      expect(afterCheck(state, seen(9_000, change), SETTLE_MS)).toMatchObject({ kind: 'settling', ...change })
    }
  })

  it.each(states.filter(({ kind }) => kind !== 'settling'))('$kind: stays while the file stays', (state) => {
    expect(afterCheck(state, seen(4_001), SETTLE_MS)).toBe(state)
  })

  it('leads from settling to opening, by way of looks that come no later than needed', () => {
    let state = afterCheck(null, seen(0), SETTLE_MS)
    expect(state).toMatchObject({ kind: 'settling', checkAtMs: SETTLE_MS })
    state = afterCheck(state, seen(SETTLE_MS), SETTLE_MS)
    expect(state).toMatchObject({ kind: 'opening' })
  })

  it('is looked at more often while the file is being written', () => {
    const hinted = afterCheck(null, seen(0, { isHinted: true }), SETTLE_MS)
    expect(hinted).toMatchObject({ kind: 'settling', checkAtMs: 1_000 })
    const changed = afterCheck(afterCheck(null, seen(0), SETTLE_MS), seen(10, { sizeBytes: 9 }), SETTLE_MS)
    expect(changed).toMatchObject({ kind: 'settling', checkAtMs: 1_010 })
    expect(afterCheck(hinted, seen(3_900), SETTLE_MS)).toMatchObject({ checkAtMs: SETTLE_MS })
  })

  it('leads from incomplete to opening when its pause is over, sooner after a hint, and keeps its beginning', () => {
    const incomplete = afterIncomplete(0, look, 'truncated', 100_000, SETTLE_MS)
    expect(incomplete).toMatchObject({ incompleteSinceMs: 0, checkAtMs: 150_000 })
    const hinted = afterCheck(incomplete, seen(110_000, { isHinted: true }), SETTLE_MS)
    expect(hinted).toMatchObject({ kind: 'incomplete', checkAtMs: 114_000 })
    expect(afterCheck(hinted, seen(114_000), SETTLE_MS)).toEqual({
      ...look,
      kind: 'opening',
      unchangedSinceMs: 0,
    })
  })

  it('of an empty file is incomplete and never opening', () => {
    const none = { sizeBytes: 0 }
    let state = afterCheck(null, seen(0, none), SETTLE_MS)
    state = afterCheck(state, seen(SETTLE_MS, none), SETTLE_MS)
    expect(state).toMatchObject({ kind: 'incomplete', why: 'empty', incompleteSinceMs: 0 })
    state = afterCheck(state, seen(900_000, none), SETTLE_MS)
    expect(state).toMatchObject({ kind: 'incomplete', why: 'empty', incompleteSinceMs: 0 })
  })
})

describe('patience', () => {
  it('is ten settle times, and half a minute at least', () => {
    expect([patienceMs(0), patienceMs(1_000), patienceMs(5_000)]).toEqual([30_000, 30_000, 50_000])
  })

  it('calls a file arriving at first, and then what it is', () => {
    expect(noteKindOf('truncated', 29_999, 1_000)).toBe('arriving')
    expect(noteKindOf('truncated', 30_000, 1_000)).toBe('truncated')
    expect(noteKindOf('empty', 30_000, 1_000)).toBe('truncated')
    expect(noteKindOf('malformed', 30_000, 1_000)).toBe('unreadable')
    expect(noteKindOf('busy', 30_000, 1_000)).toBe('unreadable')
  })

  it('opens a broken file ever more rarely, but never stops', () => {
    const pauses = [0, 1_000, 10_000, 60_000, 3_600_000, 86_400_000].map((waitedMs) =>
      pauseBeforeReopeningMs(waitedMs, 1_000),
    )
    expect(pauses).toEqual([1_000, 1_000, 5_000, 30_000, 600_000, 600_000])
    expect(pauseBeforeReopeningMs(0, 0)).toBe(250)
    expect(pauseBeforeReopeningMs(0, 3_600_000)).toBe(3_600_000)
  })
})
