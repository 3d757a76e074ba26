/**
 * The endpoints of the case submission service, as the rest of the station sees them.
 *
 * Reads return a Result. Posting a case returns evidence instead, the bytes sent and the answer: only the
 * delivery decides what an attempt came to.
 */
import type { Center, ServiceCase } from '../../../src-shared/case.ts'
import type { Failure, Result } from '../../../src-shared/failure.ts'
import type { ReportKind } from '../../../src-shared/report.ts'

/**
 * What the service's answers say about this computer's clock.
 *
 * - unknown  not compared yet, the answers disagree, or the clock was set since
 * - right    the latest answers agree with it
 * - wrong    it is ahead, or behind (negative)
 */
export type ClockReading =
  | { readonly kind: 'unknown' | 'right' }
  | { readonly kind: 'wrong'; readonly differenceMs: number }

/** A request body of exactly known length. `stream` may be called only once. */
export type RequestBody = {
  readonly contentType: string
  readonly contentLength: number
  stream(): AsyncIterable<Uint8Array>
}

/** Limits the rate of transfers. */
export type Throttle = {
  /** Null if the next piece may go now; otherwise a short pause, after which to ask again. */
  delay(): Promise<void> | null
  /** The largest piece to send at once; null for no limit. */
  pieceBytes(): number | null
  /** Reports that this many bytes are about to go. */
  consume(bytes: number): void
}

/** An answer as received, limited in size; a text is UTF-8. Shown in the details view, never logged. */
export type RawAnswer = {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array
  /** False if the connection ended, or the limit was reached, before the end of the body. */
  readonly isComplete: boolean
}

/** Everything known about one POST of a case, whatever happened. */
export type PostEvidence = {
  /** Bytes of the body passed to the connection, as counted by our writer and not by the socket. */
  readonly handedOverBytes: number
  readonly requestBytes: number
  /** The answer, possibly incomplete; null if none came. */
  readonly answer: RawAnswer | null
  /** The id of the new case, from a complete 2xx answer without `success:false`; null otherwise. */
  readonly caseId: string | null
  /**
   * Null exactly if there is a `caseId`: the refusal in the service's text, what stopped the request, or
   * `answerUnreadable`. What arrived follows from the bytes and the answer alone.
   */
  readonly failure: Failure | null
  /** The service itself said that the token had expired: it took nothing, however much of the body it read. */
  readonly saysTokenEnded: boolean
}

export type PostOptions = {
  readonly body: RequestBody
  /** How long to wait for an answer after the last byte, in milliseconds. */
  readonly answerTimeoutMs: number
  /** Called with the token, before the first byte. If it throws, nothing is sent and only this rejects `postCase`. */
  readonly beforeFirstByte: () => Promise<void>
  /** Called before each piece goes, with a count that includes it: after a crash the count is never too low. */
  readonly onReleased: (handedOverBytes: number) => void
  /** Called whenever the connection has taken every piece so far. */
  readonly onAccepted?: () => void
  /** Shared by all posts under one rate limit; unlimited by default. */
  readonly throttle?: Throttle
  readonly signal: AbortSignal
}

/** The cases of the service. Absence from an incomplete list proves nothing. */
export type CaseList = { readonly cases: readonly ServiceCase[]; readonly isComplete: boolean }

export type ReportAnswer =
  | { readonly kind: 'notReady' }
  | {
      readonly kind: 'report'
      readonly reportKind: ReportKind
      readonly contentType: string
      readonly bytes: Uint8Array
    }

/** `failure`: null after a readable answer with a token. `isSignIn`: the service refused the client id and secret. */
export type Heard = { readonly failure: Failure | null; readonly isSignIn: boolean }

export type ServiceClient = {
  /** Base address and client id: calibration and evidence belong to them. */
  readonly identity: { readonly baseUrl: string; readonly clientId: string }
  /** Counts the tokens issued so far; after a new token the center must be set again. */
  tokenNumber(): number
  clockReading(): ClockReading
  /** Calls it with what each answer, and each request that had none, says of the service. */
  onHeard(listener: (heard: Heard) => void): void
  /** Ensures a valid token; concurrent calls share one request. `isFresh` always requests a new one. */
  authorise(options: { readonly isFresh: boolean; readonly signal?: AbortSignal }): Promise<Result<null>>
  /** Follows page links of the same origin up to a limit; beyond it the list is incomplete. */
  listCases(signal?: AbortSignal): Promise<Result<CaseList>>
  getCase(caseId: string, signal?: AbortSignal): Promise<Result<ServiceCase>>
  getReport(caseId: string, signal?: AbortSignal): Promise<Result<ReportAnswer>>
  listCenters(signal?: AbortSignal): Promise<Result<readonly Center[]>>
  changeCenter(centerId: string, signal?: AbortSignal): Promise<Result<null>>
  /** Posts once, on its own connection, with the current token; never retries or follows a redirect. */
  postCase(options: PostOptions): Promise<PostEvidence>
  close(): Promise<void>
}
