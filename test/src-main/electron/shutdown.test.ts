/** How the app goes on and ends: quitting, the end of a session, sleep. */
import { EventEmitter } from 'node:events'
import { setImmediate as settle } from 'node:timers/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { openCrashHistory } from '../../../src-main/electron/crashes.ts'
import { type QuitChoice, quitQuestion } from '../../../src-main/electron/dialogs.ts'
import {
  countPending,
  createShutdown,
  isSending,
  preventSleepWhileSending,
  watchPower,
} from '../../../src-main/electron/shutdown.ts'
import type { StationEvent } from '../../../src-shared/contract.ts'
import { hostTexts } from '../../../src-main/electron/texts.ts'
import { createRecordingLogger } from '../../tools/recording-logger.ts'
import { paused, statusWith, TROUBLE } from './status-with.ts'
import { temporaryFolder } from '../../tools/temporary-folder.ts'
import { ManualClock } from '../station/service/manual-clock.ts'

class FakeApp extends EventEmitter {
  readonly exits: number[] = []
  exit(code: number): void {
    this.exits.push(code)
  }
  /** As Electron does: true unless a listener prevented it. */
  quit(): boolean {
    let isPrevented = false
    this.emit('before-quit', { preventDefault: () => (isPrevented = true) })
    return !isPrevented
  }
}

function begin({
  stopStation = () => Promise.resolve(),
  waiting = 0,
}: { readonly stopStation?: () => Promise<void>; readonly waiting?: number } = {}) {
  const app = new FakeApp()
  const clock = new ManualClock()
  const logger = createRecordingLogger()
  const stops: string[] = []
  const asked: number[] = []
  const ended: string[] = []
  const { promise: answered, resolve: answer } = Promise.withResolvers<QuitChoice>()
  const pending = { count: waiting, isSending: true }
  const shutdown = createShutdown({
    app,
    clock,
    logger,
    stopStation: () => {
      stops.push('stop')
      return stopStation()
    },
    pendingCases: () => Promise.resolve({ ...pending }),
    askToQuit: ({ count }) => {
      asked.push(count)
      return answered
    },
    beforeExit: () => {
      ended.push(`${stops.length} stopped, ${app.exits.length} exits`)
      return Promise.resolve()
    },
  })
  return { app, clock, logger, stops, asked, ended, pending, answer, shutdown }
}

describe('the end of the app', () => {
  it('does not come when the last window closes', () => {
    const { app, shutdown } = begin()
    expect(app.emit('window-all-closed')).toBe(true)
    expect([shutdown.isRunning(), app.exits]).toEqual([true, []])
  })

  it('stops the station before it exits, once, however often it is asked', async () => {
    const gate = Promise.withResolvers<void>()
    const { app, stops, ended, shutdown } = begin({ stopStation: () => gate.promise })
    expect([app.quit(), app.quit()]).toEqual([false, false])
    void shutdown.end('the session ends')
    await settle()
    expect([stops, app.exits, shutdown.isRunning()]).toEqual([['stop'], [], false])
    gate.resolve()
    await settle()
    expect([stops, app.exits, ended]).toEqual([['stop'], [0], ['1 stopped, 0 exits']])
    expect(app.quit()).toBe(true)
  })

  it('leads from stopping to the exit with the code that it began with, and never back', async () => {
    const gate = Promise.withResolvers<void>()
    const { app, clock, shutdown } = begin({ stopStation: () => gate.promise })
    const ending = shutdown.end('a bug', 1)
    void shutdown.end('the session ends', 0)
    clock.advance(60_000)
    expect(shutdown.isRunning()).toBe(false)
    gate.resolve()
    await ending
    expect(app.exits).toEqual([1])
  })

  it('comes although the station does not stop in time', async () => {
    const { app, clock, logger, shutdown } = begin({ stopStation: () => new Promise(() => undefined) })
    const ending = shutdown.end('an update waits')
    await settle()
    expect(app.exits).toEqual([])
    clock.advance(4_000)
    await ending
    expect(app.exits).toEqual([0])
    expect(logger.lines.map(({ level }) => level)).toEqual(['info', 'warn'])
  })

  it('comes although the station cannot stop, and has the code of a bug', async () => {
    const { app, clock, logger, shutdown } = begin({
      stopStation: () => Promise.reject(new TypeError('H-00017')),
    })
    await shutdown.end('a bug', 1)
    expect(app.exits).toEqual([1])
    expect(clock.timerCount).toBe(0)
    expect(logger.lines.at(-1)).toMatchObject({ level: 'error', facts: { kind: 'TypeError' } })
    expect(JSON.stringify(logger.lines)).not.toContain('H-00017')
  })
})

