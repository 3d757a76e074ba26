/** Scheduling of recurring and long work: loops, time slices and planned runs. */
import { setImmediate } from 'node:timers/promises'
import type { Clock, Logger } from '../ports.ts'
import { errorName } from './errors.ts'
import { storageFaultOf, StorageStopped } from './storage-faults.ts'

/** Recurring work that sleeps until it is due or woken. */
export type Loop = {
  wake(): void
  /** Resolves after a current run has ended; nothing runs afterwards. */
  close(): Promise<void>
}

/** A queue of tasks: call the answer with a task. One that fails does not keep the next from running. */
export function serially(): <Value>(task: () => Promise<Value>) => Promise<Value> {
  let last: Promise<unknown> = Promise.resolve()
  return (task) => {
    const done = last.then(task)
    last = done.catch(() => undefined)
    return done
  }
}

/** Longer sleeps are split: clocks jump and machines sleep. */
const LONGEST_SLEEP_MS = 60_000

/**
 * Runs `run` at once, then at the instant that it returns, or when woken; never twice at a time. A defect is logged,
 * and the loop goes on after a pause. A failed outbox ends it: nothing works until the next start.
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
      if (error instanceof StorageStopped || storageFaultOf(error) === 'broken') {
        phase = 'closed'
        return
      }
      logger.error(`${options.name} stopped unexpectedly`, { error: errorName(error) })
      nextAt = clock.now() + LONGEST_SLEEP_MS
    }
    // Read `phase` again: during the await, a wake or a close may have changed it.
    const now = phase as 'running' | 'wokenWhileRunning' | 'closed'
    if (now === 'closed') return
    phase = 'idle'
    if (now === 'wokenWhileRunning') wake()
    else sleepUntil(nextAt)
  }

  function wake(): void {
    if (phase === 'closed') return
    if (phase !== 'idle') phase = 'wokenWhileRunning'
    else {
      cancelSleep?.()
      phase = 'running'
      current = runOnce()
    }
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

/** Waits for what may never end, and no longer than this. */
export async function waitAtMost(
  clock: Pick<Clock, 'after'>,
  limitMs: number,
  work: Promise<unknown>,
): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const cancel = clock.after(limitMs, resolve)
  await Promise.race([work, promise]).finally(cancel)
}

/** A share did not answer in time. The code is that of a computer that is silent. */
export class ShareSilent extends Error {
  override name = 'ShareSilent' as const
  readonly code = 'ETIMEDOUT'

  constructor() {
    super('The share does not answer.')
  }
}

/** Does something with a file or folder, and rejects with `ShareSilent` if that hangs. */
export type LimitedWait = <Value>(path: string, act: () => Promise<Value>) => Promise<Value>

/**
 * Waits `limitMs` at most for what may never come. What hangs cannot be ended: it takes one of the few threads that the
 * whole program has for files. So nothing else is begun at that path until it ends, and the next one fails at once.
 */
export function limitedWaits(clock: Pick<Clock, 'after'>, limitMs: number): LimitedWait {
  /** How many hang at each path. */
  const hanging = new Map<string, number>()
  return async (path, act) => {
    if (hanging.has(path)) throw new ShareSilent()
    const silence = Promise.withResolvers<never>()
    let isHanging = false
    const cancel = clock.after(limitMs, () => {
      isHanging = true
      hanging.set(path, (hanging.get(path) ?? 0) + 1)
      silence.reject(new ShareSilent())
    })
    const acting = (async () => act())()
    const release = (): void => {
      if (!isHanging) return
      const others = (hanging.get(path) ?? 1) - 1
      if (others === 0) hanging.delete(path)
      else hanging.set(path, others)
    }
    acting.then(release, release)
    try {
      return await Promise.race([acting, silence.promise])
    } finally {
      cancel()
    }
  }
}

/** This many list items take a few milliseconds. */
const SLICE = 250

export async function eachSlice<Item>(
  items: readonly Item[],
  work: (slice: readonly Item[]) => void,
): Promise<void> {
  for (let start = 0; start < items.length; start += SLICE) {
    if (start > 0) await setImmediate()
    work(items.slice(start, start + SLICE))
  }
}

/** The work of one slice. With its commit and the effects of that, it stays under 50 ms. */
const SLICE_MS = 20

/** Yields the thread between slices. `work` may iterate over its slice again, as a repeated transaction does. */
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

/** One planned run: an earlier plan replaces a later one, never the reverse. */
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
