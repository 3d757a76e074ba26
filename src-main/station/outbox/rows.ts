/**
 * Translates rows and their JSON columns to the contract's values, and decides what rests on names alone: if the
 * patient, visit day or eye was read from file or folder names, a case leaves only after a person has approved its
 * content (`approvals.ts`).
 */
import { z } from 'zod'
import type { Failure } from '../../../src-shared/failure.ts'
import { eyeSchema, IMAGE_TYPES } from '../../../src-shared/measurement-ranges.ts'
import { referenceOf, referenceSchema } from '../../../src-shared/reference.ts'
import { type SubmissionState, submissionStateSchema } from '../../../src-shared/states.ts'
import {
  type Attempt,
  attemptPhaseSchema,
  type Evidence,
  type Image,
  outcomeSchema,
  type Reason,
  type Source,
  sourceSchema,
  type Submission,
} from '../../../src-shared/submission.ts'
import { type Message, worded } from '../../../src-shared/wording.ts'
import {
  factsColumn,
  failureColumn,
  fieldsColumn,
  identityColumn,
  type JsonColumn,
  type NamedOnly,
  noImageBecauseColumn,
  odditiesColumn,
  reasonsColumn,
  sourcesColumn,
  textsColumn,
  wordingColumn,
} from '../json-columns.ts'

/**
 * Sources that count as proof. The patient list does not, because it is searched for the number in a name; nor
 * does a file's time.
 */
const PROOF: readonly Source[] = ['sidecar', 'dicom', 'person']

/** The sources of the critical facts; null if none is recorded. */
export type ReadFrom = {
  readonly patient: Source | null
  /** `unstated`: no day is sent. */
  readonly visitDay: Source | null | 'unstated'
  /** One for each image that is sent. */
  readonly eyes: readonly (Source | null)[]
  /**
   * Facts of some image that only its name states, although another image or its data file proves them for the
   * case.
   */
  readonly namedOnly: readonly NamedOnly[]
  /** Facts that a person entered before some image joined. */
  readonly joinedAfterEntry: readonly NamedOnly[]
}

/** Does any of it rest on names only? What a person entered holds for the images that were there. */
export function restsOnNames({ patient, visitDay, eyes, namedOnly, joinedAfterEntry }: ReadFrom): boolean {
  const isProven = (source: Source | null, what: NamedOnly): boolean =>
    isProof(source) && !(namedOnly.includes(what) && (source !== 'person' || joinedAfterEntry.includes(what)))
  if (!isProven(patient, 'patient')) return true
  if (visitDay !== 'unstated' && !isProven(visitDay, 'visitDay')) return true
  return eyes.some((source) => !isProof(source))
}

function isProof(source: Source | null): boolean {
  return source !== null && PROOF.includes(source)
}

type CaseRow = { readonly fields: string; readonly sources: string; readonly identity: string }

type ImageOfCase = {
  readonly eye_source: Source | null
  readonly excluded_because: string | null
  readonly twin_of: string | null
}

/** A row of version 0.1 does not say which facts of an image only its name states: each may be one. */
const NOTHING_PROVEN: readonly NamedOnly[] = ['patient', 'visitDay']

/** Null in a row of version 0.1 that was not refreshed since. */
export function namedOnlyOf({ identity }: Pick<CaseRow, 'identity'>): readonly NamedOnly[] | null {
  return identityColumn.read(identity).namedOnly ?? null
}

/** Does any of it rest on names only, according to the rows of a case? */
export function rowsRestOnNames(row: CaseRow, images: readonly ImageOfCase[]): boolean {
  const sources = sourcesColumn.read(row.sources)
  const { visit_date: day } = fieldsColumn.read(row.fields)
  const sent = images.filter((image) => image.excluded_because === null && image.twin_of === null)
  const { namedOnly = NOTHING_PROVEN, joinedAfterEntry = [] } = identityColumn.read(row.identity)
  return restsOnNames({
    patient: sources.history_number ?? null,
    visitDay: day === undefined ? 'unstated' : (sources.visit_date ?? null),
    eyes: sent.map((image) => image.eye_source),
    namedOnly,
    joinedAfterEntry,
  })
}

const text = z.string()
const instant = z.int()
const count = z.int().min(0)
const flag = z.union([z.literal(0), z.literal(1)])
const digest = z.string().regex(/^[0-9a-f]{64}$/)

const json = <Value>(column: JsonColumn<Value>): z.ZodType<string> =>
  z.string().refine((stored) => column.canRead(stored))

