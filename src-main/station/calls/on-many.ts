import type { Changed } from '../../../src-shared/contract.ts'
import { failureOf, type Failure } from '../../../src-shared/failure.ts'
import { succeed, type Result } from '../../../src-shared/result.ts'
import type { SubmissionRow } from '../outbox/submission-rows.ts'
import type { StationParts } from '../station-parts.ts'
import { decidedAt, type Decided, type Decision } from './decided.ts'

type OnMany = Decision & { readonly ids: readonly string[] }
type Act<Input> = (row: SubmissionRow, decided: Decided, input: Input) => Failure | null

/** Does one thing to each of many submissions: null where it was done, or why it was refused. */
export function onMany<Input extends OnMany>(
  parts: StationParts,
  act: Act<Input>,
): (input: Input) => Promise<Result<Changed>> {
  return (input) => {
    const changed: Changed = { changed: [], refused: [] }
    const decided = decidedAt(input, parts.ports.clock.now())
    for (const id of input.ids) {
      const failure = tryOn(parts, id, (row) => act(row, decided, input))
      if (failure) changed.refused.push({ id, failure })
      else changed.changed.push(id)
    }
    parts.delivery()?.wake()
    parts.intake.wake()
    return Promise.resolve(succeed(changed))
  }
}

function tryOn(parts: StationParts, id: string, act: (row: SubmissionRow) => Failure | null): Failure | null {
  try {
    return parts.outbox.write(() => {
      const row = parts.outbox.rowOf(id)
      return row ? act(row) : failureOf('notFound')
    })
  } catch (error) {
    if (parts.outbox.isMoveRefused(error)) return failureOf('notAllowed')
    throw error
  }
}
