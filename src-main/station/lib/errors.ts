/** The code of an error of the system, of Node or of a library, such as `ENOENT`; undefined for anything that has none. */
export function errorCode(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null || !('code' in error)) return undefined
  return typeof error.code === 'string' ? error.code : undefined
}
