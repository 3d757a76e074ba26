/** Makes one attempt, from opening it to recording its outcome. */
import { SECOND } from '../../../src-shared/durations.ts'
import { fail, type Failure, failureOf, type Result, succeed } from '../../../src-shared/failure.ts'
import { EYE_CODES } from '../../../src-shared/measurement-ranges.ts'
import { inGroups } from '../../../src-shared/reference.ts'
import type { ServiceSettings } from '../../../src-shared/settings.ts'
import type { Outcome, Submission } from '../../../src-shared/submission.ts'
import { worded } from '../../../src-shared/wording.ts'
import { isSent } from '../lib/service-case.ts'
import type { ImageRow, SubmissionRow } from '../outbox/rows.ts'
import type { PostEvidence } from '../service/client.ts'
import { pauseMs } from './breaker.ts'
import { appendEvidence, refreshBaseline } from './case-list.ts'
import { type CenterLease, destinationOf, switchedSilently, wasSwitched } from './center-lease.ts'
import type { DeliveryContext } from './context.ts'
import { determineOutcome, recordAttempt, updateHealth } from './outcome.ts'
import {
  cancelRequestOf,
  caseForm,
  createProgressReporter,
  type FormImage,
  type MultipartBody,
  multipartBody,
} from './transfer.ts'

type SendContext = Pick<DeliveryContext, 'outbox' | 'spoolPath'>

/** The center may have been switched between setting it and the last byte. */
class CenterLost extends Error {
  override name = 'CenterLost' as const
}

/** The transfer was stopped on our side before its last bytes were released. */
class TransferStopped extends Error {
  override name = 'TransferStopped' as const
}

/** Pauses as long as after this many failures: a full disk or a refused center is still so in a second. */
const PAUSE_FAILURES = 4

/** One attempt for a waiting case under its own center; a failure if none was opened for trouble of the service. */
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
    if (await wasSwitched(context, row.center_id)) return fail(switchedSilently())
    if (row.attempts > 0) context.reread(row.id)
    // No `await` between here and the insert: the content must be what was cleared.
    if (signal.aborted || !canStartAttempt(context, row, troubles)) return succeed('notTried')
    let attemptId = ''
    let isCenterLost = false
    const mayRelease = (): void => {
      // Stopped during the disk read: bytes not released now never leave.
      if (signal.aborted) throw new TransferStopped()
      // A new token during the body may have reset the center. Without its last bytes, nothing has been sent.
      isCenterLost = !lease.isValid()
      if (isCenterLost) throw new CenterLost()
    }
    const body = bodyOf(context, row, service, async () => {
      mayRelease()
      context.outbox.markPhase(attemptId, 'handedOver')
      await context.outbox.durable()
      // The flush took its time.
      mayRelease()
    })
    const opened = openAttempt(context, row, body.contentLength)
    if (opened === null) return succeed('notTried')
    attemptId = opened
    const posted = await post(context, attemptId, row.id, body, lease, signal)
    // Before `determineOutcome`, which may request a token of its own.
    const wasHeld = lease.isValid()
    const evidence = isCenterLost
      ? { ...posted, failure: failureOf('centerNotChanged') }
      : body.stoppedBy() === 'disk' && posted.failure
        ? { ...posted, failure: { ...posted.failure, endedBy: 'station' as const } }
        : posted
    const isDamaged = body.stoppedBy() === 'damage'
    const found = await determineOutcome(context, row, { attemptId, evidence, isDamaged, signal })
    const isCancelled = recordAttempt(context, row, attemptId, {
      evidence,
      found,
      cancelRequest: cancelRequestOf(signal),
    })
    if (!isCancelled) updateHealth(context, found)
    context.onOutcome?.(found.outcome)
    await checkCenterAfter(context, row, attemptId, { outcome: found.outcome, wasHeld })
    context.logger.info('attempt ended', {
      submission: row.id,
      outcome: found.outcome,
      bytes: evidence.handedOverBytes,
    })
    // A refusal of our own proves nothing about the service.
    return succeed(found.outcome === 'refused' && evidence.answer === null ? 'notTried' : found.outcome)
  })
  if (sent.ok) return sent
  const { failure } = sent
  // A center that cannot be set delays only its own cases.
  if (failure.kind !== 'centerNotChanged') context.health.noteTrouble(failure)
  else if (row.center_id === null) postpone(context, row, failure)
  else
    postpone(context, row, await context.centers.explainRefusal(row.center_id, failure, context.stopSignal))
  return sent
}

/**
 * May it begin? The case must still wait for its center (the gate holds the one of `row`), and there is no new trouble.
 * What is sent is read in this synchronous step, so nothing changes in between.
 */
function canStartAttempt(
  { outbox, health, maySend }: DeliveryContext,
  row: SubmissionRow,
  troubles: number,
): boolean {
  // Don't send if the service failed since the selection, even if an older probe has closed the breaker since.
  if (health.breaker().kind === 'open' || health.breaker().troubles > troubles) return false
  const current = outbox.rowOf(row.id)
  if (current?.state !== 'waiting' || current.undo_ms !== null || current.center_id !== row.center_id)
    return false
  return outbox.isReadable(row.id) && maySend()
}

