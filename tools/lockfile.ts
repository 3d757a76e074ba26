/**
 * What package-lock.json must hold, so that `npm ci` gives the same on every system and behind every registry.
 *
 * npm writes an optional package into the lockfile only if the registry shows it. If the registry lacks the packages of
 * other systems, npm 11 refuses the lockfile on all systems, and an entry without a checksum is taken as it comes. Then
 * choose a version that the registry holds whole.
 */

type LockEntry = {
  readonly version?: string
  readonly integrity?: string
  readonly resolved?: string
  readonly optionalDependencies?: Readonly<Record<string, string>>
}
export type Lockfile = { readonly packages: Readonly<Record<string, LockEntry>> }

/** Every fault of a lockfile as a sentence; empty if it is sound. */
export function findLockfileFaults({ packages }: Lockfile): readonly string[] {
  return Object.entries(packages).flatMap(([path, entry]) => [
    ...Object.entries(entry.optionalDependencies ?? {})
      .filter(([name]) => !resolutionPaths(path, name).some((candidate) => packages[candidate]))
      .map(([name, version]) => `${name} ${version} is missing, which ${path || 'package.json'} asks for`),
    // The root is this project itself.
    ...(path !== '' && !entry.integrity?.startsWith('sha512-') ? [`${path} has no SHA-512 checksum`] : []),
    ...(entry.resolved === undefined ? [] : [`${path} names the address that it was downloaded from`]),
  ])
}

/** Where Node looks for a package from a place in the tree: beside it, then in each folder above. */
function resolutionPaths(path: string, name: string): readonly string[] {
  const above = path.split(/(?:^|\/)node_modules\//).slice(1)
  return Array.from({ length: above.length + 1 }, (_, levels) =>
    [...above.slice(0, above.length - levels), name].map((part) => `node_modules/${part}`).join('/'),
  )
}
