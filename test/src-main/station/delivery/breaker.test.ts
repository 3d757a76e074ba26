import { beforeEach, describe, expect, it } from 'vitest'
import {
  adjustForClock,
  type Breaker,
  closeBreaker,
  createHealth,
  expediteProbe,
  type Health,
  isProbeDue,
  isQueueWide,
  resetBreaker,
  retryDelayMs,
  stopsAtSameOffset,
  tripBreaker,
} from '../../../../src-main/station/delivery/breaker.ts'
import { MINUTE, SECOND } from '../../../../src-shared/durations.ts'
import { failureKindSchema, failureOf } from '../../../../src-shared/failure.ts'
import { ManualClock } from '../../../tools/manual-clock.ts'

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

  it('closes when the service answers, and remembers that it was in trouble', () => {
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

  it('forgets the trouble when a case was taken', () => {
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

  it('leaves the own pause if that is longer, and counts no more once it is over', () => {
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

  it('begins again if the clock is set back, neither shorter nor much longer', () => {
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

describe('the pause before another try', () => {
  it.each([
    [0, 5 * SECOND],
    [1, 10 * SECOND],
    [2, 20 * SECOND],
    [5, 160 * SECOND],
    [7, 640 * SECOND],
    [8, 15 * MINUTE],
    [9, 15 * MINUTE],
    [1_000_000, 15 * MINUTE],
  ])('after %i failures is anything up to %i ms', (failures, ceiling) => {
    expect(retryDelayMs(failures, 5 * SECOND, 0)).toBe(0)
    expect(retryDelayMs(failures, 5 * SECOND, 0.5)).toBe(ceiling / 2)
    expect(retryDelayMs(failures, 5 * SECOND, 0.999_999_99)).toBe(ceiling)
  })
})

describe('three stops', () => {
  const MB = 1024 * 1024
  it.each([
    { stops: [8 * MB, 8 * MB, 8 * MB], isSameOffset: true },
    { stops: [8 * MB, 8 * MB + 300_000, 8 * MB - 200_000], isSameOffset: true },
    { stops: [1 * MB, 8 * MB, 8 * MB, 8 * MB], isSameOffset: true },
    { stops: [8 * MB, 8 * MB], isSameOffset: false },
    { stops: [], isSameOffset: false },
    { stops: [0, 0, 0], isSameOffset: false },
    { stops: [8 * MB, 0, 8 * MB], isSameOffset: false },
    { stops: [8 * MB, 9 * MB, 8 * MB], isSameOffset: false },
    { stops: [8 * MB, 8 * MB, 8 * MB, 2 * MB], isSameOffset: false },
    // Spread over a small request: weather and no limit.
    { stops: [60_000, 250_000, 400_000], isSameOffset: false },
  ])('at $stops lie at one offset: $isSameOffset', ({ stops, isSameOffset }) => {
    expect(stopsAtSameOffset(stops)).toBe(isSameOffset)
  })
})

let clock: ManualClock
let health: Health
let calls: string[]
beforeEach(() => {
  clock = new ManualClock({ now: 1_000 })
  calls = []
  health = createHealth({ clock, baseMs: () => 1_000, random: () => 0.5 })
  health.onChange(() => void calls.push('changed'))
  health.onRecovery(() => void calls.push('recovered'))
})

describe('the health of the service', () => {
  it('is unknown until the first answer, which is reported, and of the next ones none is that changes nothing', () => {
    const unknown = { failure: null, nextTryAt: null, lastSuccessAt: null }
    expect(health.status()).toEqual({ health: 'unknown', since: 1_000, ...unknown })
    for (let count = 0; count < 2; count += 1) health.noteSuccess()
    expect(health.status()).toMatchObject({ health: 'reachable', lastSuccessAt: 1_000 })
    expect(calls).toEqual(['changed'])
  })

  it('reports trouble with its reason and the next try, and the recovery from it once', async () => {
    health.noteTrouble(failureOf('offline'))
    expect(calls).toEqual(['changed'])
    expect(health.status()).toMatchObject({
      health: 'trouble',
      failure: { kind: 'offline' },
      nextTryAt: 1_500,
    })
    await clock.turn(5_000)
    health.noteSuccess()
    expect(calls).toEqual(['changed', 'recovered', 'changed'])
    expect(health.status()).toMatchObject({
      health: 'reachable',
      since: 6_000,
      failure: null,
      nextTryAt: null,
    })
  })

  it('lets pauses begin small again when a case was found, and calls no trouble over by that', () => {
    for (let count = 0; count < 10; count += 1) health.noteTrouble(failureOf('notAnswering'))
    health.noteFound()
    expect(health.breaker()).toMatchObject({ kind: 'open', troubles: 0, failure: { kind: 'notAnswering' } })
    health.noteTrouble(failureOf('notAnswering'))
    expect(health.breaker()).toMatchObject({ troubles: 1, nextProbeAt: 1_500 })
    health.noteSuccess()
    health.noteFound()
    expect(health.breaker()).toMatchObject({ kind: 'closed', troubles: 0 })
  })

  it('probes now if a person wants it, and only in trouble', () => {
    health.probeNow('person')
    expect(health.breaker()).toMatchObject({ kind: 'closed', since: 1_000 })
    health.noteTrouble(failureOf('offline'))
    health.probeNow('station')
    expect(health.breaker()).toMatchObject({ nextProbeAt: 1_000 })
  })
})

it("calls queue-wide what is about the way or the service, and never what is one case's own", () => {
  expect(failureKindSchema.options.filter((kind) => isQueueWide(failureOf(kind)))).toEqual([
    'offline',
    'notAnswering',
    'throttled',
    'signedOut',
    'wrongAddress',
    'notTrusted',
    'proxySignIn',
    'serviceNotSet',
    'secretsLocked',
    'interrupted',
    'outcomeUnknown',
  ])
})
