/** One attempt, from the claim to its outcome. */
import { failureOf, type Failure } from '../../../src-shared/failure.ts'
import { fail, succeed, type Result } from '../../../src-shared/result.ts'
import { SECOND } from '../../../src-shared/durations.ts'
import type { ServiceSettings } from '../../../src-shared/settings.ts'
import type { Outcome } from '../../../src-shared/submission.ts'
import type { PostEvidence } from '../service/service-client.ts'
import type { SubmissionRow } from '../outbox/submission-rows.ts'
import { refreshBaseline } from './baseline.ts'
import { checkCenterAfter } from './after-attempt.ts'
import { cancelRequestOf } from './cancel-transfer.ts'
import { caseForm } from './case-form.ts'
import type { CenterLease } from './center-gate.ts'
import { destinationOf, type DeliveryContext } from './delivery-context.ts'
import { imagesToSend, remarksOf } from './images-to-send.ts'
import { canStartAttempt } from './is-as-chosen.ts'
import { determineOutcome } from './judge-attempt.ts'
import { switchedSilently } from './known-centers.ts'
import { multipartBody, type MultipartBody } from './multipart-body.ts'
import { updateHealth, recordAttempt } from './record-attempt.ts'
import { retryDelayMs } from './retry-policy.ts'
import { createProgressReporter } from './tell-progress.ts'

/** The center may have been switched between its setting and the first byte: nothing leaves. */
class CenterLost extends Error {
  override name = 'CenterLost' as const
}

/** The transfer was stopped on our side before its last bytes were released. */
class TransferStopped extends Error {
  override name = 'TransferStopped' as const
}

function bodyOf(
  context: DeliveryContext,
  row: SubmissionRow,
  service: ServiceSettings,
  beforeLastBytes: () => void,
): MultipartBody {
  const submission = context.outbox.submissions.get(row.id)
  if (!submission) throw new Error('a claimed submission exists')
  const form = caseForm({
    reference: submission.reference,
    fields: submission.fields,
    remarks: remarksOf(submission),
    images: imagesToSend(context, row.id),
    service,
  })
  return multipartBody(form, beforeLastBytes)
}

async function post(
  context: DeliveryContext,
  attemptId: string,
  submissionId: string,
  body: MultipartBody,
  lease: CenterLease,
  signal: AbortSignal,
): Promise<PostEvidence> {
  const progress = createProgressReporter({
    clock: context.clock,
    id: submissionId,
    requestBytes: body.contentLength,
    emit: context.onProgress,
  })
  try {
    return await context.client.postCase({
      body,
      throttle: context.throttle,
      answerTimeoutMs: context.settings().delivery.answerTimeoutSeconds * SECOND,
      beforeFirstByte: () => {
        if (!lease.isValid()) throw new CenterLost()
        context.outbox.attempts.markPhase(attemptId, 'sending')
      },
      onHandedOver: (bytes) => progress.handedOver(bytes),
      onAccepted: () => progress.accepted(),
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
      saysTokenEnded: false,
    }
  } finally {
    progress.end()
  }
}

function endedByDisk(posted: PostEvidence): PostEvidence {
  return posted.failure === null ? posted : { ...posted, failure: { ...posted.failure, endedBy: 'station' } }
}

/** Opens the attempt and answers with its id. A case that may not leave goes to review in that commit, and answers null. */
function claim(context: DeliveryContext, row: SubmissionRow, requestBytes: number): string | null {
  const { outbox } = context
  const at = context.clock.now()
  return outbox.write(() => {
    if (outbox.approvals.reviewIfNamesOnly(row.id, at)) return null
    const destination = destinationOf(context, row.center_id)
    return outbox.attempts.open({ submissionId: row.id, destination, requestBytes, at }).attemptId
  })
}

/** A center that cannot be set is the trouble of its own cases only: they step aside for the others. */
async function postponeForCenter(
  context: DeliveryContext,
  row: SubmissionRow,
  refused: Failure,
): Promise<void> {
  const { outbox, clock } = context
  const { center_id: centerId } = row
  const failure =
    centerId === null ? refused : await context.centers.noteRefusal(centerId, refused, context.stopSignal)
  if (outbox.submissions.row(row.id)?.state !== 'waiting') return
  const pause = retryDelayMs(
    CENTER_PAUSE_FAILURES,
    context.settings().delivery.retryBaseSeconds * SECOND,
    context.random(),
  )
  outbox.submissions.transition(
    row.id,
    'postponed',
    { failure, notBefore: clock.now() + pause },
    { at: clock.now() },
  )
}

/** As long a pause as after this many failures: a center that is refused now is refused in a second, too. */
const CENTER_PAUSE_FAILURES = 4

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
  const { troubles } = context.health.breaker()
  const sent = await context.gate.runIn<Outcome | 'notTried'>(row.center_id, async (lease) => {
    const baseline = await refreshBaseline(context, row.center_id, lease)
    if (!baseline.ok) return baseline
    if (await context.centers.isElsewhere(row.center_id, context.stopSignal)) {
      context.gate.invalidate()
      return fail(switchedSilently())
    }
    if (row.center_id !== null) context.centers.noteSet(row.center_id)
    // What was awaited may have taken long. Whatever is sent is read from here on without a pause.
    if (signal.aborted || !canStartAttempt(context, row, troubles)) return succeed('notTried')
    let attemptId = ''
    let isCenterLost = false
    const body = bodyOf(context, row, service, () => {
      // Somebody stopped it while the disk was read: what is not released now was never sent.
      if (signal.aborted) throw new TransferStopped()
      // A new token amid the body may have moved the center: while the last bytes are here, nothing has been sent.
      isCenterLost = !lease.isValid()
      if (isCenterLost) throw new CenterLost()
      context.outbox.attempts.markPhase(attemptId, 'handedOver')
    })
    const opened = claim(context, row, body.contentLength)
    if (opened === null) return succeed('notTried')
    attemptId = opened
    const posted = await post(context, attemptId, row.id, body, lease, signal)
    // Asked before the outcome is judged: that may take a token of its own.
    const wasHeld = lease.isValid()
    const evidence = isCenterLost
      ? { ...posted, failure: failureOf('centerNotChanged') }
      : body.isUnread()
        ? endedByDisk(posted)
        : posted
    const isDamaged = body.damagedImage() !== null
    const found = await determineOutcome(context, row, { attemptId, evidence, isDamaged, signal })
    const isCancelled = recordAttempt(context, row, attemptId, {
      evidence,
      found,
      cancelRequest: cancelRequestOf(signal),
    })
    if (!isCancelled) updateHealth(context, found)
    await checkCenterAfter(context, row, attemptId, { outcome: found.outcome, wasHeld })
    context.logger.info('attempt ended', {
      submission: row.id,
      outcome: found.outcome,
      bytes: evidence.handedOverBytes,
    })
    // A refusal of our own proves nothing about the service.
    return succeed(found.outcome === 'refused' && evidence.answer === null ? 'notTried' : found.outcome)
  })
  if (!sent.ok && sent.failure.kind === 'centerNotChanged')
    await postponeForCenter(context, row, sent.failure)
  else if (!sent.ok) context.health.noteTrouble(sent.failure)
  return sent
}
