/**
 * The settings in force: the configuration file below, what a person has changed above it, section by section.
 *
 * The latest statement wins: a change made on the screen holds until the file states that section anew.
 */
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { failureOf } from '../../src-shared/failure.ts'
import { fail, succeed, type Result } from '../../src-shared/result.ts'
import {
  settingsChangesSchema,
  settingsSchema,
  type Settings,
  type SettingsChanges,
  type ShownSettings,
} from '../../src-shared/settings.ts'
import type { ConfigFile } from './config-file.ts'
import { writeDurably } from './durable-file.ts'
import { StorageError } from './outbox/open-database.ts'
import type { SecretStore } from './ports.ts'

type Section = keyof SettingsChanges

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

function withoutSecret(changes: SettingsChanges): SettingsChanges {
  if (!changes.service) return changes
  const { clientSecret: _secret, ...service } = changes.service
  return { ...changes, service }
}

/** Reads what is kept, lays it over the file's settings, and takes a new secret out of the file into the store. */
export async function openSettingsStore(given: {
  readonly dataFolder: string
  readonly config: Pick<ConfigFile, 'settings' | 'stated'> | null
  readonly secrets: SecretStore
}): Promise<SettingsStore> {
  const path = join(given.dataFolder, 'settings.json')
  const base = given.config?.settings ?? settingsSchema.parse({})
  const digestOf = (section: Section): string => digestOfStated(given.config?.stated[section])
  let kept = await readKept(path)

  const holds = (section: Section): boolean =>
    kept.changes[section] !== undefined && kept.over[section] === digestOf(section)
  const merge = (): Settings => {
    const held = Object.entries(kept.changes).filter(([section]) => holds(section as Section))
    return settingsSchema.parse({ ...base, ...Object.fromEntries(held) })
  }
  let current = merge()

  const fileSecret = base.service?.clientSecret
  const serviceDigest = digestOf('service')
  const isTaken =
    kept.secretTakenFrom === serviceDigest && (await given.secrets.read('clientSecret')) !== null
  if (fileSecret !== undefined && !isTaken) {
    await given.secrets.write('clientSecret', fileSecret)
    kept = { ...kept, secretTakenFrom: serviceDigest }
    await writeDurably(path, JSON.stringify(kept, null, 2))
  }

  const keep = async (changes: SettingsChanges): Promise<Result<null>> => {
    const secret = changes.service?.clientSecret
    const hasSecret = secret !== undefined || (await given.secrets.read('clientSecret')) !== null
    if (changes.service && !hasSecret) {
      return fail(
        failureOf('badRequest', {
          message: 'The client secret is missing. Enter it as the service issued it.',
        }),
      )
    }
    if (secret !== undefined) await given.secrets.write('clientSecret', secret)
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
      const secret = await given.secrets.read('clientSecret')
      const managed = {}
      if (!current.service) return { ...current, service: null, managed }
      const { clientSecret: _secret, ...service } = current.service
      return { ...current, managed, service: { ...service, hasClientSecret: secret !== null } }
    },
    update: (changes) => {
      // One after the other: two changes at once would write one file, and the last would be the first.
      const done = last.then(() => keep(changes))
      last = done.catch(() => undefined)
      return done
    },
  }
}
