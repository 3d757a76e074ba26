/**
 * What an error of the system or of SQLite is, by its code, and the sentence for one that keeps the outbox from opening.
 *
 * Imports nothing: a host reads the code of an error before anything of the station is loaded.
 */

/** The code of a system, Node or library error, such as `ENOENT`; undefined if there is none. */
export function errorCode(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null || !('code' in error)) return undefined
  return typeof error.code === 'string' ? error.code : undefined
}

/** Codes for a full disk or an exhausted quota; EFBIG for a file that may not grow. */
const SYSTEM_FULL_CODES: readonly string[] = ['ENOSPC', 'EDQUOT', 'EFBIG']

/** True if our own disk refused for lack of space. */
export function isFullDisk(error: unknown): boolean {
  return SYSTEM_FULL_CODES.includes(errorCode(error) ?? '')
}

/** SQLite's codes for a full disk, including a failed open: it must write a little to read a WAL. */
const FULL_FOR_SQLITE = ['SQLITE_FULL', 'SQLITE_IOERR_SHMSIZE', 'SQLITE_IOERR_SHMOPEN']

/** True if lack of space on our own disk or database caused this error, directly or through `cause`. */
export function isForLackOfSpace(error: unknown): boolean {
  for (let one = error; one instanceof Error; one = one.cause)
    if (isFullDisk(one) || FULL_FOR_SQLITE.includes(errorCode(one) ?? '')) return true
  return false
}

/** The database cannot be used; the message says what that means and what to do. */
export class StorageError extends Error {
  override name = 'StorageError' as const
  /** `recover`: the outbox can be rebuilt, see `recover.ts`. The host knows how to offer that. */
  readonly remedy: 'recover' | null

  constructor(message: string, options: ErrorOptions & { readonly remedy?: 'recover' } = {}) {
    super(message, options)
    this.remedy = options.remedy ?? null
  }
}

const CAN_BE_RECOVERED =
  'Nothing was sent. It can be built anew from its last backup and from the notes that lie beside the images.'

export const DAMAGED = `The outbox file is damaged, and was left as it is. ${CAN_BE_RECOVERED}`

export const MISSING = `The outbox of this station is missing, although the station was used before. ${CAN_BE_RECOVERED}`

export const NOT_OURS = `The outbox file is damaged or is not one of ours, and was left as it is. ${CAN_BE_RECOVERED}`

const BUSY = 'Another Fundus Courier already works with this data folder. Use that one, or stop it first.'

const FULL =
  'There is no space left on the disk of the data folder, so the outbox cannot be opened. All cases are kept; free some space and start again.'

const UNREADABLE =
  'The disk of the data folder failed while the outbox was read or written. It was left as it is; check the disk before the next start, and tell the administrator.'

const NOT_ALLOWED =
  'The outbox in the data folder may not be read and written by this account, so nothing can be sent. Give this account the right to change the files there, and start again.'

const HELD =
  'Another program, such as a virus scanner or a synchroniser, holds the outbox file. Nothing was sent, and nothing was changed. Start again in a minute; if it happens again, except the data folder from that program.'

const NO_RESOURCES =
  'This computer has too little memory, or too many files open, to open the outbox. Nothing was sent, and the outbox was left as it is. Close other programs and start again.'

const UNUSABLE =
  'The outbox file cannot be used now, and was left as it is. Nothing was sent. Start again; if it happens again, tell the administrator.'

/** By prefix of the SQLite or system code; the first match counts. */
const SENTENCES: readonly (readonly [string, string])[] = [
  ['SQLITE_BUSY', BUSY],
  ['EBUSY', HELD],
  ['SQLITE_NOMEM', NO_RESOURCES],
  ['ENOMEM', NO_RESOURCES],
  ['EMFILE', NO_RESOURCES],
  ['ENFILE', NO_RESOURCES],
  ['SQLITE_IOERR', UNREADABLE],
  ['EIO', UNREADABLE],
  ['SQLITE_READONLY', NOT_ALLOWED],
  ['SQLITE_CANTOPEN', NOT_ALLOWED],
  ['SQLITE_PERM', NOT_ALLOWED],
  ['SQLITE_AUTH', NOT_ALLOWED],
  ['EACCES', NOT_ALLOWED],
  ['EPERM', NOT_ALLOWED],
  ['EROFS', NOT_ALLOWED],
  ['SQLITE_CORRUPT', DAMAGED],
  ['SQLITE_NOTADB', DAMAGED],
]

/**
 * An error from opening, checking or migrating the database, as an error with a sentence for people. Recovery is
 * offered only for damage: it would set an intact outbox aside. An error without a code is a defect and is returned
 * as it is.
 */
export function openingError(error: unknown): unknown {
  if (error instanceof StorageError) return error
  if (isForLackOfSpace(error)) return new StorageError(FULL, { cause: error })
  const code = errorCode(error) ?? ''
  if (!/^(?:SQLITE_|E[A-Z0-9]+$)/.test(code)) return error
  const [, sentence] = SENTENCES.find(([start]) => code.startsWith(start)) ?? ['', UNUSABLE]
  const options = sentence === DAMAGED ? { remedy: 'recover' as const } : {}
  return new StorageError(sentence, { cause: error, ...options })
}

/** The first SQLite version in which a WAL reset cannot damage the database (sqlite.org, release 3.51.3). */
const OLDEST_SQLITE = [3, 51, 3] as const

/** True if this version of SQLite, such as `3.54.1`, may hold an outbox. */
export function isSafeSqlite(version: string): boolean {
  const parts = version.split('.').map(Number)
  for (const [index, oldest] of OLDEST_SQLITE.entries()) {
    const part = parts[index] ?? Number.NaN
    if (part !== oldest) return part > oldest
  }
  return true
}
