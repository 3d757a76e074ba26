/** Which packages are wanted, and which of them this computer can build. Pure. */

export type PackagedSystem = 'linux' | 'win' | 'mac'

/**
 * What electron-builder is asked for, one at a time, so that one that fails leaves the others. Each rewrites the list of
 * updates, so the one that stations take comes last (update-list.ts).
 */
const TARGETS: Readonly<Record<PackagedSystem, readonly string[]>> = {
  linux: ['deb'],
  win: ['nsis'],
  mac: ['dmg', 'zip'],
}

/** As Node names the systems, and the native files of packages. */
export const NODE_NAMES = { linux: 'linux', win: 'win32', mac: 'darwin' } as const

const TITLES = { linux: 'Linux', win: 'Windows', mac: 'macOS' } as const

export type Wishes =
  | {
      readonly kind: 'build'
      readonly systems: readonly PackagedSystem[]
      readonly form: 'installers' | 'folder'
    }
  | { readonly kind: 'unknown'; readonly parameter: string }

/** `--linux --win --mac`: these systems instead of this one. `--dir`: the app in a folder, without an installer. */
export function readWishes(parameters: readonly string[], platform: NodeJS.Platform): Wishes {
  const unknown = parameters.find((parameter) => !['--dir', '--linux', '--win', '--mac'].includes(parameter))
  if (unknown !== undefined) return { kind: 'unknown', parameter: unknown }
  const named = (['linux', 'win', 'mac'] as const).filter((system) => parameters.includes(`--${system}`))
  const own = (['linux', 'win', 'mac'] as const).filter((system) => NODE_NAMES[system] === platform)
  return {
    kind: 'build',
    systems: named.length > 0 ? named : own,
    form: parameters.includes('--dir') ? 'folder' : 'installers',
  }
}

export type PlannedPackage = {
  readonly system: PackagedSystem
  readonly target: string
  /** What a person reads: `Linux: deb`. */
  readonly title: string
  /** Why it cannot be built here; null if nothing prevents it. */
  readonly obstacle: string | null
}

export function planPackages(options: {
  readonly systems: readonly PackagedSystem[]
  readonly form: 'installers' | 'folder'
  readonly platform: NodeJS.Platform
  readonly arch: string
  /** Is this package installed, such as `@img/sharp-win32-x64`? */
  readonly isInstalled: (packageName: string) => boolean
}): readonly PlannedPackage[] {
  return options.systems.flatMap((system) => {
    const obstacle = obstacleOf(system, options)
    const targets = options.form === 'folder' ? ['dir'] : TARGETS[system]
    return targets.map((target) => ({
      system,
      target,
      title: `${TITLES[system]}: ${target === 'dir' ? 'the app in a folder' : target}`,
      obstacle,
    }))
  })
}

function obstacleOf(
  system: PackagedSystem,
  options: Pick<Parameters<typeof planPackages>[0], 'platform' | 'arch' | 'isInstalled'>,
): string | null {
  const title = TITLES[system]
  if (system === 'mac' && options.platform !== 'darwin')
    return `what builds and signs a ${title} app runs on ${title} alone; run npm run package there`
  const native = system === 'linux' ? '@img/sharp-wasm32' : `@img/sharp-${NODE_NAMES[system]}-${options.arch}`
  return options.isInstalled(native)
    ? null
    : `what decodes images on ${title} is not installed here (${native}); run npm ci && npm run package on ${title}`
}
