/** One decision on many cases: each is changed or refused on its own, a few milliseconds at a time. */
import type { Changed } from '../../../src-shared/contract.ts'
import { failureOf, type Failure } from '../../../src-shared/failure.ts'
import { fail, succeed, type Result } from '../../../src-shared/result.ts'
import { eachTimeSlice } from '../each-slice.ts'
import type { SubmissionRow } from '../outbox/submission-rows.ts'
import type { StationParts } from '../station-parts.ts'
import { storageFailureOf } from '../storage-failure.ts'
import { decidedAt, type Decided, type Decision } from './decided.ts'

type OnMany = Decision & { readonly ids: readonly string[] }
type Act<Input> = (row: SubmissionRow, decided: Decided, input: Input) => Failure | null
/** What became of one case: null if it was done, or why it was refused. */
type Outcome = { readonly id: string; readonly failure: Failure | null }

const STOPPING = failureOf('notAllowed', {
  message: 'The station is closing, so this case was not changed. Do it again after the next start.',
})

/**
 * Does one thing to each of many submissions: null if it was done, or why it was refused.
 *
 * One commit for each slice of the list, and others have the thread in between. A kill leaves every case whole, and the
 * same call may be made again. After a slice that cannot be committed, the rest is refused for the same reason, and the
 * whole call where nothing was changed at all.
 */
export function onMany<Input extends OnMany>(
  parts: StationParts,
  act: Act<Input>,
): (input: Input) => Promise<Result<Changed>> {
  return async (input) => {
    const changed: Changed = { changed: [], refused: [] }
    const decided = decidedAt(input, parts.ports.clock.now())
    const total = input.ids.length
    let stopped: Failure | null = null
    await eachTimeSlice(input.ids, parts.ports.clock, (slice) => {
      if (parts.isStopping()) stopped ??= STOPPING
      const { outcomes, failure } =
        stopped === null
          ? decideSlice(parts, slice, (id) => tryOn(parts, id, (row) => act(row, decided, input)))
          : refuseAll(slice, stopped)
      stopped = failure
      for (const outcome of outcomes) {
        if (outcome.failure) changed.refused.push({ id: outcome.id, failure: outcome.failure })
        else changed.changed.push(outcome.id)
      }
      const done = changed.changed.length + changed.refused.length
      // What one slice does is done before anyone could see how far it is.
      if (outcomes.length < total) parts.callProgressed({ done, total })
    })
    parts.delivery()?.wake()
    parts.intake.wake()
    // Said once where it is the same for all of them.
    return stopped !== null && changed.changed.length === 0 ? fail(stopped) : succeed(changed)
  }
}

/** What became of a slice, and why the rest is not tried; null if it is. */
type Slice = { readonly outcomes: readonly Outcome[]; readonly failure: Failure | null }

function decideSlice(
  { outbox }: StationParts,
  slice: Iterable<string>,
  decide: (id: string) => Failure | null,
): Slice {
  try {
    const outcomes = outbox.write(() => Array.from(slice, (id) => ({ id, failure: decide(id) })))
    return { outcomes, failure: null }
  } catch (error) {
    const failure = storageFailureOf(error)
    if (failure === null) throw error
    return refuseAll(slice, failure)
  }
}

function refuseAll(slice: Iterable<string>, failure: Failure): Slice {
  return { outcomes: Array.from(slice, (id) => ({ id, failure })), failure }
}

/** A case that cannot be read is on the disk, and nothing can be done to it. */
export function notThere({ outbox }: StationParts, id: string): Failure {
  return failureOf(outbox.quarantinedOf(id) === null ? 'notFound' : 'caseUnreadable')
}

/** In a savepoint of its own: a case that is refused, or that cannot be read, keeps no other from being changed. */
function tryOn(parts: StationParts, id: string, act: (row: SubmissionRow) => Failure | null): Failure | null {
  const { outbox, ports } = parts
  try {
    return outbox.write(() => {
      const row = outbox.rowOf(id)
      return row ? act(row) : notThere(parts, id)
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
