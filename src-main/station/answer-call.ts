import { calls, isCallName, type CallName, type ParsedInput } from '../../src-shared/contract.ts'
import { failureOf } from '../../src-shared/failure.ts'
import { fail, type Result } from '../../src-shared/result.ts'
import { storageFailureOf } from './storage-failure.ts'
import type { Logger } from './ports.ts'
import type { CallHandlers } from './station-api.ts'

/** The place in the input and what was expected there, without the value: it may be a patient's. */
function describeIssues(
  issues: readonly { readonly path: readonly PropertyKey[]; readonly message: string }[],
): string {
  return issues
    .slice(0, 5)
    .map((issue) => `${issue.path.map(String).join('.') || 'input'}: ${issue.message}`)
    .join('; ')
}

function findHandler<Name extends CallName>(
  handlers: CallHandlers,
  name: Name,
): (input: ParsedInput<Name>) => Promise<Result<unknown>> {
  return handlers[name]
}

/**
 * Answers one call: parses what arrived, runs the handler, and turns a bug into a plain failure.
 *
 * Never throws. A name outside the contract has no handler.
 */
export async function answerCall(
  handlers: CallHandlers,
  logger: Logger,
  name: string,
  rawInput: unknown,
): Promise<Result<unknown>> {
  if (!isCallName(name))
    return fail(failureOf('notFound', { message: 'There is no call of this name. Nothing was changed.' }))
  const parsed = calls[name].input.safeParse(rawInput ?? {})
  if (!parsed.success) {
    return fail(
      failureOf('badRequest', {
        message: `The request did not have the expected form (${describeIssues(parsed.error.issues)}). Nothing was changed.`,
      }),
    )
  }
  try {
    return await findHandler(handlers, name)(parsed.data)
  } catch (error) {
    logger.error('a call stopped unexpectedly', {
      call: name,
      error: error instanceof Error ? error.name : 'unknown',
    })
    return fail(storageFailureOf(error) ?? failureOf('internal'))
  }
}
