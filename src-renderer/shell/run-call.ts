import type { CallInput, CallName, CallOutput } from '../../src-shared/contract.ts'
import { FAILURE_TEXTS, type Failure } from '../../src-shared/failure.ts'
import type { StationSession } from '../store/station-session.ts'
import { showToast } from './tell.tsx'
import { said } from '../words/said.ts'

/** Shows a failure that belongs to no place of its own on the screen. */
export function showFailure(failure: Failure): void {
  showToast({ tone: 'red', title: said(FAILURE_TEXTS[failure.kind].title), message: said(failure.message) })
}

/** Makes a call whose failure is simply shown; answers the value, or null after a failure. */
export async function runCall<Name extends CallName>(
  session: StationSession,
  name: Name,
  input: CallInput<Name>,
): Promise<CallOutput<Name> | null> {
  const answer = await session.call(name, input)
  if (answer.ok) return answer.value
  showFailure(answer.failure)
  return null
}
