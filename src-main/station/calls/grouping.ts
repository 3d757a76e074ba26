/**
 * A person's decisions on which images belong together: merging cases, splitting one, moving images between two; and of the
 * cases of a decision, whether they are still as they were shown, and what the answer says of them.
 */
import type { ParsedInput } from '../../../src-shared/contract.ts'
import { fail, failureOf, refuse, type Result, succeed } from '../../../src-shared/failure.ts'
import type { Stated } from '../../../src-shared/proof.ts'
import { isUnsent } from '../../../src-shared/states.ts'
import type { SubmissionDetails } from '../../../src-shared/submission.ts'
import { wordingOf } from '../../../src-shared/wording.ts'
import type { CallHandlers, StationParts } from '../api.ts'
import { identityColumn } from '../json-columns.ts'
import { carrySeparation, conflictingFields, discardEmptied, mergeInto } from '../merge-submissions.ts'
import type { SubmissionRow } from '../outbox/rows.ts'
import { auditDecision, type DecisionStamp, inOneCommit, notThere, unlikeShown } from './decisions.ts'

export function groupingCalls(parts: StationParts) {
  return {
    'submissions.merge': inOneCommit(parts, mergeSubmissions),
    'submissions.split': inOneCommit(parts, splitSubmission),
    'submissions.moveImages': inOneCommit(parts, moveImages),
  } satisfies Partial<CallHandlers>
}

function moveImages(
  parts: StationParts,
  { imageIds, toId, seen }: ParsedInput<'submissions.moveImages'>,
  stamp: DecisionStamp,
): Result<SubmissionDetails> {
  const { outbox, ports } = parts
  const to = outbox.rowOf(toId)
  const images = imageIds.flatMap((id) => outbox.imageById(id) ?? [])
  const fromIds = [...new Set(images.map((image) => image.submission_id))].filter((id) => id !== toId)
  const from = fromIds.flatMap((id) => outbox.rowOf(id) ?? [])
  if (!to || images.length !== imageIds.length) return fail(failureOf('notFound'))
  const why = findObstacle(parts, [to, ...from]) ?? findUnlike(parts, [to, ...from], seen)
  if (why) return why
  for (const source of from) {
    outbox.moveImages(includeTwins(parts, source.id, imageIds), toId)
    auditDecision(parts, toId, 'imagesMoved', stamp, { from: source.id, images: imageIds.length })
    if (outbox.imageRowsOf(source.id).length === 0)
      discardEmptied({ outbox, clock: ports.clock, stamp }, source.id, toId)
    else settleGrouped(parts, source.id, stamp)
  }
  settleGrouped(parts, toId, stamp)
  return detailsOf(parts, toId)
}

/** The chosen images of this submission and its other files of the chosen ones, of whichever case those are. */
export function includeTwins(
  parts: StationParts,
  submissionId: string,
  imageIds: readonly string[],
): string[] {
  const rows = parts.outbox.imageRowsOf(submissionId)
  const isChosen = (id: string | null): boolean => id !== null && imageIds.includes(id)
  const originals = rows.filter(({ id }) => isChosen(id)).map(({ twin_of }) => twin_of)
  return rows
    .filter(({ id, twin_of }) => isChosen(id) || isChosen(twin_of) || originals.includes(id))
    .map(({ id }) => id)
}

/** Reads a case again that a person has regrouped. */
export function settleGrouped(
  parts: StationParts,
  id: string,
  stamp: DecisionStamp,
  cause: 'grouping' | 'separation' = 'grouping',
): void {
  markGrouped(parts, id, stamp)
  parts.cases.settle(id, cause, stamp)
}

/** A person has grouped these very images: only another one asks again whether they belong together. */
export function markGrouped({ outbox }: StationParts, id: string, { by, at }: DecisionStamp): void {
  outbox.setGroupedByPerson(id)
  const row = outbox.rowOf(id)
  if (!row) return
  const { settled, ...identity } = identityColumn.read(row.identity)
  const statements = outbox.imageRowsOf(id).map((image) => image.id)
  outbox.setIdentity(id, {
    ...identity,
    settled: { ...settled, together: { statements, by: by ?? null, at } },
  })
}

/** A case of its own for images of this one, which is read from its files alone; what this was separated from, it is, too. */
export function createFor({ outbox }: StationParts, row: SubmissionRow, at: number): string {
  const id = outbox.createSubmission({
    folderPath: row.folder_path,
    groupKey: null,
    addendumTo: row.addendum_to,
    centerId: row.center_id,
    quietUntil: at,
    at,
  })
  carrySeparation(outbox, row.id, id)
  return id
}

function findUnlike(
  parts: StationParts,
  rows: readonly SubmissionRow[],
  seen: ParsedInput<'submissions.merge'>['seen'],
): Result<never> | null {
  const [unlike] = rows.flatMap(({ id }) => unlikeShown(parts, id, seen) ?? [])
  return unlike === undefined ? null : fail(unlike)
}

