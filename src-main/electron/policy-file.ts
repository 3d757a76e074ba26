/**
 * Finds and reads the policy of an administrator, without any flag.
 *
 * What is enforced must not come loose by an accident: where the file cannot be used, or is suddenly gone, the station
 * goes on with what the policy said when it last could be read, and says so. An administrator lifts a policy by a file
 * with `{}` in it.
 */
import { open, readFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import type { ManagedFile } from '../../src-shared/setting-source.ts'
import { describeFault } from '../station/config-file.ts'
import { writeDurably } from '../station/durable-file.ts'
import { parsePolicy, type Policy } from '../station/policy.ts'
import type { Logger } from '../station/ports.ts'
import { machineFolder } from './data-folder.ts'
import { errorCode } from '../station/lib/errors.ts'

/** Where administrators lay it; null on a Windows that names no folder for programs' data. */
export function policyPath(platform: NodeJS.Platform, programData: string | undefined): string | null {
  if (platform === 'linux') return '/etc/fundus-courier/policy.json'
  const folder = machineFolder(platform, programData)
  return folder === null ? null : join(folder, 'policy.json')
}

export type PolicyOptions = {
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
    await remember(cachePath, reading.policy, logger)
    return { policy: reading.policy, file: describe('this') }
  }
  const cached = await readLastKnown(cachePath, logger)
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

async function remember(path: string, policy: Policy, logger: Logger): Promise<void> {
  const text = `${JSON.stringify(policy, null, 2)}\n`
  try {
    if ((await readFile(path, 'utf8').catch(() => '')) !== text) await writeDurably(path, text)
  } catch (error) {
    const code = errorCode(error)
    if (code === undefined) throw error
    logger.warn('what the policy says could not be remembered', { code })
  }
}

async function readLastKnown(path: string, logger: Logger): Promise<Policy | null> {
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

export function dropFeed<Sections extends { readonly updates?: unknown }>(sections: Sections): Sections {
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
