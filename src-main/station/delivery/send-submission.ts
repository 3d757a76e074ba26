/** One attempt, from the claim to its outcome. */
import { failureOf, type Failure } from '../../../src-shared/failure.ts'
import { fail, succeed, type Result } from '../../../src-shared/result.ts'
import { SECOND } from '../../../src-shared/durations.ts'
import type { ServiceSettings } from '../../../src-shared/settings.ts'
import type { Attempt, Outcome } from '../../../src-shared/submission.ts'
import type { PostEvidence } from '../service/service-client.ts'
import type { SubmissionRow } from '../outbox/submission-rows.ts'
import { baselineFor, isTrouble } from './baseline.ts'
import { caseForm } from './case-form.ts'
import type { CenterHold } from './center-gate.ts'
import { destinationOf, type DeliveryContext } from './delivery-context.ts'
import { isQueueWide } from './health.ts'
import { multipartBody, type MultipartBody } from './multipart-body.ts'
import { outcomeOf, type OutcomeFound } from './outcome-of.ts'
import { pauseMs, stopsAtOnePlace } from './retry-policy.ts'

/** The center may have been switched between its setting and the first byte: nothing leaves. */
class CenterLost extends Error {
  override name = 'CenterLost' as const
}

function bodyOf(
  context: DeliveryContext,
  row: SubmissionRow,
  service: ServiceSettings,
  beforeLastBytes: () => void,
): MultipartBody {
  const submission = context.outbox.submissionOf(row.id)
  if (!submission) throw new Error('a claimed submission exists')
  const images = context.outbox.imageRowsOf(row.id).filter((image) => image.excluded_because === null)
  const form = caseForm({
    reference: submission.reference,
    fields: submission.fields,
    images: images.map((image) => ({
      id: image.id,
      eye: image.eye,
      path: context.spoolPath(image.spool_name),
      contentType: image.content_type,
      sizeBytes: image.size_bytes,
      sha256: image.sha256,
    })),
    service,
  })
  return multipartBody(form, beforeLastBytes)
}

async function post(
  context: DeliveryContext,
  attemptId: string,
  submissionId: string,
  body: MultipartBody,
  hold: CenterHold,
  signal: AbortSignal,
): Promise<PostEvidence> {
  try {
    return await context.client.postCase({
      body,
      answerTimeoutMs: context.settings().delivery.answerTimeoutSeconds * SECOND,
      beforeFirstByte: () => {
        if (!hold.isHeld()) throw new CenterLost()
        context.outbox.markPhase(attemptId, 'sending')
      },
      onHandedOver: (bytes) => context.onProgress(submissionId, bytes, body.contentLength),
      signal,
    })
  } catch (error) {
    if (!(error instanceof CenterLost)) throw error
    return {
      handedOverBytes: 0,
      requestBytes: body.contentLength,
      answer: null,
      caseId: null,
      failure: failureOf('centerNotChanged'),
    }
  }
}

/** A doubtful no is checked with a small question under a new token: is it the way, or only this case? */
async function settleDoubt(
  context: DeliveryContext,
  row: SubmissionRow,
  found: OutcomeFound,
): Promise<OutcomeFound> {
  if (found.outcome !== 'refused' || !found.isDoubtful) return found
  const { failure } = found
  const { client, stopSignal } = context
  const isAboutSignIn = failure.kind === 'signedOut' || failure.status === 401 || failure.status === 403
  const signedIn = isAboutSignIn
    ? await client.authorise({ isFresh: true, signal: stopSignal })
    : succeed(null)
  const asked: Result<unknown> = signedIn.ok ? await client.listCases(stopSignal) : signedIn
  if (!asked.ok && (await isTrouble(context, asked.failure))) {
    return { outcome: 'unsent', failure: { ...failure, ...asked.failure }, next: 'afterPause' }
  }
  // The token may simply have ended: one more try with the new one before a person is asked.
  const lastFailure = endedAttempts(context, row.id).at(-1)?.failure
  if (isAboutSignIn && lastFailure?.kind !== 'signedOut') {
    return { outcome: 'unsent', failure: { ...failure, kind: 'signedOut' }, next: 'atOnce' }
  }
  return { ...found, failure: { ...failure, ...failureOf('serviceRefused') } }
}

