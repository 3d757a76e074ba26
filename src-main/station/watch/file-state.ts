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
import type { FileStamp, Incompleteness } from '../intake/inspect-file.ts'
import { pauseBeforeReopeningMs } from './patience.ts'
import { observe, verdictOf, type Settling } from './settling.ts'
import type { SettledFile } from './watcher.ts'

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
