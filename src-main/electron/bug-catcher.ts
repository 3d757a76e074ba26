/**
 * What nobody expected: told, marked, and then the process ends, because nobody knows what it would do next. It starts
 * itself again; how, and how soon, the run book decides. Out of safe mode it does not: there is nothing left to leave out.
 */
import type { Logger } from '../station/ports.ts'

export type BugCatcherOptions = {
  readonly process: Pick<NodeJS.EventEmitter, 'on'>
  readonly logger: Logger
  /** Is only the screens' part running? */
  readonly isSafe: () => boolean
  /** Writes down that this run ended by itself. */
  readonly recordCrash: () => void
  readonly end: (reason: string, exitCode: number) => Promise<void>
  readonly relaunch: () => void
}

export function catchBugs({ process, logger, isSafe, recordCrash, end, relaunch }: BugCatcherOptions): void {
  let isEnding = false
  const handle = (error: unknown): void => {
    logger.error('a bug ends this run', {
      kind: error instanceof Error ? error.name : typeof error,
      // Only where in our code: a message may quote what it stumbled over.
      at: error instanceof Error ? firstFrame(error) : '',
    })
    if (isEnding) return
    isEnding = true
    recordCrash()
    if (!isSafe()) relaunch()
    void end('a bug', 1)
  }
  process.on('uncaughtException', handle)
  process.on('unhandledRejection', handle)
}

function firstFrame(error: Error): string {
  const frame = error.stack?.split('\n').find((line) => line.trimStart().startsWith('at ')) ?? ''
  return /([\w.-]+:\d+:\d+)\)?$/.exec(frame)?.[1] ?? ''
}
