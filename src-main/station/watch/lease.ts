/**
 * Which of several stations may take what lies in a folder? Decided from a small file that each writes there, by what
 * we saw ourselves and by our own monotonic clock. The clocks of two machines are never compared: what tells that
 * another station lives is that its counter changes while we look on.
 */
import { MINUTE, SECOND } from '../../../src-shared/durations.ts'

/** A leading dot: hidden where that hides, and passed by in every walk. */
export const LEASE_NAME = '.fundus-courier-lease'

export const REFRESH_EVERY_MS = 30 * SECOND
/** A station whose counter has stood still for so long under our eyes is not there any more. */
export const STALE_AFTER_MS = 3 * MINUTE
/** Between two looks we vouch for no more than this: a machine that slept has not been looking. */
const MAX_CHECK_GAP_MS = 2 * REFRESH_EVERY_MS
/** After writing, another that wrote at the same time is given so long to show. */
export const ACQUIRE_PAUSE_MS = 2 * SECOND
/** Whoever took longer than this between reading and writing may have written over a lease that was held already. */
const MAX_WRITE_MS = SECOND
/** Others are looked at more often than our own is written, so that a folder they let go of does not wait. */
const CHECK_OTHER_MS = 10 * SECOND
/** Fewer than another station would wait for. */
const MAX_REFUSALS = 2
const MAX_HOST_NAME_LENGTH = 100

/** What a lease says. `writtenAt` is the writer's own clock, for people who open the file. */
export type Lease = {
  readonly stationId: string
  readonly hostName: string
  readonly beat: number
  readonly writtenAt: string
}

/** What was found under the name of the lease. `mark` differs whenever the content does. */
export type FoundLease =
  | { readonly kind: 'none' }
  | { readonly kind: 'ours' }
  /** `hostName` is null where the file cannot be understood: it is honoured all the same while it changes. */
  | { readonly kind: 'other'; readonly mark: string; readonly hostName: string | null }

export type LeaseState =
  /** Nothing was seen yet, or not lately. */
  | { readonly kind: 'unseen' }
  /** Ours stands there, perhaps not for long: another may have written at the same time. */
  | { readonly kind: 'claiming'; readonly untilMs: number }
  /** `refusals` is how often it could not be written anew since. */
  | { readonly kind: 'held'; readonly writtenMs: number; readonly refusals: number }
  /** Ours cannot be written, and no other station lives. `stale` is what a station left that is no more. */
  | { readonly kind: 'unguarded'; readonly stale: string | null; readonly triedMs: number }
  | {
      readonly kind: 'taken'
      readonly mark: string
      readonly hostName: string | null
      /** For how long its counter has stood still while we looked. */
      readonly stillMs: number
      readonly seenMs: number
    }

/** What to do next; `write` is followed by `afterWriting` or `afterRefusedWriting`. */
export type LeaseStep = { readonly state: LeaseState; readonly next: 'write' | 'nothing' }

/** The text of a lease. */
export function leaseText(lease: Lease): string {
  return `${JSON.stringify(lease)}\n`
}

/** Reads the text of a lease; whatever it is, it is nothing, ours, or somebody's. */
export function readLease(text: string | null, stationId: string): FoundLease {
  if (text === null) return { kind: 'none' }
  const lease = parse(text)
  if (lease?.['stationId'] === stationId) return { kind: 'ours' }
  const hostName = lease?.['hostName']
  return { kind: 'other', mark: text, hostName: typeof hostName === 'string' ? displayName(hostName) : null }
}

/** The step after a look into the folder at the monotonic instant `atMs`. */
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
 * The state after our lease was written. `found` is what the look before it showed, `tookMs` the time from that
 * look until the writing had ended.
 */
export function afterWrite(found: FoundLease, tookMs: number, atMs: number): LeaseState {
  if (found.kind === 'ours') return { kind: 'held', writtenMs: atMs, refusals: 0 }
  const pauseMs = tookMs > MAX_WRITE_MS ? REFRESH_EVERY_MS + ACQUIRE_PAUSE_MS : ACQUIRE_PAUSE_MS
  return { kind: 'claiming', untilMs: atMs + pauseMs }
}

/** The state after our lease could not be written: the folder is watched without a guard. */
export function afterRefusedWrite(state: LeaseState, atMs: number): LeaseState {
  // Another program may hold the file for a moment; ours still stands there.
  if (state.kind === 'held' && state.refusals < MAX_REFUSALS)
    return { ...state, writtenMs: atMs, refusals: state.refusals + 1 }
  return { kind: 'unguarded', stale: state.kind === 'taken' ? state.mark : null, triedMs: atMs }
}

/** May what lies in the folder be taken? While it is being claimed it may be looked at, and nothing more. */
export function mayTake(state: LeaseState): boolean {
  return state.kind === 'held' || state.kind === 'unguarded'
}

/** How long until the next look is due. */
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
  // Claimed long enough, or ours from before a restart: ours at once, and written anew so that its counter goes on.
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

/** A name from a file that anybody may write goes onto a screen: plain letters only, and few of them. */
function displayName(hostName: string): string | null {
  const name = hostName.replaceAll(/[^\p{L}\p{N}._ -]/gu, '').trim()
  return name === '' ? null : name.slice(0, MAX_HOST_NAME_LENGTH)
}
