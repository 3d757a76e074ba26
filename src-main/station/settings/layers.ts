/**
 * The layers of the settings: built in < defaults of the policy < the file of `--config` < this station (a person, the
 * enrolment) < enforced by the policy < enforced by the file of `--config`, because the command line has the last word.
 * Pure.
 */
import { type Settings, type SettingsChanges, settingsSchema } from '../../../src-shared/settings.ts'
import type { SettingInForce, SettingSource } from '../../../src-shared/setting-sources.ts'
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

type Statement = readonly [value: unknown, source: SettingSource]

/** What is stated of a section, the lowest layer first. */
function statementsOf(
  { policy, config, held, enrolled }: SettingsLayers,
  section: Section,
): readonly Statement[] {
  // A screen shows and saves whole sections.
  const ofStation: Statement[] =
    held[section] === undefined
      ? [
          [policy?.defaults[section], 'policyDefault'],
          [config?.defaults[section], 'configurationFile'],
        ]
      : [[held[section], enrolled.includes(section) ? 'enrolment' : 'person']]
  const enforced: Statement[] = [
    [policy?.enforced[section], 'policyEnforced'],
    [config?.enforced[section], 'configurationFile'],
  ]
  const stated = [...ofStation, ...enforced].filter(([value]) => value !== undefined)
  // Columns and date formats of one patient list must not mix with those of another: values would be misread.
  return section === 'patientList' ? stated.slice(-1) : stated
}

/** An upper layer over a lower one, key by key; keys missing above keep the lower value. */
function merge(lower: unknown, upper: unknown): unknown {
  if (!isPlainObject(lower) || !isPlainObject(upper)) return upper
  const parts = Object.entries(upper).filter(([, part]) => part !== undefined)
  return { ...lower, ...Object.fromEntries(parts.map(([name, part]) => [name, merge(lower[name], part)])) }
}

type SettingPath = readonly (string | number)[]

function sourceAt(statements: readonly Statement[], path: SettingPath): SettingSource {
  for (const [value, source] of statements.toReversed()) {
    const found = findPath(value, path)
    if (found !== 'leftOpen') return found === 'stated' ? source : 'builtIn'
  }
  return 'builtIn'
}

/** `leftOpen`: the layers below may state it; but a list or a single value replaces all that is below it. */
function findPath(
  value: unknown,
  [name, ...rest]: SettingPath,
  mayBeLeft = true,
): 'stated' | 'absent' | 'leftOpen' {
  // Parts that are no whole, as of a service without its address, state nothing of it.
  if (name === undefined) return mayBeLeft && isPlainObject(value) ? 'absent' : 'stated'
  if (typeof value !== 'object' || value === null) return 'absent'
  const mayLeave = mayBeLeft && isPlainObject(value)
  const part: unknown = Object.hasOwn(value, name) ? Reflect.get(value, name) : undefined
  if (part === undefined) return mayLeave ? 'leftOpen' : 'absent'
  return findPath(part, rest, mayLeave)
}

/** The settings in force. Throws a ZodError if the layers, each valid on its own, contradict one another. */
export function mergeSettings(layers: SettingsLayers): MergedSettings {
  const stated = SECTIONS.map((section) => [section, statementsOf(layers, section)] as const)
  const raw = Object.fromEntries(
    stated.map(([section, statements]) => [
      section,
      statements.reduce<unknown>((lower, [value]) => merge(lower, value), undefined),
    ]),
  )
  // The service parts that a policy states are no complete service yet.
  if (!isWholeService(raw['service'])) delete raw['service']
  const settings = settingsSchema.parse(raw)
  return {
    settings,
    sources: () =>
      stated.flatMap(([section, statements]) =>
        leavesOf(settings[section], [section]).map(([path, value]) => {
          const source = sourceAt(statements, path.slice(1))
          // In a partly open section, the values that the policy enforces are locked all the same.
          const isValueLocked = isLocked(layers, section) || source === 'policyEnforced'
          return { name: path.join('.'), value, source, isLocked: isValueLocked }
        }),
      ),
  }
}

function isWholeService(service: unknown): boolean {
  return isPlainObject(service) && service['baseUrl'] !== undefined && service['clientId'] !== undefined
}

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
