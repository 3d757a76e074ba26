import { EventEmitter } from 'node:events'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { openCrashHistory } from '../../../src-main/electron/crash-history.ts'
import { isSending, preventSleepWhileSending, watchPower } from '../../../src-main/electron/power.ts'
import type { StationEvent } from '../../../src-shared/contract.ts'
import type { StationStatus } from '../../../src-shared/station-status.ts'
import { createRecordingLogger } from '../../tools/recording-logger.ts'
import { temporaryFolder } from '../../tools/temporary-folder.ts'
import { status } from '../../src-shared/value-samples.ts'
import { ManualClock } from '../station/service/manual-clock.ts'

const running = { kind: 'running' } as const
const none = { ...status.counts, waiting: 4, sending: 0 }
const one = { ...none, sending: 1 }

describe('the computer is kept awake', () => {
  it.each([
    ['while a case is being sent', running, one, true],
    ['not while cases only wait', running, none, false],
    ['also while a pause lets the last one end', { kind: 'paused', why: 'person', until: null }, one, true],
    ['also while the station ends its attempts', { kind: 'stopping' }, one, true],
    ['not by a station that has stopped', { kind: 'stopped' }, one, false],
  ] as const)('%s', (_name, mode, counts, expected) => {
    expect(isSending({ mode, counts })).toBe(expected)
  })

  it('from the first case to the last, by one hold, and not from a sleep that a person wants', () => {
    const done: string[] = []
    const listeners: ((event: StationEvent) => void)[] = []
    preventSleepWhileSending(
      { on: (listener) => listeners.push(listener) },
      {
        start: (type) => {
          done.push(`start ${type}`)
          return 7
        },
        stop: (id) => done.push(`stop ${id}`),
      },
    )
    const change = (counts: StationStatus['counts']): void =>
      listeners[0]?.({ name: 'stationChanged', revision: 1, payload: { ...status, mode: running, counts } })
    for (const counts of [none, one, { ...one, sending: 2 }, one, none, none, one, none]) change(counts)
    expect(done).toEqual(['start prevent-app-suspension', 'stop 7', 'start prevent-app-suspension', 'stop 7'])
  })
})

describe('an event of the system', () => {
  function watched(record: (what: string) => void, markEnd: () => void) {
    const monitor = new EventEmitter()
    const window = new EventEmitter()
    watchPower({
      monitor,
      window,
      logger: createRecordingLogger(),
      onResume: () => record('wake'),
      onSessionEndAsked: () => record('may end'),
      markEnd,
      onShutdown: record,
    })
    return { monitor, window }
  }

  it('wakes the station, ends the app without asking, and holds up neither session nor computer', () => {
    const done: string[] = []
    const { monitor, window } = watched(
      (what) => done.push(what),
      () => done.push('mark'),
    )
    let isDelayed = false
    for (const event of ['suspend', 'lock-screen', 'unlock-screen', 'resume']) monitor.emit(event)
    window.emit('query-session-end', { preventDefault: () => done.push('refused') })
    window.emit('session-end')
    monitor.emit('shutdown', { preventDefault: () => (isDelayed = true) })
    expect(done).toEqual(['wake', 'may end', 'mark', 'the session ends', 'mark', 'the computer shuts down'])
    // On Linux and macOS this asks for the moment that a clean end takes.
    expect(isDelayed).toBe(true)
  })

  it('leaves no crash in the history, though Windows ends the process as soon as its listeners returned', () => {
    const path = join(temporaryFolder(), 'runs.json')
    for (let signOuts = 0; signOuts < 4; signOuts += 1) {
      const runs = openCrashHistory({
        path,
        clock: new ManualClock(1_000_000),
        bootedAt: 0,
        pid: 4_711,
        dataFolder: '/data',
        onTrouble: () => undefined,
      })
      expect(runs.start).toMatchObject({ as: 'working', crashes: 0 })
      // The shutdown itself never comes to an end.
      watched(
        () => undefined,
        () => runs.end('clean'),
      ).window.emit('session-end')
    }
  })
})
