/**
 * A service that behaves as a test says, as a client of it: no network, and everything that may go wrong with one
 * on demand. It has one switch for centers, which a new token sets back.
 */
import type {
  CaseList,
  ClockReading,
  Heard,
  PostEvidence,
  PostOptions,
  ReportAnswer,
  ServiceClient,
} from '../../../../src-main/station/service/client.ts'
import { heardFrom } from '../../../../src-main/station/service/failures.ts'
import { BodyError, StoppedError } from '../../../../src-main/station/service/http.ts'
import { evidenceOf } from '../../../../src-main/station/service/post-case.ts'
import type { Center, ServiceCase } from '../../../../src-shared/case.ts'
import { fail, type Failure, failureOf, type Result, succeed } from '../../../../src-shared/failure.ts'
import { type Part, readMultipart } from '../../../by-the-book-service/multipart-by-the-book.ts'

/** What becomes of one post. */
export type PostPlan =
  /** Taken; `answers` false: the answer is lost. `caseId` if the service does not give a new one. */
  | { readonly kind: 'taken'; readonly answers?: boolean; readonly caseId?: string; readonly status?: number }
  /** Answered with a status after the whole body, and not taken. */
  | {
      readonly kind: 'answered'
      readonly status: number
      readonly body?: unknown
      readonly headers?: Record<string, string>
    }
  /** Every byte is taken, and then nothing comes until the station gives up; `isTaken`: it did arrive. */
  | { readonly kind: 'silent'; readonly isTaken?: boolean }
  /** The line breaks, or the other side takes nothing more, after so many bytes. */
  | { readonly kind: 'broken' | 'stalled'; readonly afterBytes: number }

export type ReceivedPost = {
  readonly parts: readonly Part[]
  readonly centerId: string | null
  field(name: string): string | null
}

export const LOST: PostPlan = { kind: 'taken', answers: false }
export const SILENT: PostPlan = { kind: 'silent' }
export const answered = (status: number, body?: unknown, headers?: Record<string, string>): PostPlan => ({
  kind: 'answered',
  status,
  ...(body !== undefined && { body }),
  ...(headers && { headers }),
})
/** Asked to wait, with the seconds of `Retry-After`. */
export const throttled = (seconds: number): PostPlan =>
  answered(429, undefined, { 'retry-after': String(seconds) })
export const broken = (afterBytes: number): PostPlan => ({ kind: 'broken', afterBytes })

/** A case as a service shows it that states nothing else than this. */
export function serviceCase(caseId: string, stated: Partial<ServiceCase> = {}): ServiceCase {
  const unsaid = { state: null, historyNumber: null, firstName: null, lastName: null, visitDate: null }
  return { ...unsaid, createdAt: null, urgency: null, raw: { id: caseId }, ...stated, caseId }
}

/** How much of a case the list and the case itself show. */
export type Shown = 'nothing' | 'identity' | 'reference'

const lineBroke = Object.assign(new Error('the line broke'), { code: 'ECONNRESET' })

function received(contentType: string, body: Buffer, centerId: string | null): ReceivedPost {
  const parts = readMultipart(contentType, body)
  const field = (name: string): string | null =>
    parts.find((part) => part.name === name && part.fileName === null)?.bytes.toString() ?? null
  return { parts, centerId, field }
}

export class ScriptedService implements ServiceClient {
  readonly identity = { baseUrl: 'https://service.example/api', clientId: 'clinic' }
  readonly asked: string[] = []
  readonly posts: ReceivedPost[] = []
  /** Bytes that were handed over of each post, also of those that did not arrive. */
  readonly handedOver: number[] = []
  mostAtOnce = 0
  /** The plan of each post by its number, from 1. */
  plan: (number: number) => PostPlan = () => ({ kind: 'taken' })
  shows: Shown = 'reference'
  /** What fails every question and every post. */
  trouble: Failure | null = null
  /** Answers instead of the real one, if a test sets them. */
  listAnswer: (() => Result<CaseList> | Promise<Result<CaseList>>) | null = null
  readonly centerRefusals = new Map<string, Failure>()
  reportAnswer: (caseId: string) => Result<ReportAnswer> = () => succeed({ kind: 'notReady' })
  /** The list of centers, as it is at that moment. */
  centersShown: () => readonly Center[] = () => []
  /** The center that a new token begins with. */
  firstCenter: string | null = null
  center: string | null = null
  readonly clock: { now(): number }
  readonly #cases: (ServiceCase & { readonly centerId: string | null })[] = []
  #listeners: ((heard: Heard) => void)[] = []
  #tokens = 0
  #nextId = 100
  #postCount = 0
  #inFlight = 0
  readonly #released = Promise.withResolvers<void>()

