import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { modeOf, openSendingPause, parsePause, type StationPhase } from '../../../src-main/station/status.ts'
import { HOUR, MINUTE } from '../../../src-shared/durations.ts'
import { failureOf } from '../../../src-shared/failure.ts'
import { type ServiceStatus, stationStatusSchema } from '../../../src-shared/station-status.ts'
import { openPracticeService } from '../../practice-service/practice-service.ts'
import { ManualClock } from '../../tools/manual-clock.ts'
import { addWaiting, openTestOutbox } from '../../tools/outbox-with.ts'
import { temporaryFolder } from '../../tools/temporary-folder.ts'
import { started } from './started.ts'

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

describe('a stored pause', () => {
  it.each([
    [null, null],
    ['', null],
    ['untilResumed', 'untilResumed'],
    ['something else', 'untilResumed'],
    ['1001', 1_001],
    ['1000', null],
    ['999', null],
    ['NaN', 'untilResumed'],
    ['Infinity', 'untilResumed'],
  ])('as %j is %j at a start', (text, pause) => {
    expect(parsePause(text, 1_000)).toBe(pause)
  })
})

describe('the pause of sending', () => {
  const open = () => {
    const clock = new ManualClock()
    const { outbox } = openTestOutbox()
    return { clock, outbox, pause: openSendingPause({ outbox, clock }) }
  }

  it('ends automatically at its time, and is not found by the next start', async () => {
    const { clock, outbox, pause } = open()
    pause.set(clock.now() + 15 * MINUTE)
    await clock.turn(14 * MINUTE)
    expect(pause.current()).not.toBeNull()
    await clock.turn(MINUTE)
    expect([pause.current(), outbox.readFact('pause')]).toEqual([null, ''])
  })

  it('is over if it was over before the computer woke up ends with the next check', () => {
    const { clock, outbox, pause } = open()
    pause.set(clock.now() + 15 * MINUTE)
    clock.set(HOUR)
    pause.recheck()
    expect([pause.current(), outbox.readFact('pause')]).toEqual([null, ''])
  })

  it('that is not over yet ends at its time on the wall, whatever a sleep has taken off its timer', async () => {
    const { clock, pause } = open()
    pause.set(clock.now() + 15 * MINUTE)
    clock.set(10 * MINUTE)
    pause.recheck()
    expect(pause.current()).not.toBeNull()
    await clock.turn(5 * MINUTE)
    expect(pause.current()).toBeNull()
  })

  it('until a person resumes is ended by no check', () => {
    const { clock, pause } = open()
    pause.set('untilResumed')
    clock.set(48 * HOUR)
    pause.recheck()
    expect(pause.current()).toBe('untilResumed')
  })
})

describe('a station with one case that waits, paused before the first byte could leave', () => {
  const paused = async (input: object) => {
    const service = await openPracticeService({ answerDelayMs: 0 })
    onTestFinished(() => service.close())
    const dataFolder = temporaryFolder()
    const clock = new ManualClock()
    const { baseUrl, clientId, clientSecret } = service
    const stated = { service: { baseUrl, clientId, clientSecret }, centerId: '101' }
    const start = async () => {
      const { station, answer } = await started(stated, { dataFolder, clock })
      const ask = async (name: string, values: object = {}) => {
        const answered = await answer(name, values)
        if (!answered.ok) throw new Error(answered.failure.message)
        return stationStatusSchema.parse(answered.value)
      }
      return { station, ask }
    }
    const first = await start()
    const { mode } = await first.ask('station.pause', input)
    await first.station.stop()
    const test = openTestOutbox(dataFolder)
    addWaiting(test, { centerId: '101' })
    test.close()
    const { station, ask } = await start()
    const isPosted = () =>
      vi.waitFor(() => expect(service.journal.of('POST /cases')).toHaveLength(1), { timeout: 10_000 })
    const asked = () => service.journal.of('POST /cases')
    return { clock, asked, mode, station, ask, isPosted }
  }

  it('sends nothing, not even after a restart, and resumes automatically at the end', async () => {
    const { clock, asked, mode, station, ask, isPosted } = await paused({ seconds: 900 })
    const until = clock.now() + 15 * MINUTE
    expect(mode).toEqual({ kind: 'paused', why: 'person', until })
    expect(await ask('station.status')).toMatchObject({ mode, counts: { waiting: 1 } })
    // Whatever else wakes a station ends no pause.
    station.wakeUp()
    await clock.turn(15 * MINUTE - 1)
    expect(asked()).toEqual([])
    await clock.turn(1)
    await isPosted()
    expect((await ask('station.status')).mode).toEqual({ kind: 'running' })
  })

  it('goes on at once when a person resumes', async () => {
    const { clock, asked, mode, ask, isPosted } = await paused({})
    expect(mode).toEqual({ kind: 'paused', why: 'person', until: null })
    await clock.turn(20 * MINUTE)
    expect(asked()).toEqual([])
    await ask('station.resume')
    await isPosted()
  })
})