/** Rows are checked by these before use: a readable one has this form. */
const submissionRowSchema = z.object({
  position: z.int().min(1),
  id: text.min(1),
  reference: referenceSchema,
  state: submissionStateSchema,
  folder_path: text.nullable(),
  addendum_to: text.nullable(),
  fields: json(fieldsColumn),
  sources: json(sourcesColumn),
  identity: json(identityColumn),
  reasons: json(reasonsColumn),
  oddities: json(odditiesColumn),
  no_image_because: json(noImageBecauseColumn),
  passed_digest: digest.nullable(),
  /** When the content in `passed_digest` was last cleared for sending, epoch milliseconds. */
  passed_at: instant.nullable(),
  approved_digest: digest.nullable(),
  approved_by: text.nullable(),
  approved_at: instant.nullable(),
  /** The state from which it was put on hold; null in every other state. */
  held_from: submissionStateSchema.nullable(),
  grouped_by: z.enum(['program', 'person']),
  center_id: text.nullable(),
  is_urgent: flag,
  attempts: count,
  looks: count,
  case_id: text.min(1).nullable(),
  failure: json(failureColumn).nullable(),
  quiet_until: instant.nullable(),
  not_before: instant.nullable(),
  added_at: instant,
  changed_at: instant,
  sent_at: instant.nullable(),
  confirmed_at: instant.nullable(),
})

const imageRowSchema = z.object({
  id: text.min(1),
  submission_id: text.min(1),
  folder_path: text.nullable(),
  file_name: text.min(1),
  stem_key: text,
  eye: eyeSchema,
  eye_source: sourceSchema.nullable(),
  eye_statements: json(textsColumn).nullable(),
  size_bytes: count,
  // The hash is compared with the spool name, see below.
  sha256: text.min(1),
  spool_name: text.min(1),
  content_type: z.enum(IMAGE_TYPES),
  mtime_ms: z.number(),
  facts: json(factsColumn).nullable(),
  oddities: json(odditiesColumn),
  sop_uid: text.nullable(),
  picture_spool_name: text.min(1).nullable(),
  picture_content_type: z.enum(IMAGE_TYPES).nullable(),
  picture_size_bytes: count.nullable(),
  picture_sha256: text.min(1).nullable(),
  sends: z.enum(['original', 'picture']),
  twin_of: text.nullable(),
  record_id: z.int().nullable(),
  is_record_doubtful: flag,
  excluded_because: text.nullable(),
  added_at: instant,
  removed_at: instant.nullable(),
})

const attemptRowSchema = z.object({
  id: text.min(1),
  submission_id: text.min(1),
  number: z.int().min(1),
  base_url: text,
  client_id: text,
  center_id: text.nullable(),
  phase: attemptPhaseSchema,
  outcome: outcomeSchema.nullable(),
  request_bytes: count,
  handed_over_bytes: count,
  /** For attempts of the first version: the ids that were known before. */
  baseline: json(textsColumn),
  known_position: count,
  failure: json(failureColumn).nullable(),
  answer_status: z.int().nullable(),
  answer_size_bytes: count.nullable(),
  /** How an unknown outcome was resolved: the case is at the service, or is proven or decided not to be. */
  resolution: z.enum(['arrived', 'absent']).nullable(),
  /** When the service showed the case although nothing was in doubt: from then on a person decides. */
  found_at: instant.nullable(),
  /** The case id that a person was last warned about when they said that it is this one. */
  warned_case_id: text.nullable(),
  started_at: instant,
  ended_at: instant.nullable(),
})

export const ROW_SCHEMAS = {
  submissions: submissionRowSchema,
  images: imageRowSchema,
  attempts: attemptRowSchema,
} as const

export type SubmissionRow = z.infer<typeof submissionRowSchema>

export type ImageRow = z.infer<typeof imageRowSchema> & { position: number }

export type AttemptRow = z.infer<typeof attemptRowSchema> & { answer_body: Uint8Array | null }

export type AttemptResolution = NonNullable<AttemptRow['resolution']>

/** The destination of an attempt: evidence counts only there. */
export type Destination = {
  readonly baseUrl: string
  readonly clientId: string
  readonly centerId: string | null
}

/** A case of which a row cannot be read. */
export type Quarantined = {
  readonly id: string
  /** Table and column. */
  readonly unreadable: string
  readonly reference: string | null
  /** As of the last successful read. */
  readonly state: SubmissionState
}

export type EvidenceRow = {
  id: string
  attempt_id: string
  at: number
  kind: Evidence['kind']
  case_ids: string
  message: string
  /** JSON; null in rows of earlier versions. */
  wording: string | null
  by: string | null
}

