/** One sample of every input and output of the contract; the compiler sees that none is missing. */
import type { CallInput, CallName, CallOutput, EventName, EventPayload } from '../../src-shared/contract.ts'
import { failureOf } from '../../src-shared/failure.ts'

import {
  AT,
  SHA,
  counts,
  details,
  many,
  sampleSubmission,
  service,
  serviceCase,
  shown,
  status,
} from './value-samples.ts'
export const callSamples: {
  readonly [Name in CallName]: { readonly input: CallInput<Name>; readonly output: CallOutput<Name> }
} = {
  'station.status': { input: {}, output: status },
  'station.pause': { input: { seconds: 60 }, output: status },
  'station.resume': { input: {}, output: status },
  'station.settleAlarm': { input: { id: 'l1', by: 'AB' }, output: status },
  'station.startNormally': { input: { by: 'AB' }, output: status },
  'station.noteNamesRule': { input: { by: 'AB' }, output: status },
  'station.stop': { input: {}, output: {} },
  'station.about': {
    input: {},
    output: {
      version: '0.1.0',
      host: 'headless',
      stationId: 'st1',
      system: 'Linux 6.1',
      runtime: 'Node 24.21.0',
      dataFolder: '/data',
      secretsKept: 'safe',
      proxy: 'http://proxy.example:3128',
      startAtLogin: 'refused',
    },
  },
  'updates.get': { input: {}, output: { kind: 'current', lookedAt: 1, trouble: null } },
  'updates.look': { input: {}, output: { kind: 'fetching', version: '0.2.0', percent: 40 } },
  'updates.install': {
    input: {},
    output: { kind: 'ready', version: '0.2.0', waitsFor: 'sending', trouble: null },
  },
  'updates.holdOff': { input: { seconds: 90 }, output: {} },
  'station.diagnostics': { input: {}, output: { fileName: 'd.txt', text: 'Fundus Courier' } },
  'station.days': {
    input: { days: 2 },
    output: { items: [{ day: '2026-11-20', added: 3, sent: 2 }] },
  },
  'submissions.export': {
    input: { ids: ['s1'] },
    output: { fileName: 'cases.csv', csv: 'reference\r\n' },
  },
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
  'submissions.cancel': many,
  'submissions.moveToCenter': {
    input: { ids: ['s1'], centerId: '102', by: 'AB', why: 'wrong branch' },
    output: many.output,
  },
  'submissions.ageing': {
    input: {},
    output: {
      items: [
        {
          kind: 'noReport',
          submissionId: 's1',
          reference: sampleSubmission.reference,
          state: 'sent',
          since: AT,
          message: 'No report yet.',
        },
      ],
      count: 1,
    },
  },
  'submissions.answer': {
    input: { attemptId: 'a1' },
    output: { answer: { status: 500, sizeBytes: 4, text: 'oops' } },
  },
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
          urgency: 'routine',
          kind: 'pdf',
          versionCount: 2,
          fetchedAt: AT,
          readAt: null,
        },
      ],
      awaiting: 3,
    },
  },
  'reports.awaiting': {
    input: { search: 'H-00017' },
    output: {
      items: [
        {
          caseId: '9',
          submissionId: 's1',
          reference: sampleSubmission.reference,
          historyNumber: null,
          patientName: 'L., Ada',
          visitDate: '2026-11-20',
          urgency: 'urgent',
          sentAt: AT,
          nextCheckAt: null,
          state: 'pending',
        },
      ],
    },
  },
  'reports.get': {
    input: { caseId: '9' },
    output: {
      caseId: '9',
      submissionId: 's1',
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
    output: {
      items: [{ centerId: '101', name: 'North', isCurrent: null }],
      centerId: '101',
      waiting: [{ centerId: null, count: 2 }],
    },
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
  'settings.sources': {
    input: {},
    output: {
      items: [{ name: 'delivery.concurrency', value: 2, source: 'policyEnforced', isLocked: true }],
      files: [
        {
          kind: 'policy',
          path: '/etc/fundus-courier/policy.json',
          state: 'read',
          inForce: 'this',
          detail: null,
          unknownNames: [],
        },
      ],
      secretsKept: 'safe',
    },
  },
  'settings.update': { input: { service, requiredFields: ['age'] }, output: shown },
  'audit.list': {
    input: { submissionId: 's1', limit: 5, before: 7 },
    output: {
      items: [{ id: 6, at: AT, submissionId: 's1', what: 'held', by: null, details: { from: 'waiting' } }],
    },
  },
  'audit.export': {
    input: { what: ['held'], since: AT },
    output: { fileName: 'audit.csv', csv: 'id\r\n', entries: 0 },
  },
}

export const eventSamples: { readonly [Name in EventName]: EventPayload<Name> } = {
  stationChanged: status,
  submissionChanged: sampleSubmission,
  submissionsChanged: { ids: ['s1', 's2'] },
  callProgressed: { done: 20, total: 1_000 },
  deliveryProgressed: { id: 's1', handedOverBytes: 1, requestBytes: 2, stalledSince: null },
  reportArrived: { caseId: '9', submissionId: 's1' },
  settingsChanged: shown,
}
