/**
 * The lease file on the disk, and the keeper that holds or awaits the lease of one folder. File system calls are
 * synchronous, as in all code of the watching thread.
 */
import {
  closeSync,
  lstatSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  unlinkSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { SECOND } from '../../../src-shared/durations.ts'
import { errorCode } from '../lib/errors.ts'
import { openSourceNow } from '../lib/files.ts'
import { PlannedRun } from '../lib/schedule.ts'
import type { Clock } from '../ports.ts'
import {
  afterRead,
  afterRefusedWrite,
  afterWrite,
  type FoundLease,
  type Lease,
  LEASE_NAME,
  type LeaseState,
  leaseText,
  mayTake,
  readLease,
  untilNextCheckMs,
} from './lease.ts'
import type { FolderGuard, StationName } from './watch.ts'

/** Longer than any lease; a longer file is not ours. */
const MAX_LEASE_BYTES = 4_096

/** Everyone who sees the folder must be able to read who holds it. */
const LEASE_MODE = 0o644

/** An older check proves nothing: this machine may have slept since. */
const CHECK_VALID_MS = 5 * SECOND

type LeaseKeeperOptions = {
  readonly root: string
  readonly station: StationName
  readonly clock: Clock
  /** Is this the intended folder? The mount point of a missing share is not, and nothing is written there. */
  readonly isThere: () => boolean
  /** The guard changed; `hostName` is the computer that holds the folder, if known. */
  readonly onGuard: (guard: FolderGuard, hostName: string | null) => void
  /** Files in the folder may be taken from now on. */
  readonly onMayTake: () => void
  /** The folder is missing. */
  readonly onAway: () => void
}

/** Keeps our lease on one folder, or waits until another station releases it. */
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

  /** True if another station held the folder at the last check. */
  isTaken(): boolean {
    return this.#state.kind === 'taken'
  }

  /** May a file be emitted now? Checks the lease again if the last check is too old. */
  mayTake(): boolean {
    const { clock } = this.#options
    // The monotonic clock may stop while a machine sleeps, and the wall clock may be set: the larger difference
    // counts.
    const sinceMs = Math.max(clock.monotonicMs() - this.#checkedMs, Math.abs(clock.now() - this.#checkedAt))
    if (sinceMs >= CHECK_VALID_MS) this.check()
    return mayTake(this.#state)
  }

  /** Reads the lease in the folder and writes ours if it is due. */
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

  /** Releases the folder. */
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

/** Finds a lease; `away` if the folder itself is missing. */
function findLease(root: string, stationId: string): FoundLease | 'away' {
  const path = join(root, LEASE_NAME)
  try {
    const { size, mtimeMs, ino } = lstatSync(path)
    const text = readText(path)
    // A lease that cannot be read belongs to another station as long as it changes.
    return text === null
      ? { kind: 'other', mark: `${size}:${mtimeMs}:${ino}`, hostName: null }
      : readLease(text, stationId)
  } catch (error) {
    const code = errorCode(error)
    if (code === undefined) throw error
    return code === 'ENOENT' && isFolder(root) ? { kind: 'none' } : 'away'
  }
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory()
  } catch (error) {
    if (errorCode(error) === undefined) throw error
    return false
  }
}

/** The text of a small regular file; null for anything else. Throws ENOENT if it is gone. */
function readText(path: string): string | null {
  if (!lstatSync(path).isFile()) return null
  const bytes = Buffer.alloc(MAX_LEASE_BYTES)
  try {
    const file = openSourceNow(path)
    try {
      const length = readSync(file, bytes, 0, MAX_LEASE_BYTES, 0)
      return length === MAX_LEASE_BYTES ? null : bytes.toString('utf8', 0, length)
    } finally {
      closeSync(file)
    }
  } catch (error) {
    if (errorCode(error) === undefined || errorCode(error) === 'ENOENT') throw error
    return null
  }
}

/** Removes our lease; a lease that another station now holds stays. */
function removeLease(root: string, stationId: string): void {
  removeBestEffort(temporaryPath(root, stationId))
  const found = findLease(root, stationId)
  if (found !== 'away' && found.kind === 'ours') removeBestEffort(join(root, LEASE_NAME))
}

/** A file that cannot be removed now is overwritten at the next start, or becomes stale. */
function removeBestEffort(path: string): void {
  try {
    unlinkSync(path)
  } catch (error) {
    if (errorCode(error) === undefined) throw error
  }
}

function temporaryPath(root: string, stationId: string): string {
  return join(root, `${LEASE_NAME}-${stationId.replaceAll(/[^\w-]/g, '').slice(0, 64)}.tmp`)
}

/** Writes our lease to a temporary file and renames it, so that nothing ever reads half a lease. */
function writeLease(root: string, lease: Lease): 'written' | 'refused' | 'away' {
  const temporary = temporaryPath(root, lease.stationId)
  try {
    rmSync(temporary, { force: true })
    // `wx` creates the file, so that a planted link is never followed.
    const file = openSync(temporary, 'wx', LEASE_MODE)
    try {
      writeSync(file, leaseText(lease))
    } finally {
      closeSync(file)
    }
    renameSync(temporary, join(root, LEASE_NAME))
    return 'written'
  } catch (error) {
    if (errorCode(error) === undefined) throw error
    removeBestEffort(temporary)
    return isFolder(root) ? 'refused' : 'away'
  }
}

/** Null if unknown. A folder whose lease is being acquired counts as guarded. */
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