/** The message of an alarm or of evidence. */
export function messageOf({ message, wording }: Pick<EvidenceRow, 'message' | 'wording'>): Message {
  const isWorded = wording !== null && wordingColumn.canRead(wording)
  return isWorded ? { message, wording: wordingColumn.read(wording) } : { message }
}

export function wordingToText({ wording }: Message): string | null {
  return wording === undefined ? null : JSON.stringify(wording)
}

function failureFromText(text: string | null): Failure | null {
  return text === null ? null : failureColumn.read(text)
}

export function failureToText(failure: Failure | null): string | null {
  return failure === null ? null : JSON.stringify(failure)
}

/** What is sent in place of the original; null if the original is sent. */
function sentAsOf(row: ImageRow): Image['sentAs'] {
  const {
    picture_content_type: contentType,
    picture_size_bytes: sizeBytes,
    picture_sha256: sha256,
    sends,
  } = row
  if (sends === 'original' || contentType === null || sizeBytes === null || sha256 === null) return null
  return { contentType, sizeBytes, sha256 }
}

function imageFromRow(row: ImageRow): Image {
  return {
    id: row.id,
    fileName: row.file_name,
    eye: row.eye,
    eyeSource: row.eye_source,
    sizeBytes: row.size_bytes,
    sha256: row.sha256,
    contentType: row.content_type,
    sentAs: sentAsOf(row),
    view: row.facts === null ? null : factsColumn.read(row.facts).view,
    twinOf: row.twin_of,
    excludedBecause: row.excluded_because,
    removedAt: row.removed_at,
  }
}

/** Open questions, and for a case in review whether it waits because it rests on names alone. */
function reasonsOf(row: SubmissionRow, images: readonly ImageRow[]): Reason[] {
  const reasons = reasonsColumn.read(row.reasons)
  return row.state === 'review' && rowsRestOnNames(row, images)
    ? [...reasons, { kind: 'readFromNames', ...worded('outbox:readFromNames') }]
    : reasons
}

export function submissionFromRow(
  row: SubmissionRow,
  images: readonly ImageRow[],
  hasReport: boolean,
): Submission {
  return {
    id: row.id,
    reference: row.reference,
    state: row.state,
    fields: fieldsColumn.read(row.fields),
    sources: sourcesColumn.read(row.sources),
    images: images.map(imageFromRow),
    centerId: row.center_id,
    attempts: row.attempts,
    caseId: row.case_id,
    failure: failureFromText(row.failure),
    reasons: reasonsOf(row, images),
    oddities: odditiesColumn.read(row.oddities),
    noImageBecause: noImageBecauseColumn.read(row.no_image_because),
    urgent: row.is_urgent === 1,
    addedAt: row.added_at,
    changedAt: row.changed_at,
    sentAt: row.sent_at,
    confirmedAt: row.confirmed_at,
    notBefore: row.not_before,
    hasReport,
  }
}

/** What is shown of an unreadable case: reference and state, with empty fields. */
export function quarantinedSubmission(held: Quarantined): Submission {
  return {
    id: held.id,
    reference: held.reference ?? UNKNOWN_REFERENCE,
    state: held.state,
    unreadable: held.unreadable,
    fields: {},
    sources: {},
    images: [],
    centerId: null,
    attempts: 0,
    caseId: null,
    failure: null,
    reasons: [],
    oddities: [],
    noImageBecause: {},
    urgent: false,
    addedAt: 0,
    changedAt: 0,
    sentAt: null,
    confirmedAt: null,
    notBefore: null,
    hasReport: false,
  }
}

/** Shown if the reference is unreadable, too. */
const UNKNOWN_REFERENCE = referenceOf(new Uint8Array(8))

export function attemptFromRow(row: AttemptRow): Attempt {
  return {
    id: row.id,
    number: row.number,
    centerId: row.center_id,
    phase: row.phase,
    outcome: row.outcome,
    requestBytes: row.request_bytes,
    handedOverBytes: row.handed_over_bytes,
    failure: failureFromText(row.failure),
    hasAnswer: row.answer_status !== null,
    startedAt: row.started_at,
    endedAt: row.ended_at,
  }
}

export function evidenceFromRow(row: EvidenceRow): Evidence {
  return {
    id: row.id,
    attemptId: row.attempt_id,
    at: row.at,
    kind: row.kind,
    caseIds: textsColumn.readOr(row.case_ids, []),
    ...messageOf(row),
    by: row.by,
  }
}
