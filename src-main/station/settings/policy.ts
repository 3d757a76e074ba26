/**
 * The policy of an administrator: settings that a station starts with (`defaults`), and settings that cannot be
 * changed on its screens (`enforced`). Both have the shape of the settings and may be partial.
 */
import { resolve } from 'node:path'
import { z } from 'zod'
import { type ManagedFile, type SettingSource, settingsSchema } from '../../../src-shared/settings.ts'
import { type ConfigReading, isSection, type SettingsSection, unknownKeys } from './config-file.ts'

/** Merged values, each with the layer that it comes from. Pure. */
export type Layered =
  | { readonly kind: 'branch'; readonly below: ReadonlyMap<string, Layered> }
  | { readonly kind: 'leaf'; readonly value: unknown; readonly source: SettingSource }

export function isPlainObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Merges an upper layer over a lower one key by key; keys missing above keep the lower value. */
export function mergeLayer(lower: Layered | null, value: unknown, source: SettingSource): Layered {
  if (!isPlainObject(value)) return { kind: 'leaf', value, source }
  const below = new Map(lower?.kind === 'branch' ? lower.below : [])
  for (const [name, part] of Object.entries(value))
    if (part !== undefined) below.set(name, mergeLayer(below.get(name) ?? null, part, source))
  return { kind: 'branch', below }
}

export function valueOf(layered: Layered): unknown {
  if (layered.kind === 'leaf') return layered.value
  return Object.fromEntries([...layered.below].map(([name, part]) => [name, valueOf(part)]))
}

/** The layer that stated the value at a path; null if it is built in. */
export function sourceAt(layered: Layered, path: readonly (string | number)[]): SettingSource | null {
  let rest = path
  let at: Layered = layered
  while (at.kind === 'branch') {
    const [name, ...further] = rest
    const next = name === undefined ? undefined : at.below.get(String(name))
    if (!next) return null
    at = next
    rest = further
  }
  let value: unknown = at.value
  for (const name of rest) {
    if (typeof value !== 'object' || value === null) return null
    value = Reflect.get(value, name)
    if (value === undefined) return null
  }
  return at.source
}

/** Sections as written in the file, without secrets, with absolute folder paths. */
type StatedSections = Partial<Readonly<Record<SettingsSection, unknown>>>

export type Policy = {
  readonly defaults: StatedSections
  readonly enforced: StatedSections
  /** Unknown names, such as `enforced.folders.0.settleSecond`. Never values. */
  readonly unknownNames: readonly string[]
  /** The enrolment file that it names; null for the default one beside the policy. */
  readonly enrolment: string | null
}

const outlineSchema = z.object({
  defaults: z.record(z.string(), z.unknown()).default({}),
  enforced: z.record(z.string(), z.unknown()).default({}),
  enrolment: z.string().min(1).nullable().default(null),
})

/** A service may be stated in parts: its address in a policy for all stations, the rest in the enrolment of each. */
const ANY_SERVICE = { baseUrl: 'https://service.invalid', clientId: 'any' }

/** Throws a ZodError that names the path of the fault. */
export function parsePolicy(content: unknown): Policy {
  const outline = outlineSchema.parse(content)
  // Each layer is validated on its own: a fault in the defaults would otherwise look like one in `enforced`.
  const readDefaults = readLayer(outline.defaults, 'defaults')
  const readEnforced = readLayer(outline.enforced, 'enforced')
  const outside = Object.keys(content as object).filter((name) => !Object.hasOwn(outline, name))
  return {
    defaults: readDefaults.stated,
    enforced: readEnforced.stated,
    unknownNames: [...outside, ...readDefaults.unknownNames, ...readEnforced.unknownNames],
    enrolment: outline.enrolment,
  }
}

function readLayer(
  layer: Readonly<Record<string, unknown>>,
  prefix: string,
): { readonly stated: StatedSections; readonly unknownNames: readonly string[] } {
  const names = Object.keys(layer).filter(isSection)
  const sections = Object.fromEntries(names.map((name) => [name, layer[name]]))
  // Everyone on the computer can read a policy: a secret in it is dropped, and reported as an unknown name.
  if (isPlainObject(sections['service'])) {
    const { clientSecret: _secret, ...rest } = sections['service']
    sections['service'] = rest
  }
  const { service } = sections
  const whole = isPlainObject(service) ? { ...ANY_SERVICE, ...service } : service
  const parsed = settingsSchema.safeParse(service ? { ...sections, service: whole } : sections)
  if (!parsed.success)
    throw new z.ZodError(parsed.error.issues.map((issue) => ({ ...issue, path: [prefix, ...issue.path] })))
  const folders = sections['folders']
  const stated = Array.isArray(folders) ? { ...sections, folders: folders.map(withWholePath) } : sections
  const { setup: _setup, ...read } = parsed.data
  return { stated, unknownNames: unknownKeys(layer, read, prefix) }
}

function withWholePath(folder: unknown): unknown {
  return isPlainObject(folder) && typeof folder['path'] === 'string'
    ? { ...folder, path: resolve(folder['path']) }
    : folder
}

/** The managed files of a station, as its host found them. */
export type ManagedSetup = {
  /** The policy in effect: if the file cannot be used, its last usable content. */
  readonly policy: Policy | null
  /** `isExpected`: the path was named explicitly; the default path may be empty. */
  readonly enrolment: { readonly path: string; readonly isExpected: boolean } | null
  readonly files: readonly ManagedFile[]
  /** What this start's command line states, by name, such as `dataFolder`. */
  readonly commandLine: Readonly<Record<string, string>>
}

export const UNMANAGED: ManagedSetup = { policy: null, enrolment: null, files: [], commandLine: {} }

/** The result for the file of `--config`, for the screens; `inForce`: what applies if the file cannot be used. */
export function configurationStatus(
  path: string,
  reading: ConfigReading,
  inForce: 'lastKnown' | 'nothing' = 'nothing',
): ManagedFile {
  const file = { kind: 'configuration', path } as const
  if (reading.kind === 'unusable')
    return { ...file, state: reading.state, inForce, detail: reading.detail, unknownNames: [] }
  const unknownNames = [...reading.config.unknownNames]
  return { ...file, state: 'read', inForce: 'this', detail: null, unknownNames }
}
