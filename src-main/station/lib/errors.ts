/**
 * What an error is: one of the system or of SQLite by its code, one of JSON by its kind.
 *
 * Imports nothing: a host reads the code of an error before anything of the station is loaded.
 */

/** The code of a system, Node or library error, such as `ENOENT`; undefined if there is none. */
export function errorCode(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null || !('code' in error)) return undefined
  return typeof error.code === 'string' ? error.code : undefined
}

/** What may be logged of an unexpected error: its message may quote a patient. */
export function errorName(error: unknown): string {
  return error instanceof Error ? error.name : typeof error
}

/** The value of a JSON text; undefined if it is none. */
export function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
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

/** The first SQLite version in which a WAL reset cannot damage the database (sqlite.org, release 3.51.3). */
const OLDEST_SQLITE = '3.51.3'

/** True if this version of SQLite, such as `3.54.1`, may hold an outbox. */
export function isSafeSqlite(version: string): boolean {
  return /^\d/.test(version) && version.localeCompare(OLDEST_SQLITE, 'en', { numeric: true }) >= 0
}
