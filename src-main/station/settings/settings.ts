/**
 * The settings store: merges the layers of `layers.ts`, stores what was set on this station in `settings.json`, and
 * applies enrolments.
 *
 * An enrolment connects one station to the service: address, client id and secret, and the center. It is applied
 * once. Its values count as set on this station, and a person may change them later.
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
import { worded } from '../../../src-shared/wording.ts'
import { serially } from '../lib/schedule.ts'
import type { Logger, SecretStore } from '../ports.ts'
import { isLocked, isStated, type MergedSettings, mergeSettings } from './layers.ts'
import { type ConfigFile, type Policy, SECTIONS, type SettingsSection as Section } from './managed-files.ts'
import {
  isSameService,
  openStoredSecret,
  readStoredSettings,
  type SaveOutcome,
  withoutSecret,
  writeStoredSettings,
} from './stored.ts'

export const enrolmentSchema = z.object({
  service: z.object({ baseUrl: baseUrlSchema, clientId: z.string().min(1), clientSecret: z.string().min(1) }),
  /** If missing, the station keeps its center. */
  centerId: z.string().min(1).optional(),
})

export type EnrolmentContent = z.infer<typeof enrolmentSchema>

/**
 * `again`: applied before, perhaps a secret is new to this account. `refused`: another service or center is enforced.
 * `locked`, `failed`: the secret could not be stored, so nothing was changed.
 */
export type EnrolOutcome = 'taken' | 'again' | 'refused' | 'locked' | 'failed'

export type SettingsStore = Awaited<ReturnType<typeof openSettingsStore>>

/**
 * Reads the stored settings, merges the layers, and moves a new secret from the file into the secret store. What the file
 * of `--config` states is a default, unless it is enforced: a section that was set on this station holds until it is set
 * here again.
 */