function endedAttempts(context: DeliveryContext, submissionId: string): readonly Attempt[] {
  const attempts = context.outbox.detailsOf(submissionId)?.attemptList ?? []
  return attempts.filter((attempt) => attempt.outcome !== null)
}

function afterStops(
  context: DeliveryContext,
  row: SubmissionRow,
  found: OutcomeFound,
  handedOverBytes: number,
): OutcomeFound {
  if (found.outcome !== 'unsent' || found.failure.kind !== 'interrupted') return found
  const stops = endedAttempts(context, row.id)
    .filter((attempt) => attempt.outcome === 'unsent')
    .map((attempt) => attempt.handedOverBytes)
  if (!stopsAtOnePlace([...stops, handedOverBytes])) return found
  const message = `${failureOf('tooLarge').message} (Three tries stopped at the same place.)`
  return { outcome: 'refused', failure: { ...found.failure, kind: 'tooLarge', message }, isDoubtful: false }
}

/** How many tries in a row have failed to leave, for the pause before the next. */
function failuresInARow(context: DeliveryContext, submissionId: string): number {
  const attempts = endedAttempts(context, submissionId)
  const lastOther = attempts.findLastIndex((attempt) => attempt.outcome !== 'unsent')
  return attempts.length - 1 - lastOther
}

function record(
  context: DeliveryContext,
  row: SubmissionRow,
  attemptId: string,
  evidence: PostEvidence,
  found: OutcomeFound,
): void {
  const { outbox, clock } = context
  const at = clock.now()
  const { delivery } = context.settings()
  const failure = found.outcome === 'delivered' ? null : found.failure
  const end = {
    outcome: found.outcome,
    handedOverBytes: evidence.handedOverBytes,
    failure,
    answer: evidence.answer ? { status: evidence.answer.status, body: evidence.answer.body } : null,
    at,
  }
  switch (found.outcome) {
    case 'delivered':
      outbox.write(() => {
        outbox.endAttempt(attemptId, end, 'deliveredNow', {
          caseId: found.caseId,
          sentAt: at,
          failure: null,
          notBefore: at,
        })
        outbox.watchReport({
          submissionId: row.id,
          caseId: found.caseId,
          destination: destinationOf(context, row.center_id),
          at: at + SECOND,
        })
        outbox.writeFact('lastSentAt', String(at))
      })
      return
    case 'unsent': {
      const failures = failuresInARow(context, row.id)
      const pause =
        found.next === 'atOnce' ? 0 : pauseMs(failures, delivery.retryBaseSeconds * SECOND, context.random())
      outbox.endAttempt(attemptId, end, 'stayedUnsent', {
        failure,
        notBefore: found.failure.notBefore ?? at + pause,
      })
      return
    }
    case 'refused':
      outbox.endAttempt(attemptId, end, 'wasRefused', { failure, notBefore: null })
      return
    case 'unknown': {
      const firstLookMs = Math.round((delivery.lookSeconds[0] ?? 2) * SECOND)
      outbox.endAttempt(attemptId, end, 'becameUnknown', { failure, notBefore: at + firstLookMs, looks: 0 })
    }
  }
}

/** Trouble that is not the case's own is everybody's: the breaker opens for the next. */
function noteFor(context: DeliveryContext, found: OutcomeFound): void {
  switch (found.outcome) {
    case 'delivered':
      return context.health.noteDelivery()
    case 'refused':
      // Only a no of the service proves the way; a damaged image of ours never left.
      if (found.failure.status !== undefined) context.health.noteDelivery()
      return
    case 'unknown':
      return context.health.noteTrouble(failureOf('notAnswering'))
    case 'unsent':
      if (found.next === 'afterPause' && isQueueWide(found.failure)) context.health.noteTrouble(found.failure)
  }
}

