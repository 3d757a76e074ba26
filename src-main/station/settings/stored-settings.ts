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
  /** The digest of what the file stated of the section when each change was made over it. */
  over: z.record(z.string(), z.string()),
  /** The digest of the section whose secret was last taken from the file. */
  secretTakenFrom: z.string().nullable().default(null),
  /** Where the secret in the store came from; null where an earlier version kept it. */
  secretFrom: z.enum(['person', 'enrolment', 'configurationFile']).nullable().default(null),
  /** Sections that an enrolment file brought and that nobody has changed since. */
  enrolled: z.array(settingsChangesSchema.keyof()).default([]),
  /** The salted digest of the enrolment file that was taken last. */
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

/** Throws a StorageError where the file cannot be understood: settings that are guessed could send a case elsewhere. */
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

// The section of the service, whose secret is kept elsewhere. Pure.

/** The same but for the secret? */
export function isSameService(one: ServiceSettings | undefined, other: ServiceSettings | undefined): boolean {
  return isDeepStrictEqual({ ...one, clientSecret: undefined }, { ...other, clientSecret: undefined })
}

export function withoutSecret(changes: SettingsChanges): SettingsChanges {
  if (!changes.service) return changes
  const { clientSecret: _secret, ...service } = changes.service
  return { ...changes, service }
}