export async function openSettingsStore(options: {
  readonly dataFolder: string
  readonly config: Omit<ConfigFile, 'unknownNames'> | null
  readonly policy?: Pick<Policy, 'defaults' | 'enforced'> | null
  readonly secrets: SecretStore
  readonly logger: Pick<Logger, 'warn'>
}) {
  const path = join(options.dataFolder, 'settings.json')
  const { config, policy = null } = options
  const storedSecret = openStoredSecret(options.secrets, options.logger)
  const { baseUrl: fileUrl = '', clientId, clientSecret: fileSecret } = config?.service ?? {}
  const isSecretStated = fileSecret !== undefined || config?.isSecretWithheld === true
  const isSecretLocked = isSecretStated && isStated({ config }, 'enforced', 'service')
  let stored = await readStoredSettings(path)
  const managers = { config, policy }

  /** True if the values set on this station apply, apart from single enforced values. */
  const holds = (section: Section): boolean =>
    // The source of updates decides which code runs here, and operators may write this file.
    section !== 'updates' &&
    !isStated({ config }, 'enforced', section) &&
    stored.changes[section] !== undefined
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

  const managed = (): ShownSettings['managed'] => {
    const presets = SECTIONS.filter(
      (section) =>
        isStated(managers, 'enforced', section) ||
        (!holds(section) && isStated(managers, 'defaults', section)),
    )
    return {
      ...Object.fromEntries(
        presets.map((section) => [section, isLocked(managers, section) ? 'enforced' : 'preset']),
      ),
      ...(isSecretLocked && { 'service.clientSecret': 'enforced' as const }),
    }
  }
  /** If the secret is left out, a person enters it: an enforced service could never be completed otherwise. */
  const mayUpdate = (section: Section, changes: SettingsChanges): boolean => {
    if (section !== 'service') return !isLocked(managers, section)
    if (isLocked(managers, section))
      return !isSecretLocked && isSameService(changes.service, current().service)
    // An enforced part wins; but the person must not believe to have named another service than the resulting one.
    const { service } = mergeWith({ service: changes.service }).settings
    return service?.baseUrl === changes.service?.baseUrl && service?.clientId === changes.service?.clientId
  }

  const address = (): string => current().service?.baseUrl ?? ''
  const isFromEnvironment = (await options.secrets.storedIn()) === 'environment'
  const isItsService = address() === fileUrl && current().service?.clientId === clientId
  /** The file's secret counts if only the file may state it, if it was the last to do so, and if there is no other. */
  const isFileToBeTaken = async (): Promise<boolean> => {
    if (fileSecret === undefined || !isItsService || isFromEnvironment) return false
    const held = await storedSecret.readFor(fileUrl).catch(() => 'unreadable' as const)
    const from = held === 'unreadable' ? stored.secretFrom : (held?.from ?? null)
    if (!isSecretLocked && from !== null && from !== 'configurationFile') return false
    return held === 'unreadable' || held?.secret !== fileSecret || from !== 'configurationFile'
  }
  /** The file's secret until it is stored. */
  let pendingSecret = (await isFileToBeTaken()) ? (fileSecret ?? null) : null
  const savePending = async (): Promise<SaveOutcome> => {
    if (pendingSecret === null) return 'kept'
    const from = 'configurationFile' as const
    const how = await storedSecret.save({ secret: pendingSecret, baseUrl: address(), from })
    if (how !== 'kept') return how
    const next = { ...stored, secretFrom: from }
    await writeStoredSettings(path, next)
    stored = next
    pendingSecret = null
    return how
  }
  await savePending()
  const readSecret = async (baseUrl: string): Promise<string | null> => {
    if (pendingSecret === null || baseUrl !== config?.service?.baseUrl)
      return (await storedSecret.readFor(baseUrl))?.secret ?? null
    const secret = pendingSecret
    await savePending().catch(() => options.logger.warn('the source of the client secret could not be noted'))
    return secret
  }
  const hasSecret = async (): Promise<boolean> =>
    pendingSecret !== null || (await storedSecret.isFor(address()))

  /** Saves the sections as this station's own. */
  const save = async (changes: SettingsChanges, more: Partial<typeof stored>): Promise<void> => {
    const next = { ...stored, changes: { ...stored.changes, ...withoutSecret(changes) }, ...more }
    // A failed write must not take effect with the next change.
    await writeStoredSettings(path, next)
    stored = next
    merged = mergeWith()
    if (more.secretFrom !== undefined) pendingSecret = null
  }
  const update = async (changes: SettingsChanges): Promise<Result<null>> => {
    const sections = Object.keys(changes) as Section[]
    if (sections.some((section) => !mayUpdate(section, changes)))
      return fail(failureOf('notAllowed', worded('sending:settings.byAdministrator')))
    const { service } = changes
    const secret = service?.clientSecret
    if (service && secret === undefined) {
      if (!(await hasSecret())) return fail(failureOf('badRequest', worded('sending:settings.secretMissing')))
      // As in the connection test: the stored secret belongs to the address that it was entered for and is sent to no
      // other.
      if (service.baseUrl !== current().service?.baseUrl)
        return fail(failureOf('badRequest', worded('sending:settings.secretForAnother')))
      const how = await savePending()
      if (how !== 'kept') return notSaved(how)
    }
    const enrolled = stored.enrolled.filter((section) => !sections.includes(section))
    if (secret === undefined) {
      await save(changes, { enrolled })
      return succeed(null)
    }
    const how = await storedSecret.saveWith({ secret, baseUrl: service?.baseUrl ?? '', from: 'person' }, () =>
      save(changes, { enrolled, secretFrom: 'person' }),
    )
    return how === 'kept' ? succeed(null) : notSaved(how)
  }
  const enrol = async (content: EnrolmentContent): Promise<EnrolOutcome> => {
    const { clientSecret, ...brought } = content.service
    const { service } = current()
    const isOurs = service?.baseUrl === brought.baseUrl && service.clientId === brought.clientId
    const last = stored.enrolment
    if (last !== null && last.digest === saltedDigest(last.salt, content)) {
      // Another account of this computer whose secret store never held it; never replaces an existing secret.
      if (!isOurs || (await storedSecret.isFor(brought.baseUrl))) return 'again'
      const how = await storedSecret.save({
        secret: clientSecret,
        baseUrl: brought.baseUrl,
        from: 'enrolment',
      })
      return how === 'kept' ? 'again' : how
    }
    const beside: unknown = isOurs ? service : policy?.defaults.service
    const { clientSecret: _none, ...whole } = serviceSettingsSchema.parse({ ...Object(beside), ...brought })
    const { centerId } = content
    const changes: SettingsChanges = { service: whole, ...(centerId !== undefined && { centerId }) }
    const after = mergeWith(changes).settings
    const isOther = after.service?.baseUrl !== brought.baseUrl || after.service.clientId !== brought.clientId
    // A secret must never be sent to a service other than its own.
    if (isOther || (centerId !== undefined && after.centerId !== centerId)) return 'refused'
    const salt = randomBytes(16).toString('hex')
    const enrolled = [...new Set([...stored.enrolled, ...(Object.keys(changes) as Section[])])]
    const enrolment = { salt, digest: saltedDigest(salt, content) }
    const how = await storedSecret.saveWith(
      { secret: clientSecret, baseUrl: brought.baseUrl, from: 'enrolment' },
      () => save(changes, { enrolled, enrolment, secretFrom: 'enrolment' }),
    )
    return how === 'kept' ? 'taken' : how
  }

  /** One at a time: two concurrent changes would write one file, and the earlier could win. */
  const inTurn = serially()

  return {
    current,
    shown: async (): Promise<ShownSettings> => {
      const all = { ...current(), managed: managed() }
      const { service } = current()
      if (!service) return { ...all, service: null }
      const { clientSecret: _secret, ...rest } = service
      return { ...all, service: { ...rest, hasClientSecret: await hasSecret() } }
    },
    /** Every value except secrets, with the layer that it comes from. */
    sources: (): SettingInForce[] => merged.sources(),
    secretSource: async (): Promise<{ source: SettingSource; isLocked: boolean } | null> => {
      const held = pendingSecret === null ? await storedSecret.readFor(address()).catch(() => null) : null
      const source =
        pendingSecret === null ? (held?.from ?? stored.secretFrom ?? 'person') : 'configurationFile'
      return (await hasSecret()) ? { source, isLocked: isSecretLocked } : null
    },
    /** The secret for exactly this address, or null. Rejects with a SecretsLockedError. */
    readSecret: (baseUrl: string): Promise<string | null> => inTurn(() => readSecret(baseUrl)),
    /** Saves the changes; a secret goes only into the secret store. */
    update: (changes: SettingsChanges): Promise<Result<null>> => inTurn(() => update(changes)),
    enrol: (content: EnrolmentContent): Promise<EnrolOutcome> => inTurn(() => enrol(content)),
  }
}

function notSaved(how: Exclude<SaveOutcome, 'kept'>): Result<never> {
  return how === 'locked'
    ? fail(failureOf('secretsLocked', worded('sending:settings.secretLocked')))
    : fail(failureOf('storage', worded('sending:settings.secretNotSaved')))
}

/** Salted, so that the settings file does not confirm a guessed secret at a glance. */
function saltedDigest(salt: string, content: EnrolmentContent): string {
  return createHash('sha256').update(salt).update(JSON.stringify(content)).digest('hex')
}
