/**
 * The circuit breaker protects the queue from a failing service. After the first trouble only small probes are
 * sent until one succeeds, so that a broken weekend leaves one case to check and not a hundred.
 */
import { HOUR, MINUTE, SECOND } from '../../../src-shared/durations.ts'
import { type Failure, type FailureKind, OF_THE_SERVICE } from '../../../src-shared/failure.ts'
import type { Settings } from '../../../src-shared/settings.ts'
import type { ServiceStatus } from '../../../src-shared/station-status.ts'
import { createSignal } from '../lib/part.ts'
import type { Clock } from '../ports.ts'
import type { Heard } from '../service/client.ts'

const MAX_RETRY_DELAY_MS = 15 * MINUTE

/**
 * The pause before the next try, ms: a share `random` in [0, 1) of `base × 2^failures`, at most 15 minutes. Full
 * jitter, so that many stations do not return in step after an outage. `failures` counts from 0.
 */
export function retryDelayMs(failures: number, baseMs: number, random: number): number {
  const ceiling = Math.min(baseMs * 2 ** Math.min(failures, 30), MAX_RETRY_DELAY_MS)
  return Math.round(ceiling * random)
}

/** The pause before a case that failed so often is tried again, in milliseconds. */
export function pauseMs(
  { settings, random }: { readonly settings: () => Settings; readonly random: () => number },
  failures: number,
): number {
  return retryDelayMs(failures, settings().delivery.retryBaseSeconds * SECOND, random())
}

/** Stops this close together count as the same place: the amount in the system's buffers varies. */
const SAME_OFFSET_BYTES = 512 * 1024

/** In a small request everything is close together, so the places must agree to a tenth of its size. */
const SAME_OFFSET_SHARE = 0.1

/** Did three tries stop at one place of the body? Then something on the way refuses this size. */
export function stopsAtSameOffset(handedOverBytes: readonly number[]): boolean {
  const last = handedOverBytes.slice(-3)
  if (last.length < 3 || last.some((bytes) => bytes === 0)) return false
  const farthest = Math.max(...last)
  return farthest - Math.min(...last) <= Math.min(SAME_OFFSET_BYTES, farthest * SAME_OFFSET_SHARE)
}

/** `troubles` counts the failures since the last delivery: a service that answers probes may still lose cases. */
export type Breaker =
  | { readonly kind: 'closed'; readonly since: number; readonly troubles: number }
  | {
      readonly kind: 'open'
      readonly since: number
      readonly troubles: number
      readonly failure: Failure
      /** The last time it was tripped, epoch milliseconds. */
      readonly trippedAt: number
      readonly nextProbeAt: number
      /** The service asked to be left alone until then; null if it named no time. */
      readonly waitUntil: number | null
    }

/** A wait that the service asked for stays exact: failures meanwhile neither shorten it nor hide its reason. */
export function tripBreaker(
  breaker: Breaker,
  failure: Failure,
  {
    baseMs,
    random,
    now,
    holdUntil = null,
  }: {
    readonly baseMs: number
    readonly random: number
    readonly now: number
    /** As if the service had asked for it: a refused sign-in is not repeated until then. */
    readonly holdUntil?: number | null
  },
): Breaker {
  const ownProbeAt = now + retryDelayMs(breaker.troubles, baseMs, random)
  const asked = failure.notBefore ?? holdUntil
  const requested = { failure, waitUntil: asked, nextProbeAt: asked ?? ownProbeAt }
  const effective =
    breaker.kind === 'open' && isAskedToWait(breaker, now) && (breaker.waitUntil ?? 0) > (asked ?? 0)
      ? {
          failure: breaker.failure,
          waitUntil: breaker.waitUntil,
          nextProbeAt: Math.max(ownProbeAt, breaker.waitUntil ?? 0),
        }
      : requested
  return {
    kind: 'open',
    since: breaker.kind === 'open' ? breaker.since : now,
    troubles: breaker.troubles + 1,
    trippedAt: now,
    ...effective,
  }
}

function isAskedToWait(breaker: Breaker, now: number): boolean {
  return breaker.kind === 'open' && breaker.waitUntil !== null && now < breaker.waitUntil
}

