/**
 * Each write is one immediate transaction; effects and listeners follow after the commit, never before.
 *
 * A write that finds the disk full is tried once more if space can be freed for it; a failing disk or file ends
 * all writing. Either way the transaction is rolled back completely.
 */
import {
  asDiskFull,
  storageFaultOf,
  type StorageHooks,
  type StorageState,
  StorageStopped,
} from '../lib/storage-faults.ts'
import type { SqlDatabase } from './database.ts'

export type WriteThrough = {
  readonly sql: Pick<SqlDatabase, 'prepare'>
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
  readonly setAside: (store: WriteThrough) => void

  constructor(submissionId: string, column: string, setAside: (store: WriteThrough) => void) {
    super(`A case cannot be read: ${column}`)
    this.submissionId = submissionId
    this.column = column
    this.setAside = setAside
  }
}

/** More than the stores have: only lists assemble their SQL from parts. */
const MAX_STATEMENTS = 500

const NO_HOOKS: StorageHooks = {
  isOutOfSpace: () => false,
  giveUpSpace: () => false,
  onState: () => undefined,
}

type Act = (...values: unknown[]) => unknown

type Statement = { readonly readonly: boolean; pluck: (isOn?: boolean) => Statement } & Record<
  'run' | 'get' | 'all',
  Act
>

/** Rows as objects, or only the value of the first column. */
type Mode = 'object' | 'value'

function refuse(): never {
  throw new TypeError('a shared statement stays as it was prepared')
}

/** These would change a statement for everyone who shares it. */
const NOT_SHARED = { raw: refuse, expand: refuse, safeIntegers: refuse, bind: refuse }

/**
 * Caches prepared statements by text and mode: preparing costs more than most of them take. Every execution goes
 * through `run`.
 */
function cacheStatements(
  sql: Pick<SqlDatabase, 'prepare'>,
  run: (isReading: boolean, act: () => unknown) => unknown,
): Pick<SqlDatabase, 'prepare'> {
  const statements = new Map<string, Statement>()
  const statementOf = (text: string, mode: Mode): Statement => {
    const key = `${mode} ${text}`
    const cached = statements.get(key)
    if (cached !== undefined) return cached
    if (statements.size >= MAX_STATEMENTS) statements.clear()
    const statement = run(true, () => sql.prepare(text)) as Statement
    if (mode === 'value') statement.pluck()
    for (const name of ['run', 'get', 'all'] as const) {
      const act = statement[name].bind(statement)
      statement[name] = (...values) => run(statement.readonly, () => act(...values))
    }
    statement.pluck = (isOn = true) => statementOf(text, isOn ? 'value' : 'object')
    Object.assign(statement, NOT_SHARED)
    statements.set(key, statement)
    return statement
  }
  const prepare = (text: string): unknown => statementOf(text, 'object')
  return { prepare: prepare as SqlDatabase['prepare'] }
}

export function createWriteThrough(
  sql: Pick<SqlDatabase, 'prepare' | 'transaction'>,
  onChanged: (submissionIds: readonly string[]) => void,
  hooks: StorageHooks = NO_HOOKS,
): WriteThrough {
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

  const through: WriteThrough = {
    sql: cacheStatements(sql, run),
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
export function tryWrite(store: WriteThrough, at: number): boolean {
  try {
    store.write(() =>
      store.sql.prepare(`INSERT OR REPLACE INTO facts (name, value) VALUES ('writtenAt', ?)`).run(String(at)),
    )
    return true
  } catch {
    return false
  }
}
