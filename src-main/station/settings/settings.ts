/**
 * The settings store: merges the layers of `layers.ts`, stores what was set on this station in `settings.json`, and
 * applies enrolments.
 *
 * An enrolment connects one station to the service: address, client id and secret, and the center. It is applied
 * once. Its values count as set on this station, and a person may change them later.
 */
import { createHash, randomBytes } from 'node:crypto'
import { unlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { fail, failureOf, type Result, succeed } from '../../../src-shared/failure.ts'
import {
  baseUrlSchema,
  serviceSettingsSchema,
  type Settings,
  type SettingsChanges,
  type ShownSettings,
} from '../../../src-shared/settings.ts'
import type { ManagedFile, SettingInForce, SettingSource } from '../../../src-shared/setting-sources.ts'
import { worded } from '../../../src-shared/wording.ts'
import { errorCode } from '../lib/errors.ts'
import { serially } from '../lib/schedule.ts'
import type { Outbox } from '../outbox/outbox.ts'
import type { Logger, Ports, SecretStore } from '../ports.ts'
import { isLocked, isStated, type MergedSettings, mergeSettings } from './layers.ts'
import {
  type AdministratorFile,
  fileStatus,
  type ManagedSetup,
  readManagedFile,
  SECTIONS,
  type SettingsSection as Section,
  unknownKeys,
  UNMANAGED,
} from './managed-files.ts'
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

type EnrolmentContent = z.infer<typeof enrolmentSchema>

/**
 * `again`: applied before, perhaps a secret is new to this account. `refused`: another service or center is enforced.
 * `locked`, `failed`: the secret could not be stored, so nothing was changed.
 */
type EnrolOutcome = 'taken' | 'again' | 'refused' | 'locked' | 'failed'

export type SettingsStore = Awaited<ReturnType<typeof openSettingsStore>>

/**
 * Reads the stored settings, merges the layers, and moves a new secret from the file into the secret store. What the file
 * of `--config` states is a default, unless it is enforced: a section that was set on this station holds until it is set
 * here again.
 */
export async function openSettingsStore(options: {
  readonly dataFolder: string
  readonly config: Omit<AdministratorFile, 'unknownNames'> | null
  readonly policy?: Pick<AdministratorFile, 'defaults' | 'enforced'> | null
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

type EnrolmentDisk = {
  unlink(path: string): Promise<void>
  writeFile(path: string, text: string): Promise<void>
}

/** Never rejects for the file. `file`: null without one; `changed`: the sections it changed, for the trail. */
export async function applyEnrolment(options: {
  readonly path: string
  /** True if the path was named explicitly, so that the file must exist; the default path may be empty. */
  readonly isExpected: boolean
  readonly store: Pick<SettingsStore, 'enrol'>
  readonly logger: Logger
  /** Replaced only in tests: a user with all permissions can remove every file. */
  readonly disk?: EnrolmentDisk
}): Promise<{ readonly file: ManagedFile | null; readonly changed: readonly string[] }> {
  const { path, logger } = options
  const reading = await readManagedFile(path, parseEnrolment)
  if (reading.state === 'none' && !options.isExpected) return { file: null, changed: [] }
  const describe = (state: ManagedFile['state']): ManagedFile => ({
    ...fileStatus('enrolment', path, reading, state === 'taken' || state === 'left' ? 'this' : 'nothing'),
    state,
  })
  if (reading.state !== 'read') {
    // It was removed after it was applied; its path may stay configured.
    if (reading.state === 'none') logger.info('there is no enrolment file')
    else logger.warn('the enrolment file cannot be used', { because: reading.detail })
    return { file: describe(reading.state), changed: [] }
  }
  const { enrolment } = reading.content
  if (enrolment === null) return { file: describe('taken'), changed: [] }
  const outcome = await options.store.enrol(enrolment).catch((error: unknown): EnrolOutcome => {
    // A disk that refuses the settings is reported by the storage monitor.
    if (errorCode(error) !== undefined) return 'failed'
    throw error
  })
  const sentence = SENTENCES[outcome]
  if (outcome === 'refused' || outcome === 'locked' || outcome === 'failed') {
    logger.warn(sentence)
    return { file: describe(outcome), changed: [] }
  }
  const isGone = await eraseSecret(path, options.disk)
  if (outcome === 'taken') logger.info(sentence)
  if (!isGone)
    logger.warn('the enrolment file could be neither removed nor emptied: the client secret still lies in it')
  const changed =
    outcome === 'taken' ? ['service', ...(enrolment.centerId === undefined ? [] : ['centerId'])] : []
  return { file: describe(isGone ? 'taken' : 'left'), changed }
}

const SENTENCES: Readonly<Record<EnrolOutcome, string>> = {
  taken: 'the station was enrolled',
  again: 'the enrolment file was taken before',
  refused:
    'the enrolment file is for another service or center than the one that is enforced, so nothing of it was taken',
  locked: 'the safe for secrets is locked, so the enrolment file is taken at the next start',
  failed: 'what the enrolment file brings could not be kept, so it is taken at the next start',
}

/** What the file brings; null if it was emptied, because that was taken before. */
function parseEnrolment(content: unknown): {
  readonly enrolment: EnrolmentContent | null
  readonly unknownNames: string[]
} {
  if (Object(content).enrolled === true) return { enrolment: null, unknownNames: [] }
  const enrolment = enrolmentSchema.parse(content)
  return { enrolment, unknownNames: unknownKeys(content, enrolment) }
}

const EMPTIED = { enrolled: true } as const

/** True if the file was removed or emptied. A folder may forbid removing a file that can still be written. */
async function eraseSecret(path: string, disk: EnrolmentDisk = { unlink, writeFile }): Promise<boolean> {
  try {
    await disk.unlink(path)
    return true
  } catch (error) {
    if (errorCode(error) === undefined) throw error
  }
  try {
    await disk.writeFile(path, `${JSON.stringify(EMPTIED)}\n`)
    return true
  } catch (error) {
    if (errorCode(error) === undefined) throw error
    return false
  }
}

/** Opens the settings of a station with all managed files applied. Throws a StorageError if they cannot be read. */
export async function openSettings(
  options: {
    readonly dataFolder: string
    readonly config: AdministratorFile | null
    readonly managed?: ManagedSetup
    readonly ports: Pick<Ports, 'clock' | 'logger' | 'secrets'>
  },
  outbox: Outbox,
): Promise<{ readonly settings: SettingsStore; readonly managedFiles: readonly ManagedFile[] }> {
  const { dataFolder, config, managed = UNMANAGED } = options
  const { clock, logger, secrets } = options.ports
  const settings = await openSettingsStore({ dataFolder, config, policy: managed.policy, secrets, logger })
  for (const [what, file] of Object.entries({ 'configuration file': config, policy: managed.policy }))
    if (file !== null && file.unknownNames.length > 0)
      logger.warn(`names in the ${what} mean nothing`, { names: file.unknownNames.join(', ') })
  if (managed.enrolment === null) return { settings, managedFiles: managed.files }
  const { file, changed } = await applyEnrolment({ ...managed.enrolment, store: settings, logger })
  if (changed.length > 0)
    outbox.appendAudit({
      at: clock.now(),
      submissionId: null,
      what: 'settingsChanged',
      details: { sections: changed, from: 'enrolment' },
    })
  return { settings, managedFiles: file === null ? managed.files : [...managed.files, file] }
}