/** Why the images of these submissions cannot be regrouped; null if they can. */
export function findObstacle({ outbox }: StationParts, rows: readonly SubmissionRow[]): Result<never> | null {
  if (rows.some((row) => !isUnsent(row.state))) return refuse('notAllowed', 'call:grouping.sent')
  const mayHaveArrived = rows.some((row) =>
    outbox.attemptsOf(row.id).some((attempt) => attempt.outcome === 'unknown'),
  )
  if (mayHaveArrived) return refuse('notAllowed', 'call:grouping.mayHaveArrived')
  return new Set(rows.map((row) => row.center_id)).size > 1
    ? refuse('notAllowed', 'call:grouping.otherCenters')
    : null
}

/** Splits images off into a case of their own, which is read from its files alone. */
function splitSubmission(
  parts: StationParts,
  { id, imageIds, seen }: ParsedInput<'submissions.split'>,
  stamp: DecisionStamp,
): Result<{ kept: SubmissionDetails; made: SubmissionDetails }> {
  const { outbox } = parts
  const row = outbox.rowOf(id)
  if (!row) return fail(failureOf('notFound'))
  const own = outbox.imageRowsOf(id)
  if (imageIds.some((imageId) => !own.some((image) => image.id === imageId)))
    return refuse('notAllowed', 'call:grouping.foreignImage')
  const movedIds = includeTwins(parts, id, imageIds)
  if (movedIds.length === own.length) return refuse('notAllowed', 'call:grouping.oneStays')
  const why = findObstacle(parts, [row])
  if (why) return why
  if (hasMoreSince(parts, id, seen)) return fail(failureOf('changed'))
  const createdId = createFor(parts, row, stamp.at)
  outbox.moveImages(movedIds, createdId)
  auditDecision(parts, id, 'split', stamp, { into: createdId, images: movedIds.length })
  settleGrouped(parts, createdId, stamp, 'separation')
  settleGrouped(parts, id, stamp)
  const [original, created] = [detailsOf(parts, id), detailsOf(parts, createdId)]
  if (!original.ok) return original
  return created.ok ? succeed({ kept: original.value, made: created.value }) : created
}

/** Merges cases into the first one. Keeps values that people entered; if they differ, it does not guess. */
function mergeSubmissions(
  parts: StationParts,
  { ids, seen }: ParsedInput<'submissions.merge'>,
  stamp: DecisionStamp,
): Result<SubmissionDetails> {
  const { outbox, ports } = parts
  const uniqueIds = [...new Set(ids)]
  const rows = uniqueIds.flatMap((id) => outbox.rowOf(id) ?? [])
  const [target, ...others] = rows
  if (!target || rows.length !== uniqueIds.length) return fail(failureOf('notFound'))
  if (others.length === 0) return refuse('notAllowed', 'call:grouping.tooFew')
  const why = findObstacle(parts, rows) ?? findUnlike(parts, rows, seen)
  if (why) return why
  const contents = rows.flatMap((row) => outbox.submissionOf(row.id) ?? [])
  const conflicts = new Set(
    contents.flatMap((one, index) =>
      contents.slice(index + 1).flatMap((other) => conflictingFields(one, other)),
    ),
  )
  if (conflicts.size > 0) {
    const fields = Array.from(conflicts, (name) => wordingOf(`field:label.${name}`))
    return refuse('notAllowed', 'call:grouping.differentValues', { fields })
  }
  for (const other of others) mergeInto({ outbox, clock: ports.clock, stamp }, target, other)
  auditDecision(parts, target.id, 'merged', stamp, { from: others.map((row) => row.id) })
  settleGrouped(parts, target.id, stamp)
  return detailsOf(parts, target.id)
}

/** Does more speak of the patients and the images of the case by now than the caller had shown? */
export function hasMoreSince(
  { cases }: Pick<StationParts, 'cases'>,
  id: string,
  seen: Stated | undefined,
): boolean {
  if (seen === undefined) return false
  const stated = cases.proofOf(id)?.stated
  if (stated === undefined) return false
  return (
    stated.patient.some((voice) => !seen.patient.includes(voice)) ||
    Object.keys(stated.eyes).some((imageId) => seen.eyes[imageId] === undefined)
  )
}

/** The unsent case that a person decides on, if no more speaks of it than they were shown. */
export function unsentCase(
  parts: Pick<StationParts, 'outbox' | 'cases'>,
  id: string,
  seen?: Stated,
): Result<SubmissionRow> {
  const row = parts.outbox.rowOf(id)
  if (!row) return fail(notThere(parts, id))
  if (!isUnsent(row.state)) return refuse('notAllowed', 'call:edit.tooLate')
  return hasMoreSince(parts, id, seen) ? fail(failureOf('changed')) : succeed(row)
}

export function allDetailsOf(
  { outbox, cases }: Pick<StationParts, 'outbox' | 'cases'>,
  ids: readonly string[],
): Result<{ cases: SubmissionDetails[] }> {
  const found = ids.flatMap((id) => outbox.detailsOf(id) ?? []).map(cases.undo.shown)
  return found.length === ids.length ? succeed({ cases: found }) : fail(failureOf('notFound'))
}

export function detailsOf(
  { outbox, cases }: Pick<StationParts, 'outbox' | 'cases'>,
  id: string,
): Result<SubmissionDetails> {
  const found = outbox.detailsOf(id)
  return found ? succeed(cases.undo.shown(found)) : fail(failureOf('notFound'))
}
