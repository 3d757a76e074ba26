/**
 * Which layer each value of the settings comes from: built in < defaults of the policy < this station (a person, the
 * enrolment, the file of `--config`: the latest statement of a section) < enforced by the policy < enforced by the
 * file of `--config`, because whoever writes the command line has the last word. Pure.
 */
import {
  type SettingInForce,
  type Settings,
  type SettingsChanges,
  settingsChangesSchema,
  type SettingSource,
  settingsSchema,
} from '../../../src-shared/settings.ts'
import type { ConfigFile, SettingsSection as Section } from './config-file.ts'
import { isPlainObject, type Layered, mergeLayer, type Policy, sourceAt, valueOf } from './policy.ts'

export type SettingsLayers = {
  readonly policy: Pick<Policy, 'defaults' | 'enforced'> | null
  readonly config: Pick<ConfigFile, 'settings' | 'stated' | 'enforced'> | null
  /** What was set on this station and holds, whole sections. */
  readonly held: Readonly<SettingsChanges>
  /** Of these, the sections that the enrolment brought and nobody has changed since. */
  readonly enrolled: readonly Section[]
}

export type MergedSettings = {
  readonly settings: Settings
  /** Every single value with its layer, but for secrets. */
  sources(): SettingInForce[]
}

export const SECTIONS = settingsChangesSchema.keyof().options

/**
 * Can the section not be changed on the screens? One lock a section, whatever part of it is enforced; only a service of
 * which the address or the client's id is left out is open, so that what was entered here can be corrected here.
 */
export function isLocked(
  { policy, config }: Pick<SettingsLayers, 'policy' | 'config'>,
  section: Section,
): boolean {
  if (isEnforcedByConfig(config, section)) return true
  if (!Object.hasOwn(policy?.enforced ?? {}, section)) return false
  return section !== 'service' || isWholeService(policy?.enforced.service)
}

export function isEnforcedByConfig(config: SettingsLayers['config'], section: Section): boolean {
  return config?.enforced.includes(section) ?? false
}

/** Is there something that an administrator has stated of the section? */
export function isStated(
  { policy, config }: Pick<SettingsLayers, 'policy' | 'config'>,
  section: Section,
): boolean {
  return [config?.stated, policy?.defaults, policy?.enforced].some((stated) =>
    Object.hasOwn(stated ?? {}, section),
  )
}

/** The settings in force. Throws a ZodError where the layers, each right by itself, contradict one another. */
export function mergeSettings(layers: SettingsLayers): MergedSettings {
  const merged = new Map(
    SECTIONS.flatMap((section) => {
      const layered = mergeSection(layers, section)
      return layered === null ? [] : [[section, layered] as const]
    }),
  )
  const raw = Object.fromEntries([...merged].map(([section, layered]) => [section, valueOf(layered)]))
  // The parts of a service that a policy states are no service yet.
  if (!isWholeService(raw['service'])) delete raw['service']
  const settings = settingsSchema.parse(raw)
  return {
    settings,
    sources: () =>
      SECTIONS.flatMap((section) => {
        const layered = merged.get(section) ?? null
        return leavesOf(settings[section], [section]).map(([path, value]) => ({
          name: path.join('.'),
          value,
          ...originOf(layered && sourceAt(layered, path.slice(1)), isLocked(layers, section)),
        }))
      }),
  }
}

/** Of a section that is open in parts, what the policy enforces is closed all the same. */
function originOf(
  stated: SettingSource | null,
  isSectionLocked: boolean,
): Pick<SettingInForce, 'source' | 'isLocked'> {
  const source = stated ?? 'builtIn'
  return { source, isLocked: isSectionLocked || source === 'policyEnforced' }
}

type Statement = readonly [value: unknown, source: SettingSource]

/** Null where no layer says anything. */
function mergeSection({ policy, config, held, enrolled }: SettingsLayers, section: Section): Layered | null {
  const stated: unknown = section === 'folders' ? statedFolders(config) : config?.stated[section]
  const preset: Statement[] = [
    [policy?.defaults[section], 'policyDefault'],
    [isEnforcedByConfig(config, section) ? undefined : stated, 'configurationFile'],
  ]
  // What stands on the screen is the whole section, and so is what is kept of it.
  const ofStation: Statement[] =
    held[section] === undefined
      ? preset
      : [[held[section], enrolled.includes(section) ? 'enrolment' : 'person']]
  const enforced: Statement[] = [
    [policy?.enforced[section], 'policyEnforced'],
    [isEnforcedByConfig(config, section) ? stated : undefined, 'configurationFile'],
  ]
  return [...ofStation, ...enforced].reduce<Layered | null>(
    (lower, [value, source]) =>
      value === undefined ? lower : mergeLayer(isOneValue(section) ? null : lower, value, source),
    null,
  )
}

/** The headings and dates of one list of patients mean nothing in another: they would be read as somebody else's. */
function isOneValue(section: Section): boolean {
  return section === 'patientList'
}

/** With the whole paths that the file's reader has made. */
function statedFolders(config: SettingsLayers['config']): unknown {
  const folders = config?.stated['folders']
  if (!config || !Array.isArray(folders)) return undefined
  return folders.map((folder: unknown, index) => ({
    ...Object(folder),
    path: config.settings.folders[index]?.path,
  }))
}

function isWholeService(service: unknown): boolean {
  return isPlainObject(service) && service['baseUrl'] !== undefined && service['clientId'] !== undefined
}

type SettingPath = readonly (string | number)[]

/** The single values of a section. A list of words is one value; of a profile only its name is told. */
function leavesOf(value: unknown, path: SettingPath): [SettingPath, SettingInForce['value']][] {
  if (path.at(-1) === 'clientSecret') return []
  if (Array.isArray(value)) {
    if (value.every((part) => typeof part !== 'object')) return [[path, value.join(', ')]]
    return value.flatMap((part: unknown, index) => leavesOf(part, [...path, index]))
  }
  if (isPlainObject(value)) {
    if (path[0] === 'profiles') return [[path, String(value['title'])]]
    return Object.entries(value).flatMap(([name, part]) => leavesOf(part, [...path, name]))
  }
  return [[path, shownValue(value)]]
}

function shownValue(value: unknown): SettingInForce['value'] {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? value : null
}
