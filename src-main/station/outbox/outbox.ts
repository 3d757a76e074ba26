/**
 * The outbox as the other parts of the station see it: every operation of the stores by its subject, bound to the one
 * connection. The parts know this type only; the composition root hands them the object.
 */
import { ageingRows } from './ageing-store.ts'
import { openAlarms, raiseAlarm, settleAlarm } from './alarm-store.ts'
import { mayLeave, restsOnNames } from './approval-store.ts'
import {
  answerOf,
  attemptRow,
  attemptsOf,
  dueSubmissions,
  endAttempt,
  hasUnresolvedAttempt,
  markPhase,
  nextDueAfter,
  noteWarning,
  openAttempt,
  openAttemptRows,
} from './attempt-store.ts'
import { appendAudit, auditAfter, countAudit, listAudit } from './audit-store.ts'
import { awaitedReports } from './awaited-store.ts'
import { caseStateOf, keepCaseStates } from './case-state-store.ts'
import { countByCenter } from './center-count-store.ts'
import { giveToCenter } from './center-store.ts'
import { countPeriods } from './day-store.ts'
import { outboxNumbers, stateAges, tallyAttempts } from './diagnostic-store.ts'
import {
  absentLooksOf,
  appendEvidence,
  dueConfirmations,
  dueLooks,
  nextFollowUpAt,
} from './evidence-store.ts'
import { forgetIgnoredSince, knownAs, summariseIgnored } from './existing-store.ts'
import { readFact, writeFact } from './fact-store.ts'
import {
  addGroupKey,
  copyGroupKeys,
  groupKeysOf,
  removeGroupKeys,
  setGroupedByPerson,
  submissionsOfGroup,
  submissionsOfGroupsFrom,
} from './group-store.ts'
import {
  addCopy,
  addImage,
  copiesOf,
  copiesUnder,
  holderOf,
  imageById,
  imagesOfStem,
  moveImages,
  setExcluded,
  setEye,
  setRecord,
  setRecordDoubtful,
  setRecordOfCopy,
  setTwinOf,
  submissionsUnder,
  twinsOf,
} from './image-store.ts'
import {
  forgetDuplicatesOf,
  forgetLeftAlone,
  hasSeen,
  markSeen,
  moveSeenFiles,
  nextQuietAt,
  quietSubmissions,
  setQuietUntil,
} from './intake-store.ts'
import { layOver } from './lay-over.ts'
import { countSubmissions, listSubmissions } from './list-submissions.ts'
import {
  dueManifests,
  isKnown,
  manifestOf,
  markManifestsKept,
  progressOf,
  raiseRevision,
  spooledFiles,
  unsettledIds,
} from './manifest-store.ts'
import { MoveRefused, moveSubmission } from './move-submission.ts'
import {
  applyNamesRuleOnce,
  isNamesRuleUnexplained,
  noteNamesRuleExplained,
  reviewIfNamesOnly,
} from './names-rule.ts'
import { contentDigest, isAsPassed, isUnlikeSent, setPassed } from './passed-store.ts'
import {
  isReadable,
  liftQuarantine,
  quarantine,
  quarantined,
  quarantinedOf,
  quarantinedVisits,
  rememberQuarantined,
} from './quarantine-store.ts'
import { lastReportPosition, markReportSaved, unsavedReports } from './report-copy-store.ts'
import { hasReportOf, listReports } from './report-inbox-store.ts'
import {
  awaitsReport,
  checkMissingNow,
  countReports,
  dueReportWatches,
  keepReportVersion,
  latestReportHash,
  markReportRead,
  nextReportCheckAt,
  postponeCheck,
  reportVersion,
  reportVersionsOf,
  setNextCheck,
  toldReports,
  watchReport,
} from './report-store.ts'
import { putAllInDoubt, putInDoubtBy, putUnreadInDoubt, restoredWhy } from './restored-store.ts'
import {
  addLeftover,
  confirmedAfter,
  forgetLeftover,
  isSpoolFileNeeded,
  leftoversAfter,
  removeImagesOf,
} from './retention-store.ts'
import {
  boundCaseIds,
  boundSubmission,
  calibrationOf,
  caseListReadAt,
  centersConfirmedSince,
  keepCalibration,
  keepCaseList,
  knownCases,
  knownPosition,
  submissionByCase,
  submissionByReference,
  wasKnownBefore,
} from './service-store.ts'
import {
  hasSidecarRecords,
  keepSidecarRecord,
  matchesOfRecord,
  recordsMatching,
  recordsOfSidecar,
  sidecarRecord,
} from './sidecar-store.ts'
import {
  createSubmission,
  detailsOf,
  idsIn,
  imageRowsOf,
  rowOf,
  sentBefore,
  setAddendumTo,
  setCenter,
  setConfirmed,
  setContent,
  setIdentity,
  setNoImageBecause,
  setNotBefore,
  setUrgent,
  submissionOf,
} from './submission-store.ts'
import { tryWrite } from './trial-write.ts'
import { takeUnits } from './unit-store.ts'
import { CaseUnreadable, type WriteThrough } from './write-through.ts'

