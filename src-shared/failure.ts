/**
 * Expected failures. A failure is a value that crosses the contract; an Error never does.
 *
 * Each kind says who can fix it and has a message for the operator: what happened, what it means for the case, what to
 * do next.
 */
import { z } from 'zod'
import { messageFields, worded } from './wording.ts'

export type Resolver = 'the station, by waiting' | 'a person here' | 'the service'

/** Every kind of failure, and who can resolve it. Titles and messages: `src-shared/texts/{en,es}/failure.json`. */
export const FAILURES = {
  // Calls
  badRequest: 'a person here',
  notFound: 'a person here',
  notAllowed: 'a person here',
  notReady: 'the station, by waiting',
  safeMode: 'a person here',
  internal: 'a person here',
  // The connection to the service
  offline: 'the station, by waiting',
  notAnswering: 'the station, by waiting',
  throttled: 'the station, by waiting',
  signedOut: 'a person here',
  wrongAddress: 'a person here',
  notTrusted: 'a person here',
  proxySignIn: 'a person here',
  serviceRefused: 'a person here',
  tooLarge: 'a person here',
  answerUnreadable: 'the service',
  serviceNotSet: 'a person here',
  secretsLocked: 'the station, by waiting',
  centerNotChanged: 'the station, by waiting',
  interrupted: 'the station, by waiting',
  // The case itself
  outcomeUnknown: 'a person here',
  imageDamaged: 'a person here',
  caseUnreadable: 'a person here',
  changed: 'a person here',
  needsLook: 'a person here',
  // The station
  folderUnreachable: 'a person here',
  folderTaken: 'a person here',
  diskLow: 'a person here',
  storage: 'a person here',
  clockWrong: 'a person here',
} as const satisfies Readonly<Record<string, Resolver>>

export type FailureKind = keyof typeof FAILURES

/** What concerns the service as a whole or the way to it, and not one case or question. */
export const OF_THE_SERVICE: readonly FailureKind[] = [
  'offline',
  'notAnswering',
  'throttled',
  'signedOut',
  'wrongAddress',
  'notTrusted',
  'proxySignIn',
  'secretsLocked',
]

export const failureKindSchema = z.enum(
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the keys of a constant table are its keys
  Object.keys(FAILURES) as [FailureKind, ...FailureKind[]],
)

export const failureSchema = z.object({
  kind: failureKindSchema,
  /** For people: what happened, what it means, what to do. Never contains patient data or secrets. */
  ...messageFields,
  /** The service's own message, if it sent one. Shown, never logged. */
  serviceSaid: z.string().max(2_000).optional(),
  /** The HTTP status, if there was an answer. */
  status: z.number().int().optional(),
  /** The size of the request: services report an exceeded limit in many ways. */
  requestBytes: z.number().int().optional(),
  /** A retry is pointless before this instant. */
  notBefore: z.number().int().optional(),
  /** Who ended it on our side; absent if the cause was on the way. */
  endedBy: z.enum(['person', 'station']).optional(),
  /** The field that the same call must set to proceed: the station objects, and a person may overrule it. */
  overruledBy: z.enum(['insists']).optional(),
})

export type Failure = z.infer<typeof failureSchema>

type FailureDetails = Partial<Omit<Failure, 'kind'>>

/** A failure of this kind, with the kind's own message unless `details` has a more specific one. */
export function failureOf(kind: FailureKind, details: FailureDetails = {}): Failure {
  const { message, ...rest } = details
  return message === undefined
    ? { kind, ...worded(`failure:${kind}.message`), ...rest }
    : { kind, message, ...rest }
}

/** A value or an expected failure; anything unexpected is a bug and is thrown. */
export type Result<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly failure: Failure }

export function succeed<Value>(value: Value): { readonly ok: true; readonly value: Value } {
  return { ok: true, value }
}

export function fail(failure: Failure): { readonly ok: false; readonly failure: Failure } {
  return { ok: false, failure }
}

/** A failure with a message of its own. */
export function refusal(kind: FailureKind, ...wording: Parameters<typeof worded>): Failure {
  return failureOf(kind, worded(...wording))
}

export function refuse(kind: FailureKind, ...wording: Parameters<typeof worded>): Result<never> {
  return fail(refusal(kind, ...wording))
}
