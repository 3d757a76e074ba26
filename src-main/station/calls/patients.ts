/** A person's answers about the patients of a case: that there are several, that there is one, and which numbers count. */
import type { ParsedInput } from '../../../src-shared/contract.ts'
import { fail, failureOf, refuse, type Result } from '../../../src-shared/failure.ts'
import { FIELD_NAMES } from '../../../src-shared/fields.ts'
import { isUnsent } from '../../../src-shared/states.ts'
import type { SubmissionDetails } from '../../../src-shared/submission.ts'
import { worded } from '../../../src-shared/wording.ts'
import type { CallHandlers, StationParts } from '../api.ts'
import { identityColumn } from '../json-columns.ts'
import type { Outbox } from '../outbox/outbox.ts'
import type { SubmissionRow } from '../outbox/rows.ts'
import {
  allDetailsOf,
  auditDecision,
  type DecisionStamp,
  detailsOf,
  hasMoreSince,
  inOneCommit,
  notThere,
  unsentCase,
} from './decision.ts'
import { createFor, findObstacle, includeTwins, settleGrouped } from './grouping.ts'

export function patientCalls(parts: StationParts) {
  return {
    'submissions.separate': inOneCommit(parts, separate),
    'submissions.samePatient': inOneCommit(parts, notePatientIsOne),
    'submissions.assignNumber': inOneCommit(parts, assignNumber),
    'submissions.answerNumber': inOneCommit(parts, answerNumber),
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
