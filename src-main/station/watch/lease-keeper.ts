import { SECOND } from '../../../src-shared/durations.ts'
import type { Clock } from '../ports.ts'
import { findLease, removeLease, writeLease } from './lease-file.ts'
import {
  afterRead,
  afterRefusedWrite,
  afterWrite,
  mayTake,
  untilNextCheckMs,
  type LeaseState,
} from './lease.ts'
import { PlannedRun } from './planned-run.ts'
import type { FolderGuard, StationName } from './watcher.ts'

/** A look that is older than this vouches for nothing: this machine may have slept since. */
const CHECK_VALID_MS = 5 * SECOND

export type LeaseKeeperOptions = {
  readonly root: string
  readonly station: StationName
  readonly clock: Clock
  /** Is this the folder that is meant? The place where a share is missing is another folder, and nothing is written there. */
  readonly isThere: () => boolean
  /** The guard is another one now; `hostName` is the computer that holds the folder, where that is known. */
  readonly onGuard: (guard: FolderGuard, hostName: string | null) => void
  /** What lies in the folder may be taken from now on. */
  readonly onMayTake: () => void
  /** The folder is not there. */
  readonly onAway: () => void
}

/** Keeps our lease on one folder, or waits until another station lets go of it. */
export class LeaseKeeper {
  readonly #options: LeaseKeeperOptions
  readonly #nextCheck: PlannedRun
  #state: LeaseState = { kind: 'unseen' }
  #lastGuard: FolderGuard | null = null
  #beat = 0
  #checkedMs = -Infinity
  #checkedAt = -Infinity
  #isClosed = false

  constructor(options: LeaseKeeperOptions) {
    this.#options = options
    this.#nextCheck = new PlannedRun(options.clock, () => this.check())
  }

  /** Is the folder held by another station, as far as was seen? */
  isTaken(): boolean {
    return this.#state.kind === 'taken'
  }

  /** May a file be handed on now? Looks anew where the last look is too old to say so. */
  mayTake(): boolean {
    const { clock } = this.#options
    // The monotonic clock may stand still while a machine sleeps, the other may be set: the larger of both counts.
    const sinceMs = Math.max(clock.monotonicMs() - this.#checkedMs, Math.abs(clock.now() - this.#checkedAt))
    if (sinceMs >= CHECK_VALID_MS) this.check()
    return mayTake(this.#state)
  }

  /** Looks at the lease in the folder, and writes ours where it is time to. */
  check(): void {
    if (this.#isClosed) return
    const { root, station, clock, isThere } = this.#options
    const before = this.#state
    const startedMs = clock.monotonicMs()
    this.#checkedMs = startedMs
    this.#checkedAt = clock.now()
    const found = isThere() ? findLease(root, station.stationId) : 'away'
    if (found === 'away') {
      this.#setState(before, { kind: 'unseen' })
      return
    }
    const { state, next } = afterRead(before, found, startedMs)
    if (next === 'nothing') {
      this.#setState(before, state)
      return
    }
    this.#beat += 1
    const written = writeLease(root, {
      ...station,
      beat: this.#beat,
      writtenAt: new Date(clock.now()).toISOString(),
    })
    const endedMs = clock.monotonicMs()
    if (written === 'written') this.#setState(before, afterWrite(found, endedMs - startedMs, endedMs))
    else if (written === 'refused') this.#setState(before, afterRefusedWrite(state, endedMs))
    else this.#setState(before, { kind: 'unseen' })
  }

  /** Lets go of the folder. */
  close(): void {
    this.#isClosed = true
    this.#nextCheck.cancel()
    if (this.#state.kind !== 'taken') removeLease(this.#options.root, this.#options.station.stationId)
  }

  #setState(before: LeaseState, state: LeaseState): void {
    const { clock, onGuard, onMayTake, onAway } = this.#options
    this.#state = state
    this.#nextCheck.cancel()
    this.#nextCheck.runIn(untilNextCheckMs(state, clock.monotonicMs()))
    const guard = guardOf(state)
    if (guard !== null && guard !== this.#lastGuard) {
      this.#lastGuard = guard
      onGuard(guard, state.kind === 'taken' ? state.hostName : null)
    }
    if (mayTake(state) && !mayTake(before)) onMayTake()
    if (state.kind === 'unseen' && before.kind !== 'unseen') onAway()
  }
}

/** Null where nothing can be said. A folder that is being claimed is as good as guarded. */
function guardOf(state: LeaseState): FolderGuard | null {
  switch (state.kind) {
    case 'unseen':
      return null
    case 'claiming':
    case 'held':
      return 'guarded'
    case 'unguarded':
      return 'unguarded'
    case 'taken':
      return 'taken'
  }
}
