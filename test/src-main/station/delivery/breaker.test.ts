import { describe, expect, it } from 'vitest'
import { failureOf } from '../../../../src-shared/failure.ts'
import {
  adjustForClock,
  closeBreaker,
  expediteProbe,
  isProbeDue,
  resetBreaker,
  tripBreaker,
  type Breaker,
} from '../../../../src-main/station/delivery/breaker.ts'

const CLOSED: Breaker = { kind: 'closed', since: 1, troubles: 0 }
const settings = (now: number): Parameters<typeof tripBreaker>[2] => ({ baseMs: 1_000, random: 0.5, now })

describe('the breaker', () => {
  it('opens at the first trouble and asks again within the base pause', () => {
    expect(tripBreaker(CLOSED, failureOf('offline'), settings(100))).toEqual({
      kind: 'open',
      since: 100,
      failure: failureOf('offline'),
      troubles: 1,
      trippedAt: 100,
      nextProbeAt: 600,
      waitUntil: null,
    })
  })

  it('asks ever more rarely, says since when, and shows the newest reason', () => {
    let breaker = tripBreaker(CLOSED, failureOf('offline'), settings(100))
    const pauses: number[] = []
    for (let count = 1; count < 12; count += 1) {
      breaker = tripBreaker(breaker, failureOf('notAnswering'), settings(1_000))
      pauses.push(breaker.kind === 'open' ? breaker.nextProbeAt - 1_000 : 0)
    }
    expect(pauses).toEqual([
      1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 64_000, 128_000, 256_000, 450_000, 450_000,
    ])
    expect(breaker).toMatchObject({ since: 100, failure: { kind: 'notAnswering' } })
  })

  it('obeys a time that the service asked for, exactly', () => {
    const throttled = failureOf('throttled', { notBefore: 77_000 })
    expect(tripBreaker(CLOSED, throttled, settings(100))).toMatchObject({ nextProbeAt: 77_000 })
  })

  it('closes where the service answers, and remembers that it was in trouble', () => {
    const open = tripBreaker(CLOSED, failureOf('offline'), settings(100))
    const closed = closeBreaker(open, 500)
    expect(closed).toEqual({ kind: 'closed', since: 500, troubles: 1 })
    expect(closeBreaker(closed, 900)).toBe(closed)
    // A service that answers questions may still lose every case: the next pause is longer.
    expect(tripBreaker(closed, failureOf('notAnswering'), settings(1_000))).toMatchObject({
      troubles: 2,
      nextProbeAt: 2_000,
    })
  })

  it('forgets the trouble where a case was taken', () => {
    const open = tripBreaker(CLOSED, failureOf('offline'), settings(100))
    expect(resetBreaker(open, 500)).toEqual({ kind: 'closed', since: 500, troubles: 0 })
    expect(resetBreaker(closeBreaker(open, 500), 900)).toEqual({ kind: 'closed', since: 500, troubles: 0 })
    expect(resetBreaker(CLOSED, 500)).toBe(CLOSED)
  })
})

describe('a wait that the service asked for', () => {
  const HOUR_LATER = 3_600_000
  const throttled = tripBreaker(CLOSED, failureOf('throttled', { notBefore: HOUR_LATER }), settings(100))

  it('is not shortened by what fails meanwhile, and stays the reason that is shown', () => {
    const later = tripBreaker(throttled, failureOf('interrupted'), settings(200))
    expect(later).toMatchObject({
      nextProbeAt: HOUR_LATER,
      waitUntil: HOUR_LATER,
      troubles: 2,
      failure: { kind: 'throttled' },
    })
    expect(tripBreaker(later, failureOf('throttled', { notBefore: 5_000 }), settings(300))).toMatchObject({
      nextProbeAt: HOUR_LATER,
    })
    expect(
      tripBreaker(later, failureOf('throttled', { notBefore: 2 * HOUR_LATER }), settings(300)),
    ).toMatchObject({
      nextProbeAt: 2 * HOUR_LATER,
      failure: { notBefore: 2 * HOUR_LATER },
    })
  })

  it('leaves the own pause where that is longer, and binds nobody once it is over', () => {
    const many: Breaker = { ...CLOSED, troubles: 20 }
    const short = tripBreaker(many, failureOf('throttled', { notBefore: 1_000 }), settings(100))
    expect(tripBreaker(short, failureOf('interrupted'), settings(200))).toMatchObject({
      nextProbeAt: 450_200,
    })
    expect(tripBreaker(throttled, failureOf('offline'), settings(HOUR_LATER + 1))).toMatchObject({
      failure: { kind: 'offline' },
      nextProbeAt: HOUR_LATER + 1 + 1_000,
      waitUntil: null,
    })
  })

  it('is ended by no answer and no case that were on their way', () => {
    expect(closeBreaker(throttled, 500)).toBe(throttled)
    expect(resetBreaker(throttled, 500)).toEqual({ ...throttled, troubles: 0 })
    expect(closeBreaker(throttled, HOUR_LATER)).toMatchObject({ kind: 'closed' })
  })

  it('is ended by a person and not by a machine that wakes up', () => {
    expect(expediteProbe(throttled, 500, 'station')).toBe(throttled)
    expect(expediteProbe(throttled, HOUR_LATER, 'station')).toMatchObject({ nextProbeAt: HOUR_LATER })
    const asked = expediteProbe(throttled, 500, 'person')
    expect(isProbeDue(asked, 500)).toBe(true)
    expect(closeBreaker(asked, 500)).toMatchObject({ kind: 'closed' })
    expect(expediteProbe(CLOSED, 500, 'person')).toBe(CLOSED)
  })

  it('begins anew where the clock is set back, neither shorter nor much longer', () => {
    expect(isProbeDue(throttled, 99)).toBe(false)
    const year = 365 * 24 * HOUR_LATER
    expect(adjustForClock(throttled, 99)).toMatchObject({ trippedAt: 99, nextProbeAt: HOUR_LATER - 1 })
    const back = adjustForClock(throttled, 100 - year)
    expect(back).toMatchObject({ nextProbeAt: HOUR_LATER - year, waitUntil: HOUR_LATER - year })
    expect(isProbeDue(back, HOUR_LATER - year - 1)).toBe(false)
    expect(isProbeDue(back, HOUR_LATER - year)).toBe(true)
    expect(adjustForClock(throttled, 100)).toBe(throttled)
    expect(adjustForClock(CLOSED, 0)).toBe(CLOSED)
  })

  it('is the only one that holds against a clock that was set back', () => {
    const offline = tripBreaker(CLOSED, failureOf('offline'), settings(100))
    expect(isProbeDue(offline, 99)).toBe(true)
    expect(adjustForClock(offline, 99)).toBe(offline)
  })
})
