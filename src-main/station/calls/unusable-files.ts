/** A person's decisions on files that cannot be used, and on the images that came under their names. */
import type { ParsedInput } from '../../../src-shared/contract.ts'
import { refuse, type Result } from '../../../src-shared/failure.ts'
import { isPending, type SubmissionDetails, type UnusableFile } from '../../../src-shared/submission.ts'
import { inEnglish, wordingOf } from '../../../src-shared/wording.ts'
import type { CallHandlers, StationParts } from '../api.ts'
import { unusableFromRow } from '../json-columns.ts'
import type { SubmissionRow } from '../outbox/rows.ts'
import type { UnusableRow } from '../outbox/unusable-files.ts'
import { auditDecision, type DecisionStamp, detailsOf, inOneCommit, unsentCase } from './decision.ts'
import { createFor, markGrouped } from './grouping.ts'

type Input = ParsedInput<'submissions.decideFile'>

export function unusableFileCalls(parts: StationParts) {
  return {
    'submissions.decideFile': inOneCommit(parts, decideFile),
  } satisfies Partial<CallHandlers>
}

function decideFile(parts: StationParts, input: Input, stamp: DecisionStamp): Result<SubmissionDetails> {
  const { outbox } = parts
  const found = unsentCase(parts, input.id, input.seen)
  if (!found.ok) return found
  const row = found.value
  const file = outbox.unusableOf(row.id).find(({ id }) => id === input.fileId)
  if (!file) return refuse('notFound', 'call:file.foreign')
  const objection = objectionTo(input, unusableFromRow(file))
  if (objection !== null) return objection
  auditDecision(parts, row.id, 'fileDecided', stamp, { decision: input.decision })
  applyDecision(parts, row, file, input, stamp)
  parts.cases.settle(row.id, 'unusableFile', stamp)
  return detailsOf(parts, row.id)
}

function objectionTo(
  { decision, why }: Input,
  file: Pick<UnusableFile, 'decision' | 'replacedBy'>,
): Result<never> | null {
  if (file.decision === 'replaced') return refuse('notAllowed', 'call:file.replaced')
  const isAsked = isPending(file) && file.replacedBy !== null
  if (decision === 'isNewExport' || decision === 'isNotNewExport')
    return isAsked ? null : refuse('notAllowed', 'call:file.notAsked')
  // Otherwise the image would go along without an answer.
  if (isAsked) return refuse('notAllowed', 'call:file.answerFirst')
  return decision === 'exclude' && why === undefined ? refuse('badRequest', 'call:file.whyMissing') : null
}

function applyDecision(
  parts: StationParts,
  row: SubmissionRow,
  file: UnusableRow,
  { decision, why }: Input,
  stamp: DecisionStamp,
): void {
  const { outbox } = parts
  const actor = { made_by: stamp.by ?? null, made_at: stamp.at }
  if (decision === 'isNotNewExport') {
    const imageId = file.new_export_id
    outbox.changeUnusable(file, { replaced_by: null })
    if (imageId !== null) separate(parts, row, imageId, stamp)
    return
  }
  if (decision === 'isNewExport')
    return outbox.changeUnusable(file, { decision: 'replaced', because: null, ...actor })
  const because =
    decision === 'sendAsItIs' ? (why ?? inEnglish(wordingOf('call:file.cannotBeRead'))) : (why ?? null)
  explainMissingEye(parts, row.id, file, decision === 'sendAsItIs' ? because : null)
  outbox.changeUnusable(file, { decision, because, ...actor })
}

/** The remark of the case says why an eye has no image, and no longer once a person has decided otherwise. */
function explainMissingEye(
  { outbox }: StationParts,
  id: string,
  file: UnusableRow,
  because: string | null,
): void {
  const { eye } = unusableFromRow(file)
  const { noImageBecause = {}, images = [] } = outbox.submissionOf(id) ?? {}
  if (eye === 'unknown') return
  const { [eye]: current, ...others } = noImageBecause
  const isOurs = current !== undefined && current === file.because
  const isMissing = !images.some((image) => image.eye === eye && image.excludedBecause === null)
  if (because !== null && isMissing && (current === undefined || isOurs))
    outbox.setNoImageBecause(id, { ...others, [eye]: because })
  else if (because === null && isOurs) outbox.setNoImageBecause(id, others)
}

/** The image is of something else: it becomes a case of its own, read from its files alone. */
function separate(parts: StationParts, row: SubmissionRow, imageId: string, stamp: DecisionStamp): void {
  const { outbox } = parts
  const createdId = createFor(parts, { ...row, addendum_to: null }, stamp.at)
  const files = outbox.imageRowsOf(row.id).filter(({ id, twin_of }) => id === imageId || twin_of === imageId)
  outbox.moveImages(
    files.map(({ id }) => id),
    createdId,
  )
  for (const id of [createdId, row.id]) markGrouped(parts, id, stamp)
  auditDecision(parts, row.id, 'split', stamp, { into: createdId, images: files.length })
  parts.cases.settle(createdId, 'unusableFile', stamp)
}
