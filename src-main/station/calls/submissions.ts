/** The calls on one case: read it, edit its values, eyes and images, and say whether a lost one arrived. */
import type { ParsedInput } from '../../../src-shared/contract.ts'
import { fail, failureOf, refuse, type Result, succeed } from '../../../src-shared/failure.ts'
import { FIELD_NAMES, type FieldChanges } from '../../../src-shared/fields.ts'
import { MAX_IMAGES_BY_HAND } from '../../../src-shared/image-files.ts'
import { isNeighbour, type Neighbour } from '../../../src-shared/near-numbers.ts'
import type { Evidence, Image, Submission, SubmissionDetails } from '../../../src-shared/submission.ts'
import { type Message, worded, type Wording, wordingOf } from '../../../src-shared/wording.ts'
import type { CallHandlers, StationParts } from '../api.ts'
import {
  type Answer,
  identityColumn,
  type NamedOnly,
  reasonsColumn,
  type StoredIdentity,
} from '../json-columns.ts'
import type { AuditDetails } from '../outbox/database.ts'
import type { AttemptRow, Destination, SubmissionRow } from '../outbox/rows.ts'
import {
  auditDecision,
  type DecisionStamp,
  inOneCommit,
  notThere,
  stampNow,
  unlikeShown,
} from './decisions.ts'
import { detailsOf, findObstacle, unsentCase } from './grouping.ts'

/** Findings that make a case at the service a proposal; a new case alone proves nothing. */
const PROPOSING_KINDS: readonly Evidence['kind'][] = ['echoedReference', 'sameIdentity']

/** Findings at the service. Only the newest counts: it may contradict the one before. */
const FINDING_KINDS: readonly Evidence['kind'][] = [
  ...PROPOSING_KINDS,
  'several',
  'unclear',
  'absent',
  'twice',
]

type Unconfirmed = {
  readonly row: SubmissionRow
  readonly attempts: readonly AttemptRow[]
  readonly last: AttemptRow
  readonly destination: Destination
  readonly stamp: DecisionStamp
}

export function submissionCalls(parts: StationParts) {
  return {
    'submissions.list': (input) => {
      const { items, ...page } = parts.outbox.listSubmissions(input)
      return Promise.resolve(succeed({ ...page, items: items.map(parts.cases.undo.shown) }))
    },
    'submissions.get': ({ id }) => {
      const found = detailsOf(parts, id)
      if (!found.ok) return Promise.resolve(found)
      const isReadable = found.value.unreadable === undefined
      const proof = isReadable ? parts.cases.proofOf(id) : null
      return Promise.resolve(succeed({ ...found.value, proof, neighbour: neighbourOf(parts, found.value) }))
    },
    'submissions.create': async (input) => {
      const made = await parts.cases.addByHand(input)
      if (!made.ok) return made
      const facts = { fields: Object.keys(input.fields), images: input.images.length }
      auditDecision(parts, made.value, 'madeByHand', stampNow(parts, input), facts)
      // Only now, because the case exists already: a stop in between must not leave it without its author.
      await parts.outbox.durable()
      await parts.uploads.taken(input.images.map(({ path }) => path))
      return detailsOf(parts, made.value)
    },
    'submissions.addImages': async (input) => {
      const added = await parts.cases.addFiles(input, (attachTo) => addImages(parts, input, attachTo))
      if (!added.ok) return added
      // Else a power cut could take the case, after the files are gone.
      await parts.outbox.durable()
      await parts.uploads.taken(input.images.map(({ path }) => path))
      return added
    },
    'submissions.update': inOneCommit(parts, updateSubmission),
    'submissions.resolve': inOneCommit(parts, resolveSubmission),
  } satisfies Partial<CallHandlers>
}

/** A number that a record or confirmed names prove was mistaken by no one, and numbers in a row would ask all day. */
function neighbourOf({ outbox }: StationParts, { id, fields, verdict }: Submission): Neighbour | null {
  const day = fields.visit_date
  const { kind, by } = verdict.who
  if (kind === 'proven' && !by.includes('person')) return null
  if (fields.history_number === undefined || day === undefined) return null
  return outbox.patientsOfDay(day, id).find((other) => isNeighbour(fields, other)) ?? null
}

