/** The entry of the contract: parses a call, runs its handler and returns its result. */
import { errorName } from '../lib/errors.ts'
import { type CallName, calls, isCallName, type ParsedInput } from '../../../src-shared/contract.ts'
import { fail, failureOf, type Result } from '../../../src-shared/failure.ts'
import { worded } from '../../../src-shared/wording.ts'
import type { CallHandlers, StationParts } from '../api.ts'
import { storageFailureOf } from '../lib/storage-faults.ts'
import type { Logger } from '../ports.ts'
import { decisionCalls } from './decisions.ts'
import { diagnosticsCalls } from './diagnostics.ts'
import { groupingCalls } from './grouping.ts'
import { oversightCalls } from './oversight.ts'
import { reportCalls, serviceCalls } from './service.ts'
import { patientCalls } from './patients.ts'
import { profileCalls, stationCalls, updateCalls, windowCalls } from './settings.ts'
import { sentWronglyCalls } from './sent-wrongly.ts'
import { submissionCalls } from './submissions.ts'

/** Answers one call; a defect becomes a failure. Never throws. A name outside the contract has no handler. */
export async function answerCall(
  handlers: CallHandlers,
  logger: Logger,
  name: string,
  rawInput: unknown,
): Promise<Result<unknown>> {
  if (!isCallName(name)) return fail(failureOf('notFound', worded('call:request.unknown')))
  const parsed = calls[name].input.safeParse(rawInput ?? {})
  if (!parsed.success) {
    const issues = describeIssues(parsed.error.issues)
    return fail(failureOf('badRequest', worded('call:request.form', { issues })))
  }
  try {
    return await findHandler(handlers, name)(parsed.data)
  } catch (error) {
    logger.error('a call stopped unexpectedly', { call: name, error: errorName(error) })
    return fail(storageFailureOf(error) ?? failureOf('internal'))
  }
}

function findHandler<Name extends CallName>(
  handlers: CallHandlers,
  name: Name,
): (input: ParsedInput<Name>) => Promise<Result<unknown>> {
  return handlers[name]
}

/** The path and the expectation of each issue, without values: they may be a patient's. */
function describeIssues(
  issues: readonly { readonly path: readonly PropertyKey[]; readonly message: string }[],
): string {
  return issues
    .slice(0, 5)
    .map((issue) => `${issue.path.map(String).join('.') || 'input'}: ${issue.message}`)
    .join('; ')
}

/** All handlers of the contract for one station. What a person decided survives a power cut once it is answered. */
export function createHandlers(parts: StationParts): CallHandlers {
  const { outbox } = parts
  const durably =
    <Input, Output>(handle: (input: Input) => Promise<Output>) =>
    async (input: Input): Promise<Output> => {
      const before = outbox.commits()
      const answer = await handle(input)
      if (outbox.commits() > before) await outbox.durable()
      return answer
    }
  const handlers = {
    ...stationCalls(parts),
    ...submissionCalls(parts),
    ...groupingCalls(parts),
    ...patientCalls(parts),
    ...decisionCalls(parts),
    ...oversightCalls(parts),
    ...sentWronglyCalls(parts),
    ...diagnosticsCalls(parts),
    ...profileCalls(parts),
    ...serviceCalls(parts),
    ...reportCalls(parts),
    ...updateCalls(parts),
    ...windowCalls(parts),
  }
  return Object.fromEntries(
    Object.entries(handlers).map(([name, handle]) => [name, durably(handle as () => Promise<unknown>)]),
  ) as CallHandlers
}
