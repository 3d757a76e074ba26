/**
 * The outbox as the other parts of the station see it: every operation of the stores, bound to the one connection.
 *
 * The parts know this type only; `open-station.ts` hands them the object.
 */
import * as ageing from './ageing-store.ts'
import * as alarms from './alarm-store.ts'
import { mayLeave, restsOnNames } from './approval-store.ts'
import * as attempts from './attempt-store.ts'
import * as audit from './audit-store.ts'
import * as awaited from './awaited-store.ts'
import * as caseStates from './case-state-store.ts'
import * as centerCounts from './center-count-store.ts'
import * as centers from './center-store.ts'
import * as days from './day-store.ts'
import * as diagnostic from './diagnostic-store.ts'
import * as evidence from './evidence-store.ts'
import * as existing from './existing-store.ts'
import * as facts from './fact-store.ts'
import * as groups from './group-store.ts'
import * as images from './image-store.ts'
import * as intake from './intake-store.ts'
import { layOver } from './lay-over.ts'
import * as lists from './list-submissions.ts'
import * as manifests from './manifest-store.ts'
import { moveSubmission, MoveRefused } from './move-submission.ts'
import * as namesRule from './names-rule.ts'
import * as passed from './passed-store.ts'
import * as quarantineStore from './quarantine-store.ts'
import * as reportCopies from './report-copy-store.ts'
import * as reportInbox from './report-inbox-store.ts'
import * as reports from './report-store.ts'
import { putAllInDoubt, putInDoubtBy, putUnreadInDoubt, restoredWhy } from './restored-store.ts'
import * as retention from './retention-store.ts'
import * as service from './service-store.ts'
import * as sidecars from './sidecar-store.ts'
import * as submissions from './submission-store.ts'
import * as trial from './trial-write.ts'
import * as units from './unit-store.ts'
import { CaseUnreadable, type WriteThrough } from './write-through.ts'

const operations = {
  ...ageing,
  ...alarms,
  ...attempts,
  ...audit,
  ...awaited,
  ...caseStates,
  ...centerCounts,
  ...centers,
  ...days,
  ...diagnostic,
  ...evidence,
  ...existing,
  ...facts,
  ...groups,
  ...images,
  ...intake,
  layOver,
  ...lists,
  ...manifests,
  mayLeave,
  moveSubmission,
  ...namesRule,
  ...passed,
  putAllInDoubt,
  putInDoubtBy,
  putUnreadInDoubt,
  isReadable: quarantineStore.isReadable,
  liftQuarantine: quarantineStore.liftQuarantine,
  quarantine: quarantineStore.quarantine,
  quarantined: quarantineStore.quarantined,
  quarantinedOf: quarantineStore.quarantinedOf,
  quarantinedVisits: quarantineStore.quarantinedVisits,
  rememberQuarantined: quarantineStore.rememberQuarantined,
  ...reportCopies,
  ...reportInbox,
  ...reports,
  ...retention,
  restoredWhy,
  restsOnNames,
  ...service,
  ...sidecars,
  ...submissions,
  ...trial,
  ...units,
}

type Bound<Operation> = Operation extends (store: WriteThrough, ...rest: infer Rest) => infer Value
  ? (...rest: Rest) => Value
  : never

export type Outbox = { readonly [Name in keyof typeof operations]: Bound<(typeof operations)[Name]> } & {
  /** Runs several operations as one commit, or as one savepoint of the commit that is open. */
  write<Value>(work: () => Value): Value
  /** Runs an effect outside the database once the operations that are running are committed; at once if none are. */
  afterCommit(effect: () => void): void
  /** Was this thrown because the machine does not allow a move? Then nothing was written. */
  isMoveRefused(error: unknown): boolean
  /** Was this thrown because a row of a case cannot be read? The write that is open sets the case aside and runs again. */
  isCaseUnreadable(error: unknown): boolean
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
    afterCommit: (effect) => store.afterCommit(effect),
    isMoveRefused: (error) => error instanceof MoveRefused,
    isCaseUnreadable: (error) => error instanceof CaseUnreadable,
  }
}
