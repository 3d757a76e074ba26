/**
 * Decides which of several stations may take the files of a folder. Each station writes a small lease file there;
 * another one is alive if its counter changes while we watch. Only our own monotonic clock counts: clocks of two
 * machines are never compared. Pure.
 */
import { MINUTE, SECOND } from '../../../src-shared/durations.ts'

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
  | { readonly kind: 'none' }
  | { readonly kind: 'ours' }
  /** `hostName` is null if the file cannot be parsed: it is honoured anyway while it changes. */
  | { readonly kind: 'other'; readonly mark: string; readonly hostName: string | null }

export type LeaseState =
  /** Nothing was seen yet, or not recently. */
  | { readonly kind: 'unseen' }
  /** Ours is written, but another station may have written at the same time. */
  | { readonly kind: 'claiming'; readonly untilMs: number }
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

/**
 * The state after our lease was written. `found` is the reading before it; `tookMs` is the time from that reading to
 * the end of the write.
 */
export function afterWrite(found: FoundLease, tookMs: number, atMs: number): LeaseState {
  if (found.kind === 'ours') return { kind: 'held', writtenMs: atMs, refusals: 0 }
  const pauseMs = tookMs > MAX_WRITE_MS ? REFRESH_EVERY_MS + ACQUIRE_PAUSE_MS : ACQUIRE_PAUSE_MS
  return { kind: 'claiming', untilMs: atMs + pauseMs }
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

/** Milliseconds until the next check is due. */
export function untilNextCheckMs(state: LeaseState, atMs: number): number {
  switch (state.kind) {
    case 'claiming':
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
  if (state.kind === 'claiming' && atMs < state.untilMs) return { state, next: 'nothing' }
  if (state.kind === 'held')
    return { state, next: atMs < state.writtenMs + REFRESH_EVERY_MS ? 'nothing' : 'write' }
  // Acquired for long enough, or ours from before a restart: held at once, and rewritten so that its counter
  // advances.
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
