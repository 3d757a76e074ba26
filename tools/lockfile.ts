/**
 * Keeps package-lock.json complete for all systems.
 *
 * npm writes only those optional packages into the lockfile that the registry could show it. A registry that mirrors
 * the packages of one system leaves the others out, and since version 11 `npm ci` refuses such a lockfile on every
 * system: "Missing: … from lock file". What is missing can be added from what is there, because packages pin their
 * own binaries exactly and name the system in the package's name. Only the checksum cannot be known; npm then
 * takes the package as the registry sends it.
 */

type LockEntry = {
  readonly version?: string
  readonly optional?: boolean
  readonly dev?: boolean
  readonly os?: readonly string[]
  readonly cpu?: readonly string[]
  readonly libc?: readonly string[]
  readonly resolved?: string
  readonly optionalDependencies?: Readonly<Record<string, string>>
}
export type Lockfile = { readonly packages: Readonly<Record<string, LockEntry>> }

export type MissingPackage = { readonly name: string; readonly version: string; readonly askedBy: string }

const SYSTEMS = [
  'win32',
  'darwin',
  'linux',
  'android',
  'freebsd',
  'openbsd',
  'netbsd',
  'sunos',
  'aix',
  'openharmony',
]
const PROCESSORS = ['x64', 'arm64', 'ia32', 'arm', 'ppc64', 's390x', 'riscv64', 'loong64', 'mips64el']

/** The optional packages that some package asks for and the lockfile does not hold. */
export function findMissing({ packages }: Lockfile): readonly MissingPackage[] {
  return Object.entries(packages).flatMap(([path, { optionalDependencies = {} }]) =>
    Object.entries(optionalDependencies)
      .filter(([name]) => !lookupPlaces(path, name).some((place) => packages[place]))
      .map(([name, version]) => ({ name, version, askedBy: path })),
  )
}

/** The lockfile with an entry for each of them; throws where a package does not pin its binary to one version. */
export function completeLockfile(lockfile: Lockfile): Lockfile {
  const packages: Record<string, LockEntry> = { ...lockfile.packages }
  for (const { name, version, askedBy } of findMissing(lockfile)) {
    if (!/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version))
      throw new Error(`${askedBy} asks for ${name}@${version}, which is no exact version`)
    packages[`node_modules/${name}`] = {
      version,
      ...(lockfile.packages[askedBy]?.dev ? { dev: true } : {}),
      optional: true,
      ...systemIn(name),
    }
  }
  const sorted = Object.entries(packages).toSorted(([one], [other]) => one.localeCompare(other, 'en'))
  return { ...lockfile, packages: Object.fromEntries(sorted) }
}

/** Where Node looks for a package from a place in the tree: beside it, then in each folder above. */
function lookupPlaces(path: string, name: string): readonly string[] {
  const above = path.split(/(?:^|\/)node_modules\//).slice(1)
  return Array.from({ length: above.length + 1 }, (_, levels) =>
    [...above.slice(0, above.length - levels), name].map((part) => `node_modules/${part}`).join('/'),
  )
}

/** The system in a name such as `@oxlint/binding-linux-arm64-musl`, as npm compares it. */
function systemIn(name: string): Pick<LockEntry, 'os' | 'cpu' | 'libc'> {
  const words = name.split(/[/_-]/)
  const os = SYSTEMS.find((system) => words.includes(system))
  const cpu = PROCESSORS.find((processor) => words.includes(processor))
  const libc = words.some((word) => word.startsWith('musl')) ? 'musl' : 'glibc'
  return {
    ...(os ? { os: [os] } : {}),
    ...(cpu ? { cpu: [cpu] } : {}),
    ...(os === 'linux' ? { libc: [libc] } : {}),
  }
}
