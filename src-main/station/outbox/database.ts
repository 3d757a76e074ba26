/**
 * The one SQLite connection of a station, and how it is written: each write is one immediate transaction; effects and
 * listeners follow after the commit, never before.
 *
 * A write that finds the disk full is tried once more if space can be freed for it; a failing disk or file ends all
 * writing. Either way the transaction is rolled back completely.
 *
 * better-sqlite3 is compiled so that every WAL connection after the first starts with synchronous=NORMAL, which
 * may lose the last commits in a power cut. So durability is set on every open and read back, never assumed.
 *
 * Don't open the file otherwise while this process has a connection: closing any other descriptor would release
 * the connection's locks (POSIX).
 */
import { closeSync, existsSync, openSync, readSync, statSync } from 'node:fs'
import Database from 'better-sqlite3'
import { worded } from '../../../src-shared/wording.ts'
import {
  asDiskFull,
  storageFaultOf,
  type StorageHooks,
  type StorageState,
  StorageStopped,
} from '../lib/storage-faults.ts'
import { isSafeSqlite } from '../lib/errors.ts'
import { openingError, StorageError } from '../lib/storage-error.ts'

/** "FCOB" in ASCII: distinguishes our file from any other SQLite database. */
export const APPLICATION_ID = 0x46434f42

export type SqlDatabase = Database.Database

/** Set on every open, in this order, with the value expected when read back. */
const PRAGMAS: readonly (readonly [name: string, value: string, expected: string | number])[] = [
  // Exclusive before WAL: a second process gets BUSY at once, and no shared-memory file is created.
  ['locking_mode', 'EXCLUSIVE', 'exclusive'],
  ['journal_mode', 'WAL', 'wal'],
  ['synchronous', 'FULL', 2],
  ['foreign_keys', 'ON', 1],
  ['trusted_schema', 'OFF', 0],
]

/** Reads a pragma back: a setting that did not take effect would be noticed too late. */
export function expectPragma(sql: SqlDatabase, name: string, expected: string | number): void {
  const actual: unknown = sql.pragma(name, { simple: true })
  if (actual !== expected) {
    throw new StorageError(worded('start:notDurable', { name, value: String(actual) }))
  }
}

/** No schema will ever have so many versions: a higher number was not written by any program. */
const BEYOND_ALL_VERSIONS = 10_000

/**
 * Reads the header of a database file that this process has not open (SQLite file format, section 1.3): the
 * magic string, the application id at offset 68, the schema version at offset 60.
 *
 * Throws a StorageError if the file is not ours or contains impossible numbers. SQLite would mistake those for a
 * read-only file (offset 18) or for one of a newer SQLite (offset 44).
 */
function refuseForeign(path: string): void {
  const head = Buffer.alloc(100)
  const file = openSync(path, 'r')
  try {
    readSync(file, head, 0, head.length, 0)
  } finally {
    closeSync(file)
  }
  const schemaVersion = head.readUInt32BE(60)
  const isOurs =
    head.toString('latin1', 0, 15) === 'SQLite format 3' &&
    head.readUInt32BE(68) === APPLICATION_ID &&
    head.readUInt8(18) <= 2 &&
    head.readUInt8(19) <= 2 &&
    head.readUInt32BE(44) <= 4 &&
    schemaVersion < BEYOND_ALL_VERSIONS
  if (!isOurs) throw new StorageError(worded('start:notOurs'), { remedy: 'recover' })
}

/**
 * Opens or creates the database file, without reading its content.
 *
 * Throws a StorageError if another process holds it, it is not ours, or it cannot be opened.
 */
export function openDatabase(path: string): SqlDatabase {
  let sql: SqlDatabase | null = null
  try {
    if (existsSync(path) && statSync(path).size > 0) refuseForeign(path)
    sql = new Database(path, { timeout: 0 })
    if (!isSafeSqlite(sql.prepare<[], string>('SELECT sqlite_version()').pluck().get() ?? ''))
      throw new StorageError(worded('start:unsafeDatabase'))
    // Sets the application id first, before WAL, so that the file is marked as ours from its first page on. SQLite
    // reports whether a page exists, because it rolls back an interrupted creation together with the id.
    if (sql.pragma('page_count', { simple: true }) === 0) sql.pragma(`application_id = ${APPLICATION_ID}`)
    for (const [name, value] of PRAGMAS) sql.pragma(`${name} = ${value}`)
    for (const [name, , expected] of PRAGMAS) expectPragma(sql, name, expected)
    expectPragma(sql, 'application_id', APPLICATION_ID)
    return sql
  } catch (error) {
    sql?.close()
    throw openingError(error)
  }
}

type SqlValues = readonly unknown[]

/** A text with its parameters as values, or a template with the values in their places. */
type SqlText = string | TemplateStringsArray

