/**
 * The files of an administrator. The policy and the file of `--config` have one form: sections of the settings, which may be
 * partial, and the names of those that cannot be changed on the screens (`enforced`); the others are what a station starts
 * with.
 */
import { open } from 'node:fs/promises'
import { resolve } from 'node:path'
import { z } from 'zod'
import {
  type ServiceSettings,
  serviceSettingsSchema,
  type SettingsChanges,
  settingsChangesSchema,
  settingsSchema,
} from '../../../src-shared/settings.ts'
import type { ManagedFile } from '../../../src-shared/setting-sources.ts'
import { errorCode } from '../lib/errors.ts'

export type SettingsSection = keyof SettingsChanges

export const SECTIONS = settingsChangesSchema.keyof().options

/** Sections as written in the file, without secrets, with absolute folder paths. */
type StatedSections = Partial<Readonly<Record<SettingsSection, unknown>>>

export type StatedSettings = {
  readonly defaults: StatedSections
  readonly enforced: StatedSections
  /** Unknown names, such as `folders.0.settleSecond`: probably typing errors. Never values. */
  readonly unknownNames: readonly string[]
}

export type AdministratorFile = StatedSettings & {
  /** The service that it states, with the secret that is for it alone; null in a policy. */
  readonly service: ServiceSettings | null
  /** The enrolment file that a policy names; null for the default one beside it. */
  readonly enrolment: string | null
  /** True if the file is unreadable, its last content holds, and it stated a secret, which is not in that. */
  readonly isSecretWithheld?: boolean
}

export function isPlainObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The paths of keys in the file that the schema ignores: probably typing errors. Never values. */
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

/** Beside the sections. A lock that cannot be read must not be ignored. */
const besideSchema = z.object({
  enforced: z.array(z.string()).default([]),
  enrolment: z.string().min(1).nullable().default(null),
})

/** Throws a ZodError that names the path of the fault. */
export function parseConfig(content: unknown): AdministratorFile {
  const settings = settingsSchema.parse(content)
  const { enforced } = besideSchema.parse(content)
  const stated = statementsIn(content, enforced, { ...settings, enforced })
  return { ...stated, service: settings.service ?? null, enrolment: null }
}

/** A service may be stated in parts: its address in a policy for all stations, the rest in the enrolment of each. */
const ANY_SERVICE = { baseUrl: 'https://service.invalid', clientId: 'any' }

/**
 * Everyone on the computer can read a policy: a secret in it is dropped, and reported as an unknown name. Throws a ZodError
 * that names the path of the fault.
 */
export function parsePolicy(content: unknown): AdministratorFile {
  const { setup: _setup, ...sections } = statedSections(content, () => true)
  const { service } = sections
  const whole = isPlainObject(service) ? { ...sections, service: { ...ANY_SERVICE, ...service } } : sections
  const { setup: _none, ...settings } = settingsSchema.parse(isPlainObject(content) ? whole : content)
  const { enforced, enrolment } = besideSchema.parse(content)
  const stated = statementsIn(content, enforced, { ...settings, enforced, enrolment })
  const { setup: _own, ...defaults } = stated.defaults
  return { ...stated, defaults, service: null, enrolment }
}

/** What a file states; `read` is all of it that means anything. */
function statementsIn(content: unknown, names: readonly string[], read: object): StatedSettings {
  const isEnforced = (name: SettingsSection): boolean => isLockable(name) && names.includes(name)
  const enforced = statedSections(content, isEnforced)
  return {
    defaults: statedSections(content, (name) => !isEnforced(name)),
    enforced,
    unknownNames: [
      ...unknownKeys(content, read),
      ...names.filter((name) => !Object.hasOwn(enforced, name)).map((name) => `enforced: ${name}`),
    ],
  }
}

/** Completion of the set-up belongs to the station alone. */
function isLockable(name: SettingsSection): boolean {
  return name !== 'setup'
}

