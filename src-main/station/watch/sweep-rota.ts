/**
 * Which files does a sweep need not look at one by one?
 *
 * Every sweep lists every folder: a new name is always found by the next one, and what is gone is missed at once.
 * Looking at each of a hundred thousand old files, only to see that it is as it was, is what costs. So in a large
 * folder, files that have been dealt with are looked at in turns, except where something is going on: where the
 * folder's own time has changed (a file came, went, or was replaced), or among the folders that changed last. The time
 * of a folder is only ever a reason to look more, never one to look less: some file systems do not keep it, and none
 * changes it when a file is written over in place. Such a file is found by the turn of its folder.
 */

/** Below this, looking at every file costs next to nothing. */
export const LARGE_FROM_FILES = 5_000
/** Every file is looked at at least once in so many sweeps. */
export const ROUNDS = 10

export class SweepSchedule {
  #round = 0
  #isLarge = false
  #active: ReadonlySet<string> = new Set()
  #times = new Map<string, number>()
  #timesBefore = new Map<string, number>()

  /** A sweep begins; `fileCount` is how many files the one before came by, `lively` are the folders that changed last. */
  begin(fileCount: number, active: readonly string[]): void {
    this.#round += 1
    this.#isLarge = fileCount >= LARGE_FROM_FILES
    this.#active = new Set(active)
    this.#timesBefore = this.#times
    this.#times = new Map()
  }

  /** Are there so many files that looking at them is spared? */
  get isLarge(): boolean {
    return this.#isLarge
  }

  /**
   * May files at rest in this folder be passed by in this sweep? `mtimeMs` is the time of the folder, null for the
   * watched folder itself: its time changes with every lease, and it is heard first of all.
   */
  canSkipFolder(folder: string, mtimeMs: number | null): boolean {
    if (!this.#isLarge) return false
    if (mtimeMs !== null) this.#times.set(folder, mtimeMs)
    const isAsBefore = mtimeMs === null || this.#timesBefore.get(folder) === mtimeMs
    return isAsBefore && !this.#active.has(folder) && roundOf(folder) !== this.#round % ROUNDS
  }
}

/** A large folder is swept no more often than so that sweeping takes this share of one processor. */
const MAX_CPU_SHARE = 0.01
/** But never more seldom than this many times the interval that was set. */
const MAX_STRETCH = 5

/** How long until the next sweep, where `sweepMs` is set and the last one took `spentMs` of a processor's time. */
export function pauseAfterSweepMs(sweepMs: number, spentMs: number): number {
  return Math.max(sweepMs, Math.min(spentMs / MAX_CPU_SHARE, MAX_STRETCH * sweepMs))
}

function roundOf(folder: string): number {
  let sum = 0
  for (let index = 0; index < folder.length; index += 1) sum = (sum * 31 + folder.charCodeAt(index)) % 65_521
  return sum % ROUNDS
}