  constructor(clock: { now(): number }) {
    this.clock = clock
  }

  tokenNumber = (): number => this.#tokens
  onHeard = (listener: (heard: Heard) => void): void => void this.#listeners.push(listener)

  /** How far the clock of this computer is ahead, as the client would have found. */
  clockAheadMs: number | null = null
  clockReading = (): ClockReading =>
    this.clockAheadMs === null ? { kind: 'right' } : { kind: 'wrong', differenceMs: this.clockAheadMs }

  /** The token has ended: the next call takes a new one, and with it the first center. */
  renewToken(): void {
    this.#tokens += 1
    this.center = this.firstCenter
  }

  /** Lets go of whatever hangs, so that a test can end. */
  release(): void {
    this.#released.resolve()
  }

  addCase(stated: Partial<ServiceCase> = {}, centerId = this.center): string {
    const caseId = stated.caseId ?? String(this.#nextId++)
    this.#cases.push({ ...serviceCase(caseId, stated), centerId })
    return caseId
  }

  get caseIds(): string[] {
    return this.#cases.map((one) => one.caseId)
  }

  #take(post: ReceivedPost, wantedId: string | undefined): string {
    const identity = {
      historyNumber: post.field('history_number'),
      visitDate: post.field('visit_date'),
    }
    const text = this.shows === 'reference' ? { notes: post.field('other_relevant_info') } : {}
    const caseId = wantedId ?? String(this.#nextId++)
    if (!this.caseIds.includes(caseId))
      this.addCase({
        caseId,
        ...(this.shows === 'nothing' ? {} : identity),
        raw: { id: caseId, ...text },
      })
    return caseId
  }

  async #ask<Value>(
    what: string,
    value: () => Result<Value> | Promise<Result<Value>>,
  ): Promise<Result<Value>> {
    this.asked.push(what)
    if (this.#tokens === 0) this.renewToken()
    await Promise.resolve()
    const answer = this.trouble ? fail(this.trouble) : await value()
    const asked = answer.ok ? succeed(answerOf(200, {}, {})) : answer
    const failure = heardFrom('cases', asked, this.clock.now())
    if (failure !== undefined) for (const listener of this.#listeners) listener({ failure, isSignIn: false })
    return answer
  }

  authorise: ServiceClient['authorise'] = async ({ isFresh }) => {
    if (this.trouble) return fail(this.trouble)
    if (isFresh || this.#tokens === 0) {
      this.asked.push('token')
      this.renewToken()
    }
    return succeed(null)
  }

  listCases: ServiceClient['listCases'] = () =>
    this.#ask('list', () => {
      if (this.listAnswer) return this.listAnswer()
      const cases = this.#cases.filter(({ centerId }) => centerId === this.center)
      return succeed({ cases, isComplete: true })
    })

