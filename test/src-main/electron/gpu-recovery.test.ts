import { EventEmitter } from 'node:events'
import { expect, it } from 'vitest'
import { recoverGpu } from '../../../src-main/electron/crash-history.ts'
import { ManualClock } from '../station/service/manual-clock.ts'
import { recordingLogger } from './recording-logger.ts'

function scene({ isGpuDisabled = false, isEnding = false } = {}) {
  const app = new EventEmitter()
  const clock = new ManualClock()
  const logger = recordingLogger()
  const done: string[] = []
  recoverGpu({
    app,
    clock,
    logger,
    isEnding: () => isEnding,
    isGpuDisabled,
    restartWithoutGpu: () => done.push('restart'),
  })
  const gone = (type = 'GPU', reason = 'crashed'): void =>
    void app.emit('child-process-gone', {}, { type, reason, exitCode: 1 })
  return { clock, logger, done, gone }
}

it('the third crash of the graphics process within half a minute starts the app again without it, once', () => {
  const { clock, done, gone } = scene()
  gone()
  gone()
  clock.advance(30_000)
  gone()
  gone()
  expect(done).toEqual([])
  gone()
  gone()
  expect(done).toEqual(['restart'])
})

it.each([
  ['is drawn without it already', { isGpuDisabled: true }, 'GPU', 'crashed'],
  ['is about to end', { isEnding: true }, 'GPU', 'crashed'],
  ['sees it end for good reason', {}, 'GPU', 'clean-exit'],
  ['loses another process, which Chromium starts again by itself', {}, 'Utility', 'crashed'],
])('nothing is started again where the app %s', (_name, given, type, reason) => {
  const { done, gone } = scene(given)
  for (let count = 0; count < 5; count += 1) gone(type, reason)
  expect(done).toEqual([])
})
