import type { SubmissionEvent, SubmissionState } from '../../../../src-shared/states.ts'
import { updateVerdict, MORNING, newSubmission, type TestOutbox } from '../../../tools/outbox-with.ts'

const SENDING = ['gatheredToSend', 'claimed'] as const
const WAYS: Readonly<Record<SubmissionState, readonly SubmissionEvent[]>> = {
  collecting: [],
  incomplete: ['gatheredIncomplete'],
  review: ['gatheredForReview'],
  waiting: ['gatheredToSend'],
  held: ['gatheredToSend', 'held'],
  sending: SENDING,
  unconfirmed: [...SENDING, 'becameUnknown'],
  refused: [...SENDING, 'wasRefused'],
  sent: [...SENDING, 'deliveredNow'],
  discarded: ['discarded'],
}

/** Brings a new submission into a state by allowed moves only; its id. */
export function caseIn(
  { outbox }: TestOutbox,
  state: SubmissionState,
  options: Parameters<typeof newSubmission>[0] = {},
): string {
  const id = outbox.createSubmission(newSubmission(options))
  updateVerdict({ outbox }, id)
  for (const event of WAYS[state]) {
    const patch = event === 'deliveredNow' ? { caseId: '9', sentAt: MORNING } : {}
    outbox.moveSubmission(id, event, patch, { at: MORNING })
  }
  return id
}

type ReportVersion = Parameters<TestOutbox['outbox']['saveReportVersion']>[0]

/** A version of a report as it is stored: plain text, unless it states something else. */
export function reportVersion(
  submission_id: string,
  case_id: string,
  stated: Partial<ReportVersion> = {},
): ReportVersion {
  const { sha256 = '0'.repeat(64), kind = 'text' } = stated
  const file = { content_type: 'text/plain', size_bytes: 1, file_name: `${sha256}.txt`, fetched_at: MORNING }
  return { submission_id, case_id, kind, sha256, ...file, ...stated }
}
