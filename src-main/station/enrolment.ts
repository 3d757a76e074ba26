/**
 * An enrolment joins one station to the service: its address, the client's id and secret, and the center. It is taken
 * once. What it brings stands like what a person has set on this station, and a person may change it later.
 */
import { createHash, randomBytes } from 'node:crypto'
import { z } from 'zod'
import { serviceSettingsSchema, type Settings, type SettingsChanges } from '../../src-shared/settings.ts'
import { baseUrlSchema } from '../../src-shared/service-address.ts'
import type { StoredSecret, SecretEntry } from './kept-secret.ts'
import type { StoredSettings } from './kept-settings.ts'
import type { Policy } from './policy.ts'

export const enrolmentSchema = z.object({
  service: z.object({ baseUrl: baseUrlSchema, clientId: z.string().min(1), clientSecret: z.string().min(1) }),
  /** Left out: the station's center stays as it is. */
  centerId: z.string().min(1).optional(),
})
export type EnrolmentContent = z.infer<typeof enrolmentSchema>

/**
 * `again`: it was taken before, and nothing was changed, but that a secret which this account never had is there now.
 * `refused`: another service or center is enforced. `locked`: the safe was, so nothing was taken. `failed`: the secret
 * could not be kept, so nothing was taken.
 */
export type EnrolOutcome = 'taken' | 'again' | 'refused' | 'locked' | 'failed'

export type EnrolmentParts = {
  readonly policy: Pick<Policy, 'defaults'> | null
  readonly storedSecret: StoredSecret
  readonly entryOf: (secret: string, baseUrl: string) => SecretEntry
  readonly current: () => Settings
  readonly stored: () => Pick<StoredSettings, 'enrolled' | 'enrolment'>
  /** The settings as they would be with these changes. */
  readonly settingsWith: (changes: SettingsChanges) => Settings
  readonly save: (
    changes: SettingsChanges,
    more: Partial<Pick<StoredSettings, 'enrolled' | 'enrolment' | 'secretFrom'>>,
  ) => Promise<void>
}

/** The way to take an enrolment into the settings. */
export function enrolment(parts: EnrolmentParts): (content: EnrolmentContent) => Promise<EnrolOutcome> {
  const { policy, storedSecret, entryOf, current, stored, settingsWith, save } = parts
  return async (content) => {
    const { clientSecret, ...brought } = content.service
    const { service } = current()
    const isOurs = service?.baseUrl === brought.baseUrl && service.clientId === brought.clientId
    const last = stored().enrolment
    if (last !== null && last.digest === digestOf(last.salt, content)) {
      // Another account of this computer, whose safe never held it; never over a secret that is there.
      if (!isOurs || (await storedSecret.isFor(brought.baseUrl))) return 'again'
      const how = await storedSecret.save(entryOf(clientSecret, brought.baseUrl))
      return how === 'kept' ? 'again' : how
    }
    const beside: unknown = isOurs ? service : policy?.defaults.service
    const { clientSecret: _none, ...whole } = serviceSettingsSchema.parse({ ...Object(beside), ...brought })
    const { centerId } = content
    const changes: SettingsChanges = { service: whole, ...(centerId !== undefined && { centerId }) }
    const after = settingsWith(changes)
    const isOther = after.service?.baseUrl !== brought.baseUrl || after.service.clientId !== brought.clientId
    // A secret must never be shown to another service than its own.
    if (isOther || (centerId !== undefined && after.centerId !== centerId)) return 'refused'
    const salt = randomBytes(16).toString('hex')
    const sections = [
      ...stored().enrolled,
      'service' as const,
      ...(centerId === undefined ? [] : ['centerId' as const]),
    ]
    const how = await storedSecret.saveWith(entryOf(clientSecret, brought.baseUrl), () =>
      save(changes, {
        enrolled: [...new Set(sections)],
        enrolment: { salt, digest: digestOf(salt, content) },
        secretFrom: 'enrolment',
      }),
    )
    return how === 'kept' ? 'taken' : how
  }
}

/** Salted, so that the file of settings tells nobody whether a guessed secret is the right one at a glance. */
function digestOf(salt: string, content: EnrolmentContent): string {
  return createHash('sha256').update(salt).update(JSON.stringify(content)).digest('hex')
}
