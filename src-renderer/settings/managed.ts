/** What the administrator's file says of the parts of the settings. Pure. */
import type { SettingsChanges, ShownSettings } from '../../src-shared/settings.ts'

export type PartName = keyof SettingsChanges
export type Managed = ShownSettings['managed']

/** The kept secret has a lock of its own: an enforced service whose secret the file leaves out is completed here. */
const SECRET = 'service.clientSecret'

export function isLocked(managed: Managed, part: PartName): boolean {
  return managed[part] === 'enforced'
}

export function isSecretLocked(managed: Managed): boolean {
  return managed[SECRET] === 'enforced'
}

/** May a change of this part be sent? The station refuses all of a change that touches what is enforced. */
export function mayChange(managed: Managed, part: PartName): boolean {
  return !isLocked(managed, part) || (part === 'service' && !isSecretLocked(managed))
}

/** What of a change may be sent. */
export function permitted(changes: SettingsChanges, managed: Managed): SettingsChanges {
  return Object.fromEntries(Object.entries(changes).filter(([part]) => mayChange(managed, part as PartName)))
}

/** How parts that stand together are managed: locked only where all of them are. */
export function managedAs(managed: Managed, parts: readonly PartName[]): 'enforced' | 'preset' | null {
  if (parts.every((part) => isLocked(managed, part))) return 'enforced'
  return parts.some((part) => managed[part] !== undefined) ? 'preset' : null
}
