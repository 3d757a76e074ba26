/** Crashes of the app and of its page: counted from run to run, and what follows from them. */
import { EventEmitter } from 'node:events'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate as settle } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import {
  catchBugs,
  decideStart,
  openCrashHistory,
  recoverRenderer,
} from '../../../src-main/electron/crashes.ts'
import { DAY, MINUTE } from '../../../src-shared/durations.ts'
import { createRecordingLogger } from '../../tools/recording-logger.ts'
import { temporaryFolder } from '../../tools/temporary-folder.ts'
import { ManualClock } from '../station/service/manual-clock.ts'

describe('a bug', () => {
  function run({ isSafe = false } = {}) {
    const process = new EventEmitter()
    const logger = createRecordingLogger()
    const done: string[] = []
    catchBugs({
      process,
      logger,
      isSafe: () => isSafe,
      recordCrash: () => done.push('record'),
      end: (reason, exitCode) => {
        done.push(`end ${reason} ${exitCode}`)
        return Promise.resolve()
      },
      relaunch: () => done.push('relaunch'),
    })
    return { process, logger, done }
  }

  it.each([
    ['uncaughtException', false, ['record', 'relaunch', 'end a bug 1']],
    ['unhandledRejection', false, ['record', 'relaunch', 'end a bug 1']],
    // Nothing is left to leave out.
    ['uncaughtException', true, ['record', 'end a bug 1']],
  ])('ends the run and starts it again: %s, but not in safe mode (%s)', (event, isSafe, expected) => {
    const { process, done } = run({ isSafe })
    process.emit(event, new Error('patient Ada'))
    expect(done).toEqual(expected)
  })

  it('is logged by its kind and origin, not by its message, and a second one only logged', () => {
    const { process, logger, done } = run()
    process.emit('uncaughtException', new RangeError('patient Ada'))
    process.emit('unhandledRejection', 'a text')
    const at: unknown = expect.stringMatching(/^crashes\.test\.ts:\d+:\d+$/)
    expect(logger.lines).toMatchObject([
      { level: 'error', facts: { kind: 'RangeError', at } },
      { level: 'error', facts: { kind: 'string', at: '' } },
    ])
    expect(JSON.stringify(logger.lines)).not.toContain('Ada')
    expect(done).toHaveLength(3)
  })
})

const NOW = 100_000_000
const BOOTED = NOW - 50_000_000
/** So many, one every six minutes: never three within ten. */
const everySixMinutes = (count: number): number[] =>
  Array.from({ length: count }, (_none, index) => NOW - (count - 1 - index) * 6 * MINUTE)
const run = (startedAt: number) => ({ pid: 1, startedAt, dataFolder: '/data' })

describe('the crash history at a start', () => {
  it.each([
    ['the first start', null, [], []],
    ['after a clean end', null, [NOW - MINUTE], [NOW - MINUTE]],
    ['after an end that was not recorded', run(NOW - MINUTE), [], [NOW]],
    ['after the computer was switched off', run(BOOTED - 1), [], []],
    ['forgets what is a day old', null, [NOW - DAY, NOW - DAY + 1], [NOW - DAY + 1]],
    ['forgets a crash in the future: the clock was set back', null, [NOW + 1], []],
  ])('%s', (_name, current, crashedAt, expected) => {
    const path = join(temporaryFolder(), 'runs.json')
    writeFileSync(path, JSON.stringify({ current, crashedAt }))
    const options = { path, clock: new ManualClock(NOW), bootedAt: BOOTED, pid: 1, dataFolder: '/data' }
    openCrashHistory({ ...options, onTrouble: () => undefined })
    expect(JSON.parse(readFileSync(path, 'utf8'))).toMatchObject({ crashedAt: expected })
  })

  it.each([
    [[], { as: 'working', waitMs: 0, crashes: 0 }],
    [[NOW], { as: 'working', waitMs: 1_000, crashes: 1 }],
    [[NOW - 5 * MINUTE], { as: 'working', waitMs: 0, crashes: 1 }],
    [[NOW - 5 * MINUTE, NOW - 2_000], { as: 'working', waitMs: 8_000, crashes: 2 }],
    [[NOW - 9 * MINUTE, NOW - 5 * MINUTE, NOW], { as: 'safe', waitMs: 0, crashes: 3 }],
    [[NOW - 11 * MINUTE, NOW - 5 * MINUTE, NOW], { as: 'working', waitMs: 10_000, crashes: 2 }],
    [everySixMinutes(9), { as: 'working', waitMs: 10_000, crashes: 2 }],
    [everySixMinutes(10), { as: 'safe', waitMs: 0, crashes: 2 }],
  ] as const)('after crashes at %j', (crashedAt, expected) => {
    expect(decideStart(crashedAt, NOW)).toEqual(expected)
  })
})

