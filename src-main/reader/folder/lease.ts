/**
 * Which of several stations may take the files of a folder. Each station writes a small lease file there; another one
 * is alive if its counter changes while we watch. Only our own monotonic clock counts: clocks of two machines are
 * never compared. The decisions come first and are pure; the keeper of the file follows.
 */
import { closeSync, lstatSync, readSync, renameSync, statSync, unlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { MINUTE, SECOND } from '../../../src-shared/durations.ts'
import { errorCode } from '../../station/lib/errors.ts'
import { openSourceNow } from '../../station/lib/files.ts'
import { PlannedRun } from '../../station/lib/schedule.ts'
import type { Clock } from '../../station/ports.ts'
import type { FolderGuard, StationName } from '../watch-messages.ts'

/** The leading dot hides the file and makes every walk skip it. */
export const LEASE_NAME = '.fundus-courier-lease'
export const REFRESH_EVERY_MS = 30 * SECOND
/** A station whose counter has not changed for this long while we watched is gone. */
export const STALE_AFTER_MS = 3 * MINUTE
/** A longer gap between two checks proves nothing: a machine that slept did not watch. */
const MAX_CHECK_GAP_MS = 2 * REFRESH_EVERY_MS
/** How long a station that wrote at the same time has to show up after our write. */
export const ACQUIRE_PAUSE_MS = 2 * SECOND
/** After a longer read-to-write time, we may have overwritten a lease that was already held. */
const MAX_WRITE_MS = SECOND
/** Leases of others are checked more often than ours is written, so that a released folder does not wait. */
const CHECK_OTHER_MS = 10 * SECOND
/** Fewer than the write intervals that another station waits for. */
const MAX_REFUSALS = 2
const MAX_HOST_NAME_LENGTH = 100

/** The content of a lease file. `writtenAt` uses the writer's own clock and serves people who open the file. */
export type Lease = {
  readonly stationId: string
  readonly hostName: string
  readonly beat: number
  readonly writtenAt: string
}

/** The content found in the lease file. `mark` differs whenever the content does. */
export type FoundLease =
  | { readonly kind: 'none' | 'ours' }
  /** `hostName` is null if the file cannot be parsed: it is honoured anyway while it changes. */
  | { readonly kind: 'other'; readonly mark: string; readonly hostName: string | null }

export type LeaseState =
  /** Nothing was seen yet, or not recently. */
  | { readonly kind: 'unseen' }
  /** Ours is written, but another station may have written at the same time. */
  | { readonly kind: 'acquiring'; readonly untilMs: number }
  /** `refusals` counts the failed rewrites since. */
  | { readonly kind: 'held'; readonly writtenMs: number; readonly refusals: number }
  /** Ours cannot be written, and no other station is alive. `stale` is the lease of a station that is gone. */
  | { readonly kind: 'unguarded'; readonly stale: string | null; readonly triedMs: number }
  | {
      readonly kind: 'taken'
      readonly mark: string
      readonly hostName: string | null
      /** How long its counter has not changed while we watched. */
      readonly stillMs: number
      readonly seenMs: number
    }

/** What to do next; after `write`, call `afterWrite` or `afterRefusedWrite`. */
export type LeaseStep = { readonly state: LeaseState; readonly next: 'write' | 'nothing' }

export function leaseText(lease: Lease): string {
  return `${JSON.stringify(lease)}\n`
}

/** Classifies the text of a lease file as nothing, ours, or another station's. */
export function readLease(text: string | null, stationId: string): FoundLease {
  if (text === null) return { kind: 'none' }
  const lease = parse(text)
  if (lease?.['stationId'] === stationId) return { kind: 'ours' }
  const hostName = lease?.['hostName']
  return { kind: 'other', mark: text, hostName: typeof hostName === 'string' ? displayName(hostName) : null }
}

/** The step after reading the lease file at the monotonic instant `atMs`. */
export function afterRead(state: LeaseState, found: FoundLease, atMs: number): LeaseStep {
  switch (found.kind) {
    case 'none':
      return { state, next: isTooSoon(state, atMs) ? 'nothing' : 'write' }
    case 'ours':
      return afterOurs(state, atMs)
    case 'other':
      return afterOther(state, found, atMs)
  }
}

/** `found` is the reading before the write; `tookMs` is the time from that reading to its end. */
export function afterWrite(found: FoundLease, tookMs: number, atMs: number): LeaseState {
  if (found.kind === 'ours') return { kind: 'held', writtenMs: atMs, refusals: 0 }
  const pauseMs = tookMs > MAX_WRITE_MS ? REFRESH_EVERY_MS + ACQUIRE_PAUSE_MS : ACQUIRE_PAUSE_MS
  return { kind: 'acquiring', untilMs: atMs + pauseMs }
}

/** The state after writing our lease failed: the folder is watched unguarded. */
export function afterRefusedWrite(state: LeaseState, atMs: number): LeaseState {
  // Another program may hold the file for a moment; our lease is still in it.
  if (state.kind === 'held' && state.refusals < MAX_REFUSALS)
    return { ...state, writtenMs: atMs, refusals: state.refusals + 1 }
  return { kind: 'unguarded', stale: state.kind === 'taken' ? state.mark : null, triedMs: atMs }
}

/** May files be taken? While the lease is being acquired they may only be inspected. */
export function mayTake(state: LeaseState): boolean {
  return state.kind === 'held' || state.kind === 'unguarded'
}

export function untilNextCheckMs(state: LeaseState, atMs: number): number {
  switch (state.kind) {
    case 'acquiring':
      return Math.max(state.untilMs - atMs, 0)
    case 'held':
      return Math.max(state.writtenMs + REFRESH_EVERY_MS - atMs, 0)
    case 'unguarded':
      return Math.max(state.triedMs + REFRESH_EVERY_MS - atMs, 0)
    case 'taken':
    case 'unseen':
      return CHECK_OTHER_MS
  }
}

function isTooSoon(state: LeaseState, atMs: number): boolean {
  return state.kind === 'unguarded' && atMs < state.triedMs + REFRESH_EVERY_MS
}

function afterOurs(state: LeaseState, atMs: number): LeaseStep {
  if (state.kind === 'acquiring' && atMs < state.untilMs) return { state, next: 'nothing' }
  if (state.kind === 'held')
    return { state, next: atMs < state.writtenMs + REFRESH_EVERY_MS ? 'nothing' : 'write' }
  // Acquired for long enough, or ours from before a restart: rewritten so that its counter advances.
  return { state: { kind: 'held', writtenMs: -Infinity, refusals: 0 }, next: 'write' }
}

function afterOther(
  before: LeaseState,
  { mark, hostName }: Extract<FoundLease, { kind: 'other' }>,
  atMs: number,
): LeaseStep {
  if (before.kind === 'unguarded' && before.stale === mark) {
    return isTooSoon(before, atMs)
      ? { state: before, next: 'nothing' }
      : { state: { kind: 'taken', mark, hostName, stillMs: STALE_AFTER_MS, seenMs: atMs }, next: 'write' }
  }
  const isStill = before.kind === 'taken' && before.mark === mark
  const stillMs = isStill ? before.stillMs + Math.min(atMs - before.seenMs, MAX_CHECK_GAP_MS) : 0
  return {
    state: { kind: 'taken', mark, hostName, stillMs, seenMs: atMs },
    next: stillMs >= STALE_AFTER_MS ? 'write' : 'nothing',
  }
}

function parse(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : null
  } catch {
    return null
  }
}