/** Those of the sections in a text that are wanted. A mistyped key of the service may hold its secret. */
function statedSections(content: unknown, isWanted: (name: SettingsSection) => boolean): StatedSections {
  const written = Object(content) as Readonly<Record<string, unknown>>
  const names = SECTIONS.filter((name) => Object.hasOwn(written, name) && isWanted(name))
  const { service, folders, ...others } = Object.fromEntries(names.map((name) => [name, written[name]]))
  return {
    ...others,
    ...(service !== undefined && { service: isPlainObject(service) ? ownKeysOf(service) : service }),
    ...(folders !== undefined && { folders: Array.isArray(folders) ? folders.map(withWholePath) : folders }),
  }
}

function ownKeysOf(service: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const names = Object.keys(serviceSettingsSchema.shape).filter((name) => name !== 'clientSecret')
  return Object.fromEntries(Object.entries(service).filter(([name]) => names.includes(name)))
}

function withWholePath(folder: unknown): unknown {
  // Of an empty path the schema says what is wrong.
  return isPlainObject(folder) && typeof folder['path'] === 'string' && folder['path'] !== ''
    ? { ...folder, path: resolve(folder['path']) }
    : folder
}

export type Reading<Content> =
  | { readonly state: 'read'; readonly content: Content }
  /** `detail`: the location of the fault, or the system's code; never a value, because a file may hold a secret. */
  | { readonly state: 'none' | 'broken' | 'unreadable' | 'unsafe'; readonly detail: string | null }

/** Reads such a file. Never rejects for the file. `mayTrust`: only an administrator can have written it. */
export async function readManagedFile<Content>(
  path: string,
  parse: (content: unknown) => Content,
  mayTrust: (stat: { readonly uid: number; readonly mode: number }) => boolean = () => true,
): Promise<Reading<Content>> {
  try {
    const file = await open(path, 'r')
    try {
      // Checks the open handle, so that the file cannot be swapped before it is read.
      if (!mayTrust(await file.stat())) return { state: 'unsafe', detail: null }
      // Notepad saves files with a byte order mark.
      const text = (await file.readFile('utf8')).replace(/^\uFEFF/, '')
      return { state: 'read', content: parse(JSON.parse(text)) }
    } finally {
      await file.close()
    }
  } catch (error) {
    const code = errorCode(error)
    const state = code === undefined ? 'broken' : code === 'ENOENT' ? 'none' : 'unreadable'
    return { state, detail: describeFault(error) }
  }
}

/** The location of the fault, never its value. Throws if the error is no fault of the file. */
export function describeFault(error: unknown): string {
  if (error instanceof z.ZodError)
    return error.issues
      .map(({ path, message }) => `${path.length > 0 ? path.join('.') : 'the file'}: ${message}`)
      .join('; ')
  // The message of a SyntaxError quotes the text around the fault.
  if (error instanceof SyntaxError) return 'it is not JSON.'
  const code = errorCode(error)
  if (code !== undefined) return `it cannot be read (${code}).`
  throw error
}

/** The managed files of a station, as its host found them. */
export type ManagedSetup = {
  /** The policy in effect: if the file cannot be used, its last usable content. */
  readonly policy: AdministratorFile | null
  /** `isExpected`: the path was named explicitly; the default path may be empty. */
  readonly enrolment: { readonly path: string; readonly isExpected: boolean } | null
  readonly files: readonly ManagedFile[]
  /** What this start's command line states, by name, such as `dataFolder`. */
  readonly commandLine: Readonly<Record<string, string>>
}

export const UNMANAGED: ManagedSetup = { policy: null, enrolment: null, files: [], commandLine: {} }

/** What became of a file, for the screens; `inForce`: what applies. A `--config` that is not there cannot be read. */
export function fileStatus(
  kind: ManagedFile['kind'],
  path: string,
  reading: Reading<{ readonly unknownNames: readonly string[] }>,
  inForce: ManagedFile['inForce'],
): ManagedFile {
  const state = kind === 'configuration' && reading.state === 'none' ? 'unreadable' : reading.state
  const unknownNames = reading.state === 'read' ? [...reading.content.unknownNames] : []
  const detail = reading.state === 'read' || state === 'none' ? null : reading.detail
  return { kind, path, state, inForce, detail, unknownNames }
}
