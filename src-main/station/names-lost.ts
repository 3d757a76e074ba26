/** The places of what was written and is in nothing that was read of it: probably mistyped names. Never values. */
export function unknownKeys(written: unknown, read: unknown, prefix = ''): string[] {
  if (!isBranch(written) || !isBranch(read)) return []
  return Object.entries(written).flatMap(([name, value]) => {
    const path = prefix === '' ? name : `${prefix}.${name}`
    return Object.hasOwn(read, name) ? unknownKeys(value, read[name], path) : [path]
  })
}

function isBranch(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null
}