/** A center that cannot be set is the trouble of its own cases only: they step aside for the others. */
function stepAside(context: DeliveryContext, row: SubmissionRow, failure: Failure): void {
  const { outbox, clock } = context
  if (outbox.rowOf(row.id)?.state !== 'waiting') return
  const pause = pauseMs(
    STEP_ASIDE_FAILURES,
    context.settings().delivery.retryBaseSeconds * SECOND,
    context.random(),
  )
  outbox.moveSubmission(row.id, 'postponed', { failure, notBefore: clock.now() + pause }, { at: clock.now() })
}

/** As long a pause as after this many failures: a center that is refused now is refused in a second, too. */
const STEP_ASIDE_FAILURES = 4

/**
 * Makes one attempt for a waiting submission, under its own center.
 *
 * Answers with a failure where nothing was claimed because the service is in trouble; the health has been told.
 */
export async function sendSubmission(
  context: DeliveryContext,
  row: SubmissionRow,
  signal: AbortSignal,
): Promise<Result<Outcome | 'notTried'>> {
  const service = context.settings().service
  if (!service) return fail(failureOf('serviceNotSet'))
  const sent = await context.gate.within<Outcome | 'notTried'>(row.center_id, async (hold) => {
    const baseline = await baselineFor(context, row.center_id, hold)
    if (!baseline.ok) return baseline
    // What was awaited may have taken long: the submission may be held or edited by now, or we are stopping.
    const now = context.outbox.rowOf(row.id)
    if (now?.state !== 'waiting' || signal.aborted || !context.maySend()) return succeed('notTried')
    let attemptId = ''
    let isCenterLost = false
    const body = bodyOf(context, row, service, () => {
      // A new token amid the body may have moved the center: while the last bytes are here, nothing has been sent.
      isCenterLost = !hold.isHeld()
      if (isCenterLost) throw new CenterLost()
      context.outbox.markPhase(attemptId, 'handedOver')
    })
    attemptId = context.outbox.openAttempt({
      submissionId: row.id,
      destination: destinationOf(context, row.center_id),
      requestBytes: body.contentLength,
      baseline: baseline.value,
      at: context.clock.now(),
    }).attemptId
    const posted = await post(context, attemptId, row.id, body, hold, signal)
    const evidence = isCenterLost ? { ...posted, failure: failureOf('centerNotChanged') } : posted
    const judged =
      body.damagedImage() === null
        ? ownCase(context, row, evidence, baseline.value)
        : damagedOutcome(evidence)
    const found = afterStops(context, row, await settleDoubt(context, row, judged), evidence.handedOverBytes)
    record(context, row, attemptId, evidence, found)
    noteFor(context, found)
    context.logger.info('attempt ended', {
      submission: row.id,
      outcome: found.outcome,
      bytes: evidence.handedOverBytes,
    })
    // A refusal of our own proves nothing about the service.
    return succeed(found.outcome === 'refused' && evidence.answer === null ? 'notTried' : found.outcome)
  })
  if (!sent.ok && sent.failure.kind === 'centerNotChanged') stepAside(context, row, sent.failure)
  else if (!sent.ok) context.health.noteTrouble(sent.failure)
  return sent
}

/** An id that was there before this attempt is no receipt: some services answer the same number to everything. */
function ownCase(
  context: DeliveryContext,
  row: SubmissionRow,
  evidence: PostEvidence,
  baseline: readonly string[],
): OutcomeFound {
  const found = outcomeOf(evidence)
  if (found.outcome !== 'delivered') return found
  const other = context.outbox.submissionByCase(found.caseId, context.client.identity)
  if (!baseline.includes(found.caseId) && (!other || other.id === row.id)) return found
  return { outcome: 'unknown', failure: failureOf('outcomeUnknown', { requestBytes: evidence.requestBytes }) }
}

/** A damaged image stops the stream before the end: the case has not left and must not. */
function damagedOutcome(evidence: PostEvidence): OutcomeFound {
  return {
    outcome: 'refused',
    failure: { ...failureOf('imageDamaged'), requestBytes: evidence.requestBytes },
    isDoubtful: false,
  }
}
