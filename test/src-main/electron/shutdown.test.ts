/** The shutdown of the app: its states, its effects and the question to a person. */
import { EventEmitter } from 'node:events'
import { setImmediate as settle } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { type QuitChoice, quitQuestion } from '../../../src-main/electron/dialogs.ts'
import {
  countPending,
  createShutdown,
  type ShutdownEvent,
  type ShutdownState,
  transition,
} from '../../../src-main/electron/shutdown.ts'
import { hostTexts } from '../../../src-main/electron/texts.ts'
import { createRecordingLogger } from '../../tools/recording-logger.ts'
import { paused, statusWith, TROUBLE } from './status-with.ts'
import { ManualClock } from '../station/service/manual-clock.ts'

const EVENTS = {
  'quit, nothing waits': { kind: 'quitAsked', onTheWay: 0 },
  'quit, cases wait': { kind: 'quitAsked', onTheWay: 2 },
  'keep running': { kind: 'answered', choice: 'keepRunning', onTheWay: 2 },
  'quit now': { kind: 'answered', choice: 'quitNow', onTheWay: 2 },
  'send first': { kind: 'answered', choice: 'sendFirst', onTheWay: 2 },
  'send first, all gone': { kind: 'answered', choice: 'sendFirst', onTheWay: 0 },
  'one left': { kind: 'countChanged', onTheWay: 1 },
  'none left': { kind: 'countChanged', onTheWay: 0 },
  'session may end': { kind: 'sessionEndAsked' },
  'session goes on': { kind: 'sessionGoesOn' },
  'must end': { kind: 'mustEnd', exitCode: 0 },
} as const satisfies Readonly<Record<string, ShutdownEvent>>

/** What becomes of each state; an event that is not named changes nothing. */
const TABLE: Readonly<Record<ShutdownState['kind'], Partial<Record<keyof typeof EVENTS, string>>>> = {
  running: {
    'quit, nothing waits': 'stopping: stopStation',
    'quit, cases wait': 'asking: ask',
    'session may end': 'sessionEnding: nothing',
    'must end': 'stopping: stopStation',
  },
  asking: {
    'keep running': 'running: nothing',
    'quit now': 'stopping: stopStation',
    'send first': 'sendingFirst: nothing',
    'send first, all gone': 'stopping: stopStation',
    'session may end': 'sessionEnding: nothing',
    'must end': 'stopping: stopStation',
  },
  sendingFirst: {
    'quit, nothing waits': 'stopping: stopStation',
    // The person has reconsidered.
    'quit, cases wait': 'asking: ask',
    'none left': 'stopping: stopStation',
    'session may end': 'sessionEnding: nothing',
    'must end': 'stopping: stopStation',
  },
  sessionEnding: {
    // No dialog opens while the session ends.
    'quit, nothing waits': 'stopping: stopStation',
    'quit, cases wait': 'stopping: stopStation',
    'session may end': 'sessionEnding: nothing',
    'session goes on': 'running: nothing',
    'must end': 'stopping: stopStation',
  },
  stopping: {},
  stopped: {},
}

describe('the states of the shutdown', () => {
  it.each(Object.entries(TABLE))('%s leads only to the states of the table', (from, expected) => {
    const state = { kind: from, exitCode: 0 } as ShutdownState
    for (const [name, event] of Object.entries(EVENTS)) {
      const next = transition(state, event)
      const wanted = expected[name as keyof typeof EVENTS] ?? `${from}: nothing`
      expect([name, `${next.state.kind}: ${next.effect}`]).toEqual([name, wanted])
    }
  })

  it('leads from stopping to the exit with the code that it began with, and never back', () => {
    const { state } = transition({ kind: 'running' }, { kind: 'mustEnd', exitCode: 1 })
    expect(transition(state, { kind: 'mustEnd', exitCode: 0 }).state).toEqual({
      kind: 'stopping',
      exitCode: 1,
    })
    expect(transition(state, { kind: 'stationStopped' })).toEqual({
      state: { kind: 'stopped', exitCode: 1 },
      effect: 'exit',
    })
  })
})

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
  const shutdown = createShutdown({
    app,
    clock,
    logger,
    stopStation: () => {
      stops.push('stop')
      return stopStation()
    },
    pendingCases: () => Promise.resolve({ count: waiting, isSending: true }),
    askToQuit: ({ count }) => {
      asked.push(count)
      return answered
    },
    beforeExit: () => {
      ended.push(`${stops.length} stopped, ${app.exits.length} exits`)
      return Promise.resolve()
    },
  })
  return { app, clock, logger, stops, asked, ended, answer, shutdown }
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

  it('is overtaken by the system, which asks no one', async () => {
    const { app, asked, answer, shutdown } = begin({ waiting: 1 })
    void shutdown.askToQuit('in the tray')
    await settle()
    await shutdown.end('the session ends')
    answer('keepRunning')
    await settle()
    expect([asked, app.exits]).toEqual([[1], [0]])
  })

  it('is not asked while the session ends, and again after it was called off', async () => {
    const { app, clock, asked, answer, shutdown } = begin({ waiting: 1 })
    shutdown.sessionEndAsked()
    expect([shutdown.isSessionEnding(), shutdown.isRunning()]).toEqual([true, true])
    clock.advance(60_000)
    expect(shutdown.isSessionEnding()).toBe(false)
    answer('keepRunning')
    await shutdown.askToQuit('in the tray')
    expect([asked, app.exits]).toEqual([[1], []])
    shutdown.sessionEndAsked()
    app.quit()
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
