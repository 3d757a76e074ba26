import { describe, expect, it } from 'vitest'
import { failureOf } from '../../../../src-shared/failure.ts'
import { close, reset, trip, type Breaker } from '../../../../src-main/station/delivery/breaker.ts'

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
