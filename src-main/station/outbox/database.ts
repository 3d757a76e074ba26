/**
 * How the outbox is written: each write is one immediate transaction, with its trail; effects and listeners follow
 * after the commit. On a full disk it is tried once more if space can be freed; a failing disk or file ends all
 * writing. Either way the transaction is rolled back completely.
 */
import type Database from 'better-sqlite3'
import type { AuditEntry } from '../../../src-shared/alarms.ts'
import { runAll } from '../lib/part.ts'
import { type CommitFlush, NO_FLUSH } from './flush.ts'
import {
  asDiskFull,
  NO_HOOKS,
  storageFaultOf,
  type StorageHooks,
  type StorageState,
  StorageStopped,
} from '../lib/storage-faults.ts'

export type SqlDatabase = Database.Database

type SqlValues = readonly unknown[]

/** A text with its parameters as values, or a template with the values in their places. */
type SqlText = string | TemplateStringsArray

/** Runs SQL; each text is prepared once. */
export type Statements = {
  run(text: SqlText, ...values: SqlValues): Database.RunResult
  // oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- the SQL says what a row holds
  row<Row>(text: SqlText, ...values: SqlValues): Row | undefined
  rows<Row>(text: SqlText, ...values: SqlValues): Row[]
  /** The first column of the first row; null without a row. */
  // oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- the SQL says what a row holds
  value<Value>(text: SqlText, ...values: SqlValues): Value | null
  /** Is there any such row? */
  finds(text: SqlText, ...values: SqlValues): boolean
  /** The first column of every row. */
  values<Value>(text: SqlText, ...values: SqlValues): Value[]
}

export type Store = Statements & {
  /**
   * Runs the work in a transaction, or in a savepoint of the open one. An error rolls all of it back, and
   * nothing else. The work may run a second time after a rollback: it must have no effect outside the database
   * and keep no state between runs.
   */
  write<Value>(work: () => Value): Value
  /** Runs the effect after the commit of the running work; at once if none runs. Dropped by a rollback. */
  afterCommit(effect: () => void): void
  /** Marks a submission as changed by the running work, or says so at once if none runs. */
  touch(submissionId: string): void
  /** Resolves once all that was committed survives a power cut; rejects if nothing is written any more. */
  durable(): Promise<void>
  /** How often there was a commit. */
  commits(): number
  /** Refuses every further write, as after a failure of the disk. */
  abandon(): void
}

/** A row of this case cannot be read: nothing may be done to the case. */
export class CaseUnreadable extends Error {
  override name = 'CaseUnreadable' as const
  readonly submissionId: string
  readonly column: string
  /** Quarantines the case, so that it is skipped from now on. */
  readonly setAside: (store: Store) => void

  constructor(submissionId: string, column: string, setAside: (store: Store) => void) {
    super(`A case cannot be read: ${column}`)
    this.submissionId = submissionId
    this.column = column
    this.setAside = setAside
  }
}

/** More than the outbox has: only lists assemble their SQL from parts. */
const MAX_STATEMENTS = 500

/** Prepares a statement, or takes the one that was prepared for this text. Templates are known by their identity. */
function statementCache(
  prepare: (question: string) => Database.Statement,
): (text: SqlText) => Database.Statement {
  const prepared = new Map<SqlText, Database.Statement>()
  return (text) => {
    const known = prepared.get(text)
    if (known !== undefined) return known
    const made = prepare(typeof text === 'string' ? text : text.join('?'))
    if (prepared.size >= MAX_STATEMENTS) prepared.clear()
    prepared.set(text, made)
    return made
  }
}

/** Written by triggers as well: no statement names them when they change. */
const WRITTEN_BY_TRIGGERS = ['manifests', 'submission_counts']

/** So many answers are remembered at a time: a transaction may read every row there is. */
const MOST_REMEMBERED = 200

const WRITES = /^\s*(?:INSERT(?: OR \w+)? INTO|UPDATE(?: OR \w+)?|DELETE FROM)\s+(\w+)/

type Act = 'run' | 'get' | 'all'

/**
 * What was read in the open transaction: it is asked once, until a table that the question names is written. Nothing
 * outlives the transaction, or a savepoint that is rolled back.
 */
