/**
 * How fast all transfers together may hand over bytes. Pure.
 *
 * A piece may go while nothing is owed; what it is too large by is owed and paid off before the next one. So a
 * transfer never waits between the last piece and the mark that it goes, and the rate holds over any few seconds.
 */
import type { EventPayload } from '../../../src-shared/contract.ts'
import { SECOND } from '../../../src-shared/durations.ts'
import type { Clock } from '../ports.ts'
import type { Throttle } from '../service/client.ts'

/** `owed` bytes at the instant `at` of a monotonic clock. */
type Pace = { readonly owed: number; readonly at: number }

export const UNPACED: Pace = { owed: 0, at: 0 }

/** A rest is looked at again after this, so that a changed limit or a stop takes effect at once. */
const MAX_WAIT_MS = 250

/** So many pieces a second: fewer would come in gulps. */
const PIECES_PER_SECOND = 4

/** Less than this would cost more in framing than it smooths. */
const SMALLEST_PIECE_BYTES = 1_024

/** What is still owed now. Without a limit nothing is. */
export function payOff(pace: Pace, bytesPerSecond: number | null, now: number): Pace {
  if (bytesPerSecond === null) return { owed: 0, at: now }
  const paid = (Math.max(now - pace.at, 0) / SECOND) * bytesPerSecond
  return { owed: Math.max(pace.owed - paid, 0), at: now }
}

/** After a piece was handed over. */
export function addDebt(pace: Pace, bytes: number): Pace {
  return { ...pace, owed: pace.owed + bytes }
}

/** How long to rest before looking again, milliseconds; 0 where a piece may go now. */
export function waitMs(pace: Pace, bytesPerSecond: number | null): number {
  if (bytesPerSecond === null || pace.owed <= 0) return 0
  return Math.min(Math.max(Math.ceil((pace.owed / bytesPerSecond) * SECOND), 1), MAX_WAIT_MS)
}

/** The largest piece that should go at once; null where pieces go as they come. */
export function pieceBytes(bytesPerSecond: number | null): number | null {
  if (bytesPerSecond === null) return null
  return Math.max(Math.floor(bytesPerSecond / PIECES_PER_SECOND), SMALLEST_PIECE_BYTES)
}

/** Makes the one throttle that all transfers share; the limit is read anew before each piece. */
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

/** A line that takes nothing for so long is worth a word; it is ended only after minutes. */
const STALL_NOTICE_MS = 15 * SECOND

/** What is told of a transfer while it goes: bytes handed over, and since when the other side has taken nothing. */
type ProgressReporter = {
  /** A piece is about to go; the count includes it. */
  handedOver(bytes: number): void
  /** Everything handed over so far was taken. */
  accepted(): void
  /** The transfer is over: nothing is told any more. */
  end(): void
}

/** Makes the teller of one transfer. It tells what was handed over and never what arrived: only an answer says that. */
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
