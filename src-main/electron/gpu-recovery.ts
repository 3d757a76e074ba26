/**
 * The other processes of Chromium. It starts them again by itself; a graphics process that dies again and again it
 * gives up at last, and the whole app with it. Before that the app starts itself again and draws without the graphics
 * card: slower, and on every machine.
 */
import { SECOND } from '../../src-shared/durations.ts'
import type { Clock, Logger } from '../station/ports.ts'
import { createRateLimit } from './crash-allowance.ts'

/** The third within half a minute is one too many. */
const GPU_CRASH_LIMIT = { most: 2, withinMs: 30 * SECOND }

/** The part of `app` that is needed. */
export type ChildWatcher = {
  on(
    event: 'child-process-gone',
    listener: (
      event: unknown,
      details: { readonly type: string; readonly reason: string; readonly exitCode: number },
    ) => void,
  ): unknown
}

export function recoverGpu(options: {
  readonly app: ChildWatcher
  readonly clock: Pick<Clock, 'monotonicMs'>
  readonly logger: Logger
  readonly isEnding: () => boolean
  /** Is it drawn without the graphics card already? Then there is nothing left to leave out. */
  readonly isGpuDisabled: boolean
  readonly restartWithoutGpu: () => void
}): void {
  const { app, clock, logger, isEnding, isGpuDisabled } = options
  const mayCrash = createRateLimit(clock, GPU_CRASH_LIMIT)
  let isRestarting = false
  app.on('child-process-gone', (_event, { type, reason, exitCode }) => {
    if (isEnding() || reason === 'clean-exit') return
    logger.warn('a process of the window ended unexpectedly', { type, reason, exitCode })
    if (type !== 'GPU' || isGpuDisabled || isRestarting || mayCrash()) return
    isRestarting = true
    logger.error('the graphics process fails again and again; starting again without the graphics card')
    options.restartWithoutGpu()
  })
}