export type Outbox = ReturnType<typeof bindOutbox>

/** Binds every operation to one connection. */
export function bindOutbox(store: WriteThrough) {
  const bind =
    <Rest extends unknown[], Value>(operation: (store: WriteThrough, ...rest: Rest) => Value) =>
    (...rest: Rest): Value =>
      operation(store, ...rest)
  return {
    /** Cases on their way: rows, fields and states. */
    submissions: {
      create: bind(createSubmission),
      row: bind(rowOf),
      get: bind(submissionOf),
      details: bind(detailsOf),
      setContent: bind(setContent),
      setIdentity: bind(setIdentity),
      setAddendumTo: bind(setAddendumTo),
      setNoImageBecause: bind(setNoImageBecause),
      setCenter: bind(setCenter),
      setUrgent: bind(setUrgent),
      setNotBefore: bind(setNotBefore),
      setConfirmed: bind(setConfirmed),
      sentBefore: bind(sentBefore),
      idsIn: bind(idsIn),
      quiet: bind(quietSubmissions),
      setQuietUntil: bind(setQuietUntil),
      nextQuietAt: bind(nextQuietAt),
      count: bind(countSubmissions),
      list: bind(listSubmissions),
      byCase: bind(submissionByCase),
      byReference: bind(submissionByReference),
      boundTo: bind(boundSubmission),
      transition: bind(moveSubmission),
      applyUnits: bind(takeUnits),
    },
    /** What was approved or let through, and what may leave. */
    approvals: {
      contentDigest: bind(contentDigest),
      set: bind(setPassed),
      matches: bind(isAsPassed),
      isUnlikeSent: bind(isUnlikeSent),
      mayLeave: bind(mayLeave),
      restsOnNames: bind(restsOnNames),
      reviewIfNamesOnly: bind(reviewIfNamesOnly),
      applyNamesRuleOnce: bind(applyNamesRuleOnce),
      isNamesRuleUnexplained: bind(isNamesRuleUnexplained),
      noteNamesRuleExplained: bind(noteNamesRuleExplained),
    },
    /** Images of a case, and copies of them elsewhere. */
    images: {
      rows: bind(imageRowsOf),
      add: bind(addImage),
      holderOf: bind(holderOf),
      twinsOf: bind(twinsOf),
      setEye: bind(setEye),
      setExcluded: bind(setExcluded),
      setTwinOf: bind(setTwinOf),
      setRecord: bind(setRecord),
      move: bind(moveImages),
      byId: bind(imageById),
      ofStem: bind(imagesOfStem),
      submissionsUnder: bind(submissionsUnder),
      addCopy: bind(addCopy),
      copiesOf: bind(copiesOf),
      copiesUnder: bind(copiesUnder),
      setRecordOfCopy: bind(setRecordOfCopy),
      setRecordDoubtful: bind(setRecordDoubtful),
    },
    /** Tries to deliver a case. */
    attempts: {
      open: bind(openAttempt),
      markPhase: bind(markPhase),
      end: bind(endAttempt),
      row: bind(attemptRow),
      of: bind(attemptsOf),
      openRows: bind(openAttemptRows),
      hasUnresolved: bind(hasUnresolvedAttempt),
      dueSubmissions: bind(dueSubmissions),
      nextDueAfter: bind(nextDueAfter),
      answerOf: bind(answerOf),
      noteWarning: bind(noteWarning),
    },
    /** What lookups found about a case in doubt. */
    evidence: {
      append: bind(appendEvidence),
      absentLookups: bind(absentLooksOf),
      dueLookups: bind(dueLooks),
      dueConfirmations: bind(dueConfirmations),
      nextFollowUpAt: bind(nextFollowUpAt),
    },
    /** Cases as the service lists them. */
    cases: {
      listReadAt: bind(caseListReadAt),
      saveList: bind(keepCaseList),
      known: bind(knownCases),
      knownPosition: bind(knownPosition),
      wasKnownBefore: bind(wasKnownBefore),
      calibrationOf: bind(calibrationOf),
      saveCalibration: bind(keepCalibration),
      boundIds: bind(boundCaseIds),
      saveStates: bind(keepCaseStates),
      stateOf: bind(caseStateOf),
    },
    /** Cases by center. */
    centers: {
      count: bind(countByCenter),
      assign: bind(giveToCenter),
      confirmedSince: bind(centersConfirmedSince),
    },
    /** Reports: when to ask, versions, copies. */
    reports: {
      watch: bind(watchReport),
      dueWatches: bind(dueReportWatches),
      nextCheckAt: bind(nextReportCheckAt),
      setNextCheck: bind(setNextCheck),
      postponeCheck: bind(postponeCheck),
      announced: bind(toldReports),
      checkMissingNow: bind(checkMissingNow),
      saveVersion: bind(keepReportVersion),
      isPending: bind(awaitsReport),
      versionsOf: bind(reportVersionsOf),
      latestHash: bind(latestReportHash),
      version: bind(reportVersion),
      markRead: bind(markReportRead),
      count: bind(countReports),
      pending: bind(awaitedReports),
      list: bind(listReports),
      exists: bind(hasReportOf),
      notCopied: bind(unsavedReports),
      lastPosition: bind(lastReportPosition),
      markCopied: bind(markReportSaved),
    },
    /** Files that were seen in watched folders. */
    files: {
      hasSeen: bind(hasSeen),
      markSeen: bind(markSeen),
      moveSeen: bind(moveSeenFiles),
      forgetIgnored: bind(forgetLeftAlone),
      forgetDuplicatesOf: bind(forgetDuplicatesOf),
      summariseIgnored: bind(summariseIgnored),
      forgetIgnoredSince: bind(forgetIgnoredSince),
      knownAs: bind(knownAs),
    },
    /** Which files make one visit. */
    groups: {
      addKey: bind(addGroupKey),
      removeKeys: bind(removeGroupKeys),
      copyKeys: bind(copyGroupKeys),
      keysOf: bind(groupKeysOf),
      submissionsOf: bind(submissionsOfGroup),
      submissionsFrom: bind(submissionsOfGroupsFrom),
      markByPerson: bind(setGroupedByPerson),
    },
    /** Records of data files. */
    sidecars: {
      save: bind(keepSidecarRecord),
      matchesOf: bind(matchesOfRecord),
      recordsOf: bind(recordsOfSidecar),
      matching: bind(recordsMatching),
      exist: bind(hasSidecarRecords),
      record: bind(sidecarRecord),
    },
    /** What a person must see. */
    alarms: {
      raise: bind(raiseAlarm),
      listOpen: bind(openAlarms),
      settle: bind(settleAlarm),
    },
    /** The trail of every change. */
    audit: {
      append: bind(appendAudit),
      list: bind(listAudit),
      after: bind(auditAfter),
      count: bind(countAudit),
    },
    /** Figures and what is overdue. */
    oversight: {
      overdueRows: bind(ageingRows),
      countPeriods: bind(countPeriods),
      numbers: bind(outboxNumbers),
      stateAges: bind(stateAges),
      tallyAttempts: bind(tallyAttempts),
    },
    /** Single values that outlive a restart. */
    facts: {
      read: bind(readFact),
      write: bind(writeFact),
    },
    /** Images that may be removed. */
    retention: {
      confirmedAfter: bind(confirmedAfter),
      removeImagesOf: bind(removeImagesOf),
      addLeftover: bind(addLeftover),
      leftoversAfter: bind(leftoversAfter),
      forgetLeftover: bind(forgetLeftover),
      isSpoolFileNeeded: bind(isSpoolFileNeeded),
    },
    /** What the files beside the images must say. */
    manifests: {
      progressOf: bind(progressOf),
      of: bind(manifestOf),
      due: bind(dueManifests),
      markWritten: bind(markManifestsKept),
      raiseRevision: bind(raiseRevision),
      isKnown: bind(isKnown),
      unsettledIds: bind(unsettledIds),
      spooledFiles: bind(spooledFiles),
      apply: bind(layOver),
    },
    /** Cases of which a row cannot be read. */
    quarantine: {
      add: bind(quarantine),
      isReadable: bind(isReadable),
      of: bind(quarantinedOf),
      list: bind(quarantined),
      visits: bind(quarantinedVisits),
      remember: bind(rememberQuarantined),
      lift: bind(liftQuarantine),
    },
    /** After a restore: what may have been sent since. */
    recovery: {
      markAllUnconfirmed: bind(putAllInDoubt),
      markUnconfirmedBy: bind(putInDoubtBy),
      markUnreadUnconfirmed: bind(putUnreadInDoubt),
      whyRestored: bind(restoredWhy),
    },
    probeWrite: bind(tryWrite),
    /** Runs several operations as one commit, or as one savepoint of the commit that is open. */
    write: <Value>(work: () => Value): Value => store.write(work),
    /** Runs an effect outside the database once the operations that are running are committed; at once if none are. */
    afterCommit: (effect: () => void): void => store.afterCommit(effect),
    /** Was this thrown because the state machine does not allow a move? Then nothing was written. */
    isMoveRefused: (error: unknown): boolean => error instanceof MoveRefused,
    /** Was this thrown because a row of a case cannot be read? The open write sets the case aside and runs again. */
    isCaseUnreadable: (error: unknown): boolean => error instanceof CaseUnreadable,
  } as const
}
