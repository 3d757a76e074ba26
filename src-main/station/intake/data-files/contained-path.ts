/** The path inside the data file's folder with `/`, or null where it leads out of it. */
export function safeRelativePath(name: string): string | null {
  const parts = name
    .replaceAll('\\', '/')
    .split('/')
    .filter((part) => part !== '.')
  const leadsOut = parts.some((part) => part === '..' || part === '') || /^[a-z]:/i.test(name)
  // No file system of any of our machines has a name with this character.
  return leadsOut || parts.length === 0 || name.includes('\u0000') ? null : parts.join('/')
}
