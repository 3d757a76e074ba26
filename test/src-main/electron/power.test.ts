import { EventEmitter } from 'node:events'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { openCrashHistory } from '../../../src-main/electron/crash-history.ts'
import { isSending, preventSleepWhileSending, watchPower } from '../../../src-main/electron/power.ts'
import type { StationEvent } from '../../../src-shared/contract.ts'
import { ManualClock } from '../../tools/manual-clock.ts'
import { createRecordingLogger } from '../../tools/recording-logger.ts'
import { temporaryFolder } from '../../tools/temporary-folder.ts'
import { paused, statusWith } from './status-with.ts'

describe('the computer is kept awake', () => {
  it.each([
    ['while a case is being sent', { kind: 'running' }, 1, true],
    ['not while cases only wait', { kind: 'running' }, 0, false],
    ['also while a pause lets the last one end', paused('person'), 1, true],
    ['also while the station ends its attempts', { kind: 'stopping' }, 1, true],
    ['not by a station that has stopped', { kind: 'stopped' }, 1, false],
  ] as const)('%s', (_name, mode, sending, expected) => {
    expect(isSending(statusWith({ mode, counts: { waiting: 4, sending } }))).toBe(expected)
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
    for (const sending of [0, 1, 2, 1, 0, 0, 1, 0]) {
      const payload = statusWith({ counts: { waiting: 4, sending } })
      listeners[0]?.({ name: 'stationChanged', revision: 1, payload })
    }
    expect(done).toEqual(['start prevent-app-suspension', 'stop 7', 'start prevent-app-suspension', 'stop 7'])
  })
})

describe('an event of the system', () => {
  function watched(record: (what: string) => void, markEnd: () => void) {
    const [monitor, window] = [new EventEmitter(), new EventEmitter()]
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

  it('leaves no crash in the history, though Windows ends the process as soon as its listeners return', () => {
    const history = {
      path: join(temporaryFolder(), 'runs.json'),
      bootedAt: 0,
      pid: 4_711,
      dataFolder: '/data',
    }
    for (let signOut = 0; signOut < 4; signOut += 1) {
      const clock = new ManualClock({ now: 1_000_000 })
      const runs = openCrashHistory({ ...history, clock, onTrouble: () => undefined })
      expect(runs.start).toMatchObject({ as: 'working', crashes: 0 })
      // The shutdown itself never comes to an end.
      const { window } = watched(
        () => undefined,
        () => runs.end('clean'),
      )
      window.emit('session-end')
    }
  })
})
