/**
 * Finds and reads the policy of an administrator, without any flag.
 *
 * What is enforced must not come loose by an accident: where the file cannot be used, or is suddenly gone, the station
 * goes on with what the policy said when it last could be read, and says so. An administrator lifts a policy by a file
 * with `{}` in it.
 */
import { open, readFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { z } from 'zod'
import { type ManagedFile, serviceSettingsSchema, settingsSchema } from '../../src-shared/settings.ts'
import { errorCode } from '../station/lib/errors.ts'
import { writeDurably } from '../station/lib/files.ts'
import type { Logger } from '../station/ports.ts'
import {
  type ConfigFile,
  describeFault,
  digestOfStated,
  parseConfig,
  readConfigFile,
} from '../station/settings/config-file.ts'
import {
  configurationStatus,
  type ManagedSetup,
  parsePolicy,
  type Policy,
} from '../station/settings/policy.ts'
import type { CommandLine } from './command-line.ts'
import { machineFolder } from './data-folder.ts'

/** Where administrators lay it; null on a Windows that names no folder for programs' data. */
export function policyPath(platform: NodeJS.Platform, programData: string | undefined): string | null {
  if (platform === 'linux') return '/etc/fundus-courier/policy.json'
  const folder = machineFolder(platform, programData)
  return folder === null ? null : join(folder, 'policy.json')
}

type PolicyOptions = {
  readonly path: string
  readonly dataFolder: string
  readonly platform: NodeJS.Platform
  /** Whose file is believed; tests are not run by root everywhere. */
  readonly administrator?: number
  readonly logger: Logger
}

export type PolicyResult = { readonly policy: Policy | null; readonly file: ManagedFile }

/** Never rejects over the file: a station that works goes on. */
export async function readPolicy(options: PolicyOptions): Promise<PolicyResult> {
  const { path, dataFolder, logger } = options
  const cachePath = join(dataFolder, 'policy-in-force.json')
  const reading = await readPolicyFile(options)
  const describe = (inForce: ManagedFile['inForce']): ManagedFile => ({
    kind: 'policy',
    path,
    state: reading.state,
    inForce,
    detail: reading.state === 'read' ? null : reading.detail,
    unknownNames: reading.state === 'read' ? [...reading.policy.unknownNames] : [],
  })
  if (reading.state === 'read') {
    await rememberPolicy(cachePath, reading.policy, logger)
    return { policy: reading.policy, file: describe('this') }
  }
  const cached = await readLastPolicy(cachePath, logger)
  const effect = cached === null ? 'nothing of a policy is known' : 'what it said last holds'
  if (reading.state !== 'none' || cached !== null)
    logger.warn(`the policy cannot be used: ${effect}`, { state: reading.state, because: reading.detail })
  return { policy: cached, file: describe(cached === null ? 'nothing' : 'lastKnown') }
}

type PolicyReading =
  | { readonly state: 'read'; readonly policy: Policy }
  | { readonly state: 'none' | 'broken' | 'unreadable' | 'unsafe'; readonly detail: string | null }

async function readPolicyFile({ path, platform, administrator = 0 }: PolicyOptions): Promise<PolicyReading> {
  let text: string
  try {
    const file = await open(path, 'r')
    try {
      // Asked of the opened file, so that it cannot be another by the time it is read.
      const { uid, mode } = await file.stat()
      if (!isAdministratorFile({ uid, mode }, platform, administrator))
        return { state: 'unsafe', detail: null }
      text = await file.readFile('utf8')
    } finally {
      await file.close()
    }
  } catch (error) {
    const code = errorCode(error)
    if (code === undefined) throw error
    if (code === 'ENOENT') return { state: 'none', detail: null }
    return { state: 'unreadable', detail: code }
  }
  try {
    return { state: 'read', policy: parsePolicy(JSON.parse(text.replace(/^\uFEFF/, ''))) }
  } catch (error) {
    return { state: 'broken', detail: describeFault(error) }
  }
}

const WRITABLE_BY_OTHERS = 0o022

/** May nobody but an administrator have written it? Windows keeps rights in lists that Node does not read: not asked there. */
export function isAdministratorFile(
  { uid, mode }: { readonly uid: number; readonly mode: number },
  platform: NodeJS.Platform,
  administrator = 0,
): boolean {
  return platform === 'win32' || (uid === administrator && (mode & WRITABLE_BY_OTHERS) === 0)
}

async function rememberPolicy(path: string, policy: Policy, logger: Logger): Promise<void> {
  const text = `${JSON.stringify(policy, null, 2)}\n`
  try {
    if ((await readFile(path, 'utf8').catch(() => '')) !== text) await writeDurably(path, text)
  } catch (error) {
    const code = errorCode(error)
    if (code === undefined) throw error
    logger.warn('what the policy says could not be remembered', { code })
  }
}

async function readLastPolicy(path: string, logger: Logger): Promise<Policy | null> {
  try {
    const content: unknown = JSON.parse(await readFile(path, 'utf8'))
    return { ...withoutUpdateFeed(parsePolicy(content)), unknownNames: [] }
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return null
    logger.warn('what the policy said last cannot be read', { because: describeFault(error) })
    return null
  }
}

/**
 * Operators may write what is remembered, and must not say what runs here. Where an address for updates was named, none
 * are looked for until the administrator's own file can be read again.
 */
function withoutUpdateFeed(policy: Policy): Policy {
  return { ...policy, defaults: dropFeed(policy.defaults), enforced: dropFeed(policy.enforced) }
}

function dropFeed<Sections extends { readonly updates?: unknown }>(sections: Sections): Sections {
  const { updates } = sections
  const hasFeed = typeof updates === 'object' && updates !== null && 'feed' in updates
  return hasFeed ? { ...sections, updates: { install: 'off' } } : sections
}

/** The enrolment file: the one that the command line names, or the policy, or the usual one beside the policy. */
export function enrolmentPath(
  path: string | null,
  policy: Pick<Policy, 'enrolment'> | null,
  named: string | null,
): { readonly path: string; readonly isExpected: boolean } | null {
  if (named !== null) return { path: resolve(named), isExpected: true }
  if (path === null) return null
  const ofPolicy = policy?.enrolment ?? null
  return { path: resolve(dirname(path), ofPolicy ?? 'enrolment.json'), isExpected: ofPolicy !== null }
}

/**
 * Reads the file of `--config`, and remembers what it said.
 *
 * Its settings decide where cases go, so none may be made or sent by others while a share is away or somebody has mistyped
 * a comma: the station keeps to what the file said when it last could be read. The secret is not remembered.
 */
type ConfigurationResult = { readonly config: ConfigFile | null; readonly file: ManagedFile | null }

/** Never rejects over the file. A file without a config: nothing is known of what it says or said. */
async function readConfiguration(
  path: string | null,
  dataFolder: string,
  logger: Logger,
): Promise<ConfigurationResult> {
  if (path === null) return { config: null, file: null }
  const cachePath = join(dataFolder, 'configuration-in-force.json')
  const reading = await readConfigFile(path)
  if (reading.kind === 'read') {
    await rememberConfiguration(cachePath, path, reading.config, logger)
    return { config: reading.config, file: configurationStatus(path, reading) }
  }
  logger.error(reading.message)
  const config = await readLastConfiguration(cachePath, path, logger)
  logger.warn(
    config === null
      ? 'nothing is known of what the configuration file said: nothing is taken in or sent'
      : 'what the configuration file said last holds',
  )
  return { config, file: configurationStatus(path, reading, config === null ? 'nothing' : 'lastKnown') }
}

const cachedConfigurationSchema = z.object({
  /** What another file said is nothing to go by. */
  path: z.string(),
  stated: z.record(z.string(), z.unknown()),
  /** Null where the file states no secret. */
  serviceDigest: z.string().nullable(),
})

function pickNames(
  from: Readonly<Record<string, unknown>>,
  names: readonly string[],
): Record<string, unknown> {
  return Object.fromEntries(Object.entries(from).filter(([name]) => names.includes(name)))
}

async function rememberConfiguration(
  cachePath: string,
  path: string,
  { stated }: ConfigFile,
  logger: Logger,
): Promise<void> {
  const { service } = stated
  const { clientSecret, ...rest } = Object(service) as Record<string, unknown>
  // A mistyped name may hold the secret, so only what means something is kept.
  const recognised = pickNames(stated, [...Object.keys(settingsSchema.shape), 'enforced'])
  const content: z.infer<typeof cachedConfigurationSchema> = {
    path: resolve(path),
    stated:
      service === undefined
        ? recognised
        : { ...recognised, service: pickNames(rest, Object.keys(serviceSettingsSchema.shape)) },
    serviceDigest: clientSecret === undefined ? null : digestOfStated(service),
  }
  const text = `${JSON.stringify(content, null, 2)}\n`
  try {
    if ((await readFile(cachePath, 'utf8').catch(() => '')) !== text) await writeDurably(cachePath, text)
  } catch (error) {
    const code = errorCode(error)
    if (code === undefined) throw error
    logger.warn('what the configuration file says could not be remembered', { code })
  }
}

async function readLastConfiguration(
  cachePath: string,
  path: string,
  logger: Logger,
): Promise<ConfigFile | null> {
  try {
    const cached = cachedConfigurationSchema.parse(JSON.parse(await readFile(cachePath, 'utf8')))
    if (cached.path !== resolve(path)) return null
    // Operators may write what is remembered, and must not say what runs here.
    const config = parseConfig(dropFeed(cached.stated))
    const { serviceDigest } = cached
    return { ...config, unknownNames: [], ...(serviceDigest !== null && { withheld: { serviceDigest } }) }
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return null
    logger.warn('what the configuration file said last cannot be read', { because: describeFault(error) })
    return null
  }
}

/** All that an administrator has laid beside this station: the policy, the file of `--config`, the enrolment. */
type ManagedSetupResult = {
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
