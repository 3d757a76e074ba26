/**
 * What an administrator has put beside this station: the policy, the file of `--config` and the enrolment.
 *
 * Enforced settings must not lapse by accident: if the policy cannot be read or has disappeared, the station continues
 * with the last version that it could read, and reports it. A policy is removed by a file that contains `{}`.
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

/** The policy's path; null on a Windows without a folder for program data. */
export function policyPath(platform: NodeJS.Platform, programData: string | undefined): string | null {
  if (platform === 'linux') return '/etc/fundus-courier/policy.json'
  const folder = machineFolder(platform, programData)
  return folder === null ? null : join(folder, 'policy.json')
}

type PolicyOptions = {
  readonly path: string
  readonly dataFolder: string
  readonly platform: NodeJS.Platform
  /** The trusted owner's user id: 0 but for tests, which do not run as root everywhere. */
  readonly administrator: number
  readonly logger: Logger
}

export type PolicyResult = { readonly policy: Policy | null; readonly file: ManagedFile }

/** Reads the policy. Never rejects because of the file: a working station continues. */
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
    await remember(cachePath, reading.policy, 'policy', logger)
    return { policy: reading.policy, file: describe('this') }
  }
  const cached = await recall(cachePath, recallPolicy, 'policy', logger)
  const effect = cached === null ? 'nothing of a policy is known' : 'what it said last holds'
  if (reading.state !== 'none' || cached !== null)
    logger.warn(`the policy cannot be used: ${effect}`, { state: reading.state, because: reading.detail })
  return { policy: cached, file: describe(cached === null ? 'nothing' : 'lastKnown') }
}

type PolicyReading =
  | { readonly state: 'read'; readonly policy: Policy }
  | { readonly state: 'none' | 'broken' | 'unreadable' | 'unsafe'; readonly detail: string | null }