/** A camera's case takes its images from its folder: others are a case of their own, which a person may join with it. */
function addImages(
  parts: StationParts,
  input: ParsedInput<'submissions.addImages'>,
  attachTo: (submissionId: string) => void,
): Result<SubmissionDetails> {
  const { outbox } = parts
  const row = outbox.rowOf(input.id)
  if (!row) return fail(notThere(parts, input.id))
  if (row.folder_path !== null) return refuse('notAllowed', 'call:addImages.camera')
  const obstacle = findObstacle(parts, [row])
  if (obstacle) return obstacle
  if (outbox.imageRowsOf(row.id).length + input.images.length > MAX_IMAGES_BY_HAND)
    return refuse('badRequest', 'call:addImages.tooMany', { limit: MAX_IMAGES_BY_HAND })
  const stamp = stampNow(parts, input)
  attachTo(row.id)
  auditDecision(parts, row.id, 'imagesAdded', stamp, { images: input.images.length })
  parts.cases.settle(row.id, 'grouping', stamp)
  return detailsOf(parts, row.id)
}

function updateSubmission(
  parts: StationParts,
  input: ParsedInput<'submissions.update'>,
  stamp: DecisionStamp,
): Result<SubmissionDetails> {
  const { outbox } = parts
  const found = unsentCase(parts, input.id)
  if (!found.ok) return found
  const row = found.value
  const before = outbox.submissionOf(row.id)
  if (!before) return fail(notThere(parts, row.id))
  if (input.images && !applyImageChanges(parts, row, input, stamp)) {
    return refuse('notFound', 'call:grouping.foreignImage')
  }
  const { seen } = input
  const isAllSeen = !seen || outbox.imageRowsOf(row.id).every(({ id }) => seen.eyes[id] !== undefined)
  const identity = identityAfterEdit(identityColumn.read(row.identity), input, stamp, isAllSeen)
  outbox.setIdentity(row.id, identity)
  if (input.noImageBecause) outbox.setNoImageBecause(row.id, input.noImageBecause)
  const content = applyFieldChanges(before, input.fields ?? {})
  const reasons = reasonsColumn.read(row.reasons)
  outbox.setContent(row.id, { ...content, reasons }, stamp.at)
  auditDecision(parts, row.id, 'edited', stamp, describeChanges(before, content, input))
  parts.cases.settle(row.id, input.mayLeave ? 'editToLeave' : 'edit', stamp)
  if (input.fields && 'history_number' in input.fields) parts.cases.reread(identity.separatedFrom ?? [])
  return detailsOf(parts, row.id)
}

/** An entry settles all shown that spoke of the patient or the day. A later image has joined after it. */
function identityAfterEdit(
  { settled = {}, joinedAfterEntry = [], ...identity }: StoredIdentity,
  { fields = {}, seen, mayLeave }: ParsedInput<'submissions.update'>,
  stamp: DecisionStamp,
  isAllSeen: boolean,
): StoredIdentity {
  const entered: NamedOnly[] = [
    ...('history_number' in fields ? (['patient'] as const) : []),
    ...('visit_date' in fields ? (['visitDay'] as const) : []),
  ]
  const answers = Object.fromEntries(entered.map((fact) => [fact, answerOf(stamp, seen?.[fact])]))
  const others = joinedAfterEntry.filter((fact) => !entered.includes(fact))
  const joined = isAllSeen ? others : [...others, ...entered]
  return {
    ...identity,
    settled: { ...settled, ...answers },
    ...(joined.length > 0 && { joinedAfterEntry: joined }),
    ...(!mayLeave && { isAtWork: true as const }),
  }
}

/** Completed when the case is read again. */
function answerOf({ by, at }: DecisionStamp, shown: readonly string[] | undefined): Answer {
  return { ...(shown && { shown }), by: by ?? null, at }
}

