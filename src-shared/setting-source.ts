/** Where the values of the settings come from, for the people who look after many stations. */
import { z } from 'zod'

/**
 * From the lowest layer to the highest. `person`: set on this station's screens. `enrolment`: brought by the file that
 * joined this station to the service. `configurationFile`: the file of `--config`. `environment`: a variable.
 */
export const SETTING_SOURCES = [
  'builtIn',
  'policyDefault',
  'enrolment',
  'person',
  'configurationFile',
  'policyEnforced',
  'commandLine',
  'environment',
] as const
export const settingSourceSchema = z.enum(SETTING_SOURCES)
export type SettingSource = z.infer<typeof settingSourceSchema>

/**
 * Where secrets lie. `safe`: sealed by the system for this account. `privateFile`: in a file that only this account may
 * read, because the system offers nothing better. `environment`: given at each start and kept nowhere.
 */
export const secretStorageSchema = z.enum(['safe', 'privateFile', 'environment'])
export type SecretStorage = z.infer<typeof secretStorageSchema>

const settingInForceSchema = z.object({
  /** The place in the settings, such as `delivery.concurrency` or `folders.0.path`. */
  name: z.string(),
  /** A list of words as one text. Of a secret only whether there is one. */
  value: z.union([z.string(), z.number(), z.boolean(), z.null()]),
  source: settingSourceSchema,
  /** Can it not be changed on the screens? */
  isLocked: z.boolean(),
})
export type SettingInForce = z.infer<typeof settingInForceSchema>

/** A file that an administrator lays beside a station, and what became of it. */
export const managedFileSchema = z.object({
  kind: z.enum(['policy', 'configuration', 'enrolment']),
  path: z.string(),
  /**
   * `none`: there is none. `unsafe`: others than an administrator may write it, so it is not believed. `taken`: the
   * secret was taken out of it and it is gone. `left`: taken, and the secret still lies in it. `refused`: it is for
   * another service than the one that is enforced. `locked`: the safe for secrets was, so it is taken at the next start.
   * `failed`: the secret could not be kept, so it is taken at the next start.
   */
  state: z.enum([
    'none',
    'read',
    'broken',
    'unreadable',
    'unsafe',
    'taken',
    'left',
    'refused',
    'locked',
    'failed',
  ]),
  /** What counts of it now: an earlier version where the file cannot be used. */
  inForce: z.enum(['this', 'lastKnown', 'nothing']),
  /** Where in the file the fault is, or the system's code; never a value. */
  detail: z.string().nullable(),
  /** Names in it that mean nothing here. */
  unknownNames: z.array(z.string()),
})
export type ManagedFile = z.infer<typeof managedFileSchema>

export const settingsSourcesSchema = z.object({
  items: z.array(settingInForceSchema),
  files: z.array(managedFileSchema),
  secretsKept: secretStorageSchema,
})
export type SettingsSources = z.infer<typeof settingsSourcesSchema>