/** Anyone may write this file and the name appears on a screen, so only plain characters and a limited length. */
function displayName(hostName: string): string | null {
  const name = hostName.replaceAll(/[^\p{L}\p{N}._ -]/gu, '').trim()
  return name === '' ? null : name.slice(0, MAX_HOST_NAME_LENGTH)
}

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
  readonly onGuard: (guard: FolderGuard, hostName: string | null) => void
  /** The folder is to be swept: its files may be taken from now on, or it is gone. */
  readonly onSweepDue: () => void
}

const GUARDS: Readonly<Record<LeaseState['kind'], FolderGuard | null>> = {
  unseen: null,
  acquiring: 'guarded',
  held: 'guarded',
  unguarded: 'unguarded',
  taken: 'taken',
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

  isTaken(): boolean {
    return this.#state.kind === 'taken'
  }

  /** May a file be emitted now? Checks the lease again if the last check is too old. */
  mayTake(): boolean {
    const { clock } = this.#options
    // Monotonic clocks may stop while a machine sleeps, and wall clocks may be set: the larger counts.
    const sinceMs = Math.max(clock.monotonicMs() - this.#checkedMs, Math.abs(clock.now() - this.#checkedAt))
    if (sinceMs >= CHECK_VALID_MS) this.check()
    return mayTake(this.#state)
  }

  check(): void {
    if (this.#isClosed) return
    const { root, station, clock, isThere } = this.#options
    const before = this.#state
    const startedMs = clock.monotonicMs()
    this.#checkedMs = startedMs
    this.#checkedAt = clock.now()
    const found = isThere() ? findLease(root, station.stationId) : 'away'
    if (found === 'away') return this.#setState(before, { kind: 'unseen' })
    const { state, next } = afterRead(before, found, startedMs)
    if (next === 'nothing') return this.#setState(before, state)
    this.#beat += 1
    const writtenAt = new Date(clock.now()).toISOString()
    const written = writeLease(root, { ...station, beat: this.#beat, writtenAt })
    const endedMs = clock.monotonicMs()
    if (written === 'written') this.#setState(before, afterWrite(found, endedMs - startedMs, endedMs))
    else if (written === 'refused') this.#setState(before, afterRefusedWrite(state, endedMs))
    else this.#setState(before, { kind: 'unseen' })
  }

  close(): void {
    this.#isClosed = true
    this.#nextCheck.cancel()
    if (this.#state.kind !== 'taken') removeLease(this.#options.root, this.#options.station.stationId)
  }

  #setState(before: LeaseState, state: LeaseState): void {
    const { clock, onGuard, onSweepDue } = this.#options
    this.#state = state
    this.#nextCheck.cancel()
    this.#nextCheck.runIn(untilNextCheckMs(state, clock.monotonicMs()))
    const guard = GUARDS[state.kind]
    if (guard !== null && guard !== this.#lastGuard) {
      this.#lastGuard = guard
      onGuard(guard, state.kind === 'taken' ? state.hostName : null)
    }
    const isGone = state.kind === 'unseen' && before.kind !== 'unseen'
    if (isGone || (mayTake(state) && !mayTake(before))) onSweepDue()
  }
}

/** `away`: the folder itself is missing. */
function findLease(root: string, stationId: string): FoundLease | 'away' {
  const path = join(root, LEASE_NAME)
  try {
    const stats = lstatSync(path)
    const { size, mtimeMs, ino } = stats
    const text = stats.isFile() ? readText(path) : null
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

/** The text of a small file; null if it is larger or cannot be read. Throws ENOENT if it is gone. */
function readText(path: string): string | null {
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

/** A lease that another station now holds stays. */
function removeLease(root: string, stationId: string): void {
  removeBestEffort(temporaryPath(root, stationId))
  const found = findLease(root, stationId)
  if (found !== 'away' && found.kind === 'ours') removeBestEffort(join(root, LEASE_NAME))
}

/**
 * What cannot be removed now is overwritten at the next start, or becomes stale. Not with `rmSync` and `force`: in
 * Node 24.12 and 24.13 on Windows it removes nothing, and says nothing, if a path has letters beyond ASCII.
 */
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
    removeBestEffort(temporary)
    // `wx` creates the file, so that a planted link is never followed.
    writeFileSync(temporary, leaseText(lease), { flag: 'wx', mode: LEASE_MODE })
    renameSync(temporary, join(root, LEASE_NAME))
    return 'written'
  } catch (error) {
    if (errorCode(error) === undefined) throw error
    removeBestEffort(temporary)
    return isFolder(root) ? 'refused' : 'away'
  }
}