/**
 * Opens the attempt and returns its id. A case that is not what was cleared, or may not leave, goes to review; then null.
 */
function openAttempt(context: DeliveryContext, row: SubmissionRow, requestBytes: number): string | null {
  const { outbox } = context
  const at = context.clock.now()
  return outbox.write(() => {
    if (outbox.reviewIfUncleared(row.id, at)) return null
    const destination = destinationOf(context, row.center_id)
    return outbox.openAttempt({ submissionId: row.id, destination, requestBytes, at }).attemptId
  })
}

function bodyOf(
  context: DeliveryContext,
  row: SubmissionRow,
  service: ServiceSettings,
  beforeLastBytes: () => Promise<void>,
): MultipartBody {
  const submission = context.outbox.submissionOf(row.id)
  if (!submission) throw new Error('a claimed submission exists')
  const { replaces } = context.outbox.correctionsOf(row.id)
  // In groups, so that no list shows the case under the reference of the other.
  const correcting =
    replaces && `Replaces case ${replaces.caseId} (${inGroups(replaces.reference)}), which was sent wrongly.`
  const form = caseForm({
    reference: submission.reference,
    fields: submission.fields,
    remarks: [...remarksOf(submission), ...(correcting === null ? [] : [correcting])],
    images: imagesToSend(context, row.id),
    service,
  })
  return multipartBody(form, beforeLastBytes)
}

/** The images to send, as they lie in the spool. */
function imagesToSend(context: SendContext, submissionId: string): FormImage[] {
  return context.outbox
    .imageRowsOf(submissionId)
    .filter(isSent)
    .map((image) => ({ id: image.id, eye: image.eye, ...bytesOf(context, image) }))
}

/** The camera's own bytes, or the picture made from them if the folder sends that. */
function bytesOf(context: SendContext, image: ImageRow): Omit<FormImage, 'id' | 'eye'> {
  const {
    picture_spool_name: spoolName,
    picture_content_type: contentType,
    picture_size_bytes: sizeBytes,
    picture_sha256: sha256,
  } = image
  const isPicture = image.sends === 'picture'
  if (isPicture && spoolName !== null && contentType !== null && sizeBytes !== null && sha256 !== null)
    return { path: context.spoolPath(spoolName), contentType, sizeBytes, sha256 }
  return {
    path: context.spoolPath(image.spool_name),
    contentType: image.content_type,
    sizeBytes: image.size_bytes,
    sha256: image.sha256,
  }
}

/** The interface has no field for why an eye has no image: the remarks say it to the reader, if none came after all. */
function remarksOf({ noImageBecause, images }: Pick<Submission, 'noImageBecause' | 'images'>): string[] {
  return (['right', 'left'] as const).flatMap((eye) => {
    const because = noImageBecause[eye]
    const hasOne = images.some(
      (image) => image.eye === eye && image.excludedBecause === null && image.twinOf === null,
    )
    return because === undefined || hasOne ? [] : [`No image of ${EYE_CODES[eye]}: ${because}`]
  })
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
      beforeFirstByte: async () => {
        if (!lease.isValid()) throw new CenterLost()
        context.outbox.markPhase(attemptId, 'sending')
        await context.outbox.durable()
        if (!lease.isValid()) throw new CenterLost()
      },
      onReleased: (bytes) => progress.handedOver(bytes),
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

/**
 * If another client may have switched the center, an alarm says in which one the case may have arrived. `wasHeld`: it
 * was certain until the end of the exchange; else the mark read now says nothing about that moment.
 */
async function checkCenterAfter(
  context: DeliveryContext,
  row: SubmissionRow,
  attemptId: string,
  { outcome, wasHeld }: { readonly outcome: Outcome; readonly wasHeld: boolean },
): Promise<void> {
  const { outbox, clock } = context
  const isElsewhere = await wasSwitched(context, row.center_id)
  if (!isElsewhere && wasHeld) return
  if (outcome !== 'delivered' && outcome !== 'unknown') return
  const key = isElsewhere ? 'sending:center.switchedAfter' : 'sending:center.signedInAgain'
  const caseId = outbox.rowOf(row.id)?.case_id ?? null
  const caseIds = caseId === null ? [] : [caseId]
  outbox.write(() => {
    appendEvidence(context, row.id, attemptId, { kind: 'centerUnsure', caseIds, key })
    const alarm = { kind: 'centerSwitched' as const, submissionId: row.id, caseIds }
    outbox.raiseAlarm({ ...alarm, ...worded(key), at: clock.now() })
  })
  context.onAlarm(row.id)
}

/** Postpones a case that still waits, and returns until when, in epoch milliseconds. */
export function postpone(context: DeliveryContext, row: SubmissionRow, failure: Failure): number {
  const { outbox, clock } = context
  const at = clock.now()
  const notBefore = at + pauseMs(context, PAUSE_FAILURES)
  const current = outbox.rowOf(row.id)
  if (current?.state === 'waiting' && current.undo_ms === null)
    outbox.moveSubmission(row.id, 'postponed', { failure, notBefore }, { at })
  return notBefore
}
