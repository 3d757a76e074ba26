/**
 * The seven endpoints of the case submission service, as the rest of the station sees them.
 *
 * Reads answer with a Result. Creating a case answers with evidence instead: what was handed over and what came
 * back, because only the delivery decides what an attempt came to.
 */
import type { Center, ServiceCase } from '../../../src-shared/case.ts'
import type { Failure, Result } from '../../../src-shared/failure.ts'
import type { ReportKind } from '../../../src-shared/report.ts'

/**
 * What the service's answers say of this computer's clock.
 *
 * - unknown  nobody has compared it yet, the answers do not agree, or it was set since
 * - right    the latest answers agree with it
 * - wrong    it is ahead, or behind (negative)
 */
export type ClockReading =
  | { readonly kind: 'unknown' | 'right' }
  | { readonly kind: 'wrong'; readonly differenceMs: number }

/** A request body of exactly known length. `stream` may be called once. */
export type RequestBody = {
  readonly contentType: string
  readonly contentLength: number
  stream(): AsyncIterable<Uint8Array>
}

/** Holds transfers back to a rate. */
export type Throttle = {
  /** Null where the next piece may go now; else a short rest, after which to ask again. */
  delay(): Promise<void> | null
  /** The largest piece that should go at once; null where it does not matter. */
  pieceBytes(): number | null
  /** So many bytes are about to go. */
  consume(bytes: number): void
}

/** An answer as it came, bounded in size. Kept for the details view, never logged. */
export type RawAnswer = {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array
  /** False where the connection ended, or the bound was reached, before the body did. */
  readonly isComplete: boolean
}

/** What is known of one POST of a case, whatever happened. */
export type PostEvidence = {
  /** Bytes of the body that were handed to the connection; the counter of the writer itself, not of the socket. */
  readonly handedOverBytes: number
  readonly requestBytes: number
  /** The answer, also an incomplete one; null where none came. */
  readonly answer: RawAnswer | null
  /** The new case's id: a whole 2xx answer said it and did not say `success:false`. Null in every other case. */
  readonly caseId: string | null
  /**
   * Null exactly where `caseId` is not. What the answer says no with, in the service's words, or else what stopped
   * the request; an answer without id or refusal is `answerUnreadable`. Says nothing about what arrived: the
   * outcome follows from the bytes and the answer.
   */
  readonly failure: Failure | null
  /** The service itself said that the token had ended: it took nothing, however much of the body it read. */
  readonly saysTokenEnded: boolean
}

export type PostOptions = {
  readonly body: RequestBody
  /** How long to wait for an answer after the last byte, milliseconds. */
  readonly answerTimeoutMs: number
  /**
   * Called after the token is there and before the first byte may leave. What it throws stops the request unsent
   * and is thrown on by `postCase`, which rejects for nothing else.
   */
  readonly beforeFirstByte: () => void
  /** Called before each piece goes, with the count that includes it: a crash never knows less than was sent. */
  readonly onHandedOver: (handedOverBytes: number) => void
  /** Called whenever the connection has taken every piece so far. */
  readonly onAccepted?: () => void
  /** Shared by all posts that are to keep one rate together; none where left out. */
  readonly throttle?: Throttle
  readonly signal: AbortSignal
}

/** The cases of the service. Where it is not complete, a case that is missing from it proves nothing. */
export type CaseList = { readonly cases: readonly ServiceCase[]; readonly isComplete: boolean }

export type ReportAnswer =
  | { readonly kind: 'notReady' }
  | {
      readonly kind: 'report'
      readonly reportKind: ReportKind
      readonly contentType: string
      readonly bytes: Uint8Array
    }

export type ServiceClient = {
  /** Base address, client id: what calibration and evidence belong to. */
  readonly identity: { readonly baseUrl: string; readonly clientId: string }
  /** Counts the tokens taken so far; a new token means that the center must be set again. */
  tokenNumber(): number
  /** What the service's answers say of this computer's clock. */
  clockReading(): ClockReading
  /** Takes a token if there is none that holds; single flight. `isFresh` asks for a new one in any case. */
  authorise(options: { readonly isFresh: boolean; readonly signal?: AbortSignal }): Promise<Result<null>>
  /** Follows page links of the same origin, to a bound; what lies beyond makes the list incomplete. */
  listCases(signal?: AbortSignal): Promise<Result<CaseList>>
  getCase(caseId: string, signal?: AbortSignal): Promise<Result<ServiceCase>>
  getReport(caseId: string, signal?: AbortSignal): Promise<Result<ReportAnswer>>
  listCenters(signal?: AbortSignal): Promise<Result<readonly Center[]>>
  changeCenter(centerId: string, signal?: AbortSignal): Promise<Result<null>>
  /** Posts once, on a connection of its own, with the token that holds; never retries, never follows a redirect. */
  postCase(options: PostOptions): Promise<PostEvidence>
  close(): Promise<void>
}
