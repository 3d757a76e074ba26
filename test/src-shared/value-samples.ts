/** Sample values of the contract that several calls share. */
import { failureOf } from '../../src-shared/failure.ts'
import { referenceOf } from '../../src-shared/reference.ts'
import { settingsSchema, type ShownSettings } from '../../src-shared/settings.ts'
import { SUBMISSION_STATES } from '../../src-shared/states.ts'
import type { StationStatus } from '../../src-shared/station-status.ts'
import type { Submission, SubmissionCounts, SubmissionDetails } from '../../src-shared/submission.ts'

export const AT = Date.UTC(2026, 10, 20, 9)
export const SHA = 'a'.repeat(64)

export const counts = Object.fromEntries(
  SUBMISSION_STATES.map((state, index) => [state, index]),
) as SubmissionCounts

export const sampleSubmission: Submission = {
  id: 's1',
  reference: referenceOf(Uint8Array.of(1, 2, 3, 4, 5, 6, 7, 8)),
  state: 'unconfirmed',
  fields: { history_number: 'H-00017', visit_date: '2026-11-20', gender: 0, od_iop: 14.5 },
  sources: { history_number: 'folderName', visit_date: 'fileTime', gender: 'person' },
  images: [
    {
      id: 'i1',
      fileName: 'H-00017/OD_1.jpg',
      eye: 'right',
      eyeSource: 'fileName',
      sizeBytes: 2_000_000,
      sha256: SHA,
      contentType: 'image/jpeg',
      sentAs: null,
      view: null,
      twinOf: null,
      excludedBecause: null,
      removedAt: null,
    },
  ],
  centerId: '101',
  attempts: 1,
  caseId: null,
  failure: failureOf('outcomeUnknown', { status: 502, requestBytes: 2_000_700 }),
  reasons: [{ kind: 'eyeUnknown', message: 'Say which eye it is.', imageId: 'i1' }],
  oddities: [{ kind: 'blankImage', message: 'This image is black.', imageId: 'i1' }],
  noImageBecause: {},
  urgent: true,
  addedAt: AT,
  changedAt: AT + 1,
  sentAt: null,
  confirmedAt: null,
  notBefore: AT + 2_000,
  hasReport: false,
}

export const details: SubmissionDetails = {
  ...sampleSubmission,
  attemptList: [
    {
      id: 'a1',
      number: 1,
      centerId: '101',
      phase: 'ended',
      outcome: 'unknown',
      requestBytes: 2_000_700,
      handedOverBytes: 2_000_700,
      failure: failureOf('outcomeUnknown'),
      hasAnswer: true,
      startedAt: AT,
      endedAt: AT + 900,
    },
  ],
  evidence: [
    { id: 'e1', attemptId: 'a1', at: AT, kind: 'sameIdentity', caseIds: ['9'], message: 'Look.', by: null },
  ],
}

export const shown: ShownSettings = {
  ...settingsSchema.parse({ folders: [{ path: '/exports' }] }),
  managed: { service: 'enforced' },
  service: {
    baseUrl: 'https://service.example/api',
    clientId: 'clinic',
    callbackUrl: null,
    referenceField: null,
    hasClientSecret: true,
  },
}

export const status: StationStatus = {
  version: '0.1.0',
  host: 'headless',
  mode: { kind: 'paused', why: 'signedOut', until: null },
  counts,
  folders: [
    {
      path: '/exports',
      health: 'watching',
      since: AT,
      lastSweepAt: AT,
      lastImageAt: null,
      guard: 'guarded',
      existingCount: 0,
      failure: null,
      notes: [{ fileName: 'a/notes.txt', kind: 'notAnImage', message: 'It is no image.', at: AT }],
    },
  ],
  service: { health: 'trouble', since: AT, failure: failureOf('signedOut'), nextTryAt: AT, lastSuccessAt: 1 },
  centerId: null,
  patientList: { kind: 'off', patients: 0, message: null, readAt: null },
  clock: null,
  namesRule: 'known',
  alarms: [
    {
      id: 'l1',
      kind: 'twoCasesOneReference',
      submissionId: 's1',
      reference: sampleSubmission.reference,
      caseIds: ['8', '9'],
      message: 'The service holds two cases with this reference.',
      raisedAt: AT,
    },
  ],
  reportsUnread: 2,
  lastSentAt: null,
  storage: null,
  now: AT,
}

export const serviceCase = {
  caseId: '9',
  state: 'reported',
  historyNumber: 'H-00017',
  firstName: null,
  lastName: null,
  visitDate: '2026-11-20',
  createdAt: null,
  urgency: 'urgent',
  raw: { id: 9, anything: [true] },
  submissionId: 's1',
  reference: sampleSubmission.reference,
  hasReport: true,
}

export const many = {
  input: { ids: ['s1', 's2'] },
  output: { changed: ['s1'], refused: [{ id: 's2', failure: failureOf('notFound') }] },
}
export const service = { baseUrl: 'https://service.example', clientId: 'clinic', clientSecret: 'as issued' }
