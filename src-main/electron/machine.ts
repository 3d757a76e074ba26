/**
 * What this computer has for a station: its data folder, and what an administrator has put beside it, the policy, the file
 * of `--config` and the enrolment.
 *
 * There is one data folder per machine and not per account, because two accounts with separate outboxes would send one
 * camera's folder twice. The installer creates it and sets its permissions; without an installer, the account's own folder
 * is used.
 *
 * What a file says must not lapse by accident: if it cannot be read or has disappeared, the station continues with the
 * last version that it could read, and reports it. A policy is removed by a file that contains `{}`.
 */
import { randomUUID } from 'node:crypto'
import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { z } from 'zod'
import type { ManagedFile } from '../../src-shared/setting-sources.ts'
import { errorCode } from '../station/lib/errors.ts'
import { writeDurably } from '../station/lib/files.ts'
import type { Logger } from '../station/ports.ts'
import {
  type AdministratorFile,
  describeFault,
  fileStatus,
  type ManagedSetup,
  parseConfig,
  parsePolicy,
  readManagedFile,
} from '../station/settings/managed-files.ts'
import type { CommandLine } from './command-line.ts'

/** The policy's path; null on a Windows without a folder for program data. */
export function policyPath(platform: NodeJS.Platform, programData: string | undefined): string | null {
  if (platform === 'linux') return '/etc/fundus-courier/policy.json'
  const folder = machineFolder(platform, programData)
  return folder === null ? null : join(folder, 'policy.json')
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

const cachedFileSchema = z.object({
  /** What another file said last must not be used. */
  path: z.string(),
  stated: z.record(z.string(), z.unknown()),
  hasSecret: z.boolean(),
})

const FILES = {
  policy: { name: 'policy', parse: parsePolicy },
  configuration: { name: 'configuration file', parse: parseConfig },
}

/**
 * What a file says or, if it cannot be used, what it said last; null if nothing is known of that. The last readable
 * version is stored in the data folder, without its secret. Operators can write it.
 */
async function inForce(
  kind: keyof typeof FILES,
  path: string,
  { dataFolder, logger, mayTrust }: Remembering,
): Promise<{ readonly content: AdministratorFile | null; readonly file: ManagedFile }> {
  const { name, parse } = FILES[kind]
  const lastPath = join(dataFolder, `${kind}-in-force.json`)
  const reading = await readManagedFile(path, parse, mayTrust)
  if (reading.state === 'read') {
    const text = `${JSON.stringify(rememberedOf(path, reading.content), null, 2)}\n`
    try {
      if ((await readFile(lastPath, 'utf8').catch(() => '')) !== text) await writeDurably(lastPath, text)
    } catch (error) {
      const code = errorCode(error)
      if (code === undefined) throw error
      logger.warn(`what the ${name} says could not be remembered`, { code })
    }
    return { content: reading.content, file: fileStatus(kind, path, reading, 'this') }
  }
  let content: AdministratorFile | null = null
  try {
    const last = cachedFileSchema.parse(JSON.parse(await readFile(lastPath, 'utf8')))
    if (last.path === resolve(path))
      content = { ...parse(withoutFeed(last.stated)), isSecretWithheld: last.hasSecret, unknownNames: [] }
  } catch (error) {
    if (errorCode(error) !== 'ENOENT')
      logger.warn(`what the ${name} said last cannot be read`, { because: describeFault(error) })
  }
  const file = fileStatus(kind, path, reading, content === null ? 'nothing' : 'lastKnown')
  const nothing = `nothing of it is known${kind === 'configuration' ? ': nothing is taken in or sent' : ''}`
  const effect = content === null ? nothing : 'what it said last holds'
  if (file.state !== 'none' || content !== null)
    logger.warn(`the ${name} cannot be used: ${effect}`, { state: file.state, because: file.detail })
  return { content, file }
}

type Remembering = {
  readonly dataFolder: string
  readonly logger: Logger
  readonly mayTrust?: Parameters<typeof readManagedFile>[2]
}

function rememberedOf(path: string, content: AdministratorFile): z.infer<typeof cachedFileSchema> {
  const { defaults, enforced, enrolment, service } = content
  const stated = { ...defaults, ...enforced, enforced: Object.keys(enforced), enrolment }
  return { path: resolve(path), stated, hasSecret: service?.clientSecret !== undefined }
}

/** Who can write what is stored must not decide what runs here: until the file is read again, there are no updates. */
function withoutFeed(stated: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const hasFeed = Object(stated['updates']).feed !== undefined
  return hasFeed ? { ...stated, updates: { install: 'off' } } : stated
}

/** The enrolment file: from the command line, else from the policy, else the default one beside the policy. */
export function enrolmentPath(
  path: string | null,
  policy: Pick<AdministratorFile, 'enrolment'> | null,
  named: string | null,
): { readonly path: string; readonly isExpected: boolean } | null {
  if (named !== null) return { path: resolve(named), isExpected: true }
  if (path === null) return null
  const ofPolicy = policy?.enrolment ?? null
  return { path: resolve(dirname(path), ofPolicy ?? 'enrolment.json'), isExpected: ofPolicy !== null }
}

const NO_FILE = { content: null, file: null }

/** The policy, the file of `--config` and the enrolment, combined. An unusable file is reported, never thrown. */
export async function readManagedSetup(options: {
  readonly commandLine: CommandLine
  readonly dataFolder: string
  readonly platform: NodeJS.Platform
  readonly policyPath: string | null
  /** The trusted owner's user id: 0 but for tests, which do not run as root everywhere. */
  readonly administrator?: number
  readonly logger: Logger
}): Promise<{
  readonly config: AdministratorFile | null
  readonly managed: ManagedSetup
  /** `safe`: the intended settings are unknown, so nothing may be ingested or sent with others. */
  readonly startAs: 'working' | 'safe'
}> {
  const { commandLine, dataFolder, platform, policyPath: policyAt, administrator, logger } = options
  const { configPath } = commandLine
  const mayTrust: Remembering['mayTrust'] = (stat) => isAdministratorFile(stat, platform, administrator)
  const policy =
    policyAt === null ? NO_FILE : await inForce('policy', policyAt, { dataFolder, logger, mayTrust })
  const config =
    configPath === null ? NO_FILE : await inForce('configuration', configPath, { dataFolder, logger })
  return {
    config: config.content,
    managed: {
      policy: policy.content,
      enrolment: enrolmentPath(policyAt, policy.content, commandLine.enrolmentPath),
      files: [policy.file, config.file].filter((file) => file !== null),
      commandLine: statedOptions(commandLine),
    },
    startAs: config.file !== null && config.content === null ? 'safe' : 'working',
  }
}

function statedOptions(commandLine: CommandLine): Readonly<Record<string, string>> {
  const { dataFolder, userDataFolder, language } = commandLine
  const stated = { dataFolder, userDataFolder, language }
  return Object.fromEntries(
    Object.entries(stated).flatMap(([name, value]) => (value === null ? [] : [[name, value]])),
  )
}

export type DataFolderFacts = {
  readonly platform: NodeJS.Platform
  readonly programData: string | undefined
  readonly userData: string
  readonly canWrite: (folder: string) => boolean
}

/** The machine's folder if the installer created it and it is writable, else the account's folder. */
export function chooseDataFolder({ platform, programData, userData, canWrite }: DataFolderFacts): string {
  const machineWide = machineFolder(platform, programData)
  return machineWide !== null && canWrite(machineWide) ? machineWide : join(userData, 'station')
}

/** The folder shared by all accounts of this computer; on Windows and macOS it also contains the policy. */
export function machineFolder(platform: NodeJS.Platform, programData: string | undefined): string | null {
  if (platform === 'win32') return programData === undefined ? null : join(programData, 'Fundus Courier')
  return platform === 'darwin' ? '/Library/Application Support/Fundus Courier' : '/var/lib/fundus-courier'
}

/** The installer writes this file beside the program once it has set up the machine's folder. */
const INSTALLER_MARK = 'machine-data-folder'

/**
 * `%ProgramData%` if our installer has set up a folder there. Its mark is in a place that only administrators can
 * write; without it, any account could create such a folder with its own policy and outbox.
 */
export function machineProgramData(
  programData: string | undefined,
  resourcesFolder: string,
  exists = existsSync,
): string | undefined {
  return exists(join(resourcesFolder, INSTALLER_MARK)) ? programData : undefined
}

/** Tests by writing: on Windows an access check does not consider the account's permissions. */
export function isWritableFolder(folder: string): boolean {
  const probePath = join(folder, `.trial-${randomUUID()}`)
  try {
    writeFileSync(probePath, '', { flag: 'wx', mode: 0o600 })
    rmSync(probePath, { force: true })
    return true
  } catch (error) {
    if (errorCode(error) !== undefined) return false
    throw error
  }
}