/** Also after the clock was set back: the rest is unknown then. Not during a wait the service asked for. */
export function isProbeDue(breaker: Breaker, now: number): boolean {
  if (breaker.kind === 'closed') return false
  return breaker.nextProbeAt <= now || (now < breaker.trippedAt && breaker.waitUntil === null)
}

/** If the clock was set back to before the trouble, a wait that the service asked for restarts at its full length. */
export function adjustForClock(breaker: Breaker, now: number): Breaker {
  if (breaker.kind === 'closed' || breaker.waitUntil === null || now >= breaker.trippedAt) return breaker
  const byMs = breaker.trippedAt - now
  return {
    ...breaker,
    trippedAt: now,
    nextProbeAt: breaker.nextProbeAt - byMs,
    waitUntil: breaker.waitUntil - byMs,
  }
}

/** Makes the next probe due. Only a person may end a wait that the service asked for. */
export function expediteProbe(breaker: Breaker, now: number, by: 'person' | 'station'): Breaker {
  if (breaker.kind === 'closed' || (by === 'station' && isAskedToWait(breaker, now))) return breaker
  return { ...breaker, nextProbeAt: now, waitUntil: null }
}

/** Closes it after any answer. Answers to older requests do not end a wait that the service asked for. */
export function closeBreaker(breaker: Breaker, now: number): Breaker {
  if (breaker.kind === 'closed' || isAskedToWait(breaker, now)) return breaker
  return { kind: 'closed', since: now, troubles: breaker.troubles }
}

/** Resets everything after a delivery, except for a wait that the service asked for. */
export function resetBreaker(breaker: Breaker, now: number): Breaker {
  return breaker.kind === 'closed' && breaker.troubles === 0
    ? breaker
    : { ...closeBreaker(breaker, now), troubles: 0 }
}

/** Was the request sent on to another address, which is never followed? */
export function isMoved({ status = 0 }: Pick<Failure, 'status'>): boolean {
  return status >= 300 && status < 400
}

/** Does it concern every case? */
export function isQueueWide({ kind }: Failure): boolean {
  return [...OF_THE_SERVICE, 'serviceNotSet', 'interrupted', 'outcomeUnknown'].includes(kind)
}

/** Only a person can mend a refused sign-in, and repeating it may lock the account. */
const SIGN_IN_HOLD_MS = HOUR

/** An answer says that the service is there for so long. */
const FRESH_MS = 10 * MINUTE

/** If nothing else is asked, the cheapest call is made so often. */
const ASK_AFTER_MS = 5 * MINUTE

/** What was heard last of the service: a readable answer, or the failure of a request. */
export type LastHeard = { readonly at: number; readonly failure: Failure | null }

/**
 * What the light shows. Trouble that stops sending comes first, unless it is about the way to the service and the
 * service has answered since; then what was heard last. An answer counts for ten minutes, also by a clock set back.
 */
export function lightOf(
  breaker: Breaker,
  heard: LastHeard | null,
  now: number,
): Pick<ServiceStatus, 'health' | 'failure' | 'nextTryAt'> {
  const isAnswered = heard?.failure === null && Math.abs(now - heard.at) < FRESH_MS
  if (breaker.kind === 'open' && !(isAnswered && heard.at > breaker.trippedAt && isOfTheWay(breaker.failure)))
    return { health: 'trouble', failure: breaker.failure, nextTryAt: breaker.nextProbeAt }
  if (heard !== null && heard.failure !== null)
    return { health: 'trouble', failure: heard.failure, nextTryAt: null }
  return { health: isAnswered ? 'reachable' : 'unknown', failure: null, nextTryAt: null }
}

/** When to ask the service if nothing else does, epoch milliseconds; null while probes ask it. */
export function nextAskAt(breaker: Breaker, heard: LastHeard | null, now: number): number | null {
  if (breaker.kind === 'open') return null
  if (heard === null || heard.failure !== null || heard.at > now) return now
  return heard.at + ASK_AFTER_MS
}

