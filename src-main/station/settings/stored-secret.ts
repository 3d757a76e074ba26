/**
 * The client secret as it is kept: together with the address that it was stated or entered for, in one entry, so that no
 * crash and no other account of this computer can bring it before another service.
 */
import { z } from 'zod'
import { errorCode } from '../lib/errors.ts'
import { type Logger, SecretsLockedError, type SecretStore } from '../ports.ts'

export type SecretEntry = {
  readonly secret: string
  /** Null where an earlier version kept it, or the environment gives it: it is for whatever service is set. */
  readonly baseUrl: string | null
  /** The digest of what the configuration file stated when it was kept, which is older than it; null without one. */
  readonly takenFrom: string | null
}

const entrySchema = z.strictObject({
  secret: z.string(),
  baseUrl: z.string(),
  takenFrom: z.string().nullable(),
})

/** What a text in the store means. */
export function entryIn(text: string): SecretEntry {
  try {
    return entrySchema.parse(JSON.parse(text))
  } catch {
    return { secret: text, baseUrl: null, takenFrom: null }
  }
}

function isOf(entry: SecretEntry | null, baseUrl: string): entry is SecretEntry {
  return entry !== null && (entry.baseUrl === null || entry.baseUrl === baseUrl)
}

export type StoredSecret = {
  /** The secret for this service, or null. Rejects with a SecretsLockedError, as a store does. */
  readFor(baseUrl: string): Promise<string | null>
  /**
   * Is there one for this service? A safe that is locked, or a file that cannot be read now, holds it all the same;
   * whoever needs it waits.
   */
  isFor(baseUrl: string): Promise<boolean>
  /**
   * Was it kept when the configuration file stated what has this digest? `unknown` where the entry does not say, or cannot
   * be read now.
   */
  isTakenFrom(digest: string): Promise<boolean | 'unknown'>
  save(entry: SecretEntry): Promise<SaveOutcome>
  /**
   * Keeps a secret together with the settings that it belongs to, which `write` writes. Where that rejects, so does this,
   * and the one before is there again if it could be read and the store takes it.
   */
  saveWith(entry: SecretEntry, write: () => Promise<void>): Promise<SaveOutcome>
}

/** `locked`: the safe does not take anything now. `failed`: it could not be kept. Nothing was kept in both cases. */
export type SaveOutcome = 'kept' | 'locked' | 'failed'

export function openStoredSecret(secrets: SecretStore, logger: Pick<Logger, 'warn'>): StoredSecret {
  const read = async (): Promise<SecretEntry | null> => {
    const text = await secrets.read('clientSecret')
    return text === null ? null : entryIn(text)
  }
  const write = async (text: string): Promise<SaveOutcome> => {
    try {
      await secrets.write('clientSecret', text)
      return 'kept'
    } catch (error) {
      if (error instanceof SecretsLockedError) return 'locked'
      logger.warn('the client secret could not be kept', { kind: kindOf(error) })
      return 'failed'
    }
  }
  const save = (entry: SecretEntry): Promise<SaveOutcome> => write(JSON.stringify(entry))
  return {
    readFor: async (baseUrl) => {
      const entry = await read()
      return isOf(entry, baseUrl) ? entry.secret : null
    },
    isFor: async (baseUrl) => {
      try {
        return isOf(await read(), baseUrl)
      } catch (error) {
        if (!(error instanceof SecretsLockedError))
          logger.warn('it cannot be seen whether a client secret is kept', { kind: kindOf(error) })
        return true
      }
    },
    isTakenFrom: async (digest) => {
      const entry = await read().catch(() => 'unknown' as const)
      if (entry === null) return false
      return entry === 'unknown' || entry.baseUrl === null ? 'unknown' : entry.takenFrom === digest
    },
    save,
    saveWith: async (entry, writeSettings) => {
      // What the environment gives is written nowhere.
      const isFromEnvironment = (await secrets.storedIn()) === 'environment'
      const before = isFromEnvironment ? null : await secrets.read('clientSecret').catch(() => null)
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

/** Never the words of the error: they may quote what was to be kept. */
function kindOf(error: unknown): string {
  if (!(error instanceof Error)) return typeof error
  return errorCode(error) ?? error.name
}
