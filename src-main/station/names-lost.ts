/** The places of what was written and is in nothing that was read of it: probably mistyped names. Never values. */
export function namesLost(written: unknown, read: unknown, place = ''): string[] {
  if (!isBranch(written) || !isBranch(read)) return []
  return Object.entries(written).flatMap(([name, value]) => {
    const path = place === '' ? name : `${place}.${name}`
    return Object.hasOwn(read, name) ? namesLost(value, read[name], path) : [path]
  })
}

function isBranch(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null
}