/** Field names and image ids for the trail, without values. */
function describeChanges(
  before: Pick<Submission, 'fields' | 'sources' | 'images'>,
  { fields, sources }: Pick<Submission, 'fields' | 'sources'>,
  { images = [], noImageBecause }: ParsedInput<'submissions.update'>,
): AuditDetails {
  const imagesWith = (isChanged: (change: (typeof images)[number], image: Image) => boolean): string[] =>
    images
      .filter((change) => before.images.some((image) => image.id === change.id && isChanged(change, image)))
      .map(({ id }) => id)
  return {
    fields: FIELD_NAMES.filter(
      (name) => fields[name] !== before.fields[name] || sources[name] !== before.sources[name],
    ),
    setRight: imagesWith(({ eye }, image) => eye === 'right' && eye !== image.eye),
    setLeft: imagesWith(({ eye }, image) => eye === 'left' && eye !== image.eye),
    setUnknown: imagesWith(({ eye }, image) => eye === 'unknown' && eye !== image.eye),
    excluded: imagesWith(
      ({ excludedBecause: why }, image) => typeof why === 'string' && why !== image.excludedBecause,
    ),
    included: imagesWith(
      ({ excludedBecause }, image) => excludedBecause === null && image.excludedBecause !== null,
    ),
    ...(noImageBecause === undefined ? {} : { noImageBecause: Object.keys(noImageBecause) }),
  }
}

function applyImageChanges(
  parts: StationParts,
  row: SubmissionRow,
  { images: changes = [], seen }: ParsedInput<'submissions.update'>,
  stamp: DecisionStamp,
): boolean {
  const own = new Set(parts.outbox.imageRowsOf(row.id).map((image) => image.id))
  if (changes.some((change) => !own.has(change.id))) return false
  for (const change of changes) {
    if (change.eye !== undefined) {
      const answer = answerOf(stamp, seen && (seen.eyes[change.id] ?? []))
      parts.outbox.setEye(change.id, { eye: change.eye, source: 'person', statements: null, answer })
    }
    if (change.excludedBecause !== undefined) parts.outbox.setExcluded(change.id, change.excludedBecause)
  }
  return true
}

/** A value sets a field; null clears it, and that outweighs every source. */
function applyFieldChanges(
  before: Pick<Submission, 'fields' | 'sources'>,
  changes: FieldChanges,
): Pick<Submission, 'fields' | 'sources'> {
  const fields = { ...before.fields }
  const sources = { ...before.sources }
  for (const name of FIELD_NAMES) {
    const value = changes[name]
    if (value === undefined) continue
    sources[name] = 'person'
    if (value === null || value === '') delete fields[name]
    else Object.assign(fields, { [name]: value })
  }
  return { fields, sources }
}

/** Resolves an unconfirmed submission and records who decided, why, and on what evidence. */
function resolveSubmission(
  parts: StationParts,
  input: ParsedInput<'submissions.resolve'>,
  stamp: DecisionStamp,
): Result<SubmissionDetails> {
  const { outbox } = parts
  const row = outbox.rowOf(input.id)
  const attempts = outbox.attemptsOf(input.id)
  const last = attempts.at(-1)
  if (!row || !last) return fail(failureOf('notFound'))
  if (row.state !== 'unconfirmed') return fail(failureOf('notAllowed'))
  const destination = { baseUrl: last.base_url, clientId: last.client_id, centerId: row.center_id }
  const unconfirmed = { row, attempts, last, destination, stamp }
  if (input.delivered) {
    const caseId = resolvedCaseId(parts, input)
    if (caseId === null) {
      return refuse('badRequest', 'call:resolve.idMissing')
    }
    const objection = findObjection(parts, unconfirmed, caseId)
    if (objection !== null && !confirmInsistence(parts, unconfirmed, { caseId, insists: input.insists })) {
      const message = worded('call:resolve.insist', { objection })
      return fail(failureOf('notAllowed', { ...message, overruledBy: 'insists' }))
    }
    resolveDelivered(parts, unconfirmed, caseId, objection)
    outbox.afterCommit(() => parts.reports.wake())
  } else {
    const unlike = unlikeShown(parts, row.id, input.seen)
    if (unlike !== null) return fail(unlike)
    resolveAbsent(parts, unconfirmed)
  }
  return detailsOf(parts, row.id)
}

