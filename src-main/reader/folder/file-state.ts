/**
 * The state of one file in a watched folder, its transitions and its note. `file-book.ts` acts on them.
 *
 * - settling    watched until it stops changing
 * - opening     unchanged for the settle time; its content is about to be inspected
 * - incomplete  incomplete or not readable; reopened at growing intervals
 * - whole       emitted as settled, not acknowledged yet
 * - done        acknowledged; ignored while it stays unchanged
 * - leftAlone   not a file that the station takes; ignored while it stays unchanged
 *
 * Any change of size or modification time returns a file to settling.
 */
import { isSameStamp } from '../../station/lib/poison.ts'
import { HOUR, MINUTE, SECOND } from '../../../src-shared/durations.ts'
import type { FileNote } from '../../../src-shared/station-status.ts'
import type { WordingKey } from '../../../src-shared/wording.ts'
import type { FileStamp, Incompleteness } from '../messages.ts'
import type { SettledFile } from '../watch-messages.ts'

/** Cameras keep a file open while the photographer views the next image, rarely for longer than half a minute. */
const MIN_PATIENCE_MS = 30 * SECOND
/** A long settle time means a slow export, which may also pause for longer. */
const PATIENCE_IN_SETTLE_TIMES = 10
const MIN_PAUSE_MS = 250
const MAX_PAUSE_MS = 10 * MINUTE

/** How long an incomplete file may stay unchanged before it counts as overdue. */
export function patienceMs(settleMs: number): number {
  return Math.max(MIN_PATIENCE_MS, PATIENCE_IN_SETTLE_TIMES * settleMs)
}

/** What is noted of an incomplete file that has stayed unchanged for `waitedMs`. */
export function incompleteNote(
  why: Incompleteness,
  waitedMs: number,
  settleMs: number,
): { readonly kind: 'arriving' | 'truncated' | 'unreadable'; readonly reason: NoteReason } {
  if (waitedMs < patienceMs(settleMs))
    return { kind: 'arriving', reason: `intake:watch.${why === 'busy' ? 'inUse' : 'stillWritten'}` }
  const kind = why === 'empty' || why === 'truncated' ? 'truncated' : 'unreadable'
  return { kind, reason: why === 'malformed' ? 'intake:image.damaged' : `intake:watch.overdue.${why}` }
}

/** The pause before reopening an incomplete file, half of its wait: some shares update its time only on close. */
export function pauseBeforeReopeningMs(waitedMs: number, settleMs: number): number {
  const shortest = Math.max(settleMs, MIN_PAUSE_MS)
  return Math.min(Math.max(waitedMs / 2, shortest), Math.max(MAX_PAUSE_MS, shortest))
}

/** The minimum settle time: a file settles only after two observations at different instants. */
const MIN_SETTLE_MS = 50

/** Instants are monotonic. Modification times are compared only with one another: cameras have their own clocks. */
export type FileState = FileStamp &
  (
    | {
        readonly kind: 'settling'
        readonly firstSeenMs: number
        readonly unchangedSinceMs: number
        readonly isLively: boolean
        readonly checkAtMs: number
      }
    | { readonly kind: 'opening'; readonly unchangedSinceMs: number }
    | {
        readonly kind: 'incomplete'
        readonly why: Incompleteness
        readonly incompleteSinceMs: number
        readonly checkAtMs: number
      }
    | { readonly kind: 'whole'; readonly content: SettledFile['content'] }
    | { readonly kind: 'done' }
    // `sinceMs`: unchanged since then, while another process reads it.
    | { readonly kind: 'leftAlone'; readonly sinceMs?: number }
  )

/** `isHinted`: the operating system just reported a change. `atMs` is monotonic. */
export type FileObservation = FileStamp & { readonly atMs: number; readonly isHinted: boolean }

const MIN_CHECK_INTERVAL_MS = 50
const MAX_CHECK_INTERVAL_MS = 1_000

export function afterCheck(before: FileState | null, seen: FileObservation, settleMs: number): FileState {
  if (before === null) return settle(null, seen, settleMs, seen.isHinted)
  const isSame = isSameStamp(before, seen)
  if (before.kind === 'settling') {
    return settle(before, seen, settleMs, before.isLively || seen.isHinted || !isSame)
  }
  if (!isSame) return settle(null, seen, settleMs, true)
  return before.kind === 'incomplete' ? afterUnchangedCheck(before, seen, settleMs) : before
}

/** An unchanged incomplete file is reopened when it is due; a hint moves that forward. */
function afterUnchangedCheck(
  before: Extract<FileState, { kind: 'incomplete' }>,
  seen: FileObservation,
  settleMs: number,
): FileState {
  const { incompleteSinceMs } = before
  if (seen.atMs < before.checkAtMs) {
    const soonMs = seen.atMs + Math.max(settleMs, MIN_CHECK_INTERVAL_MS)
    return seen.isHinted && soonMs < before.checkAtMs ? { ...before, checkAtMs: soonMs } : before
  }
  if (before.why === 'empty') return afterIncomplete(incompleteSinceMs, seen, 'empty', seen.atMs, settleMs)
  return { ...stampOf(seen), kind: 'opening', unchangedSinceMs: incompleteSinceMs }
}

