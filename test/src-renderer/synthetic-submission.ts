/** Synthetic values in the shape of the contract. */
import type { ListedCase } from '../../src-shared/case.ts'
import type { StationLink } from '../../src-renderer/link/link.ts'
import { compareUrgency } from '../../src-renderer/store/state.ts'
import type { CallInput, CallOutput } from '../../src-shared/contract.ts'
import { failureOf, type Failure, type FailureKind } from '../../src-shared/failure.ts'
import { referenceOf } from '../../src-shared/reference.ts'
import { NOTHING_STATED, type Proof } from '../../src-shared/proof.ts'
import type { FolderStatus, StationStatus } from '../../src-shared/station-status.ts'
import { SUBMISSION_STATES } from '../../src-shared/states.ts'
import type { Eye } from '../../src-shared/measurement-ranges.ts'
import type { Image, Submission, SubmissionCounts } from '../../src-shared/submission.ts'
import type { Standing, Verdict } from '../../src-shared/verdict.ts'

const STATED: Standing = { kind: 'proven', by: ['dicom'], why: null }

export const PROVEN: Verdict = {
  who: STATED,
  day: STATED,
  together: STATED,
  eyes: {},
  fields: [],
  profiles: [],
}

/** The number was read from a name only. */
export const PROPOSED: Verdict = { ...PROVEN, who: { kind: 'proposed', by: ['fileName'], why: 'namesOnly' } }

const NOTHING: Proof['who'] = { kind: 'unknown', why: null, about: null, statements: [] }

const NO_PROOF: Proof = {
  who: NOTHING,
  day: NOTHING,
  eyes: {},
  groups: [],
  joinable: [],
  stated: NOTHING_STATED,
  restsOnNumber: [],
  ageMonths: null,
}

/** What `submissions.get` answers of a case of which nothing more is known. */
export function detailsOf(submission: Submission): CallOutput<'submissions.get'> {
  const none = { replaces: null, replacedBy: null, neighbour: null, attemptList: [], evidence: [] }
  return { isByHand: false, proof: NO_PROOF, ...none, ...submission }
}

export function syntheticSubmission(id: string, rest: Partial<Submission> = {}): Submission {
  return {
    id,
    reference: referenceOf(new Uint8Array(8)),
    state: 'review',
    fields: {},
    sources: {},
    images: [],
    unusableFiles: [],
    centerId: null,
    attempts: 0,
    caseId: null,
    failure: null,
    reasons: [],
    oddities: [],
    verdict: PROVEN,
    digest: `digest of ${id}`,
    noImageBecause: {},
    urgent: false,
    addedAt: 1_000,
    changedAt: 1_000,
    sentAt: null,
    confirmedAt: null,
    imageShortfall: null,
    notBefore: null,
    undoUntil: null,
    hasReport: false,
    sentWrongly: null,
    erasedAt: null,
    ...rest,
  }
}

export function countsOf(some: Partial<SubmissionCounts> = {}): SubmissionCounts {
  const none = Object.fromEntries(SUBMISSION_STATES.map((state) => [state, 0])) as SubmissionCounts
  return { ...none, ...some }
}

export function syntheticStatus(rest: Partial<StationStatus> = {}): StationStatus {
  return {
    version: '0.1.0',
    host: 'headless',
    mode: { kind: 'running' },
    counts: countsOf(),
    folders: [],
    service: { health: 'reachable', since: 0, failure: null, nextTryAt: null, lastSuccessAt: null },
    centerId: null,
    patientList: { kind: 'off', patients: 0, message: null, readAt: null },
    clock: null,
    alarms: [],
    names: [],
    reportsUnread: 0,
    lastSentAt: null,
    imagesMissing: 0,
    storage: null,
    now: 10_000,
    ...rest,
  }
}

export function failing(kind: FailureKind): Failure {
  return failureOf(kind)
}

/** A case in the list of the service, of which it says nothing by default. */
export function listedCase(caseId: string, changes: Partial<ListedCase> = {}): ListedCase {
  return {
    caseId,
    state: null,
    historyNumber: null,
    firstName: null,
    lastName: null,
    visitDate: null,
    createdAt: null,
    urgency: null,
    raw: {},
    submissionId: null,
    reference: null,
    sentAt: null,
    hasReport: false,
    ...changes,
  }
}

/** An image that no one took. */
export function syntheticImage(id: string, eye: Eye = 'right', rest: Partial<Image> = {}): Image {
  return {
    id,
    fileName: `visit/${id}.jpg`,
    eye,
    eyeSource: 'fileName',
    sizeBytes: 1,
    sha256: id,
    contentType: 'image/jpeg',
    sentAs: null,
    view: null,
    twinOf: null,
    excludedBecause: null,
    removedAt: null,
    ...rest,
  }
}

/** A camera folder that is watched and has nothing to say. */
export const WATCHED_FOLDER: FolderStatus = {
  path: '/camera',
  health: 'watching',
  since: 0,
  lastSweepAt: null,
  lastImageAt: null,
  guard: 'guarded',
  existingCount: 0,
  failure: null,
  notes: [],
  noteCounts: {},
}

/** A station that pages as the contract says, and what it was asked; `overlap`: rows that two pages have. */
export function pagingStation(all: readonly Submission[], overlap = 0) {
  const asked: CallInput<'submissions.list'>[] = []
  const link: Pick<StationLink, 'call'> = {
    call: async (_name, input) => {
      const query = input as CallInput<'submissions.list'>
      asked.push(query)
      const { state, limit = 100, after, order } = query
      const fitting = all.filter((one) => !state || state.includes(one.state))
      if (order === 'urgency') fitting.sort(compareUrgency)
      const start = after === undefined ? 0 : fitting.findIndex(({ id }) => id === after) + 1 - overlap
      const value = { items: fitting.slice(start, start + limit), total: fitting.length, counts: countsOf() }
      return { ok: true, value: value as never }
    },
  }
  return { ...link, asked }
}
