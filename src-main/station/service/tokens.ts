/**
 * The token in hand. It is taken once for all who ask at the same time, kept until shortly before its end, and
 * counted, because a new token means that the center must be set again.
 */
import { MINUTE } from '../../../src-shared/durations.ts'
import { fail, succeed, type Result } from '../../../src-shared/result.ts'
import type { Clock } from '../ports.ts'
import { openDeadline } from './deadline.ts'
import { failureFromError } from './failure-from-error.ts'
import type { ReadToken } from './read-token.ts'

export type HeldToken = { readonly value: string; readonly number: number }

export type Tokens = {
  /** How many were taken so far. */
  number(): number
  /** The token in hand where it will hold for `forMs` more, or a new one. */
  hold(options: {
    readonly forMs?: number
    readonly signal?: AbortSignal | undefined
  }): Promise<Result<HeldToken>>
  /** A token that is not the refused one: another's newer one or one just taken. */
  replace(refused: number, signal?: AbortSignal): Promise<Result<HeldToken>>
}

/** A token is not used in its last minute, or in the last tenth of a short life: the request takes time, too. */
const LAST_MS = MINUTE
const LAST_SHARE = 0.1
/** A token that was just taken must satisfy whoever asked for it, however much it wishes. */
const MOST_WISHED_SHARE = 0.5
/** Where tokens live shorter than this, planning for an upload would only take one token after the other. */
const SHORT_LIFE_MS = 10 * MINUTE

/** Its life is measured by both clocks: one may be set, the other may stand still while the machine sleeps. */
type Taken = HeldToken & {
  readonly takenAt: Instant
  /** Null where the service names no end. */
  readonly lifeMs: number | null
}

type Instant = { readonly wallMs: number; readonly monotonicMs: number }

/** Creates the keeper; `take` asks the service for a token, rejecting for nothing. */
export function createTokens(parts: {
  readonly take: () => Promise<Result<ReadToken>>
  readonly clock: Clock
}): Tokens {
  const { take, clock } = parts
  let count = 0
  let inHand: Taken | null = null
  let inFlight: Promise<Result<HeldToken>> | null = null

  const instant = (): Instant => ({ wallMs: clock.now(), monotonicMs: clock.monotonicMs() })
  const takeOne = async (): Promise<Result<HeldToken>> => {
    const answer = await take()
    if (!answer.ok) return answer
    inHand = {
      value: answer.value.token,
      number: ++count,
      takenAt: instant(),
      lifeMs: answer.value.expiresAt === null ? null : answer.value.expiresAt - clock.now(),
    }
    return succeed(inHand)
  }
  const takeTogether = async (signal: AbortSignal | undefined): Promise<Result<HeldToken>> => {
    // Whoever stops waiting leaves the others their token.
    inFlight ??= takeOne().finally(() => {
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
    hold: async ({ forMs = 0, signal }) => {
      if (inFlight === null && inHand !== null && holds(inHand, instant(), forMs)) return succeed(inHand)
      return await takeTogether(signal)
    },
    replace: async (refused, signal) => {
      if (inFlight === null && inHand !== null && inHand.number !== refused) return succeed(inHand)
      inHand = null
      return await takeTogether(signal)
    },
  }
}

function holds({ takenAt, lifeMs }: Taken, now: Instant, forMs: number): boolean {
  if (lifeMs === null) return true
  const ageMs = Math.max(now.wallMs - takenAt.wallMs, now.monotonicMs - takenAt.monotonicMs)
  const last = Math.min(LAST_MS, lifeMs * LAST_SHARE)
  const wished = lifeMs < SHORT_LIFE_MS ? 0 : Math.min(forMs, lifeMs * MOST_WISHED_SHARE)
  return lifeMs - ageMs > Math.max(last, wished)
}
