import { describe, expect, it } from 'vitest'
import {
  afterRead,
  afterRefusedWrite,
  afterWrite,
  ACQUIRE_PAUSE_MS,
  leaseText,
  mayTake,
  readLease,
  REFRESH_EVERY_MS,
  STALE_AFTER_MS,
  untilNextCheckMs,
  type FoundLease,
  type LeaseState,
} from '../../../../src-main/reader/folder/lease.ts'

const NONE: FoundLease = { kind: 'none' }
const OURS: FoundLease = { kind: 'ours' }
const other = (mark: string): FoundLease => ({ kind: 'other', mark, hostName: 'room-2' })
const UNSEEN: LeaseState = { kind: 'unseen' }
const taken = (mark: string, stillMs = 0): LeaseState => ({
  kind: 'taken',
  mark,
  hostName: 'room-2',
  stillMs,
  seenMs: 0,
})
const unguarded: LeaseState = { kind: 'unguarded', stale: 'a', triedMs: 0 }
const held = (writtenMs: number, refusals = 0): LeaseState => ({ kind: 'held', writtenMs, refusals })

describe('a reading of the lease', () => {
  const rows: [string, LeaseState, FoundLease, number, LeaseState['kind'], 'write' | 'nothing'][] = [
    ['of a folder without one: ours is written', UNSEEN, NONE, 0, 'unseen', 'write'],
    ['that is ours from before a restart: held at once', UNSEEN, OURS, 0, 'held', 'write'],
    ['of another, for the first time: waits', UNSEEN, other('a'), 0, 'taken', 'nothing'],
    ['of another that has moved: waits', taken('a'), other('b'), STALE_AFTER_MS, 'taken', 'nothing'],
    ['of another that is still', taken('a'), other('a'), REFRESH_EVERY_MS, 'taken', 'nothing'],
    ['of another that was still for long', taken('a', STALE_AFTER_MS - 10), other('a'), 10, 'taken', 'write'],
    ['after a sleep, which proves nothing', taken('a'), other('a'), 99 * STALE_AFTER_MS, 'taken', 'nothing'],
    ['while it is acquired, too early', { kind: 'acquiring', untilMs: 9 }, OURS, 8, 'acquiring', 'nothing'],
    ['when it was acquired for long enough', { kind: 'acquiring', untilMs: 9 }, OURS, 9, 'held', 'write'],
    ['that another won', { kind: 'acquiring', untilMs: 9 }, other('a'), 9, 'taken', 'nothing'],
    ['of ours that another wrote over', held(0), other('a'), 9, 'taken', 'nothing'],
    ['of ours that is fresh', held(0), OURS, 9, 'held', 'nothing'],
    ['of ours that is due', held(0), OURS, REFRESH_EVERY_MS, 'held', 'write'],
    ['of ours that was deleted', held(0), NONE, 9, 'held', 'write'],
    ['of a station that is no more, if ours is refused', unguarded, other('a'), 9, 'unguarded', 'nothing'],
    ['of a station that came back, if ours is refused', unguarded, other('b'), 9, 'taken', 'nothing'],
  ]
  it.each(rows)('%s', (_what, state, found, atMs, kind, next) => {
    const step = afterRead(state, found, atMs)
    expect([step.state.kind, step.next]).toEqual([kind, next])
  })
})

describe('a lease that was written', () => {
  it('has to stand for a while before anything is taken', () => {
    const state = afterWrite(NONE, 5, 100)
    expect(state).toEqual({ kind: 'acquiring', untilMs: 100 + ACQUIRE_PAUSE_MS })
    expect(mayTake(state)).toBe(false)
    expect(untilNextCheckMs(state, 100)).toBe(ACQUIRE_PAUSE_MS)
  })

  it('slowly has to stand until a holder that was overwritten has checked again; again is ours at once', () => {
    const state = afterWrite(NONE, 60_000, 60_000)
    expect(state).toMatchObject({ untilMs: 60_000 + REFRESH_EVERY_MS + ACQUIRE_PAUSE_MS })
    expect(mayTake(afterWrite(OURS, 5, 100))).toBe(true)
  })
})

describe('a lease that cannot be written', () => {
  it('leaves the folder unguarded, and it is taken from all the same', () => {
    const state = afterRefusedWrite(UNSEEN, 7)
    expect(state).toEqual({ kind: 'unguarded', stale: null, triedMs: 7 })
    expect(mayTake(state)).toBe(true)
  })

  it('for a moment stays ours, and no longer than another would wait', () => {
    let state: LeaseState = held(0)
    const kinds: string[] = []
    for (let round = 1; round <= 3; round += 1) {
      state = afterRefusedWrite(state, round * REFRESH_EVERY_MS)
      kinds.push(state.kind)
    }
    expect(kinds).toEqual(['held', 'held', 'unguarded'])
    expect(3 * REFRESH_EVERY_MS).toBeLessThan(STALE_AFTER_MS)
  })
})

describe('the text of a lease', () => {
  const lease = { stationId: 's1', hostName: 'room-1', beat: 3, writtenAt: '2026-11-20T09:00:00.000Z' }

  it('is ours by its station id alone', () => {
    expect(readLease(leaseText(lease), 's1')).toEqual({ kind: 'ours' })
    const other = { kind: 'other', mark: leaseText(lease), hostName: 'room-1' }
    expect(readLease(leaseText(lease), 's2')).toEqual(other)
  })

  it.each(['', 'null', '[]', '{', '"s1"', '{"stationId":["s1"]}', '\u0000'])(
    'that says nothing (%j) is another’s',
    (text) => {
      expect(readLease(text, 's1')).toEqual({ kind: 'other', mark: text, hostName: null })
    },
  )

  it('names a computer in plain letters only', () => {
    const text = leaseText({ ...lease, hostName: `<b>room\n1</b>${'x'.repeat(500)}` })
    const found = readLease(text, 's2')
    expect(found).toMatchObject({ hostName: expect.stringMatching(/^broom1bx+$/) })
    expect(found.kind === 'other' && found.hostName?.length).toBe(100)
  })
})
