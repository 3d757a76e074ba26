import { EventEmitter } from 'node:events'
import { describe, expect, it } from 'vitest'
import { catchBugs } from '../../../src-main/electron/bug-catcher.ts'
import { ManualClock } from '../station/service/manual-clock.ts'
import { recordingLogger } from './recording-logger.ts'

function run() {
  const process = new EventEmitter()
  const clock = new ManualClock()
  const logger = recordingLogger()
  const done: string[] = []
  catchBugs({
    process,
    clock,
    logger,
    end: (reason, exitCode) => {
      done.push(`end ${reason} ${exitCode}`)
      return Promise.resolve()
    },
    relaunch: () => done.push('relaunch'),
  })
  return { process, clock, logger, done }
}

describe('a bug', () => {
  it.each(['uncaughtException', 'unhandledRejection'])(
    'ends a steady run and starts it again: %s',
    (event) => {
      const { process, clock, done } = run()
      clock.advance(60_000)
      process.emit(event, new Error('patient Ada'))
      expect(done).toEqual(['relaunch', 'end a bug 1'])
    },
  )

  it('ends a run that has just begun for good', () => {
    const { process, clock, done } = run()
    clock.advance(59_999)
    process.emit('uncaughtException', new Error('again'))
    expect(done).toEqual(['end a bug 1'])
  })

  it('is told by its kind and place, not by its message, and a second one only told', () => {
    const { process, logger, done } = run()
    process.emit('uncaughtException', new RangeError('patient Ada'))
    process.emit('unhandledRejection', 'a word')
    expect(logger.lines).toMatchObject([
      {
        level: 'error',
        facts: { kind: 'RangeError', at: expect.stringMatching(/^bug-catcher\.test\.ts:\d+:\d+$/) },
      },
      { level: 'error', facts: { kind: 'string', at: '' } },
    ])
    expect(JSON.stringify(logger.lines)).not.toContain('Ada')
    expect(done).toHaveLength(1)
  })
})
