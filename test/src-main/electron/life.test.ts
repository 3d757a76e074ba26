import { EventEmitter } from 'node:events'
import { setImmediate as settle } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { beginLife } from '../../../src-main/electron/life.ts'
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

function begin(stopStation: () => Promise<void> = () => Promise.resolve()) {
  const app = new FakeApp()
  const clock = new ManualClock()
  const logger = recordingLogger()
  const stops: string[] = []
  const life = beginLife({
    app,
    clock,
    logger,
    stopStation: () => {
      stops.push('stop')
      return stopStation()
    },
  })
  return { app, clock, logger, stops, life }
}

describe('the life of the app', () => {
  it('goes on when the last window closes', () => {
    const { app, life } = begin()
    expect(app.emit('window-all-closed')).toBe(true)
    expect([life.isRunning(), app.exits]).toEqual([true, []])
  })

  it('stops the station before it exits, once, however often it is asked', async () => {
    const gate = Promise.withResolvers<void>()
    const { app, stops, life } = begin(() => gate.promise)
    expect(app.quit()).toBe(false)
    expect(app.quit()).toBe(false)
    void life.end('the session ends')
    await settle()
    expect([stops, app.exits, life.isRunning()]).toEqual([['stop'], [], false])
    gate.resolve()
    await settle()
    expect([stops, app.exits]).toEqual([['stop'], [0]])
    expect(app.quit()).toBe(true)
  })

  it('exits all the same where the station does not stop in time', async () => {
    const { app, clock, logger, life } = begin(() => new Promise(() => undefined))
    const ending = life.end('asked in the tray')
    await settle()
    expect(app.exits).toEqual([])
    clock.advance(4_000)
    await ending
    expect(app.exits).toEqual([0])
    expect(logger.lines.map(({ level }) => level)).toEqual(['info', 'warn'])
  })

  it('exits all the same where the station cannot stop, and keeps the code of a bug', async () => {
    const { app, clock, logger, life } = begin(() => Promise.reject(new TypeError('H-00017')))
    await life.end('a bug', 1)
    expect(app.exits).toEqual([1])
    expect(clock.timerCount).toBe(0)
    expect(logger.lines.at(-1)).toMatchObject({ level: 'error', facts: { kind: 'TypeError' } })
    expect(JSON.stringify(logger.lines)).not.toContain('H-00017')
  })
})