describe('a person who wants to quit', () => {
  it('is asked once if cases wait, and nothing ends before the answer, nor by it', async () => {
    const { app, asked, stops, answer, shutdown } = begin({ waiting: 3 })
    void shutdown.askToQuit('in the tray')
    app.quit()
    await settle()
    expect([asked, stops, shutdown.isRunning()]).toEqual([[3], [], true])
    answer('keepRunning')
    await settle()
    expect([stops, app.exits, shutdown.isRunning()]).toEqual([[], [], true])
  })

  it('and sends the cases first sees the app end with the last of them', async () => {
    const { app, answer, shutdown } = begin({ waiting: 2 })
    answer('sendFirst')
    await shutdown.askToQuit('in the tray')
    shutdown.pendingChanged(1)
    await settle()
    expect(app.exits).toEqual([])
    shutdown.pendingChanged(0)
    await settle()
    expect(app.exits).toEqual([0])
  })

  it('and sends the cases first may reconsider, and sees it end at once if the last is gone by then', async () => {
    const { app, asked, pending, answer, shutdown } = begin({ waiting: 2 })
    answer('sendFirst')
    await shutdown.askToQuit('in the tray')
    expect([asked, app.exits]).toEqual([[2], []])
    const again = shutdown.askToQuit('in the tray')
    await Promise.resolve()
    pending.count = 0
    await again
    expect([asked, app.exits]).toEqual([[2, 2], [0]])
  })

  it('is overtaken by the system, which asks no one', async () => {
    const { app, asked, answer, shutdown } = begin({ waiting: 1 })
    void shutdown.askToQuit('in the tray')
    await settle()
    await shutdown.end('the session ends')
    answer('keepRunning')
    await settle()
    expect([asked, app.exits]).toEqual([[1], [0]])
  })
})

it.each(['en', 'es'] as const)(
  'the question has the safe answer first, and offers to send first only if that can end (%s)',
  (language) => {
    const texts = hostTexts(language)
    const { t } = texts
    const sending = quitQuestion({ count: 2, isSending: true }, texts)
    expect(sending.message).toBe(t('life.quitTitle', { count: 2 }))
    expect(sending.choices).toEqual([
      { choice: 'keepRunning', label: t('life.keepRunning') },
      { choice: 'quitNow', label: t('life.quitNow') },
      { choice: 'sendFirst', label: t('life.sendFirst') },
    ])
    const stuck = quitQuestion({ count: 1, isSending: false }, texts)
    expect(stuck.choices.map(({ choice }) => choice)).toEqual(['keepRunning', 'quitNow'])
  },
)

it.each<[string, Parameters<typeof statusWith>[0], boolean]>([
  ['are sent now', {}, true],
  ['wait for a person to resume', { mode: paused('person') }, false],
  ['wait for the service', { service: TROUBLE }, false],
])('pending are cases that wait and cases being sent, which %s', (_which, changes, isSending) => {
  const counts = { waiting: 3, sending: 2, review: 9, unconfirmed: 1 }
  expect(countPending(statusWith({ counts, ...changes }))).toEqual({ count: 5, isSending })
})

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
    expect(done).toEqual(['wake', 'mark', 'the session ends', 'mark', 'the computer shuts down'])
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
      const clock = new ManualClock(1_000_000)
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
