import { describe, expect, it } from 'vitest'
import { failureOf } from '../../../../src-shared/failure.ts'
import {
  afterClock,
  close,
  hurry,
  isProbeDue,
  reset,
  trip,
  type Breaker,
} from '../../../../src-main/station/delivery/breaker.ts'

const CLOSED: Breaker = { kind: 'closed', since: 1, troubles: 0 }
const settings = (now: number): Parameters<typeof trip>[2] => ({ baseMs: 1_000, random: 0.5, now })

describe('the breaker', () => {
  it('opens at the first trouble and asks again within the base pause', () => {
    expect(trip(CLOSED, failureOf('offline'), settings(100))).toEqual({
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
    let breaker = trip(CLOSED, failureOf('offline'), settings(100))
    const pauses: number[] = []
    for (let count = 1; count < 12; count += 1) {
      breaker = trip(breaker, failureOf('notAnswering'), settings(1_000))
      pauses.push(breaker.kind === 'open' ? breaker.nextProbeAt - 1_000 : 0)
    }
    expect(pauses).toEqual([
      1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 64_000, 128_000, 256_000, 450_000, 450_000,
    ])
    expect(breaker).toMatchObject({ since: 100, failure: { kind: 'notAnswering' } })
  })

  it('obeys a time that the service asked for, exactly', () => {
    const throttled = failureOf('throttled', { notBefore: 77_000 })
    expect(trip(CLOSED, throttled, settings(100))).toMatchObject({ nextProbeAt: 77_000 })
  })

  it('closes where the service answers, and remembers that it was in trouble', () => {
    const open = trip(CLOSED, failureOf('offline'), settings(100))
    const closed = close(open, 500)
    expect(closed).toEqual({ kind: 'closed', since: 500, troubles: 1 })
    expect(close(closed, 900)).toBe(closed)
    // A service that answers questions may still lose every case: the next pause is longer.
    expect(trip(closed, failureOf('notAnswering'), settings(1_000))).toMatchObject({
      troubles: 2,
      nextProbeAt: 2_000,
    })
  })

  it('forgets the trouble where a case was taken', () => {
    const open = trip(CLOSED, failureOf('offline'), settings(100))
    expect(reset(open, 500)).toEqual({ kind: 'closed', since: 500, troubles: 0 })
    expect(reset(close(open, 500), 900)).toEqual({ kind: 'closed', since: 500, troubles: 0 })
    expect(reset(CLOSED, 500)).toBe(CLOSED)
  })
})

describe('a wait that the service asked for', () => {
  const HOUR_LATER = 3_600_000
  const throttled = trip(CLOSED, failureOf('throttled', { notBefore: HOUR_LATER }), settings(100))

  it('is not shortened by what fails meanwhile, and stays the reason that is shown', () => {
    const later = trip(throttled, failureOf('interrupted'), settings(200))
    expect(later).toMatchObject({
      nextProbeAt: HOUR_LATER,
      waitUntil: HOUR_LATER,
      troubles: 2,
      failure: { kind: 'throttled' },
    })
    expect(trip(later, failureOf('throttled', { notBefore: 5_000 }), settings(300))).toMatchObject({
      nextProbeAt: HOUR_LATER,
    })
    expect(trip(later, failureOf('throttled', { notBefore: 2 * HOUR_LATER }), settings(300))).toMatchObject({
      nextProbeAt: 2 * HOUR_LATER,
      failure: { notBefore: 2 * HOUR_LATER },
    })
  })

  it('leaves the own pause where that is longer, and binds nobody once it is over', () => {
    const many: Breaker = { ...CLOSED, troubles: 20 }
    const short = trip(many, failureOf('throttled', { notBefore: 1_000 }), settings(100))
    expect(trip(short, failureOf('interrupted'), settings(200))).toMatchObject({ nextProbeAt: 450_200 })
    expect(trip(throttled, failureOf('offline'), settings(HOUR_LATER + 1))).toMatchObject({
      failure: { kind: 'offline' },
      nextProbeAt: HOUR_LATER + 1 + 1_000,
      waitUntil: null,
    })
  })

  it('is ended by no answer and no case that were on their way', () => {
    expect(close(throttled, 500)).toBe(throttled)
    expect(reset(throttled, 500)).toEqual({ ...throttled, troubles: 0 })
    expect(close(throttled, HOUR_LATER)).toMatchObject({ kind: 'closed' })
  })

  it('is ended by a person and not by a machine that wakes up', () => {
    expect(hurry(throttled, 500, 'station')).toBe(throttled)
    expect(hurry(throttled, HOUR_LATER, 'station')).toMatchObject({ nextProbeAt: HOUR_LATER })
    const asked = hurry(throttled, 500, 'person')
    expect(isProbeDue(asked, 500)).toBe(true)
    expect(close(asked, 500)).toMatchObject({ kind: 'closed' })
    expect(hurry(CLOSED, 500, 'person')).toBe(CLOSED)
  })

  it('begins anew where the clock is set back, neither shorter nor much longer', () => {
    expect(isProbeDue(throttled, 99)).toBe(false)
    const year = 365 * 24 * HOUR_LATER
    expect(afterClock(throttled, 99)).toMatchObject({ trippedAt: 99, nextProbeAt: HOUR_LATER - 1 })
    const back = afterClock(throttled, 100 - year)
    expect(back).toMatchObject({ nextProbeAt: HOUR_LATER - year, waitUntil: HOUR_LATER - year })
    expect(isProbeDue(back, HOUR_LATER - year - 1)).toBe(false)
    expect(isProbeDue(back, HOUR_LATER - year)).toBe(true)
    expect(afterClock(throttled, 100)).toBe(throttled)
    expect(afterClock(CLOSED, 0)).toBe(CLOSED)
  })

  it('is the only one that holds against a clock that was set back', () => {
    const offline = trip(CLOSED, failureOf('offline'), settings(100))
    expect(isProbeDue(offline, 99)).toBe(true)
    expect(afterClock(offline, 99)).toBe(offline)
  })
})