function createMemory() {
  const answers = new Map<Database.Statement, Map<string, unknown>>()
  let count = 0
  const forget = (): void => {
    answers.clear()
    count = 0
  }
  return {
    forget,
    /** Executes the statement, or answers with what it found before. What is remembered is shared: it cannot be changed. */
    execute: (statement: Database.Statement, act: Act, parameters: SqlValues): unknown => {
      if (!statement.readonly) {
        const table = WRITES.exec(statement.source)?.[1]
        if (table === undefined) forget()
        for (const question of answers.keys())
          if (table !== undefined && question.source.includes(table)) answers.delete(question)
        return statement[act](...parameters)
      }
      if (WRITTEN_BY_TRIGGERS.some((table) => statement.source.includes(table)))
        return statement[act](...parameters)
      const key = JSON.stringify([act, ...parameters], (_name, value: unknown) =>
        typeof value === 'bigint' || value === Infinity || value === -Infinity ? `${String(value)}n` : value,
      )
      const known = answers.get(statement)
      if (known?.has(key) === true) return known.get(key)
      if (count >= MOST_REMEMBERED) forget()
      count += 1
      const answer = frozenRows(statement[act](...parameters))
      answers.set(statement, (answers.get(statement) ?? new Map<string, unknown>()).set(key, answer))
      return answer
    },
  }
}

function frozenRows(answer: unknown): unknown {
  if (Array.isArray(answer)) for (const row of answer) Object.freeze(row)
  return Object.freeze(answer)
}

/** Caches statements by their text and mode: preparing costs more than most of them take. */
function prepareOnce(
  sql: Pick<SqlDatabase, 'prepare'>,
  run: <Value>(isReading: boolean, act: () => Value) => Value,
  execute: ReturnType<typeof createMemory>['execute'] = (statement, act, parameters) =>
    statement[act](...parameters),
): Statements {
  const rows = statementCache((question) => run(true, () => sql.prepare(question)))
  const values = statementCache((question) => run(true, () => sql.prepare(question).pluck()))
  const by =
    (act: Act, statementOf: typeof rows) =>
    (text: SqlText, ...parameters: SqlValues): unknown => {
      const statement = statementOf(text)
      return run<unknown>(statement.readonly, () => execute(statement, act, parameters))
    }
  const row = by('get', rows)
  const value = by('get', values)
  // What a row holds is stated beside the SQL.
  return {
    run: by('run', rows),
    row,
    rows: by('all', rows),
    value: (text, ...parameters) => value(text, ...parameters) ?? null,
    finds: (text, ...parameters) => row(text, ...parameters) !== undefined,
    values: by('all', values),
  } as Statements
}

/** The same for a connection that is only read. */
export function statementsOf(sql: Pick<SqlDatabase, 'prepare'>): Statements {
  return prepareOnce(sql, (_isReading, act) => act())
}

export function createStore(
  sql: Pick<SqlDatabase, 'prepare' | 'transaction'>,
  onChanged: (submissionIds: readonly string[]) => void,
  hooks: StorageHooks = NO_HOOKS,
  flush: CommitFlush = NO_FLUSH,
): Store {
  let touched = new Set<string>()
  let effects: (() => void)[] = []
  let state: StorageState = 'well'
  /** The open transaction, and an error in it after which none of it may be committed. */
  let open: { fault: Error | null } | null = null
  const memory = createMemory()

  const setState = (to: StorageState): void => {
    // Broken is final: only the next start can assess what a later write would find.
    if (state === to || state === 'broken') return
    state = to
    hooks.onState(to)
  }

  const noteWritten = (): void => {
    setState('well')
    flush.committed()
  }

  const refuseIfBroken = (): void => {
    if (state === 'broken') throw new StorageStopped()
  }

  /** Runs the operation; once more if it failed for lack of space and space was freed. */
  const retryWithSpace = <Value>(act: () => Value, giveUpSpace = hooks.giveUpSpace): Value => {
    try {
      return act()
    } catch (thrown) {
      const error = asDiskFull(thrown, hooks.isOutOfSpace)
      const fault = storageFaultOf(error)
      if (fault === 'full' && giveUpSpace()) return retryWithSpace(act, () => false)
      if (fault !== null) setState(fault)
      throw error
    }
  }

  const runIn = <Value>(transaction: { fault: Error | null }, act: () => Value): Value => {
    // SQLite may have ended the transaction on its own: later writes would be committed without the earlier ones.
    if (transaction.fault !== null) throw transaction.fault
    try {
      return act()
    } catch (thrown) {
      const error = asDiskFull(thrown, hooks.isOutOfSpace)
      const fault = storageFaultOf(error)
      if (fault !== null && error instanceof Error) transaction.fault = error
      if (fault === 'broken') setState('broken')
      throw error
    }
  }

  const run = <Value>(isReading: boolean, act: () => Value): Value => {
    if (!isReading) refuseIfBroken()
    if (open !== null) return runIn(open, act)
    const value = retryWithSpace(act)
    if (!isReading) noteWritten()
    return value
  }

  /** A transaction, or a savepoint of the open one. Made once: making it costs more than a savepoint. */
  const inTransaction = sql.transaction((work: () => unknown) => work())

  const commit = <Value>(work: () => Value): Value => {
    touched = new Set()
    effects = []
    const transaction: { fault: Error | null } = { fault: null }
    open = transaction
    memory.forget()
    try {
      return inTransaction.immediate(() => {
        const value = work()
        // The work may have caught the error and gone on.
        if (transaction.fault !== null) throw transaction.fault
        return value
      }) as Value
    } finally {
      open = null
      memory.forget()
    }
  }

  /** Runs whole, whatever of it fails: what it follows is stored, and the caller may not take it for undone. */
  const follow = (acts: readonly (() => void)[]): void => {
    try {
      runAll(acts)
    } catch (error) {
      hooks.onFollowingFailed(error)
    }
  }

  /** Work that meets an unreadable case runs again without it, for the sake of the others. */
  const withReadableCases = <Value>(work: () => Value, without: readonly string[] = []): Value => {
    try {
      return commit(work)
    } catch (error) {
      if (!(error instanceof CaseUnreadable) || without.includes(error.submissionId)) throw error
      commit(() => error.setAside(through))
      follow([() => onChanged([error.submissionId])])
      return withReadableCases(work, [...without, error.submissionId])
    }
  }

  /** A savepoint: a rollback also drops what was touched in it, and its effects. */
  const nest = <Value>(work: () => Value): Value => {
    const outer = { touched, effects }
    touched = new Set()
    effects = []
    try {
      const value = inTransaction(work) as Value
      for (const id of touched) outer.touched.add(id)
      outer.effects.push(...effects)
      return value
    } catch (error) {
      memory.forget()
      throw error
    } finally {
      touched = outer.touched
      effects = outer.effects
    }
  }

  const through: Store = {
    ...prepareOnce(sql, run, (statement, act, parameters) =>
      open === null ? statement[act](...parameters) : memory.execute(statement, act, parameters),
    ),
    write(work) {
      if (open !== null) return nest(work)
      refuseIfBroken()
      const value = retryWithSpace(() => withReadableCases(work))
      noteWritten()
      const changed = [...touched]
      touched = new Set()
      const following = effects
      effects = []
      follow(changed.length > 0 ? [...following, () => onChanged(changed)] : following)
      return value
    },
    afterCommit: (effect) => {
      if (open === null) follow([effect])
      else effects.push(effect)
    },
    touch: (submissionId) => {
      if (open === null) follow([() => onChanged([submissionId])])
      else touched.add(submissionId)
    },
    durable: async () => {
      refuseIfBroken()
      await flush.durable()
      refuseIfBroken()
    },
    commits: () => flush.count(),
    abandon: () => setState('broken'),
  }
  return through
}

