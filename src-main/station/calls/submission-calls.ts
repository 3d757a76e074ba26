/** Reading, completing and resolving one submission. */
import type { ParsedInput } from '../../../src-shared/contract.ts'
import { failureOf } from '../../../src-shared/failure.ts'
import { FIELD_NAMES, type FieldChanges } from '../../../src-shared/fields.ts'
import { fail, succeed, type Result } from '../../../src-shared/result.ts'
import type { SubmissionState } from '../../../src-shared/states.ts'
import type { Image, Submission, SubmissionDetails } from '../../../src-shared/submission.ts'
import type { AuditDetails } from '../outbox/audit-store.ts'
import type { SubmissionRow } from '../outbox/submission-rows.ts'
import { identityColumn, reasonsColumn } from '../json-columns.ts'
import type { CallHandlers } from '../station-api.ts'
import type { StationParts } from '../station-parts.ts'
import { stampAt, type DecisionStamp } from './decided.ts'
import { notThere } from './on-many.ts'
import { resolveSubmission } from './resolve-submission.ts'

type SubmissionCalls = Pick<
  CallHandlers,
  'submissions.list' | 'submissions.get' | 'submissions.create' | 'submissions.update' | 'submissions.resolve'
>

/** What was sent, or may have been, is no longer changed. */
const EDITABLE: readonly SubmissionState[] = [
  'collecting',
  'incomplete',
  'review',
  'waiting',
  'held',
  'refused',
]

function readDetails(parts: StationParts, id: string): Result<SubmissionDetails> {
  const found = parts.outbox.submissions.details(id)
  return found ? succeed(found) : fail(failureOf('notFound'))
}

/** A value sets a field; null takes the statement back, and the person's emptiness outweighs every source. */
function applyFieldChanges(
  before: Submission,
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

function applyImageChanges(
  parts: StationParts,
  row: SubmissionRow,
  changes: NonNullable<ParsedInput<'submissions.update'>['images']>,
): boolean {
  const own = new Set(parts.outbox.images.rows(row.id).map((image) => image.id))
  if (changes.some((change) => !own.has(change.id))) return false
  for (const change of changes) {
    if (change.eye !== undefined)
      parts.outbox.images.setEye(change.id, { eye: change.eye, source: 'person', statements: null })
    if (change.excludedBecause !== undefined)
      parts.outbox.images.setExcluded(change.id, change.excludedBecause)
  }
  return true
}

/** Where a submission stands after a person has edited it. A look that somebody asked for stays asked for. */
function refreshAfterEdit(
  parts: StationParts,
  row: SubmissionRow,
  mayLeave: boolean,
  stamp: DecisionStamp,
): void {
  const { outbox, intake } = parts
  if (row.state === 'incomplete' && mayLeave) return intake.refreshAndMove(row.id)
  const reasons = intake.refresh(row.id)
  // Why it was refused stays in sight while somebody mends it.
  if (row.state === 'refused' && !mayLeave) return
  if (row.state === 'incomplete') {
    if (reasons.length === 0) outbox.submissions.transition(row.id, 'gatheredForReview', {}, stamp)
    return
  }
  if (row.state === 'collecting' || row.state === 'held') return
  if (reasons.length > 0) outbox.submissions.transition(row.id, 'gatheredIncomplete', {}, stamp)
  else if (row.state === 'refused')
    outbox.submissions.transition(row.id, 'gatheredForReview', { failure: null }, stamp)
}

/** Names of fields and ids of images, for the trail: values are nobody's business there. */
function describeChanges(
  before: Submission,
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
    eyes: imagesWith(({ eye }, image) => eye !== undefined && eye !== image.eye),
    exclusions: imagesWith(
      ({ excludedBecause }, image) =>
        excludedBecause !== undefined && excludedBecause !== image.excludedBecause,
    ),
    ...(noImageBecause === undefined ? {} : { noImageBecause: Object.keys(noImageBecause) }),
  }
}

function updateSubmission(
  parts: StationParts,
  input: ParsedInput<'submissions.update'>,
): Result<SubmissionDetails> {
  const { outbox, ports } = parts
  return outbox.write(() => {
    const row = outbox.submissions.row(input.id)
    const before = outbox.submissions.get(input.id)
    if (!row || !before) return fail(notThere(parts, input.id))
    if (!EDITABLE.includes(row.state)) {
      return fail(
        failureOf('notAllowed', {
          message: 'This case is on its way or was sent, so it cannot be changed any more.',
        }),
      )
    }
    if (input.images && !applyImageChanges(parts, row, input.images)) {
      return fail(
        failureOf('notFound', {
          message: 'An image of this change does not belong to this case. Nothing was changed.',
        }),
      )
    }
    if (!input.mayLeave)
      outbox.submissions.setIdentity(row.id, { ...identityColumn.read(row.identity), isAtWork: true })
    if (input.noImageBecause) outbox.submissions.setNoImageBecause(row.id, input.noImageBecause)
    const stamp = stampAt(input, ports.clock.now())
    const content = applyFieldChanges(before, input.fields ?? {})
    const reasons = reasonsColumn.read(row.reasons)
    outbox.submissions.setContent(row.id, { ...content, reasons }, stamp.at)
    outbox.audit.append({
      at: stamp.at,
      submissionId: row.id,
      what: 'edited',
      by: stamp.by ?? null,
      details: { ...describeChanges(before, content, input), ...stamp.details },
    })
    refreshAfterEdit(parts, row, input.mayLeave, stamp)
    return readDetails(parts, row.id)
  })
}

export function submissionCalls(parts: StationParts): SubmissionCalls {
  return {
    'submissions.list': (input) => Promise.resolve(succeed(parts.outbox.submissions.list(input))),
    'submissions.get': ({ id }) => Promise.resolve(readDetails(parts, id)),
    'submissions.create': async (input) => {
      const made = await parts.intake.addByHand(input)
      if (!made.ok) return made
      const { at, by, details: why } = stampAt(input, parts.ports.clock.now())
      parts.outbox.audit.append({
        at,
        submissionId: made.value,
        what: 'madeByHand',
        by: by ?? null,
        details: { fields: Object.keys(input.fields), images: input.images.length, ...why },
      })
      // Only then: the case is made already, and whoever stops the station meanwhile would find it without who made it.
      await parts.uploads.taken(input.images.map(({ path }) => path))
      return readDetails(parts, made.value)
    },
    'submissions.update': (input) => Promise.resolve(updateSubmission(parts, input)),
    'submissions.resolve': (input) => Promise.resolve(resolveSubmission(parts, input)),
  }
}
