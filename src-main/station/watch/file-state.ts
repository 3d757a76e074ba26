/**
 * What is known of one file in a watched folder, and what a look at it changes. Pure: every move is made here, every
 * deed elsewhere.
 *
 * - settling    it is watched until it stays as it is
 * - opening     it has stayed as it is, and its content is about to be looked at
 * - incomplete  its content was not whole, or could not be opened; it is opened again from time to time
 * - whole       it was told, and nobody has dealt with it yet
 * - done        it was dealt with; nothing more while it stays as it is
 * - leftAlone   it is nothing that is taken; nothing more while it stays as it is
 *
 * A look that shows another size or time of change leads from everywhere to settling.
 */
import { MINUTE, SECOND } from '../../../src-shared/durations.ts'
import type { FileNote } from '../../../src-shared/station-status.ts'
import type { FileStamp, Incompleteness } from '../intake/inspect-file.ts'
import type { SettledFile } from './watch.ts'

/** Cameras keep a file open while the photographer looks at the next image; half a minute is a long look. */
const MIN_PATIENCE_MS = 30 * SECOND

/** A clinic that sets a long settle time has a slow export, which may pause for longer, too. */
const PATIENCE_IN_SETTLE_TIMES = 10

const MIN_PAUSE_MS = 250

const MAX_PAUSE_MS = 10 * MINUTE

/** How long an incomplete file may stay as it is before it is called more than late. */
export function patienceMs(settleMs: number): number {
  return Math.max(MIN_PATIENCE_MS, PATIENCE_IN_SETTLE_TIMES * settleMs)
}

/** What an incomplete file is called after `waitedMs` without a change. */
export function noteKindOf(
  why: Incompleteness,
  waitedMs: number,
  settleMs: number,
): Extract<FileNote['kind'], 'arriving' | 'truncated' | 'unreadable'> {
  if (waitedMs < patienceMs(settleMs)) return 'arriving'
  return why === 'empty' || why === 'truncated' ? 'truncated' : 'unreadable'
}

/**
 * How long until an unchanged incomplete file is opened again. Some shares change the time of a file only when it
 * is closed, so an unchanged look proves nothing. Each pause is half of the time waited so far: a file that is
 * broken for good costs less and less.
 */
export function pauseBeforeReopeningMs(waitedMs: number, settleMs: number): number {
  const shortest = Math.max(settleMs, MIN_PAUSE_MS)
  return Math.min(Math.max(waitedMs / 2, shortest), Math.max(MAX_PAUSE_MS, shortest))
}

/**
 * When has a file settled? Decided from what we saw ourselves: sizes, times of change, and our own monotonic clock.
 * The times of a file are only ever compared with one another, never with a clock: cameras and shares have their own.
 */

/** One look at a file. `atMs` is monotonic. */
type Observation = { readonly sizeBytes: number; readonly mtimeMs: number; readonly atMs: number }

/** What the looks so far showed: the file as it is now, and since when. */
export type Settling = {
  readonly sizeBytes: number
  readonly mtimeMs: number
  readonly firstSeenMs: number
  readonly unchangedSinceMs: number
}

type SettlingVerdict =
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

export type FileState = FileStamp &
  (
    | {
        readonly kind: 'settling'
        readonly settling: Settling
        readonly isLively: boolean
        readonly lookAtMs: number
      }
    | { readonly kind: 'opening'; readonly unchangedSinceMs: number }
    | {
        readonly kind: 'incomplete'
        readonly why: Incompleteness
        readonly incompleteSinceMs: number
        readonly lookAtMs: number
      }
    | { readonly kind: 'whole'; readonly content: SettledFile['content'] }
    | { readonly kind: 'done' }
    | { readonly kind: 'leftAlone' }
  )

/** One look. `isHinted`: something just happened to the file. `atMs` is monotonic. */
export type FileObservation = FileStamp & { readonly atMs: number; readonly isHinted: boolean }

const MIN_CHECK_INTERVAL_MS = 50

const MAX_CHECK_INTERVAL_MS = 1_000

/** How often a file that is being written is looked at, where no hint comes: often enough to miss the settle time by little. */
function checkIntervalMs(settleMs: number): number {
  return Math.min(Math.max(settleMs / 4, MIN_CHECK_INTERVAL_MS), MAX_CHECK_INTERVAL_MS)
}

export function isSameStamp(one: FileStamp, other: FileStamp): boolean {
  return one.sizeBytes === other.sizeBytes && one.mtimeMs === other.mtimeMs
}

/** The state after a look. */
export function afterCheck(before: FileState | null, seen: FileObservation, settleMs: number): FileState {
  if (before === null) return settle(null, seen, settleMs, seen.isHinted)
  const isSame = isSameStamp(before, seen)
  if (before.kind === 'settling') {
    return settle(before.settling, seen, settleMs, before.isLively || seen.isHinted || !isSame)
  }
  if (!isSame) return settle(null, seen, settleMs, true)
  return before.kind === 'incomplete' ? afterUnchangedCheck(before, seen, settleMs) : before
}

/** An unchanged incomplete file is opened again when its time has come; a hint brings that nearer. */
function afterUnchangedCheck(
  before: Extract<FileState, { kind: 'incomplete' }>,
  seen: FileObservation,
  settleMs: number,
): FileState {
  const { incompleteSinceMs } = before
  if (seen.atMs < before.lookAtMs) {
    const soonMs = seen.atMs + Math.max(settleMs, MIN_CHECK_INTERVAL_MS)
    return seen.isHinted && soonMs < before.lookAtMs ? { ...before, lookAtMs: soonMs } : before
  }
  if (before.why === 'empty') return afterIncomplete(incompleteSinceMs, seen, 'empty', seen.atMs, settleMs)
  return { ...stampOf(seen), kind: 'opening', unchangedSinceMs: incompleteSinceMs }
}

/** The state after a file was found to be incomplete at `atMs`; `sinceMs` is when it last changed. Both monotonic. */
export function afterIncomplete(
  sinceMs: number,
  stamp: FileStamp,
  why: Incompleteness,
  atMs: number,
  settleMs: number,
): Extract<FileState, { kind: 'incomplete' }> {
  const lookAtMs = atMs + pauseBeforeReopeningMs(atMs - sinceMs, settleMs)
  return { ...stampOf(stamp), kind: 'incomplete', why, incompleteSinceMs: sinceMs, lookAtMs }
}

function settle(
  before: Settling | null,
  seen: FileObservation,
  settleMs: number,
  isLively: boolean,
): FileState {
  const settling = observe(before, seen)
  const verdict = verdictOf(settling, settleMs, seen.atMs)
  const stamp = stampOf(seen)
  switch (verdict.kind) {
    case 'ready':
      return { ...stamp, kind: 'opening', unchangedSinceMs: settling.unchangedSinceMs }
    case 'empty':
      return afterIncomplete(settling.unchangedSinceMs, seen, 'empty', seen.atMs, settleMs)
    case 'wait': {
      const untilMs = Math.max(verdict.untilMs, seen.atMs + 1)
      const lookAtMs = isLively ? Math.min(untilMs, seen.atMs + checkIntervalMs(settleMs)) : untilMs
      return { ...stamp, kind: 'settling', settling, isLively, lookAtMs }
    }
  }
}

function stampOf({ sizeBytes, mtimeMs }: FileStamp): FileStamp {
  return { sizeBytes, mtimeMs }
}
