/**
 * The layers of the settings: built in < defaults of the policy < the file of `--config` < this station (a person, the
 * enrolment) < enforced by the policy < enforced by the file of `--config`, because the command line has the last word.
 * Pure.
 */
import {
  type SettingInForce,
  type Settings,
  type SettingsChanges,
  type SettingSource,
  settingsSchema,
} from '../../../src-shared/settings.ts'
import {
  isPlainObject,
  SECTIONS,
  type SettingsSection as Section,
  type StatedSettings,
} from './managed-files.ts'

type Stated = Pick<StatedSettings, 'defaults' | 'enforced'>

export type SettingsLayers = {
  readonly policy: Stated | null
  readonly config: Stated | null
  /** The sections set on this station that are in force. */
  readonly held: Readonly<SettingsChanges>
  /** The held sections that the enrolment set and no person has changed since. */
  readonly enrolled: readonly Section[]
}

export type MergedSettings = {
  readonly settings: Settings
  /** Every single value with its layer, except secrets. */
  sources(): SettingInForce[]
}

/** Does one of these files state the section? */
export function isStated(
  files: Partial<Pick<SettingsLayers, 'policy' | 'config'>>,
  kind: keyof Stated,
  section: Section,
): boolean {
  return [files.policy, files.config].some((file) => file && Object.hasOwn(file[kind], section))
}

/** A lock covers a section. A service without an enforced address or id stays open, to correct values entered here. */
export function isLocked(
  { policy, config }: Pick<SettingsLayers, 'policy' | 'config'>,
  section: Section,
): boolean {
  if (section !== 'service') return isStated({ policy, config }, 'enforced', section)
  return [policy, config].some((file) => isWholeService(file?.enforced.service))
}

/** Merged values, each with the layer that it comes from. Pure. */
type Layered =
  | { readonly kind: 'branch'; readonly below: ReadonlyMap<string, Layered> }
  | { readonly kind: 'leaf'; readonly value: unknown; readonly source: SettingSource }

/** Merges an upper layer over a lower one key by key; keys missing above keep the lower value. */
function mergeLayer(lower: Layered | null, value: unknown, source: SettingSource): Layered {
  if (!isPlainObject(value)) return { kind: 'leaf', value, source }
  const below = new Map(lower?.kind === 'branch' ? lower.below : [])
  for (const [name, part] of Object.entries(value))
    if (part !== undefined) below.set(name, mergeLayer(below.get(name) ?? null, part, source))
  return { kind: 'branch', below }
}

function valueOf(layered: Layered): unknown {
  if (layered.kind === 'leaf') return layered.value
  return Object.fromEntries([...layered.below].map(([name, part]) => [name, valueOf(part)]))
}

/** The layer that stated the value at a path; null if it is built in. */
function sourceAt(layered: Layered, path: readonly (string | number)[]): SettingSource | null {
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

/** The settings in force. Throws a ZodError if the layers, each valid on its own, contradict one another. */
export function mergeSettings(layers: SettingsLayers): MergedSettings {
  const merged = new Map(
    SECTIONS.flatMap((section) => {
      const layered = mergeSection(layers, section)
      return layered === null ? [] : [[section, layered] as const]
    }),
  )
  const raw = Object.fromEntries([...merged].map(([section, layered]) => [section, valueOf(layered)]))
  // The service parts that a policy states are no complete service yet.
  if (!isWholeService(raw['service'])) delete raw['service']
  const parsed = settingsSchema.parse(raw)
  const folderLayer = merged.get('folders') ?? null
  const settings = {
    ...parsed,
    folders: parsed.folders.map((folder, index) => {
      const source = folderLayer && sourceAt(folderLayer, [index, 'firstReviews'])
      // No single station may waive them for itself.
      return source === 'policyEnforced' ? folder : { ...folder, firstReviews: 'five' as const }
    }),
  }
  return {
    settings,
    sources: () =>
      SECTIONS.flatMap((section) => {
        const layered = merged.get(section) ?? null
        return leavesOf(settings[section], [section]).map(([path, value]) => {
          const source = (layered && sourceAt(layered, path.slice(1))) ?? 'builtIn'
          // In a partly open section, the values that the policy enforces are locked all the same.
          const isValueLocked = isLocked(layers, section) || source === 'policyEnforced'
          return { name: path.join('.'), value, source, isLocked: isValueLocked }
        })
      }),
  }
}

type Statement = readonly [value: unknown, source: SettingSource]

function mergeSection({ policy, config, held, enrolled }: SettingsLayers, section: Section): Layered | null {
  const preset: Statement[] = [
    [policy?.defaults[section], 'policyDefault'],
    [config?.defaults[section], 'configurationFile'],
  ]
  // A screen shows and saves whole sections.
  const ofStation: Statement[] =
    held[section] === undefined
      ? preset
      : [[held[section], enrolled.includes(section) ? 'enrolment' : 'person']]
  const enforced: Statement[] = [
    [policy?.enforced[section], 'policyEnforced'],
    [config?.enforced[section], 'configurationFile'],
  ]
  return [...ofStation, ...enforced].reduce<Layered | null>(
    (lower, [value, source]) =>
      // Columns and date formats of one patient list must not mix with those of another: values would be misread.
      value === undefined ? lower : mergeLayer(section === 'patientList' ? null : lower, value, source),
    null,
  )
}

function isWholeService(service: unknown): boolean {
  return isPlainObject(service) && service['baseUrl'] !== undefined && service['clientId'] !== undefined
}

type SettingPath = readonly (string | number)[]

/** The single values of a section. A list of texts is one value; of a profile only name and confirmation are shown. */
function leavesOf(value: unknown, path: SettingPath): [SettingPath, SettingInForce['value']][] {
  if (path.at(-1) === 'clientSecret') return []
  if (Array.isArray(value)) {
    if (value.every((part) => typeof part !== 'object')) return [[path, value.join(', ')]]
    return value.flatMap((part: unknown, index) => leavesOf(part, [...path, index]))
  }
  if (isPlainObject(value)) {
    if (path.at(-2) === 'confirmedProfiles') return [[path, confirmedText(value)]]
    return Object.entries(value).flatMap(([name, part]) => leavesOf(part, [...path, name]))
  }
  return [[path, shownValue(value)]]
}

function confirmedText({ id, confirmed }: Readonly<Record<string, unknown>>): string {
  return isPlainObject(confirmed)
    ? `${String(id)} (${String(confirmed['by'])}, ${String(confirmed['at'])})`
    : String(id)
}

function shownValue(value: unknown): SettingInForce['value'] {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? value : null
}
