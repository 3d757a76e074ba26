/**
 * What is stored of the settings: those of this station in `settings.json` of the data folder, never a secret; and
 * the client secret, in one entry with the address that it belongs to, so that neither a crash nor another account
 * of this computer can send it to another service.
 */
import { readFile } from 'node:fs/promises'
import { isDeepStrictEqual } from 'node:util'
import { z } from 'zod'
import { worded } from '../../../src-shared/wording.ts'
import {
  type ServiceSettings,
  type SettingsChanges,
  settingsChangesSchema,
} from '../../../src-shared/settings.ts'
import { errorCode } from '../lib/errors.ts'
import { StorageError } from '../lib/storage-faults.ts'
import { retryWhileLocked, writeDurably } from '../lib/files.ts'
import { type Logger, SecretsLockedError, type SecretStore } from '../ports.ts'

const secretSourceSchema = z.enum(['person', 'enrolment', 'configurationFile'])

const storedSettingsSchema = z.object({
  changes: settingsChangesSchema,
  /** The source of the last secret that an account of this computer has stored; null if none has. */
  secretFrom: secretSourceSchema.nullable().default(null),
  /** Sections that an enrolment file set and no person has changed since. */
  enrolled: z.array(settingsChangesSchema.keyof()).default([]),
  /** The salted digest of the last applied enrolment file. */
  enrolment: z.object({ salt: z.string(), digest: z.string() }).nullable().default(null),
})

export type StoredSettings = z.infer<typeof storedSettingsSchema>

const NOTHING_STORED = storedSettingsSchema.parse({ changes: {} })

/** Throws a StorageError if the file cannot be parsed: guessed settings could send a case elsewhere. */
export async function readStoredSettings(path: string): Promise<StoredSettings> {
  let text: string
  try {
    text = await retryWhileLocked(() => readFile(path, 'utf8'))
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return NOTHING_STORED
    throw error
  }
  try {
    return storedSettingsSchema.parse(JSON.parse(text))
  } catch (error) {
    throw new StorageError(worded('start:settingsUnreadable'), { cause: error })
  }
}

export async function writeStoredSettings(path: string, stored: StoredSettings): Promise<void> {
  await writeDurably(path, JSON.stringify(stored, null, 2))
}

export function isSameService(one: ServiceSettings | undefined, other: ServiceSettings | undefined): boolean {
  return isDeepStrictEqual({ ...one, clientSecret: undefined }, { ...other, clientSecret: undefined })
}

export function withoutSecret(changes: SettingsChanges): SettingsChanges {
  if (!changes.service) return changes
  const { clientSecret: _secret, ...service } = changes.service
  return { ...changes, service }
}

export type SecretEntry = {
  readonly secret: string
  /** Null if the environment provides it: it is for any service. */
  readonly baseUrl: string | null
  readonly from: z.infer<typeof secretSourceSchema> | null
}

const entrySchema = z.object({ secret: z.string(), baseUrl: z.string(), from: secretSourceSchema })

/** A text of the environment is the secret itself. An object that is no entry is none: its secret has no address. */
export function entryIn(text: string): SecretEntry | null {
  let content: unknown
  try {
    content = JSON.parse(text)
  } catch {
    return { secret: text, baseUrl: null, from: null }
  }
  if (typeof content !== 'object') return { secret: text, baseUrl: null, from: null }
  return entrySchema.safeParse(content).data ?? null
}

/** `locked`: the store accepts nothing now. `failed`: it could not be stored. Both leave the store unchanged. */
export type SaveOutcome = 'kept' | 'locked' | 'failed'

export function openStoredSecret(secrets: SecretStore, logger: Pick<Logger, 'warn'>) {
  const read = async (): Promise<SecretEntry | null> => {
    const text = await secrets.read()
    return text === null ? null : entryIn(text)
  }
  const write = async (text: string): Promise<SaveOutcome> => {
    try {
      await secrets.write(text)
      return 'kept'
    } catch (error) {
      if (error instanceof SecretsLockedError) return 'locked'
      logger.warn('the client secret could not be kept', { kind: kindOf(error) })
      return 'failed'
    }
  }
  const save = (entry: SecretEntry): Promise<SaveOutcome> => write(JSON.stringify(entry))
  return {
    /** The secret for this service with its source, or null. Rejects with a SecretsLockedError, as a store does. */
    readFor: async (baseUrl: string): Promise<SecretEntry | null> => {
      const entry = await read()
      return isOf(entry, baseUrl) ? entry : null
    },
    /** A locked store or an unreadable file counts as true: a caller that needs the secret waits. */
    isFor: async (baseUrl: string): Promise<boolean> => {
      try {
        return isOf(await read(), baseUrl)
      } catch (error) {
        if (!(error instanceof SecretsLockedError))
          logger.warn('it cannot be seen whether a client secret is kept', { kind: kindOf(error) })
        return true
      }
    },
    save,
    /** If `writeSettings` rejects, so does this, and the earlier secret is restored as far as the store allows. */
    saveWith: async (entry: SecretEntry, writeSettings: () => Promise<void>): Promise<SaveOutcome> => {
      // A value from the environment is never written.
      const isFromEnvironment = (await secrets.storedIn()) === 'environment'
      const before = isFromEnvironment ? null : await secrets.read().catch(() => null)
      const how = await save(entry)
      if (how !== 'kept') return how
      try {
        await writeSettings()
      } catch (error) {
        if (before !== null) await write(before)
        throw error
      }
      return how
    },
  }
}

function isOf(entry: SecretEntry | null, baseUrl: string): entry is SecretEntry {
  return entry !== null && (entry.baseUrl === null || entry.baseUrl === baseUrl)
}

/** Never the message of the error: it may quote the secret. */
function kindOf(error: unknown): string {
  if (!(error instanceof Error)) return typeof error
  return errorCode(error) ?? error.name
}
