/** A synthetic submission in the shape of the contract. */
import { failureOf, type Failure, type FailureKind } from '../../src-shared/failure.ts'
import { referenceOf } from '../../src-shared/reference.ts'
import type { StationStatus } from '../../src-shared/station-status.ts'
import { SUBMISSION_STATES } from '../../src-shared/states.ts'
import type { Submission, SubmissionCounts } from '../../src-shared/submission.ts'

export function syntheticSubmission(id: string, rest: Partial<Submission> = {}): Submission {
  return {
    id,
    reference: referenceOf(new Uint8Array(8)),
    state: 'review',
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
    addedAt: 1_000,
    changedAt: 1_000,
    sentAt: null,
    confirmedAt: null,
    notBefore: null,
    hasReport: false,
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
    namesRule: 'known',
    reportsUnread: 0,
    lastSentAt: null,
    storage: null,
    now: 10_000,
    ...rest,
  }
}

export function failing(kind: FailureKind): Failure {
  return failureOf(kind)
}