/** Details of a change: ids, kinds, field names and counts. Values of patient fields stay out of the trail. */
export type AuditDetails = Readonly<Record<string, string | number | boolean | null | readonly string[]>>

/** Without `by` no person did it. */
type NewAuditEntry = Pick<AuditEntry, 'at' | 'submissionId' | 'what'> & {
  readonly by?: string | null | undefined
  readonly details?: AuditDetails | undefined
}

/** Appends a line to the trail, in the transaction of the change that it records. */
export function appendAudit(store: Store, entry: NewAuditEntry): void {
  store.run`
    INSERT INTO audit (at, submission_id, what, by, details)
    VALUES (${entry.at}, ${entry.submissionId}, ${entry.what}, ${entry.by ?? null},
    ${JSON.stringify(entry.details ?? {})})`
}

/** Names of facts; those without a word here say all themselves. */
export type FactName =
  | 'pause'
  | 'existing'
  | 'lastSentAt'
  | 'stationId'
  /** Exists in backups only; this and the generations are those of `restored-copy.ts`. */
  | 'backupOf'
  | 'generation'
  | 'previousGeneration'
  /** The hash of the schema as it was made, see `check-rows.ts`. */
  | 'schema'
  /** `open` until the outbox is closed properly. */
  | 'session'
  /** Where reports are copied to, and after which one that began. */
  | 'reportsSaveTo'
  /** Why recent history is unknown, until that is dealt with. */
  | 'restored'
  | 'clinicalUnits'
  /** Confirmed profiles by folder and id, with the instants of their confirmation, see `folder-memory.ts`. */
  | 'confirmedProfiles'
  /** The service (address and client) that marks the current center in its list. */
  | 'centersMarkedAt'
  | 'erasedUntil'
  | 'writtenAt'

export function readFact(store: Store, name: FactName): string | null {
  return store.value<string>`SELECT value FROM facts WHERE name = ${name}`
}

export function writeFact(store: Store, name: FactName, value: string): void {
  store.run`INSERT OR REPLACE INTO facts (name, value) VALUES (${name}, ${value})`
}

/** Writes a meaningless value to find out whether the disk has space again; false if it has not. Never throws. */
export function tryWrite(store: Store, at: number): boolean {
  try {
    store.write(() => writeFact(store, 'writtenAt', String(at)))
    return true
  } catch {
    return false
  }
}
