/**
 * Expected failures. A failure is a value that crosses the contract; an Error never does.
 *
 * Each kind says who can fix it and has a message for the operator: what happened, what it means for the case, what to
 * do next.
 */
import { z } from 'zod'

export const FAILURE_KINDS = [
  // Calls
  'badRequest',
  'notFound',
  'notAllowed',
  'notYet',
  'notReady',
  'stationStopping',
  'safeMode',
  'internal',
  // The connection to the service
  'offline',
  'notAnswering',
  'throttled',
  'signedOut',
  'wrongAddress',
  'notTrusted',
  'proxySignIn',
  'serviceRefused',
  'tooLarge',
  'answerUnreadable',
  'serviceNotSet',
  'secretsLocked',
  'centerNotChanged',
  'interrupted',
  // The case itself
  'outcomeUnknown',
  'imageDamaged',
  'caseUnreadable',
  // The station
  'folderUnreachable',
  'folderTaken',
  'diskLow',
  'storage',
  'clockWrong',
] as const

export const failureKindSchema = z.enum(FAILURE_KINDS)

export type FailureKind = z.infer<typeof failureKindSchema>

export const failureSchema = z.object({
  kind: failureKindSchema,
  /** For people: what happened, what it means, what to do. Never contains patient data or secrets. */
  message: z.string(),
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

export const RESOLVERS = ['the station, by waiting', 'a person here', 'the service'] as const

type Resolver = (typeof RESOLVERS)[number]

type FailureText = { readonly title: string; readonly message: string; readonly resolvedBy: Resolver }

/** The texts of every failure. */
export const FAILURE_TEXTS: Readonly<Record<FailureKind, FailureText>> = {
  badRequest: {
    title: 'This could not be understood',
    message: 'The request did not have the expected form. Nothing was changed.',
    resolvedBy: 'a person here',
  },
  notFound: {
    title: 'Not found',
    message: 'It is not here any more, or never was. Refresh the list and look again.',
    resolvedBy: 'a person here',
  },
  notAllowed: {
    title: 'Not possible now',
    message: 'The case is in a state that does not allow this. Nothing was changed.',
    resolvedBy: 'a person here',
  },
  notYet: {
    title: 'Not built yet',
    message: 'This version cannot do that yet. Nothing was changed.',
    resolvedBy: 'a person here',
  },
  notReady: {
    title: 'No report yet',
    message: 'The service has no report for this case yet. The station asks again by itself.',
    resolvedBy: 'the station, by waiting',
  },
  stationStopping: {
    title: 'The station is stopping',
    message: 'Nothing was changed. Start the station again and repeat this.',
    resolvedBy: 'a person here',
  },
  safeMode: {
    title: 'The station is in safe mode',
    message:
      'The service is not asked in safe mode. All cases are kept. Start the station normally, and ask again.',
    resolvedBy: 'a person here',
  },
  internal: {
    title: 'Something unexpected happened',
    message: 'All cases are kept. Restart the station; if it happens again, tell the administrator.',
    resolvedBy: 'a person here',
  },
  offline: {
    title: 'No connection',
    message:
      'The service cannot be reached from this computer. Cases are kept safely here and go out by themselves.',
    resolvedBy: 'the station, by waiting',
  },
  notAnswering: {
    title: 'The service is not answering',
    message: 'Cases are kept safely here. The station tries again by itself; there is nothing to do.',
    resolvedBy: 'the station, by waiting',
  },
  throttled: {
    title: 'The service asked us to slow down',
    message: 'Cases are kept safely here and go on when the service allows it.',
    resolvedBy: 'the station, by waiting',
  },
  signedOut: {
    title: 'Sign-in refused',
    message:
      'The service does not accept this station, so all sending is stopped and all cases are kept. Ask the administrator to check the client id and secret in Settings.',
    resolvedBy: 'a person here',
  },
  wrongAddress: {
    title: 'This address is not the case service',
    message:
      'Something else answers at the service address, so nothing was sent. Check the address in Settings.',
    resolvedBy: 'a person here',
  },
  notTrusted: {
    title: 'The connection could not be verified',
    message:
      'The certificate of the other side is not trusted, often because of a firewall that inspects traffic. Nothing was sent; show this to the IT department.',
    resolvedBy: 'a person here',
  },
  proxySignIn: {
    title: 'The network proxy wants a sign-in',
    message: 'The request never reached the service; cases are kept. Ask the IT department for the proxy.',
    resolvedBy: 'a person here',
  },
  serviceRefused: {
    title: 'The service did not accept this case',
    message:
      'It was not taken. Read the words of the service, correct the case and send it again, or discard it.',
    resolvedBy: 'a person here',
  },
  tooLarge: {
    title: 'Images too large for the service',
    message:
      'The service refused the size of this request. Leave out images or export them smaller, then send again.',
    resolvedBy: 'a person here',
  },
  answerUnreadable: {
    title: 'The answer could not be understood',
    message: 'The service answered in a way that this station does not know. Nothing is assumed from it.',
    resolvedBy: 'the service',
  },
  serviceNotSet: {
    title: 'No service is set up',
    message:
      'Cases are collected and kept, but nothing can be sent. Enter the service address, client id and secret in Settings.',
    resolvedBy: 'a person here',
  },
  secretsLocked: {
    title: "This computer's safe is locked",
    message:
      'The client secret lies in it and cannot be read at the moment, so nothing is sent; all cases are kept. The station tries again by itself; unlock the keychain or sign in to this computer if it asks for that.',
    resolvedBy: 'the station, by waiting',
  },
  centerNotChanged: {
    title: 'The center could not be switched',
    message:
      'The case was not sent, because it must not reach another center. The station tries again by itself.',
    resolvedBy: 'the station, by waiting',
  },
  interrupted: {
    title: 'The transfer was interrupted',
    message: 'The case did not arrive completely. It is kept here and sent again by itself.',
    resolvedBy: 'the station, by waiting',
  },
  outcomeUnknown: {
    title: 'Not sure that this case arrived',
    message:
      'All of it was sent but no clear answer came. The station looks for it at the service and does not send it again by itself; open the case to see what is known.',
    resolvedBy: 'a person here',
  },
  caseUnreadable: {
    title: 'The record of this case cannot be read',
    message:
      'The record of this case cannot be read, so nothing was changed and nothing of it is sent. It stays on this computer. Tell the administrator: a backup or a newer version may read it.',
    resolvedBy: 'a person here',
  },
  imageDamaged: {
    title: 'An image is damaged',
    message:
      'A stored image is no longer what the camera wrote, so the case was not sent. Export the image again from the camera.',
    resolvedBy: 'a person here',
  },
  folderUnreachable: {
    title: "Camera folder can't be reached",
    message:
      'New images are not seen until it is back; cases already here go on. Check the drive or the network share.',
    resolvedBy: 'a person here',
  },
  folderTaken: {
    title: 'Another station takes this camera folder',
    message:
      'Its images are left to that station, so that no case is sent twice. Let only one of the two watch this folder.',
    resolvedBy: 'a person here',
  },
  diskLow: {
    title: 'The disk is nearly full',
    message:
      'No new images are taken in until there is space; cases already here go on. Free some space on this computer.',
    resolvedBy: 'a person here',
  },
  clockWrong: {
    title: "This computer's clock is wrong",
    message:
      'It differs from the clock of the service, so dates of visits and times of attempts may be wrong. Cases go on; set the date and time of this computer.',
    resolvedBy: 'a person here',
  },
  storage: {
    title: 'Storage problem',
    message:
      'The station could not write to its own folder, so it stopped to keep what is there. Check the disk and restart.',
    resolvedBy: 'a person here',
  },
}

type FailureDetails = Partial<Omit<Failure, 'kind'>>

/** A failure of this kind, with the kind's own message unless `details` has a more specific one. */
export function failureOf(kind: FailureKind, details: FailureDetails = {}): Failure {
  return { kind, message: FAILURE_TEXTS[kind].message, ...details }
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