/** Runs SQL; each text is prepared once. */
export type Statements = {
  run(text: SqlText, ...values: SqlValues): Database.RunResult
  // oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- the SQL says what a row holds
  row<Row>(text: SqlText, ...values: SqlValues): Row | undefined
  rows<Row>(text: SqlText, ...values: SqlValues): Row[]
  /** The first column of the first row. */
  // oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- the SQL says what a row holds
  value<Value>(text: SqlText, ...values: SqlValues): Value | undefined
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
  /** Marks a submission as changed by the running work. */
  touch(submissionId: string): void
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

const NO_HOOKS: StorageHooks = {
  isOutOfSpace: () => false,
  giveUpSpace: () => false,
  onState: () => undefined,
}

/** More than the outbox has: only lists assemble their SQL from parts. */
const MAX_STATEMENTS = 500

/** Caches statements by their text and mode: preparing costs more than most of them take. */
function prepareOnce(
  sql: Pick<SqlDatabase, 'prepare'>,
  run: (isReading: boolean, act: () => unknown) => unknown,
): Statements {
  const statements = new Map<string, Database.Statement>()
  const execute = (
    act: 'run' | 'get' | 'all',
    isValue: boolean,
    text: string,
    values: SqlValues,
  ): unknown => {
    const key = `${isValue ? 'value' : 'row'} ${text}`
    let statement = statements.get(key)
    if (statement === undefined) {
      const made = run(true, () => sql.prepare(text)) as Database.Statement
      statement = isValue ? made.pluck() : made
      if (statements.size >= MAX_STATEMENTS) statements.clear()
      statements.set(key, statement)
    }
    const ready = statement
    return run(ready.readonly, () => ready[act](...values))
  }
  const by =
    (act: 'run' | 'get' | 'all', isValue = false) =>
    (text: SqlText, ...values: SqlValues): unknown =>
      execute(act, isValue, typeof text === 'string' ? text : text.join('?'), values)
  // What a row holds is stated beside the SQL.
  return {
    run: by('run'),
    row: by('get'),
    rows: by('all'),
    value: by('get', true),
    values: by('all', true),
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
): Store {
  let touched = new Set<string>()
  let effects: (() => void)[] = []
  let state: StorageState = 'well'
  /** The open transaction, and an error in it after which none of it may be committed. */
  let open: { fault: Error | null } | null = null

  const setState = (to: StorageState): void => {
    // Broken is final: only the next start can assess what a later write would find.
    if (state === to || state === 'broken') return
    state = to
    hooks.onState(to)
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

  const runIn = (transaction: { fault: Error | null }, act: () => unknown): unknown => {
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

  const run = (isReading: boolean, act: () => unknown): unknown => {
    if (!isReading) refuseIfBroken()
    if (open !== null) return runIn(open, act)
    const value = retryWithSpace(act)
    if (!isReading) setState('well')
    return value
  }

  const commit = <Value>(work: () => Value): Value => {
    touched = new Set()
    effects = []
    const transaction: { fault: Error | null } = { fault: null }
    open = transaction
    try {
      return sql
        .transaction(() => {
          const value = work()
          // The work may have caught the error and gone on.
          if (transaction.fault !== null) throw transaction.fault
          return value
        })
        .immediate()
    } finally {
      open = null
    }
  }

  /** Work that meets an unreadable case runs again without it, for the sake of the others. */
  const withReadableCases = <Value>(work: () => Value, without: readonly string[] = []): Value => {
    try {
      return commit(work)
    } catch (error) {
      if (!(error instanceof CaseUnreadable) || without.includes(error.submissionId)) throw error
      commit(() => error.setAside(through))
      onChanged([error.submissionId])
      return withReadableCases(work, [...without, error.submissionId])
    }
  }

  /** A savepoint: a rollback also drops what was touched in it, and its effects. */
  const nest = <Value>(work: () => Value): Value => {
    const outer = { touched, effects }
    touched = new Set()
    effects = []
    try {
      const value = sql.transaction(work)()
      for (const id of touched) outer.touched.add(id)
      outer.effects.push(...effects)
      return value
    } finally {
      touched = outer.touched
      effects = outer.effects
    }
  }

  const through: Store = {
    ...prepareOnce(sql, run),
    write(work) {
      if (open !== null) return nest(work)
      refuseIfBroken()
      const value = retryWithSpace(() => withReadableCases(work))
      setState('well')
      const changed = [...touched]
      touched = new Set()
      const following = effects
      effects = []
      for (const effect of following) effect()
      if (changed.length > 0) onChanged(changed)
      return value
    },
    afterCommit: (effect) => {
      if (open === null) effect()
      else effects.push(effect)
    },
    touch: (submissionId) => void touched.add(submissionId),
  }
  return through
}

/** Writes a meaningless value to find out whether the disk has space again; false if it has not. Never throws. */
export function tryWrite(store: Store, at: number): boolean {
  try {
    store.write(
      () => store.run`INSERT OR REPLACE INTO facts (name, value) VALUES ('writtenAt', ${String(at)})`,
    )
    return true
  } catch {
    return false
  }
}
