import { setImmediate } from 'node:timers/promises'
import type { Clock, Logger } from '../ports.ts'
import { storageFaultOf, StorageStopped } from './storage-faults.ts'

/** A piece of recurring work that sleeps until its next due time or until it is woken. */
export type Loop = {
  wake(): void
  /** Resolves when the run that may be going on has ended; nothing runs after that. */
  close(): Promise<void>
}

/**
 * A queue in which one task runs after the other, in the order of asking; one that fails does not keep the next from
 * running. Call the answer with a task; it resolves or rejects as the task does.
 */
export function serially(): <Value>(task: () => Promise<Value>) => Promise<Value> {
  let last: Promise<unknown> = Promise.resolve()
  return (task) => {
    const done = last.then(task)
    last = done.catch(() => undefined)
    return done
  }
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

/** So many cases of a list are looked at in a few milliseconds. */
const SLICE = 250

/** Works through a long list in slices and lets others have the thread between two of them. */
export async function eachSlice<Item>(
  items: readonly Item[],
  work: (slice: readonly Item[]) => void,
): Promise<void> {
  for (let start = 0; start < items.length; start += SLICE) {
    if (start > 0) await setImmediate()
    work(items.slice(start, start + SLICE))
  }
}

/** So long one slice works; its commit and what follows from it come on top, and all of it stays under 50 ms. */
const SLICE_MS = 20

/**
 * Works through a long list for a few milliseconds at a time and lets others have the thread in between. `work` goes
 * through the slice that it is given; going through it a second time begins anew, as a transaction that is run again.
 */
export async function eachTimeSlice<Item>(
  items: readonly Item[],
  clock: Pick<Clock, 'monotonicMs'>,
  work: (slice: Iterable<Item>) => void,
): Promise<void> {
  let start = 0
  while (start < items.length) {
    if (start > 0) await setImmediate()
    let end = start
    const from = start
    const slice = {
      *[Symbol.iterator]() {
        const until = clock.monotonicMs() + SLICE_MS
        end = from
        do {
          const item = items[end] as Item
          end += 1
          yield item
        } while (end < items.length && clock.monotonicMs() < until)
      },
    }
    work(slice)
    if (end === start) throw new Error('a slice was not worked through')
    start = end
  }
}

/** One run that is planned for some time: a nearer plan replaces a farther one, never the other way round. */
export class PlannedRun {
  readonly #clock: Clock
  readonly #run: () => void
  #dueMs = Infinity
  #cancel = (): void => undefined

  constructor(clock: Clock, run: () => void) {
    this.#clock = clock
    this.#run = run
  }

  runIn(delayMs: number): void {
    const dueMs = this.#clock.monotonicMs() + delayMs
    if (this.#dueMs <= dueMs) return
    this.cancel()
    this.#dueMs = dueMs
    this.#cancel = this.#clock.after(delayMs, () => {
      this.#dueMs = Infinity
      this.#run()
    })
  }

  cancel(): void {
    this.#dueMs = Infinity
    this.#cancel()
  }
}
