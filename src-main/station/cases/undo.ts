/**
 * Approvals that can be taken back for a while. How long that lasts is in the row, and when it ends in memory alone: by a
 * clock that never jumps, and in full again after a restart. Until then nothing is sent, and nothing is learnt.
 */
import { SECOND } from '../../../src-shared/durations.ts'
import type { Submission } from '../../../src-shared/submission.ts'
import { openLoop } from '../lib/schedule.ts'
import type { Outbox } from '../outbox/outbox.ts'
import type { SubmissionRow } from '../outbox/rows.ts'
import type { Clock, Logger } from '../ports.ts'

/** After a case could not be read, or the disk was full. */
const RETRY_MS = 30 * SECOND

type UndoOptions = {
  readonly outbox: Outbox
  readonly clock: Clock
  readonly logger: Logger
  /** Does something with each case in a write, some at a time. Always resolves; failures are in the log. */
  readonly forEach: (ids: readonly string[], act: (row: SubmissionRow) => void) => Promise<void>
  /** What follows once an approval is final, in its write. */
  readonly onFinal: (row: SubmissionRow) => void
}

/** A submission as the outbox has it: a length of time, of which the contract shows the end. */
type Stored = Pick<Submission, 'id'> & { readonly undoMs: number | null }

export function openUndo({ outbox, clock, logger, forEach, onFinal }: UndoOptions) {
  let hasBegun = false
  /** When each time is over, in monotonic milliseconds. */
  const ends = new Map<string, number>()
  const isOver = (id: string): boolean => (ends.get(id) ?? Infinity) <= clock.monotonicMs()

  const makeFinal = ({ id }: SubmissionRow): void => {
    // Meanwhile it may have been taken back, and approved again.
    if (!isOver(id) || !outbox.makeApprovalFinal(id, clock.now())) return
    const row = outbox.rowOf(id)
    if (row) onFinal(row)
  }

  const run = async (): Promise<number | null> => {
    if (!hasBegun) return null
    const due = [...ends.keys()].filter(isOver)
    if (due.length > 0) await forEach(due, makeFinal)
    const lengths = new Map(outbox.undoable().map(({ id, undoMs }) => [id, undoMs]))
    for (const id of ends.keys()) if (!lengths.has(id)) ends.delete(id)
    // A time that is not known here counts from now on.
    for (const [id, ms] of lengths) if (!ends.has(id)) ends.set(id, clock.monotonicMs() + ms)
    for (const id of due) if (isOver(id)) ends.set(id, clock.monotonicMs() + RETRY_MS)
    return ends.size === 0 ? null : clock.now() + Math.min(...ends.values()) - clock.monotonicMs()
  }
  const loop = openLoop({ name: 'approving', clock, logger, run })

  return {
    /** From now on the time counts, in full for every approval that can be taken back. In safe mode it does not. */
    begin: () => {
      hasBegun = true
      loop.wake()
    },
    /** A case was approved so that it can be taken back for `ms` milliseconds from now. Call it after the commit. */
    start: (id: string, ms: number) => {
      if (!hasBegun) return
      ends.set(id, clock.monotonicMs() + ms)
      loop.wake()
    },
    /** The submission in the form of the contract. */
    shown: <One extends Stored>({ undoMs, ...stored }: One) => {
      if (undoMs === null) return { ...stored, undoUntil: null }
      const now = clock.monotonicMs()
      const leftMs = Math.max(0, (ends.get(stored.id) ?? now + undoMs) - now)
      return { ...stored, undoUntil: Math.round(clock.now() + leftMs) }
    },
    close: () => loop.close(),
  }
}
