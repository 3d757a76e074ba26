/** A path below a folder, written as the computer of the station writes them. */
export function joinPath(folder: string, ...names: readonly string[]): string {
  const separator = folder.includes('\\') ? '\\' : '/'
  return [folder, ...names].join(separator)
}
