/**
 * The outbox as the other parts of the station see it: every operation of the stores, bound to the one connection.
 *
 * The parts know this type only; `station.ts` hands them the object.
 */
import { appendAudit, listAudit } from './audit-store.ts'
import {
  attemptRow,
  attemptsOf,
  dueSubmissions,
  endAttempt,
  hasUnresolvedAttempt,
  markPhase,
  nextDueAfter,
  openAttempt,
  openAttemptRows,
} from './attempt-store.ts'
import {
  absentLooksOf,
  appendEvidence,
  dueConfirmations,
  dueLooks,
  nextFollowUpAt,
} from './evidence-store.ts'
import { readFact, writeFact } from './fact-store.ts'
import {
  addImage,
  countIgnored,
  forgetIgnored,
  hasSeen,
  hasSeenAnyIn,
  holderOf,
  imageById,
  keepSidecar,
  markSeen,
  moveImages,
  nextQuietAt,
  quietSubmissions,
  setExcluded,
  setEye,
  setGroupKey,
  setQuietUntil,
  sidecarIn,
  submissionsOfGroup,
  submissionsUnder,
} from './intake-store.ts'
import { countSubmissions, listSubmissions } from './list-submissions.ts'
import { moveSubmission, MoveRefused } from './move-submission.ts'
import {
  checkMissingNow,
  countReports,
  dueReportWatches,
  keepReportVersion,
  listReports,
  markReportRead,
  nextReportCheckAt,
  reportVersion,
  reportVersionsOf,
  setNextCheck,
  watchReport,
} from './report-store.ts'
import {
  boundCaseIds,
  calibrationOf,
  keepCalibration,
  keepCaseList,
  lastCaseList,
  submissionByCase,
} from './service-store.ts'
import {
  createSubmission,
  detailsOf,
  idsIn,
  imageRowsOf,
  rowOf,
  setCenter,
  setConfirmed,
  setContent,
  setIdentity,
  setNotBefore,
  setUrgent,
  submissionOf,
} from './submission-store.ts'
import type { WriteThrough } from './write-through.ts'

const operations = {
  appendAudit,
  listAudit,
  openAttempt,
  markPhase,
  endAttempt,
  attemptRow,
  attemptsOf,
  openAttemptRows,
  hasUnresolvedAttempt,
  dueSubmissions,
  nextDueAfter,
  appendEvidence,
  absentLooksOf,
  dueLooks,
  dueConfirmations,
  nextFollowUpAt,
  readFact,
  writeFact,
  addImage,
  countIgnored,
  forgetIgnored,
  hasSeen,
  hasSeenAnyIn,
  holderOf,
  imageById,
  keepSidecar,
  markSeen,
  moveImages,
  nextQuietAt,
  quietSubmissions,
  setExcluded,
  setEye,
  setGroupKey,
  setQuietUntil,
  sidecarIn,
  submissionsOfGroup,
  submissionsUnder,
  countSubmissions,
  listSubmissions,
  moveSubmission,
  checkMissingNow,
  countReports,
  dueReportWatches,
  keepReportVersion,
  listReports,
  markReportRead,
  nextReportCheckAt,
  reportVersion,
  reportVersionsOf,
  setNextCheck,
  watchReport,
  boundCaseIds,
  calibrationOf,
  keepCalibration,
  keepCaseList,
  lastCaseList,
  submissionByCase,
  createSubmission,
  detailsOf,
  idsIn,
  imageRowsOf,
  rowOf,
  setCenter,
  setConfirmed,
  setContent,
  setIdentity,
  setNotBefore,
  setUrgent,
  submissionOf,
}

type Bound<Operation> = Operation extends (store: WriteThrough, ...rest: infer Rest) => infer Value
  ? (...rest: Rest) => Value
  : never

export type Outbox = { readonly [Name in keyof typeof operations]: Bound<(typeof operations)[Name]> } & {
  /** Runs several operations as one commit. */
  write<Value>(work: () => Value): Value
  /** Was this thrown because the machine does not allow a move? Then nothing was written. */
  isMoveRefused(error: unknown): boolean
}

export function bindOutbox(store: WriteThrough): Outbox {
  const bound = Object.fromEntries(
    Object.entries(operations).map(([name, operation]) => [
      name,
      (operation as (...all: unknown[]) => unknown).bind(null, store),
    ]),
  )
  return {
    ...(bound as { [Name in keyof typeof operations]: Bound<(typeof operations)[Name]> }),
    write: (work) => store.write(work),
    isMoveRefused: (error) => error instanceof MoveRefused,
  }
}
