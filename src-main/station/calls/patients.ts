/** A person's answers about the patients of a case: that there are several, that there is one, and which numbers count. */
import type { ParsedInput } from '../../../src-shared/contract.ts'
import { fail, failureOf, refuse, type Result, succeed } from '../../../src-shared/failure.ts'
import { FIELD_NAMES } from '../../../src-shared/fields.ts'
import { isUnsent } from '../../../src-shared/states.ts'
import type { SubmissionDetails } from '../../../src-shared/submission.ts'
import type { CallHandlers, StationParts } from '../api.ts'
import { identityColumn } from '../json-columns.ts'
import type { SubmissionRow } from '../outbox/rows.ts'
import {
  auditDecision,
  type DecisionStamp,
  detailsOf,
  hasMoreSince,
  notThere,
  stampNow,
} from './decisions.ts'
import { createFor, findObstacle, includeTwins, inOneCommit, refreshState } from './grouping.ts'

export function patientCalls(parts: StationParts) {
  return {
    'submissions.proof': ({ id }) => {
      const proof = parts.intake.proofOf(id)
      return Promise.resolve(proof === null ? fail(notThere(parts, id)) : succeed(proof))
    },
    'submissions.separate': ({ by, why, ...input }) =>
      inOneCommit(parts, () => separate(parts, input, stampNow(parts, { by, why }))),
    'submissions.samePatient': ({ by, why, ...input }) =>
      inOneCommit(parts, () => notePatientIsOne(parts, input, stampNow(parts, { by, why }))),
    'submissions.answerNumber': ({ by, why, ...input }) =>
      inOneCommit(parts, () => answerNumber(parts, input, stampNow(parts, { by, why }))),
  } satisfies Partial<CallHandlers>
}

/**
 * Makes a case of each group but the first, which stays. Images move with their other files and their own answers. What
 * a person entered may be of any of the patients: it stays with none, and the trail names it without its value.
 */
function separate(
  parts: StationParts,
  { id, groups, seen }: Pick<ParsedInput<'submissions.separate'>, 'id' | 'groups' | 'seen'>,
  stamp: DecisionStamp,
): Result<{ cases: SubmissionDetails[] }> {
  const { outbox } = parts
  const row = outbox.submissions.row(id)
  if (!row) return fail(notThere(parts, id))
  const own = outbox.images.rows(id)
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
    outbox.images.move(imageIds, createdId)
    auditDecision(parts, createdId, 'separatedFrom', stamp, { from: id, images: imageIds.length })
    return createdId
  })
  auditDecision(parts, id, 'separated', stamp, { into: made, cleared })
  const ids = [id, ...made]
  parts.intake.forgetSamePatient(row.folder_path, ids)
  for (const one of ids) refreshState(parts, one, stamp, 'closed')
  outbox.afterCommit(() => void parts.intake.rereadFolder(row.folder_path))
  const cases = ids.flatMap((one) => outbox.submissions.details(one) ?? [])
  return cases.length === ids.length ? succeed({ cases }) : fail(failureOf('notFound'))
}

/** Takes back every value that a person entered for the case, and returns their names. */
function clearEntries({ outbox }: StationParts, row: SubmissionRow, { at }: DecisionStamp): string[] {
  const submission = outbox.submissions.get(row.id)
  if (!submission) return []
  const { settled: _settled, joinedAfterEntry: _joined, ...identity } = identityColumn.read(row.identity)
  outbox.submissions.setIdentity(row.id, identity)
  outbox.submissions.setNoImageBecause(row.id, {})
  const entered = FIELD_NAMES.filter((name) => submission.sources[name] === 'person')
  const [fields, sources] = [{ ...submission.fields }, { ...submission.sources }]
  for (const name of entered) {
    delete fields[name]
    delete sources[name]
  }
  outbox.submissions.setContent(row.id, { fields, sources, reasons: submission.reasons }, at)
  return entered
}

/** All images of the case are of one patient, whatever numbers and names they state; remembered for the folder. */
function notePatientIsOne(
  parts: StationParts,
  { id, seen }: Pick<ParsedInput<'submissions.samePatient'>, 'id' | 'seen'>,
  stamp: DecisionStamp,
): Result<SubmissionDetails> {
  const { outbox, intake } = parts
  const row = outbox.submissions.row(id)
  if (!row) return fail(notThere(parts, id))
  const why = findObstacle(parts, [row])
  if (why) return why
  if (hasMoreSince(parts, id, seen)) return fail(failureOf('changed'))
  intake.rememberSamePatient(id, stamp)
  auditDecision(parts, id, 'samePatient', stamp)
  refreshState(parts, id, stamp)
  outbox.afterCommit(() => void intake.rereadFolder(row.folder_path))
  return detailsOf(parts, id)
}

/** Whether a number that the names mention is a patient's; kept for the folder. The trail does not name it. */
function answerNumber(
  parts: StationParts,
  {
    id,
    number,
    isPatientNumber,
  }: Pick<ParsedInput<'submissions.answerNumber'>, 'id' | 'number' | 'isPatientNumber'>,
  stamp: DecisionStamp,
): Result<SubmissionDetails> {
  const { outbox, intake } = parts
  const row = outbox.submissions.row(id)
  if (!row) return fail(notThere(parts, id))
  if (!isUnsent(row.state)) return refuse('notAllowed', 'call:edit.tooLate')
  intake.rememberNumber(id, { number, isPatients: isPatientNumber }, stamp)
  auditDecision(parts, id, 'numberAnswered', stamp, { isPatientNumber })
  intake.reread([id])
  outbox.afterCommit(() => void intake.rereadFolder(row.folder_path))
  return detailsOf(parts, id)
}
