/**
 * What nobody expected: told, and then the process ends, because nobody knows what it would do next. It starts itself
 * again, unless it has just done so.
 */
import { MINUTE } from '../../src-shared/durations.ts'
import type { Clock, Logger } from '../station/ports.ts'

/** One that ends within a minute would do so again and again; then a person is needed. */
const STEADY_AFTER_MS = MINUTE

export type BugCatcherOptions = {
  readonly process: Pick<NodeJS.EventEmitter, 'on'>
  readonly clock: Clock
  readonly logger: Logger
  readonly end: (reason: string, exitCode: number) => Promise<void>
  readonly relaunch: () => void
}

export function catchBugs({ process, clock, logger, end, relaunch }: BugCatcherOptions): void {
  const startedAt = clock.monotonicMs()
  let isEnding = false
  const handle = (error: unknown): void => {
    logger.error('a bug ends this run', {
      kind: error instanceof Error ? error.name : typeof error,
      // Only where in our code: a message may quote what it stumbled over.
      at: error instanceof Error ? firstFrame(error) : '',
    })
    if (isEnding) return
    isEnding = true
    if (clock.monotonicMs() - startedAt >= STEADY_AFTER_MS) relaunch()
    void end('a bug', 1)
  }
  process.on('uncaughtException', handle)
  process.on('unhandledRejection', handle)
}

function firstFrame(error: Error): string {
  const frame = error.stack?.split('\n').find((line) => line.trimStart().startsWith('at ')) ?? ''
  return /([\w.-]+:\d+:\d+)\)?$/.exec(frame)?.[1] ?? ''
}
