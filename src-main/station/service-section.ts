/** The section of the service, whose secret is kept elsewhere. Pure. */
import { isDeepStrictEqual } from 'node:util'
import type { ServiceSettings, SettingsChanges } from '../../src-shared/settings.ts'

/** The same but for the secret? */
export function isSameService(one: ServiceSettings | undefined, other: ServiceSettings | undefined): boolean {
  return isDeepStrictEqual({ ...one, clientSecret: undefined }, { ...other, clientSecret: undefined })
}

export function withoutSecret(changes: SettingsChanges): SettingsChanges {
  if (!changes.service) return changes
  const { clientSecret: _secret, ...service } = changes.service
  return { ...changes, service }
}
