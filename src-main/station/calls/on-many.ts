/** One decision on many cases: each is changed or refused on its own, a few milliseconds at a time. */
import type { BulkResult } from '../../../src-shared/contract.ts'
import { failureOf, type Failure } from '../../../src-shared/failure.ts'
import { fail, succeed, type Result } from '../../../src-shared/result.ts'
import { eachTimeSlice } from '../each-slice.ts'
import type { SubmissionRow } from '../outbox/submission-rows.ts'
import type { StationParts } from '../station-parts.ts'
import { storageFailureOf } from '../storage-failure.ts'
import { stampAt, type DecisionStamp, type Decision } from './decided.ts'

type BulkInput = Decision & { readonly ids: readonly string[] }
type BulkAction<Input> = (row: SubmissionRow, decided: DecisionStamp, input: Input) => Failure | null
/** What became of one case: null if it was done, or why it was refused. */
type BulkOutcome = { readonly id: string; readonly failure: Failure | null }

const STATION_STOPPING = failureOf('notAllowed', {
  message: 'The station is closing, so this case was not changed. Do it again after the next start.',
})

/**
 * Does one thing to each of many submissions: null if it was done, or why it was refused.
 *
 * One commit for each slice of the list, and others have the thread in between. A kill leaves every case whole, and the
 * same call may be made again. After a slice that cannot be committed, the rest is refused for the same reason, and the
 * whole call where nothing was changed at all.
 */
export function forEachSubmission<Input extends BulkInput>(
  parts: StationParts,
  action: BulkAction<Input>,
): (input: Input) => Promise<Result<BulkResult>> {
  return async (input) => {
    const changed: BulkResult = { changed: [], refused: [] }
    const stamp = stampAt(input, parts.ports.clock.now())
    const total = input.ids.length
    let stopFailure: Failure | null = null
    await eachTimeSlice(input.ids, parts.ports.clock, (slice) => {
      if (parts.isStopping()) stopFailure ??= STATION_STOPPING
      const { outcomes, failure } =
        stopFailure === null
          ? runSlice(parts, slice, (id) => runOnOne(parts, id, (row) => action(row, stamp, input)))
          : refuseSlice(slice, stopFailure)
      stopFailure = failure
      for (const outcome of outcomes) {
        if (outcome.failure) changed.refused.push({ id: outcome.id, failure: outcome.failure })
        else changed.changed.push(outcome.id)
      }
      const done = changed.changed.length + changed.refused.length
      // What one slice does is done before anyone could see how far it is.
      if (outcomes.length < total) parts.emitCallProgress({ done, total })
    })
    parts.delivery()?.wake()
    parts.intake.wake()
    // Said once where it is the same for all of them.
    return stopFailure !== null && changed.changed.length === 0 ? fail(stopFailure) : succeed(changed)
  }
}

/** What became of a slice, and why the rest is not tried; null if it is. */
type Slice = { readonly outcomes: readonly BulkOutcome[]; readonly failure: Failure | null }

function runSlice(
  { outbox }: StationParts,
  slice: Iterable<string>,
  action: (id: string) => Failure | null,
): Slice {
  try {
    const outcomes = outbox.write(() => Array.from(slice, (id) => ({ id, failure: action(id) })))
    return { outcomes, failure: null }
  } catch (error) {
    const failure = storageFailureOf(error)
    if (failure === null) throw error
    return refuseSlice(slice, failure)
  }
}

function refuseSlice(slice: Iterable<string>, failure: Failure): Slice {
  return { outcomes: Array.from(slice, (id) => ({ id, failure })), failure }
}

/** A case that cannot be read is on the disk, and nothing can be done to it. */
export function notThere({ outbox }: StationParts, id: string): Failure {
  return failureOf(outbox.quarantine.of(id) === null ? 'notFound' : 'caseUnreadable')
}

/** In a savepoint of its own: a case that is refused, or that cannot be read, keeps no other from being changed. */
function runOnOne(
  parts: StationParts,
  id: string,
  action: (row: SubmissionRow) => Failure | null,
): Failure | null {
  const { outbox, ports } = parts
  try {
    return outbox.write(() => {
      const row = outbox.submissions.row(id)
      return row ? action(row) : notThere(parts, id)
    })
  } catch (error) {
    if (outbox.isMoveRefused(error)) return failureOf('notAllowed')
    // The slice is then run again, without the case that cannot be read.
    if (storageFailureOf(error) !== null || outbox.isCaseUnreadable(error)) throw error
    ports.logger.error('a case could not be changed', {
      submission: id,
      error: error instanceof Error ? error.name : 'unknown',
    })
    return failureOf('internal')
  }
}