async function readPolicyFile({ path, platform, administrator }: PolicyOptions): Promise<PolicyReading> {
  let text: string
  try {
    const file = await open(path, 'r')
    try {
      // Checks the open handle, so that the file cannot be swapped before it is read.
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

/** Can only an administrator have written this? Windows is trusted: Node cannot read its access control lists. */
export function isAdministratorFile(
  { uid, mode }: { readonly uid: number; readonly mode: number },
  platform: NodeJS.Platform,
  administrator = 0,
): boolean {
  return platform === 'win32' || (uid === administrator && (mode & WRITABLE_BY_OTHERS) === 0)
}

/** Caches what a file says, for a start at which it cannot be read; `what` names the file in the log. */
async function remember(cachePath: string, content: object, what: string, logger: Logger): Promise<void> {
  const text = `${JSON.stringify(content, null, 2)}\n`
  try {
    if ((await readFile(cachePath, 'utf8').catch(() => '')) !== text) await writeDurably(cachePath, text)
  } catch (error) {
    const code = errorCode(error)
    if (code === undefined) throw error
    logger.warn(`what the ${what} says could not be remembered`, { code })
  }
}

/** What a file said last; null if that is not known. */
async function recall<Content>(
  cachePath: string,
  parse: (cached: unknown) => Content | null,
  what: string,
  logger: Logger,
): Promise<Content | null> {
  try {
    return parse(JSON.parse(await readFile(cachePath, 'utf8')))
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return null
    logger.warn(`what the ${what} said last cannot be read`, { because: describeFault(error) })
    return null
  }
}

function recallPolicy(content: unknown): Policy {
  return { ...withoutUpdateFeed(parsePolicy(content)), unknownNames: [] }
}

/** Operators can write the cached copy and must not decide what runs here: until it is read again, no updates. */
function withoutUpdateFeed(policy: Policy): Policy {
  return { ...policy, defaults: dropFeed(policy.defaults), enforced: dropFeed(policy.enforced) }
}

function dropFeed<Sections extends { readonly updates?: unknown }>(sections: Sections): Sections {
  const { updates } = sections
  const hasFeed = typeof updates === 'object' && updates !== null && 'feed' in updates
  return hasFeed ? { ...sections, updates: { install: 'off' } } : sections
}

/** The enrolment file: from the command line, else from the policy, else the default one beside the policy. */
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
 * Reads the file of `--config` and caches its content without the secret. Its settings decide where cases go: while it
 * cannot be read, the last readable version holds. A file without a config: nothing of its content is known. Never
 * rejects because of the file.
 */
async function readConfiguration(
  path: string | null,
  dataFolder: string,
  logger: Logger,
): Promise<{ readonly config: ConfigFile | null; readonly file: ManagedFile | null }> {
  if (path === null) return { config: null, file: null }
  const cachePath = join(dataFolder, 'configuration-in-force.json')
  const reading = await readConfigFile(path)
  if (reading.kind === 'read') {
    await remember(cachePath, cachedConfiguration(path, reading.config), 'configuration file', logger)
    return { config: reading.config, file: configurationStatus(path, reading) }
  }
  logger.error(reading.message)
  const config = await recall(
    cachePath,
    (content) => recallConfiguration(path, content),
    'configuration file',
    logger,
  )
  logger.warn(
    config === null
      ? 'nothing is known of what the configuration file said: nothing is taken in or sent'
      : 'what the configuration file said last holds',
  )
  return { config, file: configurationStatus(path, reading, config === null ? 'nothing' : 'lastKnown') }
}

const cachedConfigurationSchema = z.object({
  /** The cached content of another file must not be used. */
  path: z.string(),
  stated: z.record(z.string(), z.unknown()),
  hasSecret: z.boolean(),
})

function pickNames(
  from: Readonly<Record<string, unknown>>,
  names: readonly string[],
): Record<string, unknown> {
  return Object.fromEntries(Object.entries(from).filter(([name]) => names.includes(name)))
}

function cachedConfiguration(
  path: string,
  { stated }: ConfigFile,
): z.infer<typeof cachedConfigurationSchema> {
  const { service } = stated
  const { clientSecret, ...rest } = Object(service) as Record<string, unknown>
  // A mistyped key may hold the secret, so only recognised keys are cached.
  const recognised = pickNames(stated, [...Object.keys(settingsSchema.shape), 'enforced'])
  return {
    path: resolve(path),
    stated:
      service === undefined
        ? recognised
        : { ...recognised, service: pickNames(rest, Object.keys(serviceSettingsSchema.shape)) },
    hasSecret: clientSecret !== undefined,
  }
}

function recallConfiguration(path: string, content: unknown): ConfigFile | null {
  const cached = cachedConfigurationSchema.parse(content)
  if (cached.path !== resolve(path)) return null
  // The cached copy is writable by operators, who must not decide what runs here.
  const config = parseConfig(dropFeed(cached.stated))
  return { ...config, unknownNames: [], isSecretWithheld: cached.hasSecret }
}

/** The policy, the file of `--config` and the enrolment, combined. An unusable file is reported, never thrown. */
export async function readManagedSetup(options: {
  readonly commandLine: CommandLine
  readonly dataFolder: string
  readonly platform: NodeJS.Platform
  readonly programData: string | undefined
  readonly logger: Logger
  readonly policyAt?: { readonly path: string; readonly administrator: number }
}): Promise<{
  readonly config: ConfigFile | null
  readonly managed: ManagedSetup
  /** `safe`: the intended settings are unknown, so nothing may be ingested or sent with others. */
  readonly startAs: 'working' | 'safe'
}> {
  const { commandLine, dataFolder, platform, logger } = options
  const { path, administrator } = options.policyAt ?? {
    path: policyPath(platform, options.programData),
    administrator: 0,
  }
  const read = path === null ? null : await readPolicy({ path, dataFolder, platform, administrator, logger })
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

function statedOptions(commandLine: CommandLine): Readonly<Record<string, string>> {
  const { dataFolder, userDataFolder, language } = commandLine
  const stated = { dataFolder, userDataFolder, language }
  return Object.fromEntries(
    Object.entries(stated).flatMap(([name, value]) => (value === null ? [] : [[name, value]])),
  )
}
