/** What was set on this station, in `settings.json` of the data folder. Never a secret. */
import { readFile } from 'node:fs/promises'
import { isDeepStrictEqual } from 'node:util'
import { z } from 'zod'
import {
  type ServiceSettings,
  type SettingsChanges,
  settingsChangesSchema,
} from '../../../src-shared/settings.ts'
import { errorCode, StorageError } from '../lib/errors.ts'
import { writeDurably } from '../lib/files.ts'

const storedSettingsSchema = z.object({
  changes: settingsChangesSchema,
  /** For each change, the digest of the file's section that it overrides. */
  over: z.record(z.string(), z.string()),
  /** The digest of the section whose secret was last taken from the file. */
  secretTakenFrom: z.string().nullable().default(null),
  /** The source of the stored secret; null if an earlier version stored it. */
  secretFrom: z.enum(['person', 'enrolment', 'configurationFile']).nullable().default(null),
  /** Sections that an enrolment file set and no person has changed since. */
  enrolled: z.array(settingsChangesSchema.keyof()).default([]),
  /** The salted digest of the last applied enrolment file. */
  enrolment: z.object({ salt: z.string(), digest: z.string() }).nullable().default(null),
})

export type StoredSettings = z.infer<typeof storedSettingsSchema>

const NOTHING_STORED: StoredSettings = {
  changes: {},
  over: {},
  secretTakenFrom: null,
  secretFrom: null,
  enrolled: [],
  enrolment: null,
}

/** Throws a StorageError if the file cannot be parsed: guessed settings could send a case elsewhere. */
export async function readStoredSettings(path: string): Promise<StoredSettings> {
  let text: string
  try {
    text = await readFile(path, 'utf8')
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return NOTHING_STORED
    throw error
  }
  try {
    return storedSettingsSchema.parse(JSON.parse(text))
  } catch (error) {
    throw new StorageError(
      'The settings in the data folder (settings.json) cannot be read. Restore the file from a backup, or remove it and enter the settings again.',
      { cause: error },
    )
  }
}

export async function writeStoredSettings(path: string, stored: StoredSettings): Promise<void> {
  await writeDurably(path, JSON.stringify(stored, null, 2))
}

/** True if the services are the same, ignoring the secret. */
export function isSameService(one: ServiceSettings | undefined, other: ServiceSettings | undefined): boolean {
  return isDeepStrictEqual({ ...one, clientSecret: undefined }, { ...other, clientSecret: undefined })
}

export function withoutSecret(changes: SettingsChanges): SettingsChanges {
  if (!changes.service) return changes
  const { clientSecret: _secret, ...service } = changes.service
  return { ...changes, service }
}