/** The state of a file found incomplete at `atMs`; `sinceMs` is its last change. Both are monotonic. */
export function afterIncomplete(
  sinceMs: number,
  stamp: FileStamp,
  why: Incompleteness,
  atMs: number,
  settleMs: number,
): Extract<FileState, { kind: 'incomplete' }> {
  const checkAtMs = atMs + pauseBeforeReopeningMs(atMs - sinceMs, settleMs)
  return { ...stampOf(stamp), kind: 'incomplete', why, incompleteSinceMs: sinceMs, checkAtMs }
}

function settle(
  before: Extract<FileState, { kind: 'settling' }> | null,
  seen: FileObservation,
  settleMs: number,
  isLively: boolean,
): FileState {
  const { atMs } = seen
  const unchangedSinceMs = before !== null && isSameStamp(before, seen) ? before.unchangedSinceMs : atMs
  const settledMs = unchangedSinceMs + Math.max(settleMs, MIN_SETTLE_MS)
  if (atMs >= settledMs && seen.sizeBytes === 0)
    return afterIncomplete(unchangedSinceMs, seen, 'empty', atMs, settleMs)
  if (atMs >= settledMs) return { ...stampOf(seen), kind: 'opening', unchangedSinceMs }
  const untilMs = Math.max(settledMs, atMs + 1)
  const checkAtMs = isLively ? Math.min(untilMs, atMs + checkIntervalMs(settleMs)) : untilMs
  const firstSeenMs = before?.firstSeenMs ?? atMs
  return { ...stampOf(seen), kind: 'settling', firstSeenMs, unchangedSinceMs, isLively, checkAtMs }
}

/** How often a growing file is checked without hints: often enough to overshoot the settle time only slightly. */
function checkIntervalMs(settleMs: number): number {
  return Math.min(Math.max(settleMs / 4, MIN_CHECK_INTERVAL_MS), MAX_CHECK_INTERVAL_MS)
}

/** When a file is checked next, monotonic. */
export function checkAtMsOf(state: FileState): number {
  return state.kind === 'settling' || state.kind === 'incomplete' ? state.checkAtMs : Infinity
}

/** A file that another process reads goes on to be incomplete, if it is, since its last change. */
export function leftToOther(state: FileState): FileState {
  const since = state.kind === 'opening' ? { sinceMs: state.unchangedSinceMs } : {}
  return { ...stampOf(state), kind: 'leftAlone', ...since }
}

export const NO_STAMP: FileStamp = { sizeBytes: 0, mtimeMs: 0 }

/** A re-export usually follows soon; for this long after ingest, each sweep still checks the file. */
export const SKIP_AFTER_MS = HOUR

export function stampOf({ sizeBytes, mtimeMs }: FileStamp): FileStamp {
  return { sizeBytes, mtimeMs }
}

/** Why an entry of the folder is noted: the last part of the key of its message. */
export type NoteReason = Extract<WordingKey, `intake:watch.${string}` | 'intake:image.damaged'>

/** What is noted of entries that are found but not opened. */
export const ENTRY_NOTES = {
  link: ['ignored', 'intake:watch.link'],
  unnameable: ['unreadable', 'intake:watch.unnameable'],
  tooDeep: ['ignored', 'intake:watch.tooDeep'],
  deleted: ['ignored', 'intake:watch.deletedFiles'],
} as const satisfies Record<string, readonly [FileNote['kind'], NoteReason]>

/** How often in a row a file was read again in vain, and the monotonic instant of the last time. */
export type VainReads = { readonly count: number; readonly atMs: number }

export const NO_VAIN_READS: VainReads = { count: 0, atMs: -Infinity }

const VAIN_READS_FORGOTTEN_MS = 2 * HOUR

/** One more, at this instant. What touched a file has ended after a while: then the count starts again. */
export function oneMoreInVain(vain: VainReads, atMs: number): VainReads {
  const before = atMs - vain.atMs > VAIN_READS_FORGOTTEN_MS ? 0 : vain.count
  return { count: before + 1, atMs }
}

export const FIRST_RECHECK_MS = 15 * SECOND
const LONGEST_RECHECK_MS = HOUR

/**
 * The monotonic instant at which a file that is doubted at `atMs` may be read: after the settle time, and after a wait
 * that grows with each read in vain. Some file systems state another change time at each look, some report our reading.
 */
export function recheckDueMs(vain: VainReads, atMs: number, settleMs: number): number {
  const waitMs = vain.count === 0 ? 0 : Math.min(FIRST_RECHECK_MS * 2 ** (vain.count - 1), LONGEST_RECHECK_MS)
  return Math.max(atMs + settleMs, vain.atMs + waitMs)
}
