/**
 * The settings in force: the configuration file below, what a person has changed above it, section by section.
 *
 * The latest statement wins: a change made on the screen holds until the file states that section anew. What the file
 * enforces is the file's always.
 */
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { z } from 'zod'
import { failureOf } from '../../src-shared/failure.ts'
import { fail, succeed, type Result } from '../../src-shared/result.ts'
import {
  settingsChangesSchema,
  settingsSchema,
  type ServiceSettings,
  type Settings,
  type SettingsChanges,
  type ShownSettings,
} from '../../src-shared/settings.ts'
import type { ConfigFile, SettingsSection as Section } from './config-file.ts'
import { writeDurably } from './durable-file.ts'
import { StorageError } from './outbox/open-database.ts'
import type { SecretStore } from './ports.ts'
import { SecretsLockedError } from './secrets-locked.ts'

const keptSchema = z.object({
  changes: settingsChangesSchema,
  /** The digest of what the file stated of the section when each change was made over it. */
  over: z.record(z.string(), z.string()),
  /** The digest of the section whose secret was last taken from the file. */
  secretTakenFrom: z.string().nullable().default(null),
})
type Kept = z.infer<typeof keptSchema>

export type SettingsStore = {
  current(): Settings
  shown(): Promise<ShownSettings>
  /** Keeps the changes; a secret goes into the secret store only. */
  update(changes: SettingsChanges): Promise<Result<null>>
}

function digestOfStated(value: unknown): string {
  return createHash('sha256')
    .update(JSON.stringify(value ?? null))
    .digest('hex')
}

async function readKept(path: string): Promise<Kept> {
  let text: string
  try {
    text = await readFile(path, 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT')
      return { changes: {}, over: {}, secretTakenFrom: null }
    throw error
  }
  try {
    return keptSchema.parse(JSON.parse(text))
  } catch (error) {
    throw new StorageError(
      'The settings in the data folder (settings.json) cannot be read. Restore the file from a backup, or remove it and enter the settings again.',
      { cause: error },
    )
  }
}

/** The same but for the secret? */
function isSameService(one: ServiceSettings | undefined, other: ServiceSettings | undefined): boolean {
  return isDeepStrictEqual({ ...one, clientSecret: undefined }, { ...other, clientSecret: undefined })
}

function withoutSecret(changes: SettingsChanges): SettingsChanges {
  if (!changes.service) return changes
  const { clientSecret: _secret, ...service } = changes.service
  return { ...changes, service }
}

const SET_BY_THE_FILE =
  'This part of the settings is set by your administrator, so nothing was changed. Whoever keeps the configuration file of this station can change it there.'

const SAFE_LOCKED =
  "This computer's safe for secrets is locked, so the client secret was not kept and nothing was changed. Unlock the keychain or sign in to this computer, and save again."

function isStated(config: Pick<ConfigFile, 'stated'> | null, section: Section): boolean {
  return config !== null && Object.hasOwn(config.stated, section)
}

/** Reads what is kept, lays it over the file's settings, and takes a new secret out of the file into the store. */
export async function openSettingsStore(given: {
  readonly dataFolder: string
  readonly config: Pick<ConfigFile, 'settings' | 'stated' | 'enforced'> | null
  readonly secrets: SecretStore
}): Promise<SettingsStore> {
  const path = join(given.dataFolder, 'settings.json')
  const base = given.config?.settings ?? settingsSchema.parse({})
  const digestOf = (section: Section): string => digestOfStated(given.config?.stated[section])
  const fileSecret = base.service?.clientSecret
  let kept = await readKept(path)

  const isEnforced = (section: Section): boolean => given.config?.enforced.includes(section) ?? false
  const holds = (section: Section): boolean =>
    !isEnforced(section) && kept.changes[section] !== undefined && kept.over[section] === digestOf(section)
  const managed = (): ShownSettings['managed'] => {
    const stated = settingsChangesSchema.keyof().options.filter((section) => isStated(given.config, section))
    const presets = stated.filter((section) => !holds(section))
    return {
      ...Object.fromEntries(presets.map((section) => [section, isEnforced(section) ? 'enforced' : 'preset'])),
      ...(isEnforced('service') && fileSecret !== undefined && { 'service.clientSecret': 'enforced' }),
    }
  }
  /** Where the file leaves the secret out, a person enters it: an enforced service would never be complete otherwise. */
  const mayUpdate = (section: Section, changes: SettingsChanges): boolean =>
    !isEnforced(section) ||
    (section === 'service' && fileSecret === undefined && isSameService(changes.service, base.service))
  const merge = (): Settings => {
    const held = Object.entries(kept.changes).filter(([section]) => holds(section as Section))
    return settingsSchema.parse({ ...base, ...Object.fromEntries(held) })
  }
  let current = merge()
  /** A safe that is locked holds the secret all the same; whoever needs it waits. */
  const hasSecretKept = async (): Promise<boolean> => {
    try {
      return (await given.secrets.read('clientSecret')) !== null
    } catch (error) {
      if (error instanceof SecretsLockedError) return true
      throw error
    }
  }

  // What is enforced now is taken once more: a person may have entered another one before.
  const serviceDigest = `${digestOf('service')}${isEnforced('service') ? ' enforced' : ''}`
  if (fileSecret !== undefined && !(kept.secretTakenFrom === serviceDigest && (await hasSecretKept()))) {
    await given.secrets.write('clientSecret', fileSecret)
    kept = { ...kept, secretTakenFrom: serviceDigest }
    await writeDurably(path, JSON.stringify(kept, null, 2))
  }

  const keptSecret = async (secret: string): Promise<boolean> => {
    try {
      await given.secrets.write('clientSecret', secret)
      return true
    } catch (error) {
      if (error instanceof SecretsLockedError) return false
      throw error
    }
  }
  const keep = async (changes: SettingsChanges): Promise<Result<null>> => {
    if ((Object.keys(changes) as Section[]).some((section) => !mayUpdate(section, changes)))
      return fail(failureOf('notAllowed', { message: SET_BY_THE_FILE }))
    const secret = changes.service?.clientSecret
    const hasSecret = secret !== undefined || (await hasSecretKept())
    if (changes.service && !hasSecret) {
      return fail(
        failureOf('badRequest', {
          message: 'The client secret is missing. Enter it as the service issued it.',
        }),
      )
    }
    if (secret !== undefined && !(await keptSecret(secret)))
      return fail(failureOf('secretsLocked', { message: SAFE_LOCKED }))
    const over = Object.fromEntries(
      (Object.keys(changes) as Section[]).map((section) => [section, digestOf(section)]),
    )
    kept = {
      ...kept,
      changes: { ...kept.changes, ...withoutSecret(changes) },
      over: { ...kept.over, ...over },
    }
    await writeDurably(path, JSON.stringify(kept, null, 2))
    current = merge()
    return succeed(null)
  }
  let last: Promise<unknown> = Promise.resolve()

  return {
    current: () => current,
    shown: async () => {
      const all = { ...current, managed: managed() }
      if (!current.service) return { ...all, service: null }
      const { clientSecret: _secret, ...service } = current.service
      return { ...all, service: { ...service, hasClientSecret: await hasSecretKept() } }
    },
    update: (changes) => {
      // One after the other: two changes at once would write one file, and the last would be the first.
      const done = last.then(() => keep(changes))
      last = done.catch(() => undefined)
      return done
    },
  }
}
