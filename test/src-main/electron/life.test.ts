import { EventEmitter } from 'node:events'
import { setImmediate as settle } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { createShutdown, type QuitChoice } from '../../../src-main/electron/shutdown.ts'
import { ManualClock } from '../station/service/manual-clock.ts'
import { recordingLogger } from './recording-logger.ts'

class FakeApp extends EventEmitter {
  readonly exits: number[] = []
  exit(code: number): void {
    this.exits.push(code)
  }
  /** As Electron does: true where nobody prevented it. */
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
  const logger = recordingLogger()
  const stops: string[] = []
  const asked: number[] = []
  const ended: number[] = []
  const lastly: string[] = []
  const scene = { waiting, answer: Promise.withResolvers<QuitChoice>() }
  const life = createShutdown({
    app,
    clock,
    logger,
    stopStation: () => {
      stops.push('stop')
      return stopStation()
    },
    pendingCases: () => Promise.resolve({ count: scene.waiting, isSending: true }),
    askToQuit: ({ count }) => {
      asked.push(count)
      return scene.answer.promise
    },
    beforeExit: () => {
      lastly.push(`${stops.length} stopped, ${app.exits.length} exits`)
      return Promise.resolve()
    },
    onEnded: (exitCode) => ended.push(exitCode),
  })
  return { lastly, app, clock, logger, stops, asked, ended, scene, life }
}

describe('what is to be done last', () => {
  it('is done between the end of the station and the exit', async () => {
    const { app, life, lastly } = begin()
    await life.end('the session ends')
    expect(lastly).toEqual(['1 stopped, 0 exits'])
    expect(app.exits).toEqual([0])
  })

  it('leaves it known that the session is ending until the end begins', async () => {
    const { life } = begin()
    expect(life.isSessionEnding()).toBe(false)
    life.sessionEndAsked()
    expect([life.isSessionEnding(), life.isRunning()]).toEqual([true, true])
    await life.askToQuit('asked to quit')
    expect(life.isSessionEnding()).toBe(false)
  })
})

describe('the end of the app', () => {
  it('does not come when the last window closes', () => {
    const { app, life } = begin()
    expect(app.emit('window-all-closed')).toBe(true)
    expect([life.isRunning(), app.exits]).toEqual([true, []])
  })

  it('stops the station before it exits, once, however often it is asked', async () => {
    const gate = Promise.withResolvers<void>()
    const { app, stops, ended, life } = begin({ stopStation: () => gate.promise })
    expect(app.quit()).toBe(false)
    expect(app.quit()).toBe(false)
    void life.end('the session ends')
    await settle()
    expect([stops, app.exits, life.isRunning()]).toEqual([['stop'], [], false])
    gate.resolve()
    await settle()
    expect([stops, app.exits, ended]).toEqual([['stop'], [0], [0]])
    expect(app.quit()).toBe(true)
  })

  it('comes all the same where the station does not stop in time', async () => {
    const { app, clock, logger, life } = begin({ stopStation: () => new Promise(() => undefined) })
    const ending = life.end('an update waits')
    await settle()
    expect(app.exits).toEqual([])
    clock.advance(4_000)
    await ending
    expect(app.exits).toEqual([0])
    expect(logger.lines.map(({ level }) => level)).toEqual(['info', 'warn'])
  })

  it('comes all the same where the station cannot stop, and keeps the code of a bug', async () => {
    const { app, clock, logger, ended, life } = begin({
      stopStation: () => Promise.reject(new TypeError('H-00017')),
    })
    await life.end('a bug', 1)
    expect([app.exits, ended]).toEqual([[1], [1]])
    expect(clock.timerCount).toBe(0)
    expect(logger.lines.at(-1)).toMatchObject({ level: 'error', facts: { kind: 'TypeError' } })
    expect(JSON.stringify(logger.lines)).not.toContain('H-00017')
  })
})

describe('a person who wants to quit', () => {
  it('is not asked where nothing waits', async () => {
    const { app, asked, life } = begin()
    await life.askToQuit('in the tray')
    expect([asked, app.exits]).toEqual([[], [0]])
  })

  it('is asked once where cases wait, and nothing ends before the answer, nor by it', async () => {
    const { app, asked, stops, scene, life } = begin({ waiting: 3 })
    void life.askToQuit('in the tray')
    app.quit()
    await settle()
    expect([asked, stops, life.isRunning()]).toEqual([[3], [], true])
    scene.answer.resolve('keepRunning')
    await settle()
    expect([stops, app.exits, life.isRunning()]).toEqual([[], [], true])
  })

  it('who lets them go first sees the app end with the last of them', async () => {
    const { app, scene, life } = begin({ waiting: 2 })
    scene.answer.resolve('sendFirst')
    await life.askToQuit('in the tray')
    life.pendingChanged(1)
    await settle()
    expect(app.exits).toEqual([])
    life.pendingChanged(0)
    await settle()
    expect(app.exits).toEqual([0])
  })

  it('is overtaken by the system, which asks nobody', async () => {
    const { app, asked, scene, life } = begin({ waiting: 1 })
    void life.askToQuit('in the tray')
    await settle()
    await life.end('the session ends')
    scene.answer.resolve('keepRunning')
    await settle()
    expect([asked, app.exits]).toEqual([[1], [0]])
  })

  it('is not asked while the session ends, and again once it was called off', async () => {
    const { app, clock, asked, scene, life } = begin({ waiting: 1 })
    life.sessionEndAsked()
    clock.advance(60_000)
    scene.answer.resolve('keepRunning')
    await life.askToQuit('in the tray')
    expect([asked, app.exits]).toEqual([[1], []])
    life.sessionEndAsked()
    app.quit()
    await settle()
    expect([asked, app.exits]).toEqual([[1], [0]])
  })
})
