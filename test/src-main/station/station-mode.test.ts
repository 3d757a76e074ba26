import { describe, expect, it } from 'vitest'
import { modeOf, parsePause, type StationPhase } from '../../../src-main/station/status.ts'
import { failureOf } from '../../../src-shared/failure.ts'
import type { ServiceStatus } from '../../../src-shared/station-status.ts'

const WELL: ServiceStatus = {
  health: 'reachable',
  since: 0,
  failure: null,
  nextTryAt: null,
  lastSuccessAt: 0,
}
const SIGNED_OUT: ServiceStatus = {
  ...WELL,
  health: 'trouble',
  failure: failureOf('signedOut'),
  nextTryAt: 9,
}
const OFFLINE: ServiceStatus = { ...SIGNED_OUT, failure: failureOf('offline') }

describe('the mode of a station', () => {
  it.each(['starting', 'stopping', 'stopped'] as const satisfies readonly StationPhase[])(
    'is %s whatever else is true',
    (phase) => {
      for (const service of [WELL, SIGNED_OUT, null])
        for (const pause of [null, 7, 'untilResumed'] as const)
          expect(modeOf(phase, pause, service)).toEqual({ kind: phase })
    },
  )

  it.each([
    [null, WELL],
    ['untilResumed', SIGNED_OUT],
    [7, null],
  ] as const)('is a pause in safe mode whatever else is true: %#', (pause, service) => {
    expect(modeOf('safe', pause, service)).toEqual({ kind: 'paused', why: 'safeMode', until: null })
  })

  it.each([
    [null, WELL, { kind: 'running' }],
    [null, OFFLINE, { kind: 'running' }],
    [null, null, { kind: 'paused', why: 'serviceNotSet', until: null }],
    [null, SIGNED_OUT, { kind: 'paused', why: 'signedOut', until: 9 }],
    [7, WELL, { kind: 'paused', why: 'person', until: 7 }],
    ['untilResumed', null, { kind: 'paused', why: 'person', until: null }],
    ['untilResumed', SIGNED_OUT, { kind: 'paused', why: 'person', until: null }],
  ] as const)('with pause %j and a service that is so: %#', (pause, service, mode) => {
    expect(modeOf('running', pause, service)).toEqual(mode)
  })
})

describe('a pause that was kept', () => {
  it.each([
    [null, null],
    ['', null],
    ['untilResumed', 'untilResumed'],
    ['something that nobody wrote', 'untilResumed'],
    ['1001', 1_001],
    ['1000', null],
    ['999', null],
    ['NaN', 'untilResumed'],
    ['Infinity', 'untilResumed'],
  ])('as %j is %j at a start', (text, pause) => {
    expect(parsePause(text, 1_000)).toBe(pause)
  })
})
