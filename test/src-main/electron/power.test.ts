import { EventEmitter } from 'node:events'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { openCrashHistory } from '../../../src-main/electron/crash-history.ts'
import { isSending, preventSleepWhileSending, watchPower } from '../../../src-main/electron/power.ts'
import type { StationEvent } from '../../../src-shared/contract.ts'
import type { StationStatus } from '../../../src-shared/station-status.ts'
import { status } from '../../src-shared/value-samples.ts'
import { ManualClock } from '../station/service/manual-clock.ts'
import { recordingLogger } from './recording-logger.ts'
import { temporaryFolder } from './temporary-folder.ts'

const running = { kind: 'running' } as const
const none = { ...status.counts, waiting: 4, sending: 0 }
const one = { ...none, sending: 1 }

describe('the computer is kept awake', () => {
  it.each([
    ['while a case is being sent', { mode: running, counts: one }, true],
    ['not while cases only wait', { mode: running, counts: none }, false],
    [
      'also while a pause lets the last one end',
      { mode: { kind: 'paused', why: 'person', until: null }, counts: one },
      true,
    ],
    ['also while the station ends its attempts', { mode: { kind: 'stopping' }, counts: one }, true],
    ['not by a station that has stopped', { mode: { kind: 'stopped' }, counts: one }, false],
  ] as const)('%s', (_name, given, expected) => {
    expect(isSending(given)).toBe(expected)
  })

  it('from the first case to the last, by one hold, and not from a sleep that a person wants', () => {
    const done: string[] = []
    let tell: ((event: StationEvent) => void) | null = null
    preventSleepWhileSending(
      { on: (listener) => (tell = listener) },
      {
        start: (type) => {
          done.push(`start ${type}`)
          return 7
        },
        stop: (id) => done.push(`stop ${id}`),
      },
    )
    const change = (counts: StationStatus['counts']): void =>
      tell?.({ name: 'stationChanged', revision: 1, payload: { ...status, mode: running, counts } })
    for (const counts of [none, one, { ...one, sending: 2 }, one, none, none, one, none]) change(counts)
    expect(done).toEqual(['start prevent-app-suspension', 'stop 7', 'start prevent-app-suspension', 'stop 7'])
  })
})

describe('what the system tells', () => {
  it('wakes the station, ends the app without asking, and holds up neither session nor computer', () => {
    const monitor = new EventEmitter()
    const window = new EventEmitter()
    const done: string[] = []
    watchPower({
      monitor,
      window,
      logger: recordingLogger(),
      onResume: () => done.push('wake'),
      onSessionEndAsked: () => done.push('may end'),
      markEnd: () => done.push('mark'),
      onShutdown: (reason) => done.push(reason),
    })
    let isDelayed = false
    for (const event of ['suspend', 'lock-screen', 'unlock-screen', 'resume']) monitor.emit(event)
    window.emit('query-session-end', { preventDefault: () => done.push('refused') })
    window.emit('session-end')
    monitor.emit('shutdown', { preventDefault: () => (isDelayed = true) })
    expect(done).toEqual(['wake', 'may end', 'mark', 'the session ends', 'mark', 'the computer shuts down'])
    // On Linux and macOS this asks for the moment that a tidy end takes.
    expect(isDelayed).toBe(true)
  })

  it('leaves no end by itself in the book, though Windows ends the process as soon as its listeners returned', async () => {
    const path = join(await temporaryFolder(), 'runs.json')
    const open = () =>
      openCrashHistory({
        path,
        clock: new ManualClock(1_000_000),
        bootedAt: 0,
        pid: 4_711,
        dataFolder: '/data',
        onTrouble: () => undefined,
      })
    for (let signOuts = 0; signOuts < 4; signOuts += 1) {
      const runs = open()
      expect(runs.start).toMatchObject({ as: 'working', crashes: 0 })
      const window = new EventEmitter()
      watchPower({
        monitor: new EventEmitter(),
        window,
        logger: recordingLogger(),
        onResume: () => undefined,
        onSessionEndAsked: () => undefined,
        markEnd: () => runs.end('clean'),
        // Never comes to an end.
        onShutdown: () => undefined,
      })
      window.emit('session-end')
    }
  })
})
