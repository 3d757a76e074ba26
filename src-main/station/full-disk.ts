/** What systems say where a disk, or what one may use of it, is full; EFBIG where a file may not grow. */
export const SYSTEM_FULL_CODES: readonly string[] = ['ENOSPC', 'EDQUOT', 'EFBIG']

/** Did our own disk refuse this for lack of space? */
export function isFullDisk(error: unknown): boolean {
  return error instanceof Error && 'code' in error && SYSTEM_FULL_CODES.includes(String(error.code))
}
