/** All that an administrator has laid beside this station: the policy, the file of `--config`, the enrolment. */
import type { ConfigFile } from '../station/config-file.ts'
import type { ManagedSetup } from '../station/managed-setup.ts'
import type { Logger } from '../station/ports.ts'
import type { CommandLine } from './command-line.ts'
import { readConfiguration } from './read-configuration.ts'
import { enrolmentPath, policyPath, readPolicy } from './policy-file.ts'

export type ManagedSetupResult = {
  readonly config: ConfigFile | null
  readonly managed: ManagedSetup
  /** `safe`: nobody knows which settings were meant, so nothing may be taken in or sent by others. */
  readonly startAs: 'working' | 'safe'
}

/** Never rejects over a file: whatever cannot be used is told, and the station goes on with what it has. */
export async function readManagedSetup(options: {
  readonly commandLine: CommandLine
  readonly dataFolder: string
  readonly platform: NodeJS.Platform
  /** As `machineProgramData` answers. */
  readonly programData: string | undefined
  readonly logger: Logger
  /** Elsewhere only in tests. */
  readonly policyAt?: { readonly path: string; readonly administrator: number }
}): Promise<ManagedSetupResult> {
  const { commandLine, dataFolder, platform, logger } = options
  const path = options.policyAt?.path ?? policyPath(platform, options.programData)
  const read =
    path === null
      ? null
      : await readPolicy({ path, dataFolder, platform, logger, ...administratorOf(options.policyAt) })
  const { config, file } = await readConfiguration(commandLine.configPath, dataFolder, logger)
  const policy = read?.policy ?? null
  return {
    config,
    managed: {
      policy,
      enrolment: enrolmentPath(path, policy, commandLine.enrolmentPath),
      files: [read?.file, file].filter((file) => file !== undefined && file !== null),
      commandLine: statedOptions(commandLine),
    },
    startAs: file !== null && config === null ? 'safe' : 'working',
  }
}

function administratorOf(policyAt: { readonly administrator: number } | undefined): {
  readonly administrator?: number
} {
  return policyAt === undefined ? {} : { administrator: policyAt.administrator }
}

function statedOptions(commandLine: CommandLine): Readonly<Record<string, string>> {
  const { dataFolder, userDataFolder, language } = commandLine
  const stated = { dataFolder, userDataFolder, language }
  return Object.fromEntries(
    Object.entries(stated).flatMap(([name, value]) => (value === null ? [] : [[name, value]])),
  )
}
