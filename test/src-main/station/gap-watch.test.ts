import { describe, expect, it } from 'vitest'
import { gapBetween, startSleepDetector } from '../../../src-main/station/heartbeat.ts'
import { HOUR, MINUTE, SECOND } from '../../../src-shared/durations.ts'
import { ManualClock } from '../../tools/manual-clock.ts'

describe('time between two looks', () => {
  it.each([
    ['an ordinary look', 15 * SECOND, 15 * SECOND, 'none'],
    ['a busy machine', 40 * SECOND, 40 * SECOND, 'none'],
    ['a clock that is being adjusted', 16 * SECOND, 15 * SECOND, 'none'],
    ['a sleep in which the monotonic clock stood still (Linux, macOS)', HOUR, 15 * SECOND, 'stoodStill'],
    ['a sleep in which it went on (Windows)', HOUR, HOUR, 'stoodStill'],
    ['a process that stood still while the clock was set back', 0, MINUTE, 'stoodStill'],
    ['a clock set back', -HOUR, 15 * SECOND, 'clockSetBack'],
    ['a clock set back by less than matters', -10 * SECOND, 15 * SECOND, 'none'],
  ] as const)('%s', (_name, wall, monotonic, gap) => {
    const before = { wallMs: 1_000_000, monotonicMs: 5_000 }
    const now = { wallMs: before.wallMs + wall, monotonicMs: before.monotonicMs + monotonic }
    expect(gapBetween(before, now)).toBe(gap)
  })
})

describe('the gap watch', () => {
  it('tells each gap once, and nothing after its end', async () => {
    const clock = new ManualClock()
    const gaps: string[] = []
    const end = startSleepDetector(clock, (gap) => gaps.push(gap))
    await clock.turn(10 * MINUTE)
    expect(gaps).toEqual([])
    clock.set(8 * HOUR)
    await clock.turn(MINUTE)
    clock.set(-HOUR)
    await clock.turn(MINUTE)
    expect(gaps).toEqual(['stoodStill', 'clockSetBack'])
    end()
    clock.set(8 * HOUR)
    await clock.turn(10 * MINUTE)
    expect([gaps.length, clock.timerCount]).toEqual([2, 0])
  })
})