function resolveDelivered(
  parts: StationParts,
  unconfirmed: Unconfirmed,
  caseId: string,
  objection: Wording | null,
): void {
  const { outbox } = parts
  const { row, stamp, destination } = unconfirmed
  const { at } = stamp
  const message =
    objection === null ? worded('call:resolve.there') : worded('call:resolve.thereAgainst', { objection })
  appendDecision(parts, unconfirmed, [caseId], message)
  const isInsisted = objection === null ? {} : { isInsisted: true }
  const options = { ...stamp, details: { ...stamp.details, decision: 'there', caseId, ...isInsisted } }
  const patch = { caseId, sentAt: at, failure: null, notBefore: at }
  outbox.moveSubmission(row.id, 'foundDelivered', patch, options)
  outbox.watchReport({ submissionId: row.id, caseId, destination, at })
}

function appendDecision(
  parts: StationParts,
  { row, last, stamp }: Unconfirmed,
  caseIds: string[],
  message: Message,
): void {
  const { at, by } = stamp
  const evidence = { submissionId: row.id, attemptId: last.id, at, caseIds, ...message, by: by ?? null }
  parts.outbox.appendEvidence({ ...evidence, kind: 'decision' })
}

function resolveAbsent(parts: StationParts, unconfirmed: Unconfirmed): void {
  const { outbox, cases } = parts
  const { row, last, stamp } = unconfirmed
  appendDecision(parts, unconfirmed, [], describeNextStep(parts, row.id))
  const options = {
    ...stamp,
    details: { ...stamp.details, decision: 'notThere', attempt: last.number },
  }
  outbox.moveSubmission(row.id, 'provenAbsent', { failure: null, notBefore: null }, options)
  if (outbox.matchesClearance(row.id)) return
  // It has gone on to review, and the trail says why.
  cases.settle(row.id, 'notThere', { at: stamp.at })
}

/** A person checks a case first if it was never approved, has changed since, or relies on names alone. */
function describeNextStep({ outbox }: StationParts, id: string): Message {
  if (!outbox.matchesClearance(id)) return worded('call:resolve.absentUnapproved')
  return worded(outbox.mayLeave(id) ? 'call:resolve.absent' : 'call:resolve.absentNames')
}

/** True if the person insists after seeing this objection; once is not enough: the answer may have been lost. */
function confirmInsistence(
  parts: StationParts,
  { row, last, stamp }: Unconfirmed,
  { caseId, insists = false }: { caseId: string; insists: boolean | undefined },
): boolean {
  if (insists && last.warned_case_id === caseId) return true
  parts.outbox.noteWarning(last.id, caseId)
  auditDecision(parts, row.id, 'insistenceNeeded', stamp, { caseId, attempt: last.number })
  return false
}

/** Why this id is unlikely to be the case; null if nothing contradicts it. */
function findObjection(
  parts: StationParts,
  { row, attempts, destination }: Unconfirmed,
  caseId: string,
): Wording | null {
  const other = parts.outbox.submissionByCase(caseId, destination)
  if (other && other.id !== row.id) return wordingOf('call:resolve.otherCase', { reference: other.reference })
  const [first] = attempts
  return first && parts.outbox.wasKnownBefore(first, caseId) ? wordingOf('call:resolve.knownBefore') : null
}

/** The case id that a person confirms: the one entered, or the only one that the newest finding proposes. */
function resolvedCaseId(parts: StationParts, input: ParsedInput<'submissions.resolve'>): string | null {
  if (input.caseId !== undefined) return input.caseId.trim() === '' ? null : input.caseId.trim()
  const found = parts.outbox
    .detailsOf(input.id)
    ?.evidence.findLast((evidence) => FINDING_KINDS.includes(evidence.kind))
  const [only] = found?.caseIds ?? []
  const isOne = found !== undefined && PROPOSING_KINDS.includes(found.kind) && found.caseIds.length === 1
  return isOne && only !== undefined ? only : null
}
