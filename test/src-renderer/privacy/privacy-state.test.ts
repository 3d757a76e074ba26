import { describe, expect, it } from 'vitest'
import { createPrivacy } from '../../../src-renderer/privacy/names.tsx'
import { MINUTE } from '../../../src-shared/durations.ts'

/** A clock that is turned by hand, and what was asked of it. */
function handClock() {
  let now = 0
  let waiting: { readonly at: number; readonly run: () => void }[] = []
  return {
    clock: {
      now: () => now,
      after(ms: number, run: () => void) {
        const one = { at: now + ms, run }
        waiting.push(one)
        return () => {
          waiting = waiting.filter((other) => other !== one)
        }
      },
    },
    timers: () => waiting.length,
    turn: (ms: number) => {
      now += ms
      const due = waiting.filter(({ at }) => at <= now)
      waiting = waiting.filter(({ at }) => at > now)
      for (const { run } of due) run()
    },
  }
}

function keeping(): Pick<Storage, 'getItem' | 'setItem'> {
  const kept = new Map<string, string>()
  return { getItem: (key) => kept.get(key) ?? null, setItem: (key, text) => void kept.set(key, text) }
}

describe('the privacy of the window', () => {
  it('hides names once nobody was there for so long, and shows them with the next touch', () => {
    const { clock, turn } = handClock()
    const privacy = createPrivacy(clock)
    const seen: string[] = []
    privacy.onChange(() => seen.push(privacy.shown()))
    privacy.hideAfter(5 * MINUTE)
    turn(4 * MINUTE)
    privacy.touch()
    turn(4 * MINUTE)
    expect(privacy.shown()).toBe('shown')
    turn(MINUTE)
    expect(privacy.shown()).toBe('hiddenWhileIdle')
    turn(60 * MINUTE)
    privacy.touch()
    expect(seen).toEqual(['hiddenWhileIdle', 'shown'])
    turn(5 * MINUTE)
    expect(privacy.shown()).toBe('hiddenWhileIdle')
  })

  it('has one timer however often somebody moves, and none where names are never hidden', () => {
    const { clock, turn, timers } = handClock()
    const privacy = createPrivacy(clock)
    expect(timers()).toBe(0)
    privacy.hideAfter(5 * MINUTE)
    for (let index = 0; index < 50; index += 1) {
      turn(1_000)
      privacy.touch()
    }
    expect(timers()).toBe(1)
    privacy.hideAfter(null)
    expect(timers()).toBe(0)
  })

  it('hides them at once when somebody wishes so, until somebody wishes otherwise, over a reload', () => {
    const { clock, turn } = handClock()
    const kept = keeping()
    const privacy = createPrivacy(clock, kept)
    privacy.hideAfter(MINUTE)
    privacy.wish('hide')
    privacy.touch()
    turn(5 * MINUTE)
    privacy.touch()
    expect(privacy.shown()).toBe('hiddenByHand')
    expect(createPrivacy(clock, kept).shown()).toBe('hiddenByHand')
    privacy.wish('show')
    expect([privacy.shown(), createPrivacy(clock, kept).shown()]).toEqual(['shown', 'shown'])
  })

  it('follows the setting: a shorter time counts from the last touch on', () => {
    const { clock, turn } = handClock()
    const privacy = createPrivacy(clock)
    privacy.hideAfter(60 * MINUTE)
    turn(10 * MINUTE)
    privacy.hideAfter(5 * MINUTE)
    expect(privacy.shown()).toBe('hiddenWhileIdle')
    privacy.hideAfter(null)
    expect(privacy.shown()).toBe('shown')
  })
})
