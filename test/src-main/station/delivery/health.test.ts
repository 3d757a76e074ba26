import { beforeEach, describe, expect, it } from 'vitest'
import { createHealth, type Health, isQueueWide } from '../../../../src-main/station/delivery/breaker.ts'
import { FAILURE_KINDS, failureOf } from '../../../../src-shared/failure.ts'
import { ManualClock } from '../../../tools/manual-clock.ts'

let clock: ManualClock
let health: Health
let told: string[]
beforeEach(() => {
  clock = new ManualClock({ now: 1_000 })
  told = []
  health = createHealth({ clock, baseMs: () => 1_000, random: () => 0.5 })
  health.onChange(() => void told.push('changed'))
  health.onRecovery(() => void told.push('recovered'))
})

describe('the health of the service', () => {
  it('is unknown until it has answered', () => {
    expect(health.status()).toEqual({
      health: 'unknown',
      since: 1_000,
      failure: null,
      nextTryAt: null,
      lastSuccessAt: null,
    })
  })

  it('tells its first answer, which turns unknown into reachable', () => {
    health.noteSuccess()
    expect(health.status()).toMatchObject({ health: 'reachable', lastSuccessAt: 1_000 })
    expect(told).toContain('changed')
  })

  it('tells no answer that changes nothing', () => {
    health.noteSuccess()
    told.length = 0
    health.noteSuccess()
    expect(told).toEqual([])
  })

  it('tells trouble with its reason and the next try, and the recovery from it once', async () => {
    health.noteTrouble(failureOf('offline'))
    expect(told).toEqual(['changed'])
    expect(health.status()).toMatchObject({
      health: 'trouble',
      failure: { kind: 'offline' },
      nextTryAt: 1_500,
    })
    await clock.turn(5_000)
    health.noteSuccess()
    expect(told).toEqual(['changed', 'recovered', 'changed'])
    expect(health.status()).toMatchObject({
      health: 'reachable',
      since: 6_000,
      failure: null,
      nextTryAt: null,
    })
  })

  it('lets pauses begin small again where a case was found, and calls no trouble over by that', () => {
    for (let count = 0; count < 10; count += 1) health.noteTrouble(failureOf('notAnswering'))
    health.noteFound()
    expect(health.breaker()).toMatchObject({ kind: 'open', troubles: 0, failure: { kind: 'notAnswering' } })
    health.noteTrouble(failureOf('notAnswering'))
    expect(health.breaker()).toMatchObject({ troubles: 1, nextProbeAt: 1_500 })
    health.noteSuccess()
    health.noteFound()
    expect(health.breaker()).toMatchObject({ kind: 'closed', troubles: 0 })
  })

  it('asks now where somebody wants it, and only in trouble', () => {
    health.probeNow('person')
    expect(health.breaker()).toMatchObject({ kind: 'closed', since: 1_000 })
    health.noteTrouble(failureOf('offline'))
    health.probeNow('station')
    expect(health.breaker()).toMatchObject({ nextProbeAt: 1_000 })
  })
})

it("calls queue-wide what is about the way or the service, and never what is one case's own", () => {
  expect(FAILURE_KINDS.filter((kind) => isQueueWide(failureOf(kind)))).toEqual([
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
