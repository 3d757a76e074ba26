import { storageFaultOf, StorageStopped } from './outbox/storage-faults.ts'
import type { Clock, Logger } from './ports.ts'

/** A piece of recurring work that sleeps until its next due time or until it is woken. */
export type Loop = {
  wake(): void
  /** Resolves when the run that may be going on has ended; nothing runs after that. */
  close(): Promise<void>
}

/** A timer beyond this is set in steps: clocks jump and machines sleep, so no sleep is trusted for longer. */
const LONGEST_SLEEP_MS = 60_000

function isOutboxBroken(error: unknown): boolean {
  return error instanceof StorageStopped || storageFaultOf(error) === 'broken'
}

/**
 * Runs `run` at once, and again at the instant that it answers with, or when woken.
 *
 * Never two runs at a time; a wake during a run causes one more. What a run throws is a bug: it is reported and
 * the loop goes on after a pause, so that one defect does not silence the station. An outbox that has failed is none:
 * that was told once, and nothing is to be done until the next start, so the loop ends.
 */
export function openLoop(options: {
  readonly name: string
  readonly clock: Clock
  readonly logger: Logger
  readonly run: () => Promise<number | null>
}): Loop {
  const { clock, logger } = options
  let phase: 'idle' | 'running' | 'wokenWhileRunning' | 'closed' = 'idle'
  let cancelSleep: (() => void) | null = null
  let current: Promise<void> = Promise.resolve()

  const sleepUntil = (at: number | null): void => {
    cancelSleep?.()
    if (at === null) return
    const delayMs = Math.min(Math.max(at - clock.now(), 0), LONGEST_SLEEP_MS)
    cancelSleep = clock.after(delayMs, wake)
  }

  const runOnce = async (): Promise<void> => {
    let nextAt: number | null
    try {
      nextAt = await options.run()
    } catch (error) {
      if (isOutboxBroken(error)) {
        phase = 'closed'
        return
      }
      logger.error(`${options.name} stopped unexpectedly`, {
        error: error instanceof Error ? error.name : 'unknown',
      })
      nextAt = clock.now() + LONGEST_SLEEP_MS
    }
    // Read anew: while the run was awaited, a wake or a close may have changed it.
    const now = phase as 'running' | 'wokenWhileRunning' | 'closed'
    if (now === 'closed') return
    phase = 'idle'
    if (now === 'wokenWhileRunning') wake()
    else sleepUntil(nextAt)
  }

  function wake(): void {
    if (phase === 'closed') return
    if (phase !== 'idle') {
      phase = 'wokenWhileRunning'
      return
    }
    cancelSleep?.()
    phase = 'running'
    current = runOnce()
  }

  wake()
  return {
    wake,
    close: async () => {
      phase = 'closed'
      cancelSleep?.()
      await current
    },
  }
}
