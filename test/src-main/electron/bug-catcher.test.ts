import { EventEmitter } from 'node:events'
import { describe, expect, it } from 'vitest'
import { catchBugs } from '../../../src-main/electron/crash-history.ts'
import { recordingLogger } from './recording-logger.ts'

function run({ isSafe = false } = {}) {
  const process = new EventEmitter()
  const logger = recordingLogger()
  const done: string[] = []
  catchBugs({
    process,
    logger,
    isSafe: () => isSafe,
    recordCrash: () => done.push('mark'),
    end: (reason, exitCode) => {
      done.push(`end ${reason} ${exitCode}`)
      return Promise.resolve()
    },
    relaunch: () => done.push('relaunch'),
  })
  return { process, logger, done }
}

describe('a bug', () => {
  it.each(['uncaughtException', 'unhandledRejection'])(
    'is marked, ends the run and starts it again: %s',
    (event) => {
      const { process, done } = run()
      process.emit(event, new Error('patient Ada'))
      expect(done).toEqual(['mark', 'relaunch', 'end a bug 1'])
    },
  )

  it('in safe mode ends the run for good: there is nothing left to leave out', () => {
    const { process, done } = run({ isSafe: true })
    process.emit('uncaughtException', new Error('again'))
    expect(done).toEqual(['mark', 'end a bug 1'])
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
    expect(done).toHaveLength(3)
  })
})
