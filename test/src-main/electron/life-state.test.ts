import { describe, expect, it } from 'vitest'
import { type ShutdownEvent, type ShutdownState, transition } from '../../../src-main/electron/shutdown.ts'

const STATES: Readonly<Record<ShutdownState['kind'], ShutdownState>> = {
  running: { kind: 'running' },
  asking: { kind: 'asking' },
  sendingFirst: { kind: 'sendingFirst' },
  sessionEnding: { kind: 'sessionEnding' },
  stopping: { kind: 'stopping', exitCode: 0 },
  stopped: { kind: 'stopped', exitCode: 0 },
}
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

/** What becomes of each state; what is not named changes nothing. */
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
    // Somebody has thought again.
    'quit, cases wait': 'asking: ask',
    'none left': 'stopping: stopStation',
    'session may end': 'sessionEnding: nothing',
    'must end': 'stopping: stopStation',
  },
  sessionEnding: {
    // Nobody is asked anything while the session ends.
    'quit, nothing waits': 'stopping: stopStation',
    'quit, cases wait': 'stopping: stopStation',
    'session may end': 'sessionEnding: nothing',
    'session goes on': 'running: nothing',
    'must end': 'stopping: stopStation',
  },
  stopping: {},
  stopped: {},
}

describe('the life of the app', () => {
  for (const [from, state] of Object.entries(STATES))
    it.each(Object.entries(EVENTS))(`${from}, and then: %s`, (name, event) => {
      const { state: next, effect: act } = transition(state, event)
      const expected = TABLE[from as ShutdownState['kind']][name as keyof typeof EVENTS] ?? `${from}: nothing`
      expect(`${next.kind}: ${act}`).toBe(expected)
    })

  it('leads from stopping to the exit with the code that it began with, and never back', () => {
    const { state } = transition(STATES.running, { kind: 'mustEnd', exitCode: 1 })
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
