/**
 * An enrolment joins one station to the service: its address, the client's id and secret, and the center. It is taken
 * once. What it brings stands like what a person has set on this station, and a person may change it later.
 */
import { createHash, randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { z } from 'zod'
import { fail, failureOf, type Result, succeed } from '../../../src-shared/failure.ts'
import { baseUrlSchema } from '../../../src-shared/service-address.ts'
import {
  serviceSettingsSchema,
  type SettingInForce,
  type Settings,
  type SettingsChanges,
  type SettingSource,
  type ShownSettings,
} from '../../../src-shared/settings.ts'
import { serially } from '../lib/schedule.ts'
import type { Logger, SecretStore } from '../ports.ts'
import { type ConfigFile, digestOfStated, type SettingsSection as Section } from './config-file.ts'
import {
  isEnforcedByConfig,
  isLocked,
  isStated,
  type MergedSettings,
  mergeSettings,
  SECTIONS,
} from './layers.ts'
import type { Policy } from './policy.ts'
import { openStoredSecret, type SaveOutcome, type SecretEntry, type StoredSecret } from './stored-secret.ts'
import {
  isSameService,
  readStoredSettings,
  type StoredSettings,
  withoutSecret,
  writeStoredSettings,
} from './stored-settings.ts'

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

type EnrolmentParts = {
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
function enrolment(parts: EnrolmentParts): (content: EnrolmentContent) => Promise<EnrolOutcome> {
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

/**
 * The settings in force: the layers of settings-layers.ts, with what was set on this station kept in `settings.json`.
 *
 * Between the file of `--config` and this station the latest statement wins: a change made on the screen holds until
 * the file states that section anew. What an administrator enforces is the administrator's always.
 */
export type SettingsStore = {
  current(): Settings
  shown(): Promise<ShownSettings>
  /** Every value but secrets, with the layer that it comes from. */
  sources(): SettingInForce[]
  /** Where the client secret comes from; null where there is none. */
  secretSource(): Promise<{ readonly source: SettingSource; readonly isLocked: boolean } | null>
  /** The secret for the service of this address, and for no other; null where there is none. Rejects with a SecretsLockedError. */
  readSecret(baseUrl: string): Promise<string | null>
  /** Keeps the changes; a secret goes into the secret store only. */
  update(changes: SettingsChanges): Promise<Result<null>>
  /** Takes what an enrolment file brings, once. */
  enrol(content: EnrolmentContent): Promise<EnrolOutcome>
}

const SET_BY_THE_FILE =
  'This part of the settings is set by your administrator, so nothing was changed. Whoever keeps the configuration file of this station can change it there.'

const SECRET_MISSING = 'The client secret is missing. Enter it as the service issued it.'

const SECRET_FOR_ANOTHER = 'Enter the client secret, too: the kept one is for another address.'

const SAFE_LOCKED =
  "This computer's safe for secrets is locked, so the client secret was not kept and nothing was changed. Unlock the keychain or sign in to this computer, and save again."

const SECRET_NOT_SAVED =
  'The client secret could not be kept on this computer, so nothing was changed. Save again; if it happens again, ask your IT department to look at the log and at the folder of this account.'

function notSaved(how: Exclude<SaveOutcome, 'kept'>): Result<never> {
  return how === 'locked'
    ? fail(failureOf('secretsLocked', { message: SAFE_LOCKED }))
    : fail(failureOf('storage', { message: SECRET_NOT_SAVED }))
}

/** Reads what is kept, lays the layers over each other, and takes a new secret out of the file into the store. */
export async function openSettingsStore(options: {
  readonly dataFolder: string
  readonly config: Pick<ConfigFile, 'settings' | 'stated' | 'enforced' | 'withheld'> | null
  readonly policy?: Pick<Policy, 'defaults' | 'enforced'> | null
  readonly secrets: SecretStore
  readonly logger: Pick<Logger, 'warn'>
}): Promise<SettingsStore> {
  const path = join(options.dataFolder, 'settings.json')
  const { config, policy = null } = options
  const storedSecret = openStoredSecret(options.secrets, options.logger)
  const digestOf = (section: Section): string =>
    (section === 'service' ? config?.withheld?.serviceDigest : undefined) ??
    digestOfStated(config?.stated[section])
  const fileSecret = config?.settings.service?.clientSecret
  const isSecretStated = fileSecret !== undefined || config?.withheld !== undefined
  const isSecretLocked = isSecretStated && isEnforcedByConfig(config, 'service')
  let stored = await readStoredSettings(path)
  // What is enforced now is taken once more: a person may have entered another one before.
  const serviceDigest = `${digestOf('service')}${isEnforcedByConfig(config, 'service') ? ' enforced' : ''}`
  const managers = { config, policy }

  /** Is it what was set on this station that counts, but for single values that are enforced? */
  const holds = (section: Section): boolean =>
    // Whoever names where updates come from names what runs here, and operators may write this file.
    section !== 'updates' &&
    !isEnforcedByConfig(config, section) &&
    stored.changes[section] !== undefined &&
    stored.over[section] === digestOf(section)
  const mergeWith = (changes: SettingsChanges = {}): MergedSettings => {
    const held = Object.entries(stored.changes).filter(([section]) => holds(section as Section))
    return mergeSettings({
      ...managers,
      held: { ...Object.fromEntries(held), ...changes },
      enrolled: stored.enrolled,
    })
  }
  let merged = mergeWith()
  const current = (): Settings => merged.settings

  const isEnforcedInParts = (section: Section): boolean =>
    isEnforcedByConfig(config, section) || Object.hasOwn(policy?.enforced ?? {}, section)
  const managedAs = (section: Section): 'enforced' | 'preset' =>
    isLocked(managers, section) ? 'enforced' : 'preset'
  const managed = (): ShownSettings['managed'] => {
    const stated = SECTIONS.filter((section) => isStated(managers, section))
    const presets = stated.filter((section) => isEnforcedInParts(section) || !holds(section))
    return {
      ...Object.fromEntries(presets.map((section) => [section, managedAs(section)])),
      ...(isSecretLocked && { 'service.clientSecret': 'enforced' as const }),
    }
  }
  /** Where the secret is left out, a person enters it: an enforced service would never be complete otherwise. */
  const mayUpdate = (section: Section, changes: SettingsChanges): boolean => {
    if (section !== 'service') return !isLocked(managers, section)
    if (isLocked(managers, section))
      return !isSecretLocked && isSameService(changes.service, current().service)
    // A part of it may be enforced, and wins; but nobody must believe to have named another service than it became.
    const { service } = mergeWith({ service: changes.service }).settings
    return service?.baseUrl === changes.service?.baseUrl && service?.clientId === changes.service?.clientId
  }

  const address = (): string => current().service?.baseUrl ?? ''
  /** What is kept now is newer than what the file states, unless the file alone may state it. */
  const entryOf = (secret: string, baseUrl: string): SecretEntry => ({
    secret,
    baseUrl,
    takenFrom: isSecretStated && !isSecretLocked ? serviceDigest : null,
  })
  const isTakenHere = await storedSecret.isTakenFrom(serviceDigest)
  const isTaken =
    (isTakenHere === 'unknown' ? stored.secretTakenFrom === serviceDigest : isTakenHere) &&
    (await storedSecret.isFor(address()))
  const { baseUrl, clientId } = config?.settings.service ?? {}
  const isItsService = address() === baseUrl && current().service?.clientId === clientId
  const isFromEnvironment = (await options.secrets.storedIn()) === 'environment'
  /** The secret of the file until it is kept. */
  let pendingSecret = isTaken || !isItsService || isFromEnvironment ? null : (fileSecret ?? null)
  const savePending = async (): Promise<SaveOutcome> => {
    if (pendingSecret === null) return 'kept'
    const how = await storedSecret.save({
      secret: pendingSecret,
      baseUrl: address(),
      takenFrom: serviceDigest,
    })
    if (how !== 'kept') return how
    const next = { ...stored, secretTakenFrom: serviceDigest, secretFrom: 'configurationFile' as const }
    await writeStoredSettings(path, next)
    stored = next
    pendingSecret = null
    return how
  }
  await savePending()
  const readSecret = async (baseUrl: string): Promise<string | null> => {
    if (pendingSecret === null || baseUrl !== config?.settings.service?.baseUrl)
      return storedSecret.readFor(baseUrl)
    const secret = pendingSecret
    await savePending().catch(() =>
      options.logger.warn('where the client secret came from could not be noted'),
    )
    return secret
  }
  const hasSecret = async (): Promise<boolean> =>
    pendingSecret !== null || (await storedSecret.isFor(address()))

  /** Keeps the sections as this station's own statement, over what the file states now. */
  const save = async (changes: SettingsChanges, more: Partial<typeof stored>): Promise<void> => {
    const over = Object.keys(changes).map((section) => [section, digestOf(section as Section)])
    const next = {
      ...stored,
      changes: { ...stored.changes, ...withoutSecret(changes) },
      over: { ...stored.over, ...Object.fromEntries(over) },
      ...more,
    }
    // What could not be written must not come into force with the next change.
    await writeStoredSettings(path, next)
    stored = next
    merged = mergeWith()
    if (more.secretFrom !== undefined) pendingSecret = null
  }
  const update = async (changes: SettingsChanges): Promise<Result<null>> => {
    const sections = Object.keys(changes) as Section[]
    if (sections.some((section) => !mayUpdate(section, changes)))
      return fail(failureOf('notAllowed', { message: SET_BY_THE_FILE }))
    const { service } = changes
    const secret = service?.clientSecret
    if (service && secret === undefined) {
      if (!(await hasSecret())) return fail(failureOf('badRequest', { message: SECRET_MISSING }))
      // As where it is tried: the kept secret belongs to the address that it was entered for, and is shown to no other.
      if (service.baseUrl !== current().service?.baseUrl)
        return fail(failureOf('badRequest', { message: SECRET_FOR_ANOTHER }))
      const how = await savePending()
      if (how !== 'kept') return notSaved(how)
    }
    const enrolled = stored.enrolled.filter((section) => !sections.includes(section))
    if (secret === undefined) {
      await save(changes, { enrolled })
      return succeed(null)
    }
    const how = await storedSecret.saveWith(entryOf(secret, service?.baseUrl ?? ''), () =>
      save(changes, { enrolled, secretFrom: 'person' }),
    )
    return how === 'kept' ? succeed(null) : notSaved(how)
  }
  const enrol = enrolment({
    ...managers,
    storedSecret,
    entryOf,
    current,
    stored: () => stored,
    settingsWith: (changes) => mergeWith(changes).settings,
    save,
  })

  // Two changes at once would write one file, and the last would be the first.
  const inTurn = serially()

  return {
    current,
    shown: async () => {
      const all = { ...current(), managed: managed() }
      const { service } = current()
      if (!service) return { ...all, service: null }
      const { clientSecret: _secret, ...rest } = service
      return { ...all, service: { ...rest, hasClientSecret: await hasSecret() } }
    },
    sources: () => merged.sources(),
    secretSource: async () => {
      const source = pendingSecret === null ? (stored.secretFrom ?? 'person') : 'configurationFile'
      return (await hasSecret()) ? { source, isLocked: isSecretLocked } : null
    },
    readSecret: (baseUrl) => inTurn(() => readSecret(baseUrl)),
    update: (changes) => inTurn(() => update(changes)),
    enrol: (content) => inTurn(() => enrol(content)),
  }
}
