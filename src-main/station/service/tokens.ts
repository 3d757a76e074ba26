/**
 * The token in hand. It is taken once for all who ask at the same time, kept until shortly before its end, and
 * counted, because a new token means that the center must be set again.
 */
import { MINUTE } from '../../../src-shared/durations.ts'
import { fail, succeed, type Result } from '../../../src-shared/result.ts'
import type { Clock } from '../ports.ts'
import { openDeadline } from './deadline.ts'
import { failureFromError } from './failure-from-error.ts'
import type { IssuedToken } from './read-token.ts'

export type HeldToken = { readonly value: string; readonly number: number }

export type Tokens = {
  /** How many were taken so far. */
  number(): number
  /** The token in hand where it will hold for `forMs` more, or a new one. */
  acquire(options: {
    readonly forMs?: number
    readonly signal?: AbortSignal | undefined
  }): Promise<Result<HeldToken>>
  /** A token that is not the refused one: another's newer one or one just taken. */
  replace(refused: number, signal?: AbortSignal): Promise<Result<HeldToken>>
}

/** A token is not used in its last minute, or in the last tenth of a short life: the request takes time, too. */
const EXPIRY_MARGIN_MS = MINUTE
const EXPIRY_MARGIN_SHARE = 0.1
/** A token that was just taken must satisfy whoever asked for it, however much it wishes. */
const MAX_RESERVED_SHARE = 0.5
/** Where tokens live shorter than this, planning for an upload would only take one token after the other. */
const SHORT_LIFETIME_MS = 10 * MINUTE

/** Its life is measured by both clocks: one may be set, the other may stand still while the machine sleeps. */
type CurrentToken = HeldToken & {
  readonly takenAt: Instant
  /** Null where the service names no end. */
  readonly lifetimeMs: number | null
}

type Instant = { readonly wallMs: number; readonly monotonicMs: number }

/** Creates the keeper; `take` asks the service for a token, rejecting for nothing. */
export function createTokens(parts: {
  readonly take: () => Promise<Result<IssuedToken>>
  readonly clock: Clock
}): Tokens {
  const { take, clock } = parts
  let count = 0
  let current: CurrentToken | null = null
  let inFlight: Promise<Result<HeldToken>> | null = null

  const instant = (): Instant => ({ wallMs: clock.now(), monotonicMs: clock.monotonicMs() })
  const requestOne = async (): Promise<Result<HeldToken>> => {
    const answer = await take()
    if (!answer.ok) return answer
    current = {
      value: answer.value.token,
      number: ++count,
      takenAt: instant(),
      lifetimeMs: answer.value.expiresAt === null ? null : answer.value.expiresAt - clock.now(),
    }
    return succeed(current)
  }
  const requestShared = async (signal: AbortSignal | undefined): Promise<Result<HeldToken>> => {
    // Whoever stops waiting leaves the others their token.
    inFlight ??= requestOne().finally(() => {
      inFlight = null
    })
    const deadline = openDeadline(clock, [signal])
    try {
      return await deadline.race(inFlight)
    } catch (error) {
      return fail(failureFromError(error))
    } finally {
      deadline.dispose()
    }
  }
  return {
    number: () => count,
    acquire: async ({ forMs = 0, signal }) => {
      if (inFlight === null && current !== null && isUsable(current, instant(), forMs))
        return succeed(current)
      return await requestShared(signal)
    },
    replace: async (refused, signal) => {
      if (inFlight === null && current !== null && current.number !== refused) return succeed(current)
      current = null
      return await requestShared(signal)
    },
  }
}

function isUsable({ takenAt, lifetimeMs }: CurrentToken, now: Instant, forMs: number): boolean {
  if (lifetimeMs === null) return true
  const ageMs = Math.max(now.wallMs - takenAt.wallMs, now.monotonicMs - takenAt.monotonicMs)
  const margin = Math.min(EXPIRY_MARGIN_MS, lifetimeMs * EXPIRY_MARGIN_SHARE)
  const reserved = lifetimeMs < SHORT_LIFETIME_MS ? 0 : Math.min(forMs, lifetimeMs * MAX_RESERVED_SHARE)
  return lifetimeMs - ageMs > Math.max(margin, reserved)
}