/** Any answer ends it. Not so a post that came to nothing: a service that answers questions may still lose cases. */
function isOfTheWay({ kind }: Failure): boolean {
  return ['offline', 'signedOut', 'wrongAddress', 'notTrusted', 'proxySignIn', 'secretsLocked'].includes(kind)
}

export type Health = ReturnType<typeof createHealth>

/** The state of the service, shared by everything that makes requests. */
export function createHealth(options: {
  readonly clock: Clock
  readonly baseMs: () => number
  readonly random: () => number
}) {
  const { clock } = options
  const changed = createSignal()
  const recovered = createSignal()
  const longWait = createSignal<[until: number]>()
  let breaker: Breaker = { kind: 'closed', since: clock.now(), troubles: 0 }
  let heard: LastHeard | null = null
  let lastSuccessAt: number | null = null
  /** What the screens were last informed of. */
  let shown = { health: 'unknown', kind: null as FailureKind | null, at: 0 }

  /** Announces another light, and now and then how old the answer is. */
  const announce = (): void => {
    const { health, failure } = lightOf(current(), heard, clock.now())
    const next = { health, kind: failure?.kind ?? null, at: lastSuccessAt ?? 0 }
    const isSame = next.health === shown.health && next.kind === shown.kind
    if (isSame && Math.abs(next.at - shown.at) < ASK_AFTER_MS) return
    shown = next
    changed.emit()
  }

  const hear = (failure: Failure | null): void => {
    heard = { at: clock.now(), failure }
    if (failure === null) lastSuccessAt = heard.at
  }

  const update = (next: Breaker): void => {
    const isRecovery = breaker.kind === 'open' && next.kind === 'closed'
    hear(null)
    breaker = next
    if (isRecovery) recovered.emit()
    announce()
  }

  const trip = (failure: Failure, holdUntil: number | null): void => {
    const settings = { baseMs: options.baseMs(), random: options.random(), now: clock.now(), holdUntil }
    breaker = tripBreaker(current(), failure, settings)
  }

  const current = (): Breaker => {
    breaker = adjustForClock(breaker, clock.now())
    return breaker
  }

  return {
    breaker: current,
    noteTrouble: (failure: Failure): void => {
      const { notBefore: until } = failure
      const previousUntil = breaker.kind === 'open' ? breaker.failure.notBefore : undefined
      if (until !== undefined && until !== previousUntil && until - clock.now() > HOUR) longWait.emit(until)
      trip(failure, null)
      changed.emit()
    },
    /** Any call has heard of the service. Sets the light; whether cases may go is for probes to find. */
    noteHeard: ({ failure, isSignIn }: Heard): void => {
      hear(failure)
      if (failure !== null && isSignIn) trip(failure, clock.now() + SIGN_IN_HOLD_MS)
      else if (failure === null && breaker.kind === 'open' && isOfTheWay(breaker.failure))
        breaker = expediteProbe(current(), clock.now(), 'person')
      announce()
    },
    nextAskAt: (): number | null => nextAskAt(current(), heard, clock.now()),
    /** Time has passed: an answer may have grown old. */
    recheck: announce,
    noteSuccess: (): void => update(closeBreaker(current(), clock.now())),
    /** A case was accepted, or refused by the service itself: the whole route works. */
    noteDelivery: (): void => update(resetBreaker(current(), clock.now())),
    /** A case with a lost answer was found there. Requests do arrive, so pauses stop growing. */
    noteFound: (): void => {
      breaker = { ...current(), troubles: 0 }
    },
    /** Makes the next probe due: a person asked, or the machine woke up. */
    probeNow: (by: 'person' | 'station'): void => {
      breaker = expediteProbe(current(), clock.now(), by)
    },
    status: (): ServiceStatus => ({
      ...lightOf(breaker, heard, clock.now()),
      since: breaker.since,
      lastSuccessAt,
    }),
    onChange: changed.subscribe,
    /** A usable answer has ended a trouble. Called before the change. */
    onRecovery: recovered.subscribe,
    /** The service asked for a wait of more than an hour, once for each. `until` is epoch milliseconds. */
    onLongWait: longWait.subscribe,
  }
}
