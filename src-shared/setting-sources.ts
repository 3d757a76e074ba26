/** Where settings come from: the layers, the files of an administrator, and where secrets are stored. */
import { z } from 'zod'

/**
 * The layers of settings, lowest first. `person`: set on this station's screens. `enrolment`: from the file that
 * joined this station to the service. `configurationFile`: from the file of `--config`. `environment`: from a
 * variable.
 */
const settingSourceSchema = z.enum([
  'builtIn',
  'policyDefault',
  'enrolment',
  'person',
  'configurationFile',
  'policyEnforced',
  'commandLine',
  'environment',
])

export type SettingSource = z.infer<typeof settingSourceSchema>

/**
 * Where secrets are stored. `safe`: encrypted by the system for this account. `privateFile`: in a file that only this
 * account can read, because the system offers nothing better. `environment`: passed at each start and never stored.
 */
export const secretStorageSchema = z.enum(['safe', 'privateFile', 'environment'])

export type SecretStorage = z.infer<typeof secretStorageSchema>

const settingInForceSchema = z.object({
  /** The path of the setting, such as `delivery.concurrency` or `folders.0.path`. */
  name: z.string(),
  /** Lists are joined into one text. For a secret, only whether there is one. */
  value: z.union([z.string(), z.number(), z.boolean(), z.null()]),
  source: settingSourceSchema,
  isLocked: z.boolean(),
})

export type SettingInForce = z.infer<typeof settingInForceSchema>

/** A file that an administrator puts beside a station, and its status. */
const managedFileSchema = z.object({
  kind: z.enum(['policy', 'configuration', 'enrolment']),
  path: z.string(),
  /**
   * `none`: there is no file. `unsafe`: others than an administrator can write it, so it is ignored. `taken`: the
   * secret was imported and removed from the file. `left`: imported, but the secret is still in the file. `refused`:
   * it is for another service than the enforced one. `locked`: the system's secret store was locked, so the file is
   * imported at the next start. `failed`: the secret could not be stored, so the file is imported at the next start.
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
  /** The version in effect: an earlier one if the file cannot be used. */
  inForce: z.enum(['this', 'lastKnown', 'nothing']),
  /** Where in the file the fault is, or why it cannot be read; never a value. */
  detail: z.string().nullable(),
  unknownNames: z.array(z.string()),
})

export type ManagedFile = z.infer<typeof managedFileSchema>

export const settingsSourcesSchema = z.object({
  items: z.array(settingInForceSchema),
  files: z.array(managedFileSchema),
  secretsKept: secretStorageSchema,
})

export type SettingsSources = z.infer<typeof settingsSourcesSchema>
