/** What the stand-in says of itself, and how it is set. */
import { MINUTE } from '../../../src-shared/durations.ts'
import { settingsSchema, type ShownSettings } from '../../../src-shared/settings.ts'
import { SUBMISSION_STATES } from '../../../src-shared/states.ts'
import type { FileNote, StationStatus } from '../../../src-shared/station-status.ts'
import type { Submission, SubmissionCounts } from '../../../src-shared/submission.ts'

export const STAND_IN_CENTERS = [
  { centerId: '101', name: 'North Eye Centre', isCurrent: true },
  { centerId: '102', name: 'Harbour Clinic', isCurrent: false },
  { centerId: '205', name: null, isCurrent: false },
]

export function countStates(submissions: Iterable<Submission>): SubmissionCounts {
  const counts = Object.fromEntries(SUBMISSION_STATES.map((state) => [state, 0])) as Record<string, number>
  for (const { state } of submissions) counts[state] = (counts[state] ?? 0) + 1
  return counts
}

/** How many that are not over were made for which center, the most first. */
export function countCenters(
  submissions: Iterable<Submission>,
): { readonly centerId: string | null; readonly count: number }[] {
  const open = [...submissions].filter(({ state }) => state !== 'sent' && state !== 'discarded')
  return [...Map.groupBy(open, ({ centerId }) => centerId)]
    .map(([centerId, ofCenter]) => ({ centerId, count: ofCenter.length }))
    .toSorted((one, other) => other.count - one.count)
}

const { storage, clinical, notifications, screens, desktop, updates } = settingsSchema.parse({})
const DEFAULTS = { storage, clinical, notifications, screens, desktop, updates }

export function standInSettings(): ShownSettings {
  return {
    service: {
      baseUrl: 'https://cases.example/api',
      clientId: 'north-eye-centre',
      callbackUrl: null,
      referenceField: 'other_relevant_info',
      hasClientSecret: true,
    },
    centerId: '101',
    folders: [
      {
        path: '/srv/camera/export',
        profile: 'auto',
        settleSeconds: 5,
        quietSeconds: 180,
        sweepSeconds: 60,
        existing: 'ask',
        sendWithoutReview: false,
        watching: 'on',
        visitGapMinutes: null,
        dicom: 'unwrap',
        lease: 'on',
      },
    ],
    requiredFields: ['history_number', 'visit_date'],
    requireBothEyes: false,
    profiles: [],
    patientList: null,
    delivery: {
      concurrency: 2,
      resendWhenProvenAbsent: false,
      lookSeconds: [2, 10, 30],
      answerTimeoutSeconds: 600,
      retryBaseSeconds: 5,
      bytesPerSecond: null,
    },
    reports: { checkSeconds: 300, saveTo: null },
    ...DEFAULTS,
    setup: 'done',
    managed: {},
  }
}

function notes(now: number): FileNote[] {
  return [
    {
      fileName: 'H-00417_20261121/OD_1.jpg',
      kind: 'truncated',
      message: 'The end of this image is missing, so it is not used. Export the image again from the camera.',
      at: now - 3 * MINUTE,
    },
    {
      fileName: 'readme.txt',
      kind: 'notAnImage',
      message: 'This is a text, not an image; it is left where it is.',
      at: now - 40 * MINUTE,
    },
    {
      fileName: 'H-00399_20261119/case.json',
      kind: 'sidecarUnreadable',
      message:
        'The case.json beside the images is not complete or not proper JSON, so nothing was read from it. Export it again, or enter the details by hand.',
      at: now - 95 * MINUTE,
    },
  ]
}

/** A status in which all is well. */
export function standInStatus(now: number, counts: SubmissionCounts): StationStatus {
  return {
    version: '0.1.0',
    host: 'headless',
    mode: { kind: 'running' },
    counts,
    folders: [
      {
        path: '/srv/camera/export',
        health: 'watching',
        since: now - 300 * MINUTE,
        lastSweepAt: now - MINUTE / 2,
        lastImageAt: now - MINUTE,
        guard: 'guarded',
        existingCount: 0,
        failure: null,
        notes: notes(now),
      },
    ],
    service: {
      health: 'reachable',
      since: now - 200 * MINUTE,
      failure: null,
      nextTryAt: null,
      lastSuccessAt: now - 2 * MINUTE,
    },
    centerId: '101',
    patientList: { kind: 'off', patients: 0, message: null, readAt: null },
    clock: null,
    alarms: [],
    namesRule: 'known',
    reportsUnread: 2,
    lastSentAt: now - 120 * MINUTE,
    storage: null,
    now,
  }
}
