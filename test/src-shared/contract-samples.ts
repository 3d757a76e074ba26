/** One sample of every input and output of the contract; the compiler sees that none is missing. */
import type { CallInput, CallName, CallOutput, EventName, EventPayload } from '../../src-shared/contract.ts'
import { failureOf } from '../../src-shared/failure.ts'
import { referenceOf } from '../../src-shared/reference.ts'
import { settingsSchema, type ShownSettings } from '../../src-shared/settings.ts'
import { SUBMISSION_STATES } from '../../src-shared/states.ts'
import type { StationStatus } from '../../src-shared/station-status.ts'
import type { Submission, SubmissionCounts, SubmissionDetails } from '../../src-shared/submission.ts'

const AT = Date.UTC(2026, 10, 20, 9)
const SHA = 'a'.repeat(64)

const counts = Object.fromEntries(SUBMISSION_STATES.map((state, index) => [state, index])) as SubmissionCounts

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

const details: SubmissionDetails = {
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
      startedAt: AT,
      endedAt: AT + 900,
    },
  ],
  evidence: [
    { id: 'e1', attemptId: 'a1', at: AT, kind: 'sameIdentity', caseIds: ['9'], message: 'Look.', by: null },
  ],
}

const shown: ShownSettings = {
  ...settingsSchema.parse({ folders: [{ path: '/exports' }] }),
  service: {
    baseUrl: 'https://service.example/api',
    clientId: 'clinic',
    callbackUrl: null,
    referenceField: null,
    hasClientSecret: true,
  },
}

const status: StationStatus = {
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
  reportsUnread: 2,
  lastSentAt: null,
  storage: null,
  now: AT,
}

const serviceCase = {
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
}

const many = {
  input: { ids: ['s1', 's2'] },
  output: { changed: ['s1'], refused: [{ id: 's2', failure: failureOf('notFound') }] },
}
const service = { baseUrl: 'https://service.example', clientId: 'clinic', clientSecret: 'as issued' }

export const callSamples: {
  readonly [Name in CallName]: { readonly input: CallInput<Name>; readonly output: CallOutput<Name> }
} = {
  'station.status': { input: {}, output: status },
  'station.pause': { input: { seconds: 60 }, output: status },
  'station.resume': { input: {}, output: status },
  'station.stop': { input: {}, output: {} },
  'submissions.list': {
    input: { state: ['waiting'], search: 'H-00017', limit: 10, after: 's9' },
    output: { items: [sampleSubmission], total: 1, counts },
  },
  'submissions.get': { input: { id: 's1' }, output: details },
  'submissions.create': {
    input: { fields: { history_number: 'H-1' }, images: [{ path: '/a.jpg', eye: 'left' }] },
    output: details,
  },
  'submissions.update': {
    input: {
      id: 's1',
      fields: { age: null, gender: 1 },
      images: [{ id: 'i1', eye: 'left', excludedBecause: null }],
    },
    output: details,
  },
  'submissions.closeNow': many,
  'submissions.approve': many,
  'submissions.retry': many,
  'submissions.prioritise': many,
  'submissions.hold': many,
  'submissions.release': many,
  'submissions.discard': many,
  'submissions.restore': many,
  'submissions.merge': { input: { ids: ['s1', 's2'] }, output: details },
  'submissions.split': { input: { id: 's1', imageIds: ['i1'] }, output: { kept: details, made: details } },
  'submissions.moveImages': { input: { imageIds: ['i1'], toId: 's2' }, output: details },
  'submissions.resolve': { input: { id: 's1', delivered: true, caseId: '9', by: 'AB' }, output: details },
  'cases.list': {
    input: { search: 'H-00017', refresh: true },
    output: { items: [serviceCase], readAt: AT, centerId: '101' },
  },
  'cases.get': { input: { id: '9' }, output: serviceCase },
  'reports.list': {
    input: {},
    output: {
      items: [
        {
          caseId: '9',
          submissionId: 's1',
          reference: sampleSubmission.reference,
          historyNumber: 'H-00017',
          patientName: null,
          visitDate: null,
          kind: 'pdf',
          versionCount: 2,
          fetchedAt: AT,
          readAt: null,
        },
      ],
      awaiting: 3,
    },
  },
  'reports.get': {
    input: { caseId: '9' },
    output: {
      caseId: '9',
      versions: [
        {
          id: 'v1',
          kind: 'json',
          contentType: 'application/json',
          sizeBytes: 2,
          sha256: SHA,
          fetchedAt: AT,
          json: {},
        },
      ],
    },
  },
  'reports.markRead': { input: { caseId: '9' }, output: {} },
  'reports.check': { input: {}, output: {} },
  'centers.list': {
    input: {},
    output: { items: [{ centerId: '101', name: 'North', isCurrent: null }], centerId: '101' },
  },
  'centers.change': { input: { centerId: '102' }, output: { centerId: '102' } },
  'folders.tryProfile': {
    input: { path: '/exports', profile: 'auto' },
    output: {
      fileCount: 2,
      triedCount: 2,
      visits: [
        {
          fields: { history_number: 'H-00017' },
          sources: { history_number: 'folderName' },
          images: [
            {
              fileName: 'a.jpg',
              contentType: 'image/jpeg',
              eye: 'right',
              eyeSource: 'fileName',
              twinOf: null,
            },
          ],
          reasons: [],
          oddities: [],
        },
      ],
      notes: [],
    },
  },
  'folders.decideExisting': {
    input: { path: '/exports', existing: 'since', since: '2026-11-01' },
    output: {},
  },
  'folders.countExisting': {
    input: { path: '/exports', since: '2026-11-01' },
    output: { count: 1_240, sinceCount: 17, oldestAt: AT - 1, newestAt: AT },
  },
  'service.test': {
    input: { service },
    output: {
      reachable: { kind: 'passed' },
      signedIn: { kind: 'failed', failure: failureOf('signedOut') },
      centersListed: { kind: 'notTried' },
      centers: [],
    },
  },
  'settings.get': { input: {}, output: shown },
  'settings.update': { input: { service, requiredFields: ['age'] }, output: shown },
  'audit.list': {
    input: { submissionId: 's1', limit: 5, before: 7 },
    output: {
      items: [{ id: 6, at: AT, submissionId: 's1', what: 'held', by: null, details: { from: 'waiting' } }],
    },
  },
}

export const eventSamples: { readonly [Name in EventName]: EventPayload<Name> } = {
  stationChanged: status,
  submissionChanged: sampleSubmission,
  deliveryProgressed: { id: 's1', handedOverBytes: 1, requestBytes: 2 },
  reportArrived: { caseId: '9', submissionId: 's1' },
  settingsChanged: shown,
}
