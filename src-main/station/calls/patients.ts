/** A person's answers about one case: whether its images are of one patient, whose a number is, what a bad file is worth. */
import type { ParsedInput } from '../../../src-shared/contract.ts'
import { fail, failureOf, refuse, type Result } from '../../../src-shared/failure.ts'
import { FIELD_NAMES } from '../../../src-shared/fields.ts'
import { isUnsent } from '../../../src-shared/states.ts'
import { isPending, type SubmissionDetails, type UnusableFile } from '../../../src-shared/submission.ts'
import { inEnglish, worded, wordingOf } from '../../../src-shared/wording.ts'
import type { CallHandlers, StationParts } from '../api.ts'
import { identityColumn, unusableFromRow } from '../json-columns.ts'
import type { Outbox } from '../outbox/outbox.ts'
import type { SubmissionRow } from '../outbox/rows.ts'
import type { UnusableRow } from '../outbox/unusable-files.ts'
import { auditDecision, type DecisionStamp, inOneCommit, notThere } from './decisions.ts'
import {
  allDetailsOf,
  createFor,
  detailsOf,
  findObstacle,
  hasMoreSince,
  includeTwins,
  markGrouped,
  settleGrouped,
  unsentCase,
} from './grouping.ts'

export function patientCalls(parts: StationParts) {
  return {
    'submissions.separate': inOneCommit(parts, separate),
    'submissions.samePatient': inOneCommit(parts, notePatientIsOne),
    'submissions.assignNumber': inOneCommit(parts, assignNumber),
    'submissions.answerNumber': inOneCommit(parts, answerNumber),
    'submissions.decideFile': inOneCommit(parts, decideFile),
  } satisfies Partial<CallHandlers>
}

/**
 * Makes a case of each group but the first, which stays. Images move with their other files and their own answers. What
 * a person entered may be of any of the patients: it stays with none, and the trail names it without its value.
 */
function separate(
  parts: StationParts,
  { id, groups, seen }: ParsedInput<'submissions.separate'>,
  stamp: DecisionStamp,
): Result<{ cases: SubmissionDetails[] }> {
  const { outbox } = parts
  const row = outbox.rowOf(id)
  if (!row) return fail(notThere(parts, id))
  const own = outbox.imageRowsOf(id)
  const isForeign = (imageId: string): boolean => !own.some((image) => image.id === imageId)
  if (groups.flat().some(isForeign)) return refuse('notAllowed', 'call:grouping.foreignImage')
  const whole = groups.map((group) => [...new Set(includeTwins(parts, id, group))])
  const all = whole.flat()
  if (new Set(all).size < all.length) return refuse('notAllowed', 'call:grouping.twice')
  const why = findObstacle(parts, [row])
  if (why) return why
  if (hasMoreSince(parts, id, seen)) return fail(failureOf('changed'))
  const cleared = clearEntries(parts, row, stamp)
  const made = whole.slice(1).map((imageIds) => {
    const createdId = createFor(parts, row, stamp.at)
    outbox.moveImages(imageIds, createdId)
    auditDecision(parts, createdId, 'separatedFrom', stamp, { from: id, images: imageIds.length })
    return createdId
  })
  auditDecision(parts, id, 'separated', stamp, { into: made, cleared })
  const ids = [id, ...made]
  parts.cases.forgetSamePatient(row.folder_path, ids)
  noteOtherPeople(parts, ids)
  // Whether they share a number is known once each was read.
  for (const one of ids) parts.cases.refresh(one)
  for (const one of ids) settleGrouped(parts, one, stamp, 'separation')
  outbox.afterCommit(() => void parts.cases.rereadFolder(row.folder_path))
  return allDetailsOf(parts, ids)
}

/** Takes back every value that a person entered for the case, and returns their names. */
function clearEntries({ outbox }: StationParts, row: SubmissionRow, { at }: DecisionStamp): string[] {
  const submission = outbox.submissionOf(row.id)
  if (!submission) return []
  const read = identityColumn.read(row.identity)
  const { settled: _settled, joinedAfterEntry: _joined, ownNumber: _own, ...identity } = read
  outbox.setIdentity(row.id, identity)
  outbox.setNoImageBecause(row.id, {})
  const entered = FIELD_NAMES.filter((name) => submission.sources[name] === 'person')
  const [fields, sources] = [{ ...submission.fields }, { ...submission.sources }]
  for (const name of entered) {
    delete fields[name]
    delete sources[name]
  }
  outbox.setContent(row.id, { fields, sources, reasons: submission.reasons }, at)
  return entered
}

/** Notes that these cases are of different people, and so are all from which one of them was separated before. */
function noteOtherPeople({ outbox }: StationParts, ids: readonly string[]): void {
  const identityOf = (id: string) => {
    const row = outbox.rowOf(id)
    return row && identityColumn.read(row.identity)
  }
  const all = new Set([...ids, ...ids.flatMap((id) => identityOf(id)?.separatedFrom ?? [])])
  for (const id of all) {
    const identity = identityOf(id)
    if (identity === undefined) continue
    outbox.setIdentity(id, { ...identity, separatedFrom: [...all].filter((one) => one !== id) })
  }
}

function forgetOtherPeople(outbox: Outbox, id: string, others: readonly string[]): void {
  const row = outbox.rowOf(id)
  if (!row) return
  const { separatedFrom = [], ...identity } = identityColumn.read(row.identity)
  const left = separatedFrom.filter((one) => !others.includes(one))
  outbox.setIdentity(id, { ...identity, ...(left.length > 0 && { separatedFrom: left }) })
}

/** References are unlike any other, at whatever service. */
const ANYWHERE = { baseUrl: '', clientId: '' }