describe('the crash history', () => {
  function history() {
    const path = join(temporaryFolder(), 'account', 'runs.json')
    const clock = new ManualClock(NOW)
    const troubles: string[] = []
    const open = () =>
      openCrashHistory({
        path,
        clock,
        bootedAt: BOOTED,
        pid: 4_711,
        dataFolder: '/data',
        onTrouble: () => troubles.push('trouble'),
      })
    return { path, clock, troubles, open }
  }

  it('leads into safe mode at the fourth start after three kills, and out of it again by time', () => {
    const { clock, open } = history()
    const starts: string[] = []
    for (let count = 0; count < 4; count += 1) {
      starts.push(open().start.as)
      clock.advance(MINUTE)
    }
    expect(starts).toEqual(['working', 'working', 'working', 'safe'])
    open().end('clean')
    clock.advance(11 * MINUTE)
    expect(open().start).toEqual({ as: 'working', waitMs: 0, crashes: 0 })
  })

  it('leads into safe mode at the tenth crash of a slow loop, once, and the next start is a normal one', () => {
    const { clock, open } = history()
    const starts: string[] = []
    for (let count = 0; count < 11; count += 1) {
      const one = open()
      starts.push(one.start.as)
      clock.advance(6 * MINUTE)
      one.end(count < 10 ? 'crash' : 'clean')
    }
    expect(starts).toEqual([...Array<string>(10).fill('working'), 'safe'])
    clock.advance(10 * MINUTE)
    expect(open().start.as).toBe('working')
  })

  it('counts a crash once, however clean the rest of that run was', () => {
    const { path, open } = history()
    const one = open()
    one.end('crash')
    one.end('clean')
    expect(open().start.crashes).toBe(1)
    expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual({
      current: { pid: 4_711, startedAt: NOW, dataFolder: '/data' },
      crashedAt: [NOW],
    })
  })

  it.each(['', '{', '[]', '{"crashedAt":"often"}'])('is empty if its file is damaged: %j', (text) => {
    const { path, open } = history()
    open().end('crash')
    writeFileSync(path, text)
    expect(open().start).toEqual({ as: 'working', waitMs: 0, crashes: 0 })
  })

  it('that cannot be written stops nothing, and says so', () => {
    const { path, troubles, open } = history()
    mkdirSync(`${path}.tmp`, { recursive: true })
    open().end('clean')
    expect(troubles).toEqual(['trouble', 'trouble'])
  })
})

function windowWithPage() {
  const done: string[] = []
  const clock = new ManualClock()
  const logger = createRecordingLogger()
  const state = { isEnding: false }
  const webContents = Object.assign(new EventEmitter(), {
    reload: (): void => void done.push('reload'),
    forcefullyCrashRenderer: (): void => {
      done.push('kill')
      webContents.emit('render-process-gone', {}, { reason: 'killed', exitCode: 9 })
    },
  })
  const window = Object.assign(new EventEmitter(), { webContents })
  const { promise: answered, resolve: answer } = Promise.withResolvers<void>()
  recoverRenderer({
    window,
    clock,
    logger,
    shutdown: { isRunning: () => !state.isEnding },
    askToTryAgain: () => {
      done.push('ask')
      return answered
    },
  })
  const crash = (reason = 'crashed'): void =>
    void webContents.emit('render-process-gone', {}, { reason, exitCode: 5 })
  return { window, webContents, clock, logger, state, done, crash, answer }
}

describe('the window', () => {
  it.each([false, true])(
    'shows the screens again three times, and then when a person wants it, unless the app ends: %s',
    async (isEnding) => {
      const { done, state, crash, answer } = windowWithPage()
      for (const reason of ['crashed', 'clean-exit', 'oom', 'crashed', 'crashed', 'crashed']) crash(reason)
      expect(done).toEqual(['reload', 'reload', 'reload', 'ask'])
      state.isEnding = isEnding
      answer()
      await settle()
      crash()
      expect(done.slice(4)).toEqual(isEnding ? [] : ['reload', 'ask'])
    },
  )

  it.each([
    [-6, true, ['reload']],
    [-3, true, []],
    [-6, false, []],
  ])(
    'reloads a page that failed with %i in the main frame (%s), unless another replaced it',
    (code, isMain, expected) => {
      const { webContents, done } = windowWithPage()
      webContents.emit('did-fail-load', {}, code, '', 'app://station/index.html', isMain)
      expect(done).toEqual(expected)
    },
  )

  it('waits half a minute for a page that does not respond, and then loads it again', () => {
    const { window, done, clock, logger } = windowWithPage()
    window.emit('unresponsive')
    clock.advance(29_000)
    window.emit('responsive')
    clock.advance(60_000)
    expect(done).toEqual([])
    window.emit('unresponsive')
    clock.advance(30_000)
    expect(done).toEqual(['kill', 'reload'])
    expect(logger.lines.at(-1)).toMatchObject({ facts: { reason: 'killed', mending: 'reload' } })
  })
})
