/**
 * A transfer under way: its rate, its progress, and a person who stops it.
 *
 * A piece may go while no debt is left. Its excess becomes debt, paid off before the next piece. So a transfer
 * never waits between its last piece and the record of it, and the rate holds over any few seconds.
 */
import type { EventPayload } from '../../../src-shared/contract.ts'
import { SECOND } from '../../../src-shared/durations.ts'
import { type Failure, failureOf } from '../../../src-shared/failure.ts'
import { worded } from '../../../src-shared/wording.ts'
import type { Clock } from '../ports.ts'
import type { Throttle } from '../service/client.ts'
import type { DeliveryContext } from './context.ts'

/** `owed` bytes at the instant `at` of a monotonic clock, in milliseconds. */
type Pace = { readonly owed: number; readonly at: number }

export const UNPACED: Pace = { owed: 0, at: 0 }

/** Pauses are divided into steps of this length, so that a changed limit or a stop takes effect at once. */
const MAX_WAIT_MS = 250

/** Fewer pieces a second would make the rate uneven. */
const PIECES_PER_SECOND = 4

/** Smaller pieces would cost more in framing than they smooth. */
const SMALLEST_PIECE_BYTES = 1_024

/** The remaining debt at `now`; without a limit there is none. */
export function payOff(pace: Pace, bytesPerSecond: number | null, now: number): Pace {
  if (bytesPerSecond === null) return { owed: 0, at: now }
  const paid = (Math.max(now - pace.at, 0) / SECOND) * bytesPerSecond
  return { owed: Math.max(pace.owed - paid, 0), at: now }
}

/** Adds a piece to the debt. */
export function addDebt(pace: Pace, bytes: number): Pace {
  return { ...pace, owed: pace.owed + bytes }
}

/** How long to pause before checking again, in milliseconds; 0 if a piece may go now. */
export function waitMs(pace: Pace, bytesPerSecond: number | null): number {
  if (bytesPerSecond === null || pace.owed <= 0) return 0
  return Math.min(Math.max(Math.ceil((pace.owed / bytesPerSecond) * SECOND), 1), MAX_WAIT_MS)
}

/** The largest piece to send at once; null for no limit. */
export function pieceBytes(bytesPerSecond: number | null): number | null {
  if (bytesPerSecond === null) return null
  return Math.max(Math.floor(bytesPerSecond / PIECES_PER_SECOND), SMALLEST_PIECE_BYTES)
}

/** Creates the throttle that all transfers share. The limit is read before each piece. */
export function createThrottle(clock: Clock, bytesPerSecond: () => number | null): Throttle {
  let pace: Pace = UNPACED
  return {
    delay: () => {
      const limit = bytesPerSecond()
      pace = payOff(pace, limit, clock.monotonicMs())
      const ms = waitMs(pace, limit)
      return ms === 0 ? null : new Promise((resolve) => void clock.after(ms, resolve))
    },
    pieceBytes: () => pieceBytes(bytesPerSecond()),
    consume: (bytes) => {
      pace = addDebt(pace, bytes)
    },
  }
}

/** A stall this long is worth reporting; the transfer is ended only after minutes. */
const STALL_NOTICE_MS = 15 * SECOND

/** Reports the progress of one transfer: bytes handed over, and since when the other side has taken none. */
type ProgressReporter = {
  /** A piece is about to go; the count includes it. */
  handedOver(bytes: number): void
  /** The connection has taken everything handed over so far. */
  accepted(): void
  /** The transfer is over: no more reports. */
  end(): void
}

/**
 * Creates the reporter of one transfer. It reports what was handed over, never what arrived: only an answer
 * shows that.
 */
export function createProgressReporter(options: {
  readonly clock: Clock
  readonly id: string
  readonly requestBytes: number
  readonly emit: (progress: EventPayload<'deliveryProgressed'>) => void
}): ProgressReporter {
  const { clock, id, requestBytes } = options
  let handedOverBytes = 0
  let stalledSince: number | null = null
  let cancelNotice: (() => void) | null = null
  const emit = (): void => options.emit({ id, handedOverBytes, requestBytes, stalledSince })
  const resume = (): void => {
    cancelNotice?.()
    cancelNotice = null
    if (stalledSince === null) return
    stalledSince = null
    emit()
  }
  return {
    handedOver: (bytes) => {
      handedOverBytes = bytes
      cancelNotice?.()
      cancelNotice = clock.after(STALL_NOTICE_MS, () => {
        stalledSince = clock.now() - STALL_NOTICE_MS
        emit()
      })
      emit()
    },
    accepted: resume,
    end: () => {
      cancelNotice?.()
      cancelNotice = null
    },
  }
}

/** Who canceled and why, for the audit trail. */
export type CancelRequest = { readonly by?: string | undefined; readonly why?: string | undefined }

/**
 * `stopping`: the case goes on hold. `tooLate`: all bytes were handed over, so it may have arrived.
 * `notSending`: it is not being transferred.
 */
export type CancelResult = 'stopping' | 'tooLate' | 'notSending'

/** The abort reason if a person canceled; a station that stops gives another. */
class StoppedByPerson extends Error {
  override name = 'StoppedByPerson' as const
  readonly request: CancelRequest

  constructor(who: CancelRequest) {
    super('a person stopped the transfer')
    this.request = who
  }
}

export function stoppedByPerson(): Failure {
  return failureOf('interrupted', { endedBy: 'person', ...worded('sending:cancel.byPerson') })
}

/** The person's request behind an aborted transfer; null if there is none. */
export function cancelRequestOf(signal: AbortSignal): CancelRequest | null {
  return signal.reason instanceof StoppedByPerson ? signal.reason.request : null
}

/** Stops the transfer that `abort` controls; undefined if there is none. */
export function cancelTransfer(
  { outbox, clock }: Pick<DeliveryContext, 'outbox' | 'clock'>,
  submissionId: string,
  request: CancelRequest,
  abort: AbortController | undefined,
): CancelResult {
  const row = outbox.submissions.row(submissionId)
  if (!abort || !row) return 'notSending'
  if (row.state === 'waiting') {
    // Chosen, but still waiting for a request before its attempt: a held case is not attempted.
    holdForPerson({ outbox }, submissionId, request, clock.now())
    outbox.afterCommit(() => abort.abort(new StoppedByPerson(request)))
    return 'stopping'
  }
  const attempt = outbox.attempts.of(submissionId).at(-1)
  if (row.state !== 'sending' || !attempt || attempt.outcome !== null) return 'notSending'
  if (attempt.phase === 'handedOver') return 'tooLate'
  outbox.afterCommit(() => abort.abort(new StoppedByPerson(request)))
  return 'stopping'
}

/** Puts a waiting submission on hold for the person who stopped it. */
export function holdForPerson(
  { outbox }: Pick<DeliveryContext, 'outbox'>,
  submissionId: string,
  { by, why }: CancelRequest,
  at: number,
): void {
  outbox.submissions.transition(
    submissionId,
    'held',
    { failure: null, notBefore: null },
    { at, by, details: { decision: 'transferStopped', ...(why === undefined ? {} : { why }) } },
  )
}
