/**
 * When has a file settled? Decided from what we saw ourselves: sizes, times of change, and our own monotonic clock.
 * The times of a file are only ever compared with one another, never with a clock: cameras and shares have their own.
 */

/** One look at a file. `atMs` is monotonic. */
export type Observation = { readonly sizeBytes: number; readonly mtimeMs: number; readonly atMs: number }

/** What the looks so far showed: the file as it is now, and since when. */
export type Settling = {
  readonly sizeBytes: number
  readonly mtimeMs: number
  readonly firstSeenMs: number
  readonly unchangedSinceMs: number
}

export type SettlingVerdict =
  /** Not before this monotonic instant can it have settled. */
  | { readonly kind: 'wait'; readonly untilMs: number }
  /** Unchanged for the settle time: time to open it. */
  | { readonly kind: 'ready' }
  /** Unchanged for the settle time, and empty: nothing to open yet. */
  | { readonly kind: 'empty' }

/** The least settle time: a verdict takes two looks, and two looks at one instant are one. */
const MIN_SETTLE_MS = 50

export function observe(before: Settling | null, seen: Observation): Settling {
  if (before === null || before.sizeBytes !== seen.sizeBytes || before.mtimeMs !== seen.mtimeMs) {
    return {
      sizeBytes: seen.sizeBytes,
      mtimeMs: seen.mtimeMs,
      firstSeenMs: before?.firstSeenMs ?? seen.atMs,
      unchangedSinceMs: seen.atMs,
    }
  }
  return before
}

/** The verdict at a look; `atMs` is the monotonic instant of that look. */
export function verdictOf(settling: Settling, settleMs: number, atMs: number): SettlingVerdict {
  const untilMs = settling.unchangedSinceMs + Math.max(settleMs, MIN_SETTLE_MS)
  if (atMs < untilMs) return { kind: 'wait', untilMs }
  return settling.sizeBytes === 0 ? { kind: 'empty' } : { kind: 'ready' }
}
