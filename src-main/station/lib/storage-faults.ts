/**
 * What an error of SQLite says about the disk below it, and what that means for the caller; and why the outbox cannot be
 * opened, with a message for people.
 */
import Database from 'better-sqlite3'
import { type Message, worded, type Wording, type WordingKey } from '../../../src-shared/wording.ts'
import { type Failure, failureOf } from '../../../src-shared/failure.ts'
import { errorCode, isForLackOfSpace } from './errors.ts'

/**
 * The state of the storage.
 *
 * - well     writes work
 * - full     the last write found no space, even after the reserve was released; it was rolled back as a whole
 * - broken   the disk failed or the file is damaged: nothing is written until the next start
 */
export type StorageState = 'well' | 'full' | 'broken'

/** Refuses every write after the disk failed: the next start decides what the disk still holds. */
export class StorageStopped extends Error {
  override name = 'StorageStopped' as const

  constructor(options: ErrorOptions = {}) {
    super('The outbox is not written any more.', options)
  }
}

/** After these codes, extended or not, nothing read or written can be relied on. */
const BROKEN_CODES = /^SQLITE_(IOERR|CORRUPT|NOTADB|READONLY|CANTOPEN|PROTOCOL)(_|$)/

/** What an error says about the storage; null for other errors, such as a constraint. */
export function storageFaultOf(error: unknown): Exclude<StorageState, 'well'> | null {
  if (!(error instanceof Database.SqliteError)) return null
  if (error.code === 'SQLITE_FULL') return 'full'
  return BROKEN_CODES.test(error.code) ? 'broken' : null
}

/** SQLite's code for a refused write, also for a full quota (EDQUOT): as a full disk. A failed flush has another. */
const WRITE_REFUSED = 'SQLITE_IOERR_WRITE'

export function asDiskFull(error: unknown, isOutOfSpace: () => boolean): unknown {
  const isRefused = error instanceof Database.SqliteError && error.code === WRITE_REFUSED
  if (!isRefused || !isOutOfSpace()) return error
  return Object.assign(new Database.SqliteError(error.message, 'SQLITE_FULL'), { cause: error })
}

export type StorageHooks = {
  /** Probes the volume with a write. Called only after an error. */
  readonly isOutOfSpace: () => boolean
  /** Releases the reserved space; false if none is left. */
  readonly giveUpSpace: () => boolean
  readonly onState: (state: StorageState) => void
  /** Something failed that follows a commit: the rest of it has run, and what was committed stays. */
  readonly onFollowingFailed: (error: unknown) => void
}

/** Of an outbox that no station watches. */
export const NO_HOOKS: StorageHooks = {
  isOutOfSpace: () => false,
  giveUpSpace: () => false,
  onState: () => undefined,
  onFollowingFailed: (error) => {
    throw error
  },
}

/** The failure for a storage error; null for any other error. */
export function storageFailureOf(error: unknown): Failure | null {
  if (error instanceof StorageStopped || storageFaultOf(error) === 'broken') return failureOf('storage')
  return isForLackOfSpace(error) ? failureOf('diskLow', worded('outbox:disk.notDone')) : null
}

/** What `act` answers; undefined after a storage error, which is reported elsewhere. Any other error is thrown. */
export function ignoringStorageErrors<Value>(act: () => Value): Value | undefined {
  try {
    return act()
  } catch (error) {
    if (storageFailureOf(error) === null) throw error
    return undefined
  }
}

/** A start error as a sentence for people if the storage caused it; else the error itself. */
export function startErrorOf(error: unknown): unknown {
  if (error instanceof StorageError) return error
  if (isForLackOfSpace(error)) return new StorageError(worded('start:diskFull'), { cause: error })
  // The same sentence as if opening had failed: a damaged file can be rebuilt.
  if (storageFaultOf(error) === 'broken') return openingError(error)
  // The original cause is no longer known.
  if (error instanceof StorageStopped) return new StorageError(worded('start:diskFails'), { cause: error })
  return error
}

/** The database cannot be used; the message says what that means and what to do. Plain texts are for the log only. */
export class StorageError extends Error implements Message {
  override name = 'StorageError' as const
  readonly wording: Wording | undefined
  /** `recover`: the outbox can be rebuilt, see `recover.ts`. The host knows how to offer that. */
  readonly remedy: 'recover' | null

  constructor(message: string | Message, options: ErrorOptions & { readonly remedy?: 'recover' } = {}) {
    super(typeof message === 'string' ? message : message.message, options)
    this.wording = typeof message === 'string' ? undefined : message.wording
    this.remedy = options.remedy ?? null
  }
}

/** By prefixes of SQLite and system codes; the first match counts. */
const KEYS: readonly (readonly [WordingKey, RegExp])[] = [
  ['start:locked', /^(SQLITE_BUSY|SQLITE_LOCKED|EBUSY)/],
  ['start:noResources', /^(SQLITE_NOMEM|ENOMEM|EMFILE|ENFILE)/],
  ['start:unreadable', /^(SQLITE_IOERR|EIO)/],
  ['start:notAllowed', /^(SQLITE_(READONLY|CANTOPEN|PERM|AUTH)|EACCES|EPERM|EROFS)/],
  ['start:damaged', /^SQLITE_(CORRUPT|NOTADB)/],
]

/**
 * An error of the database with a message for people. Recovery is offered only for damage: it would set an intact
 * outbox aside. Without a code it is a defect, returned as it is.
 */
export function openingError(error: unknown): unknown {
  if (error instanceof StorageError) return error
  if (isForLackOfSpace(error)) return new StorageError(worded('start:full'), { cause: error })
  const code = errorCode(error) ?? ''
  if (!/^(?:SQLITE_|E[A-Z0-9]+$)/.test(code)) return error
  const [key] = KEYS.find(([, codes]) => codes.test(code)) ?? ['start:unusable' as const]
  const options = key === 'start:damaged' ? { remedy: 'recover' as const } : {}
  return new StorageError(worded(key), { cause: error, ...options })
}
