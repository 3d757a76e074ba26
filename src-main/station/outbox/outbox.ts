/** The outbox as other parts see it: all operations by subject, bound to one connection. */
import * as approvals from './approvals.ts'
import * as attempts from './attempts.ts'
import * as backToReview from './back-to-review.ts'
import * as casesAndCenters from './cases-and-centers.ts'
import * as confirmedNames from './confirmed-names.ts'
import * as database from './database.ts'
import * as fileNotes from './file-notes.ts'
import * as files from './files.ts'
import * as folderMemory from './folder-memory.ts'
import * as copies from './copies.ts'
import * as images from './images.ts'
import * as inbox from './inbox.ts'
import * as list from './list.ts'
import * as oversight from './oversight.ts'
import * as manifests from './recovery/manifests.ts'
import * as restore from './recovery/restore.ts'
import * as reports from './reports.ts'
import * as rows from './rows.ts'
import * as submissions from './submissions.ts'
import * as transitions from './transitions.ts'
import * as unusable from './unusable-files.ts'

export type Outbox = ReturnType<typeof bindOutbox>

/** Binds every operation to one connection. */
export function bindOutbox(store: database.Store) {
  const bind =
    <Rest extends unknown[], Value>(operation: (store: database.Store, ...rest: Rest) => Value) =>
    (...rest: Rest): Value =>
      operation(store, ...rest)
  return {
    submissions: {
      create: bind(submissions.createSubmission),
      row: bind(rows.rowOf),
      get: bind(submissions.submissionOf),
      details: bind(submissions.detailsOf),
      setContent: bind(submissions.setContent),
      setIdentity: bind(submissions.setIdentity),
      setAddendumTo: bind(submissions.setAddendumTo),
      setNoImageBecause: bind(submissions.setNoImageBecause),
      setCenter: bind(submissions.setCenter),
      setUrgent: bind(submissions.setUrgent),
      setNotBefore: bind(submissions.setNotBefore),
      setConfirmed: bind(submissions.setConfirmed),
      sentBefore: bind(submissions.sentBefore),
      idsIn: bind(submissions.idsIn),
      quiet: bind(files.quietSubmissions),
      setQuietUntil: bind(files.setQuietUntil),
      nextQuietAt: bind(files.nextQuietAt),
      count: bind(list.countSubmissions),
      list: bind(list.listSubmissions),
      byCase: bind(casesAndCenters.submissionByCase),
      byReference: bind(casesAndCenters.submissionByReference),
      boundTo: bind(casesAndCenters.boundSubmission),
      transition: bind(transitions.moveSubmission),
      applyUnits: bind(backToReview.applyUnits),
      applyMissedUnits: bind(backToReview.applyMissedUnits),
    },
    /** Content that was cleared or approved, and what may leave. */
    approvals: {
      contentDigest: bind(approvals.contentDigest),
      shownDigest: bind(approvals.shownDigest),
      set: bind(approvals.recordClearance),
      forget: bind(approvals.forgetClearance),
      matches: bind(approvals.matchesClearance),
      isUnlikeSent: bind(approvals.isUnlikeSent),
      mayLeave: bind(approvals.mayLeave),
      isProven: bind(approvals.isProven),
      mayBeApprovedTogether: bind(approvals.mayBeApprovedTogether),
      reviewIfUnproven: bind(transitions.reviewIfUnproven),
      fillVerdicts: bind(backToReview.fillVerdicts),
    },
    /** Profiles that persons confirmed, and the cases that go by them. */
    profiles: {
      noteConfirmed: bind(confirmedNames.noteConfirmed),
      approvedOnScreens: bind(confirmedNames.approvedOnScreens),
      countApproved: bind(confirmedNames.countApprovedBy),
      currentReadings: bind(confirmedNames.currentReadings),
      restingOn: bind(backToReview.restingOn),
      endConfirmation: bind(backToReview.endConfirmation),
    },
    images: {
      rows: bind(rows.imageRowsOf),
      add: bind(images.addImage),
      holdersOf: bind(images.holdersOf),
      isSharedUid: bind(images.isSharedUid),
      twinsOf: bind(images.twinsOf),
      setEye: bind(images.setEye),
      settleEye: bind(images.settleEye),
      setExcluded: bind(images.setExcluded),
      setTwinOf: bind(images.setTwinOf),
      setRecord: bind(images.setRecord),
      move: bind(images.moveImages),
      byId: bind(images.imageById),
      ofStem: bind(images.imagesOfStem),
      namesUsed: bind(copies.namesUsed),
      noteFormerName: bind(copies.noteFormerName),
      formerNamesOfStem: bind(copies.formerNamesOfStem),
      formerNamesBelow: bind(copies.formerNamesBelow),
      namesBelow: bind(images.imageNamesBelow),
      submissionsInFolder: bind(images.submissionsInFolder),
      numbersInFolder: bind(images.numbersInFolder),
      addCopy: bind(copies.addCopy),
      copiesOf: bind(copies.copiesOf),
      copiesInFolder: bind(copies.copiesInFolder),
      setRecordOfCopy: bind(copies.setRecordOfCopy),
    },
    attempts: {
      open: bind(attempts.openAttempt),
      markPhase: bind(attempts.markPhase),
      end: bind(attempts.endAttempt),
      row: bind(attempts.attemptRow),
      of: bind(attempts.attemptsOf),
      openRows: bind(attempts.openAttemptRows),
      hasUnresolved: bind(attempts.hasUnresolvedAttempt),
      dueSubmissions: bind(attempts.dueSubmissions),
      nextDueAfter: bind(attempts.nextDueAfter),
      answerOf: bind(attempts.answerOf),
      noteWarning: bind(attempts.noteWarning),
    },
    evidence: {
      append: bind(attempts.appendEvidence),
      absentLookups: bind(attempts.absentLookupsOf),
      dueLookups: bind(attempts.dueLookups),
      dueConfirmations: bind(attempts.dueConfirmations),
      nextFollowUpAt: bind(attempts.nextFollowUpAt),
    },
    cases: {
      listReadAt: bind(casesAndCenters.caseListReadAt),
      saveList: bind(casesAndCenters.saveCaseList),
      knownPosition: bind(casesAndCenters.knownPosition),
      wasKnownBefore: bind(casesAndCenters.wasKnownBefore),
      calibrationOf: bind(casesAndCenters.calibrationOf),
      saveCalibration: bind(casesAndCenters.saveCalibration),
      imageCalibrationOf: bind(casesAndCenters.imageCalibrationOf),
      saveImageCalibration: bind(casesAndCenters.saveImageCalibration),
      setImagesShown: bind(casesAndCenters.setImagesShown),
      countImagesMissing: bind(casesAndCenters.countImagesMissing),
      saveStates: bind(casesAndCenters.saveCaseStates),
      stateOf: bind(casesAndCenters.caseStateOf),
    },
    centers: {
      count: bind(casesAndCenters.countByCenter),
      assign: bind(casesAndCenters.assignCenter),
      lastConfirmed: bind(casesAndCenters.lastConfirmedByCenter),
    },
    reports: {
      watch: bind(reports.watchReport),
      dueWatches: bind(reports.dueReportWatches),
      nextCheckAt: bind(reports.nextReportCheckAt),
      setNextCheck: bind(reports.setNextCheck),
      postponeCheck: bind(reports.postponeCheck),
      announced: bind(reports.announcedReports),
      checkMissingNow: bind(reports.checkMissingNow),
      saveVersion: bind(reports.saveReportVersion),
      isPending: bind(reports.awaitsReport),
      versionsOf: bind(reports.reportVersionsOf),
      latestHash: bind(reports.latestReportHash),
      version: bind(reports.reportVersion),
      markRead: bind(reports.markReportRead),
      count: bind(reports.countReports),
      pending: bind(inbox.pendingReports),
      list: bind(inbox.listReports),
      exists: bind(reports.hasReportOf),
      notCopied: bind(reports.unsavedReports),
      lastPosition: bind(reports.lastReportPosition),
      markCopied: bind(reports.markReportSaved),
    },
    files: {
      hasIgnoredOther: bind(files.hasIgnoredOther),
      hasSeen: bind(files.hasSeen),
      markSeen: bind(files.markSeen),
      markRewritten: bind(files.markRewritten),
      isRewritten: bind(files.isRewritten),
      rememberSeen: bind(files.rememberSeen),
      priorResult: bind(files.priorResult),
      moveSeen: bind(files.moveSeenFiles),
      forgetIgnored: bind(files.forgetIgnoredFiles),
      forgetDuplicatesOf: bind(files.forgetDuplicatesOf),
      forgetCopy: bind(copies.forgetCopy),
      summariseIgnored: bind(files.summariseIgnored),
      importIgnoredSince: bind(files.importIgnoredSince),
      importedAt: bind(files.importedAt),
    },
    /** Files of watched folders that are no part of a case. */
    notes: {
      save: bind(fileNotes.saveNotes),
      forget: bind(fileNotes.forgetNotes),
      noted: bind(fileNotes.notedFiles),
      count: bind(fileNotes.countNotes),
      newest: bind(fileNotes.newestNotes),
      list: bind(fileNotes.listNotes),
    },
    /** Files of visits that cannot be used. */
    unusable: {
      at: bind(unusable.unusableAt),
      save: bind(unusable.saveUnusable),
      setWhy: bind(unusable.setUnusableWhy),
      of: bind(unusable.unusableOf),
      ofStem: bind(unusable.unusableOfStem),
      pendingOfStem: bind(unusable.pendingOfStem),
      homeless: bind(unusable.homelessUnusable),
      isPending: bind(unusable.isAwaitingFile),
      isNewExport: bind(unusable.isNewExport),
      tie: bind(unusable.tieUnusable),
      setEye: bind(unusable.setUnusableEye),
      moveAll: bind(unusable.moveUnusable),
      askNewExport: bind(unusable.askNewExport),
      decide: bind(unusable.decideUnusable),
      imagesNear: bind(unusable.imagesNear),
    },
    groups: {
      addKey: bind(files.addGroupKey),
      removeKeys: bind(files.removeGroupKeys),
      copyKeys: bind(files.copyGroupKeys),
      keysOf: bind(files.groupKeysOf),
      submissionsOf: bind(files.submissionsOfGroup),
      submissionsFrom: bind(files.submissionsOfGroupsFrom),
      markByPerson: bind(files.setGroupedByPerson),
    },
    memory: {
      storeAnswer: bind(folderMemory.storeAnswer),
      withdrawAnswer: bind(folderMemory.withdrawAnswer),
      hasAnswer: bind(folderMemory.hasAnswer),
      answeredBy: bind(folderMemory.answeredBy),
      samePatientsIn: bind(folderMemory.samePatientsIn),
      learnShape: bind(folderMemory.learnShape),
      hasShape: bind(folderMemory.hasShape),
      learnTerm: bind(folderMemory.learnTerm),
      learnNameTerm: bind(folderMemory.learnNameTerm),
      isConstant: bind(folderMemory.isConstant),
      casesOfPatient: bind(folderMemory.casesOfPatient),
      imagesOfPatient: bind(folderMemory.imagesOfPatient),
      noteVisit: bind(folderMemory.noteVisit),
      visitsOf: bind(folderMemory.visitsOf),
      noteMentions: bind(folderMemory.noteMentions),
      mentionsOf: bind(folderMemory.mentionsOf),
      waitingForTerm: bind(folderMemory.waitingForTerm),
      openCasesOf: bind(folderMemory.openCasesOf),
    },
    sidecars: {
      save: bind(files.saveSidecarRecord),
      matchesOf: bind(files.matchesOfRecord),
      withdraw: bind(files.withdrawSidecarRecords),
      recordsOf: bind(files.recordsOfSidecar),
      matching: bind(files.recordsMatching),
      exist: bind(files.hasSidecarRecords),
      record: bind(files.sidecarRecord),
    },
    alarms: {
      raise: bind(oversight.raiseAlarm),
      listOpen: bind(oversight.openAlarms),
      settle: bind(oversight.settleAlarm),
    },
    audit: {
      append: bind(database.appendAudit),
      list: bind(oversight.listAudit),
      after: bind(oversight.auditAfter),
      count: bind(oversight.countAudit),
    },
    oversight: {
      overdueRows: bind(oversight.overdueRows),
      countPeriods: bind(oversight.countPeriods),
      numbers: bind(oversight.outboxNumbers),
      stateAges: bind(oversight.stateAges),
      tallyAttempts: bind(oversight.tallyAttempts),
    },
    facts: {
      read: bind(database.readFact),
      write: bind(database.writeFact),
    },
    retention: {
      confirmedAfter: bind(images.confirmedAfter),
      removeImagesOf: bind(images.removeImagesOf),
      addLeftover: bind(images.addLeftover),
      leftoversAfter: bind(images.leftoversAfter),
      forgetLeftover: bind(images.forgetLeftover),
      isSpoolFileNeeded: bind(images.isSpoolFileNeeded),
    },
    manifests: {
      progressOf: bind(manifests.progressOf),
      of: bind(manifests.manifestOf),
      due: bind(manifests.dueManifests),
      markWritten: bind(manifests.markManifestsWritten),
      raiseRevision: bind(manifests.raiseRevision),
      isKnown: bind(manifests.isKnown),
      unsettledIds: bind(manifests.unsettledIds),
      spooledFiles: bind(manifests.spooledFiles),
      apply: bind(restore.applyManifests),
    },
    quarantine: {
      add: bind(rows.quarantine),
      isReadable: bind(rows.isReadable),
      of: bind(rows.quarantinedOf),
      list: bind(rows.quarantined),
      visits: bind(rows.quarantinedVisits),
      remember: bind(rows.rememberQuarantined),
      lift: bind(rows.liftQuarantine),
    },
    recovery: {
      markAllUnconfirmed: bind(restore.markAllUnconfirmed),
      markUnconfirmedBy: bind(restore.markUnconfirmedBy),
      markUnreadUnconfirmed: bind(restore.markUnreadUnconfirmed),
      whyRestored: bind(restore.whyRestored),
    },
    probeWrite: bind(database.tryWrite),
    /** Runs several operations as one commit, or as one savepoint of the open commit. */
    write: <Value>(work: () => Value): Value => store.write(work),
    /** Runs an effect outside the database after the commit of the running operations; at once if none run. */
    afterCommit: (effect: () => void): void => store.afterCommit(effect),
    /** Did the state machine refuse a transition? Then nothing was written. */
    isMoveRefused: (error: unknown): boolean => error instanceof transitions.MoveRefused,
    /** Could a row of a case not be read? The open write quarantines the case and runs again. */
    isCaseUnreadable: (error: unknown): boolean => error instanceof database.CaseUnreadable,
  } as const
}