/** Whose a number is that two people have. The trail does not name it. */
function assignNumber(
  parts: StationParts,
  { id, number, isThis, seen }: ParsedInput<'submissions.assignNumber'>,
  stamp: DecisionStamp,
): Result<{ cases: SubmissionDetails[] }> {
  const { outbox, cases } = parts
  const found = unsentCase(parts, id, seen)
  if (!found.ok) return found
  const shared = outbox.submissionOf(id)?.reasons.find(({ kind }) => kind === 'sharedNumber')
  if (shared === undefined) return fail(failureOf('changed'))
  const others = (shared.references ?? []).flatMap((reference) => {
    const found = outbox.submissionByReference(reference, ANYWHERE)
    return (found && outbox.rowOf(found.id)) ?? []
  })
  const open = others.filter(({ state }) => isUnsent(state))
  noteOtherPeople(parts, [id, ...open.map((other) => other.id)])
  enterNumber(parts, id, isThis ? number : null, stamp)
  for (const other of isThis ? others : []) {
    if (open.includes(other)) enterNumber(parts, other.id, null, stamp)
    else
      outbox.raiseAlarm({
        kind: 'contradicted',
        submissionId: other.id,
        caseIds: other.case_id === null ? [] : [other.case_id],
        ...worded('intake:contradicted.patient', { reference: other.reference }),
        at: stamp.at,
      })
  }
  const ids = [id, ...open.map((other) => other.id)]
  for (const one of ids) cases.refresh(one)
  for (const one of ids) cases.settle(one, 'grouping', stamp)
  return allDetailsOf(parts, ids)
}

/** Enters the number, or takes it from the case whatever its sources state: null. */
function enterNumber(parts: StationParts, id: string, number: string | null, stamp: DecisionStamp): void {
  const { outbox } = parts
  const [row, submission] = [outbox.rowOf(id), outbox.submissionOf(id)]
  if (!row || !submission) return
  const { settled = {}, ownNumber: _before, ...identity } = identityColumn.read(row.identity)
  outbox.setIdentity(id, {
    ...identity,
    settled: { ...settled, patient: { by: stamp.by ?? null, at: stamp.at } },
    ...(number !== null && { ownNumber: number }),
  })
  const { history_number: _number, ...fields } = submission.fields
  outbox.setContent(
    id,
    {
      fields: { ...fields, ...(number !== null && { history_number: number }) },
      sources: { ...submission.sources, history_number: 'person' },
      reasons: submission.reasons,
    },
    stamp.at,
  )
  auditDecision(parts, id, 'numberAssigned', stamp, { isOwn: number !== null })
}

/** All images of the case are of one patient, whatever numbers and names they state; remembered for the folder. */
function notePatientIsOne(
  parts: StationParts,
  { id, seen, answer }: ParsedInput<'submissions.samePatient'>,
  stamp: DecisionStamp,
): Result<SubmissionDetails> {
  const { outbox, cases } = parts
  const row = outbox.rowOf(id)
  if (!row) return fail(notThere(parts, id))
  const why = findObstacle(parts, [row])
  if (why) return why
  if (hasMoreSince(parts, id, seen)) return fail(failureOf('changed'))
  if (answer === 'forget') {
    cases.withdrawSamePatient(id)
    auditDecision(parts, id, 'samePatient', stamp, { answer })
    cases.reread([id])
    outbox.afterCommit(() => void cases.rereadFolder(row.folder_path))
    return detailsOf(parts, id)
  }
  const others = identityColumn.read(row.identity).separatedFrom ?? []
  // First, so that what is remembered holds between them, too.
  for (const one of [id, ...others]) forgetOtherPeople(outbox, one, one === id ? others : [id])
  const shared = cases.rememberSamePatient(id, stamp)
  if (shared !== null) enterNumber(parts, id, shared, stamp)
  auditDecision(parts, id, 'samePatient', stamp)
  cases.reread(others)
  settleGrouped(parts, id, stamp)
  outbox.afterCommit(() => void cases.rereadFolder(row.folder_path))
  return detailsOf(parts, id)
}

/** Whether a number that the names mention is a patient's; kept for the folder. The trail does not name it. */
function answerNumber(
  parts: StationParts,
  { id, number, isPatientNumber }: ParsedInput<'submissions.answerNumber'>,
  stamp: DecisionStamp,
): Result<SubmissionDetails> {
  const { outbox, cases } = parts
  const found = unsentCase(parts, id)
  if (!found.ok) return found
  cases.rememberNumber(id, { number, isPatients: isPatientNumber }, stamp)
  auditDecision(parts, id, 'numberAnswered', stamp, { isPatientNumber })
  cases.reread([id])
  outbox.afterCommit(() => void cases.rereadFolder(found.value.folder_path))
  return detailsOf(parts, id)
}

type FileInput = ParsedInput<'submissions.decideFile'>

/** A person's decision on a file that cannot be used, and on the image that came under its name. */
function decideFile(parts: StationParts, input: FileInput, stamp: DecisionStamp): Result<SubmissionDetails> {
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
  { decision, why }: FileInput,
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
  { decision, why }: FileInput,
  stamp: DecisionStamp,
): void {
  const { outbox } = parts
  const actor = { made_by: stamp.by ?? null, made_at: stamp.at }
  if (decision === 'isNotNewExport') {
    const imageId = file.new_export_id
    outbox.changeUnusable(file, { replaced_by: null })
    if (imageId !== null) separateImage(parts, row, imageId, stamp)
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
function separateImage(parts: StationParts, row: SubmissionRow, imageId: string, stamp: DecisionStamp): void {
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
