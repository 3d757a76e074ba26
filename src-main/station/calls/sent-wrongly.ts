/**
 * A person's decisions on a case that was sent wrongly, or that may not be sent because its patient withdrew. Nothing here
 * sends anything, and what was sent stays what it is.
 */
import type { ParsedInput } from '../../../src-shared/contract.ts'
import { fail, type Failure, failureOf, refusal, refuse, type Result } from '../../../src-shared/failure.ts'
import { type Fields, isCalendarDate } from '../../../src-shared/fields.ts'
import { isUnsent } from '../../../src-shared/states.ts'
import type { Image, SentWrongly, Submission, SubmissionDetails } from '../../../src-shared/submission.ts'
import type { CallHandlers, StationParts } from '../api.ts'
import type { SubmissionRow } from '../outbox/rows.ts'
import {
  auditDecision,
  type DecisionStamp,
  forEachSubmission,
  inOneCommit,
  notThere,
  type ShownInput,
  unlikeShown,
} from './decisions.ts'
import { detailsOf } from './grouping.ts'

export function sentWronglyCalls(parts: StationParts) {
  return {
    'submissions.noteSentWrongly': inOneCommit(parts, note),
    'submissions.correct': inOneCommit(parts, correct),
    'submissions.withdraw': forEachSubmission(
      parts,
      (row, stamp, { seen }: ShownInput) => unlikeShown(parts, row.id, seen) ?? withdraw(parts, row, stamp),
    ),
  } satisfies Partial<CallHandlers>
}

/** Erases a case that was never sent. What may have arrived is not erased: a person says first whether it did. */
function withdraw(parts: StationParts, row: SubmissionRow, stamp: DecisionStamp): Failure | null {
  const { outbox, cases } = parts
  if (row.erased_at !== null || !(isUnsent(row.state) || row.state === 'discarded'))
    return refusal('notAllowed', 'call:decision.notErasable')
  if (outbox.hasUnresolvedAttempt(row.id)) return refusal('notAllowed', 'call:decision.notErasable')
  if (row.state !== 'discarded') outbox.moveSubmission(row.id, 'discarded', {}, stamp)
  cases.erase(row, stamp)
  outbox.afterCommit(() => void parts.eraseLeftovers())
  return null
}

/** The note may be changed, and taken back, until the service was called. Nothing that is learnt rests on the case then. */
function note(
  parts: StationParts,
  { id, because, right, call, by }: ParsedInput<'submissions.noteSentWrongly'>,
  stamp: DecisionStamp,
): Result<SubmissionDetails> {
  const { outbox, cases } = parts
  const sent = outbox.detailsOf(id)
  if (!sent || sent.unreadable !== undefined) return fail(notThere(parts, id))
  const { state, sentWrongly: before, replacedBy } = sent
  if (state !== 'sent' || before?.call || (because === null && replacedBy))
    return fail(failureOf('notAllowed'))
  if (because === 'day' && right !== '' && !isCalendarDate(right)) return fail(failureOf('badRequest'))
  const at = before?.at ?? stamp.at
  const noted = because && { because, right, at, by: before?.by ?? by, call: call ? { ...call, by } : null }
  outbox.noteSentWrongly(id, noted, { by, at: stamp.at })
  const what = because === null ? 'sentRightly' : call ? 'serviceCalled' : 'sentWrongly'
  auditDecision(parts, id, what, stamp, { because })
  outbox.afterCommit(() => {
    parts.emitStatus()
    parts.reports.wake()
    cases.names.recheck()
    void cases.rereadFolder(outbox.rowOf(id)?.folder_path ?? null)
  })
  return detailsOf(parts, id)
}

/**
 * What a corrected case begins with: of what was sent, all but what is wrong. Of the case of another patient only the day
 * and the eyes, unless a data file stated them, which may be of the other. A wrong eye is asked for at each image. Pure.
 */
export function correctedFrom(
  { fields, sources, images }: Pick<Submission, 'fields' | 'sources' | 'images'>,
  { because, right }: Pick<SentWrongly, 'because' | 'right'>,
): { readonly fields: Fields; readonly images: readonly Image[] } {
  const isOther = because === 'patient'
  const { visit_date: day, ...others } = fields
  const isDayOfFile = isOther && sources.visit_date === 'sidecar'
  const rightDay = because === 'day' ? right : isDayOfFile ? '' : day
  const eyeOf = ({ eye, eyeSource }: Image): Image['eye'] =>
    because === 'eye' || (isOther && eyeSource === 'sidecar') ? 'unknown' : eye
  return {
    fields: {
      ...(isOther ? right !== '' && { history_number: right } : others),
      ...(rightDay && { visit_date: rightDay }),
    },
    images: images
      .filter(({ excludedBecause, twinOf }) => excludedBecause === null && twinOf === null)
      .map((image) => ({ ...image, eye: eyeOf(image) })),
  }
}

/** Makes the corrected case, without a folder: whatever a folder allows, it goes to a person. */
function correct(
  parts: StationParts,
  { id, by }: ParsedInput<'submissions.correct'>,
  stamp: DecisionStamp,
): Result<SubmissionDetails> {
  const { outbox, cases } = parts
  const sent = outbox.detailsOf(id)
  if (!sent) return fail(notThere(parts, id))
  const { sentWrongly: wrong, reference, centerId, replacedBy } = sent
  if (wrong === null || wrong.because === 'consent' || replacedBy) return fail(failureOf('notAllowed'))
  const { fields, images } = correctedFrom(sent, wrong)
  if (images.length === 0 || images.some(({ removedAt }) => removedAt !== null))
    return refuse('notAllowed', 'call:imagesGone')
  const signature = { by, at: stamp.at }
  const made = outbox.createSubmission({
    folderPath: null,
    groupKey: null,
    addendumTo: null,
    identity: {
      isAddendumAccepted: false,
      settled: { patient: signature, visitDay: signature },
      // Two people never have one number.
      ...(wrong.because === 'patient' && { separatedFrom: [id] }),
    },
    fields,
    sources: Object.fromEntries(Object.keys(fields).map((name) => [name, 'person' as const])),
    centerId,
    quietUntil: null,
    replaces: id,
    at: stamp.at,
  })
  for (const image of images) outbox.copyImage(made, image, signature)
  auditDecision(parts, id, 'corrected', stamp, { reference: outbox.rowOf(made)?.reference ?? null })
  auditDecision(parts, made, 'corrected', stamp, { reference })
  cases.settle(made, 'closing', stamp)
  return detailsOf(parts, made)
}
