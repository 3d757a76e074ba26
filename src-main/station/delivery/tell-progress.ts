/** What is told of a transfer while it goes: bytes handed over, and since when the other side has taken nothing. */
import type { EventPayload } from '../../../src-shared/contract.ts'
import { SECOND } from '../../../src-shared/durations.ts'
import type { Clock } from '../ports.ts'

/** A line that takes nothing for so long is worth a word; it is ended only after minutes. */
const STALL_NOTICE_MS = 15 * SECOND

export type ProgressReporter = {
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