  getCase: ServiceClient['getCase'] = (caseId) =>
    this.#ask(`case ${caseId}`, () => {
      const found = this.#cases.find((one) => one.caseId === caseId && one.centerId === this.center)
      return found ? succeed(found) : fail(failureOf('notFound'))
    })

  getReport: ServiceClient['getReport'] = (caseId) =>
    this.#ask(`report ${caseId}`, () => this.reportAnswer(caseId))

  listCenters: ServiceClient['listCenters'] = () => this.#ask('centers', () => succeed(this.centersShown()))

  changeCenter: ServiceClient['changeCenter'] = (centerId) =>
    this.#ask(`center ${centerId}`, () => {
      const refusal = this.centerRefusals.get(centerId)
      if (refusal) return fail(refusal)
      this.center = centerId
      return succeed(null)
    })

  postCase = async (options: PostOptions): Promise<PostEvidence> => {
    const requestBytes = options.body.contentLength
    const evidence = (trace: Partial<Parameters<typeof evidenceOf>[0]>): PostEvidence =>
      evidenceOf({ answer: null, error: null, handedOverBytes: 0, requestBytes, ...trace }, this.clock)
    if (this.trouble) return { ...evidence({ error: lineBroke }), failure: this.trouble }
    if (this.#tokens === 0) this.renewToken()
    await options.beforeFirstByte()
    this.asked.push('post')
    this.#postCount += 1
    const plan = this.plan(this.#postCount)
    this.#inFlight += 1
    this.mostAtOnce = Math.max(this.mostAtOnce, this.#inFlight)
    try {
      const read = await this.#read(options, plan)
      this.handedOver.push(read.handedOverBytes)
      if (read.error !== null) return evidence(read)
      const post = received(options.body.contentType, read.body, this.center)
      return evidence({ handedOverBytes: requestBytes, ...(await this.#answer(options, plan, post)) })
    } finally {
      this.#inFlight -= 1
    }
  }

  async #read(
    { body, onReleased, signal }: PostOptions,
    plan: PostPlan,
  ): Promise<{ handedOverBytes: number; body: Buffer; error: unknown }> {
    const most = plan.kind === 'broken' || plan.kind === 'stalled' ? plan.afterBytes : Infinity
    const pieces: Uint8Array[] = []
    let handedOverBytes = 0
    const stopped = (error: unknown): { handedOverBytes: number; body: Buffer; error: unknown } => ({
      handedOverBytes,
      body: Buffer.concat(pieces),
      error,
    })
    try {
      for await (const piece of body.stream()) {
        if (signal.aborted) return stopped(new StoppedError('cancelled'))
        if (handedOverBytes + piece.byteLength > most) break
        handedOverBytes += piece.byteLength
        onReleased(handedOverBytes)
        pieces.push(Uint8Array.from(piece))
      }
    } catch (error) {
      // As with the real client: what our own side broke with is no error of the line.
      return stopped(
        signal.aborted ? new StoppedError('cancelled') : new BodyError('not read', { cause: error }),
      )
    }
    if (plan.kind === 'broken') return stopped(lineBroke)
    if (plan.kind !== 'stalled') return stopped(null)
    await this.#untilStopped(signal)
    return stopped(new StoppedError('cancelled'))
  }

  async #answer(
    { signal }: PostOptions,
    plan: PostPlan,
    post: ReceivedPost,
  ): Promise<Partial<Parameters<typeof evidenceOf>[0]>> {
    if (plan.kind === 'answered') return { answer: answerOf(plan.status, plan.body, plan.headers) }
    this.posts.push(post)
    if (plan.kind === 'silent') {
      if (plan.isTaken === true) this.#take(post, undefined)
      await this.#untilStopped(signal)
      return { error: new StoppedError('cancelled') }
    }
    const caseId = this.#take(post, plan.kind === 'taken' ? plan.caseId : undefined)
    if (plan.kind === 'taken' && plan.answers === false)
      return plan.status === undefined ? { error: lineBroke } : { answer: answerOf(plan.status, 'a page') }
    return { answer: answerOf(201, { id: caseId }) }
  }

  async #untilStopped(signal: AbortSignal): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    signal.addEventListener('abort', () => resolve())
    if (signal.aborted) resolve()
    await Promise.race([promise, this.#released.promise])
  }

  close = (): Promise<void> => {
    this.asked.push('closed')
    return Promise.resolve()
  }
}

function answerOf(
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): NonNullable<Parameters<typeof evidenceOf>[0]['answer']> {
  const text = typeof body === 'string' ? body : JSON.stringify(body ?? {})
  return { status, headers, body: Buffer.from(text), isComplete: true }
}
