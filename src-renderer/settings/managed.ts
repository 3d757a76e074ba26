/** What the administrator's file says of the parts of the settings. Pure. */
import type { SettingsChanges, ShownSettings } from '../../src-shared/settings.ts'

export type SettingsKey = keyof SettingsChanges
export type Managed = ShownSettings['managed']

/** The kept secret has a lock of its own: an enforced service whose secret the file leaves out is completed here. */
const SECRET = 'service.clientSecret'

export function isEnforced(managed: Managed, key: SettingsKey): boolean {
  return managed[key] === 'enforced'
}

export function isSecretEnforced(managed: Managed): boolean {
  return managed[SECRET] === 'enforced'
}

/** May a change of this part be sent? The station refuses all of a change that touches what is enforced. */
export function mayChange(managed: Managed, key: SettingsKey): boolean {
  return !isEnforced(managed, key) || (key === 'service' && !isSecretEnforced(managed))
}

/** What of a change may be sent. */
export function permittedChanges(changes: SettingsChanges, managed: Managed): SettingsChanges {
  return Object.fromEntries(Object.entries(changes).filter(([key]) => mayChange(managed, key as SettingsKey)))
}

/** How parts that stand together are managed: locked only where all of them are. */
export function managedAs(managed: Managed, keys: readonly SettingsKey[]): 'enforced' | 'preset' | null {
  if (keys.every((key) => isEnforced(managed, key))) return 'enforced'
  return keys.some((part) => managed[part] !== undefined) ? 'preset' : null
}
