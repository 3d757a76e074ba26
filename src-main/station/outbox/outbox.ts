/** The outbox as other parts see it: the operations of each subject, bound to one connection. */
import * as approvals from './approvals.ts'
import * as attempts from './attempts.ts'
import * as casesAndCenters from './cases-and-centers.ts'
import * as database from './database.ts'
import * as files from './files.ts'
import * as folderMemory from './folder-memory.ts'
import * as images from './images.ts'
import * as reportLists from './report-lists.ts'
import * as list from './list.ts'
import * as oversight from './oversight.ts'
import * as manifests from './recovery/manifests.ts'
import * as restore from './recovery/restore.ts'
import * as reports from './reports.ts'
import * as rows from './rows.ts'
import * as seenFiles from './seen-files.ts'
import * as sentWrongly from './sent-wrongly.ts'
import * as submissions from './submissions.ts'
import * as transitions from './transitions.ts'
import * as unusableFiles from './unusable-files.ts'
import * as withdrawals from './withdrawals.ts'

const OPERATIONS = {
  ...submissions,
  ...images,
  ...files,
  ...seenFiles,
  ...folderMemory,
  ...unusableFiles,
  /** What may leave, and what returns to a person. */
  ...approvals,
  ...transitions,
  ...attempts,
  ...casesAndCenters,
  ...reports,
  ...reportLists,
  ...list,
  ...oversight,
  ...sentWrongly,
  ...withdrawals,
  ...manifests,
  ...restore,
  /** Facts, the audit trail, and rows that cannot be read. */
  ...database,
  ...rows,
}

type Operations = typeof OPERATIONS

/** What a function takes after the store; `never` if it takes none. */
type AfterStore<Operation> = Operation extends (store: database.Store, ...rest: infer Rest) => unknown
  ? Rest
  : never

type Bound = {
  readonly [Name in keyof Operations as AfterStore<Operations[Name]> extends never ? never : Name]: (
    ...rest: AfterStore<Operations[Name]>
  ) => Operations[Name] extends (...all: never[]) => infer Value ? Value : never
}

export type Outbox = ReturnType<typeof bindOutbox>

/** Binds every operation to one connection. */
export function bindOutbox(store: database.Store) {
  const bound = Object.entries<unknown>(OPERATIONS).flatMap(([name, operation]) =>
    typeof operation === 'function' ? [[name, operation.bind(null, store)]] : [],
  )
  return {
    ...(Object.fromEntries(bound) as Bound),
    /** Runs several operations as one commit, or as one savepoint of the open commit. */
    write: <Value>(work: () => Value): Value => store.write(work),
    /** Runs an effect outside the database after the commit of the running operations; at once if none run. */
    afterCommit: (effect: () => void): void => store.afterCommit(effect),
    /** Resolves once all that was committed survives a power cut. To be waited for before what others can see is done. */
    durable: (): Promise<void> => store.durable(),
    /** How often something was committed. */
    commits: (): number => store.commits(),
    /** Did the state machine refuse a transition? Then nothing was written. */
    isMoveRefused: (error: unknown): boolean => error instanceof transitions.MoveRefused,
    /** Could a row of a case not be read? The open write quarantines the case and runs again. */
    isCaseUnreadable: (error: unknown): boolean => error instanceof database.CaseUnreadable,
  } as const
}
