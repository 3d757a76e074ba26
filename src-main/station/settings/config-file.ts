/** The configuration file that an IT department provides for a station; both hosts read the same one. */
import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { z } from 'zod'
import {
  type Settings,
  type SettingsChanges,
  settingsChangesSchema,
  settingsSchema,
} from '../../../src-shared/settings.ts'
import { errorCode } from '../lib/errors.ts'

/** The paths of keys in the file that the schema ignores: probably typing errors. Never values. */
export function unknownKeys(written: unknown, read: unknown, prefix = ''): string[] {
  if (!isBranch(written) || !isBranch(read)) return []
  return Object.entries(written).flatMap(([name, value]) => {
    const path = prefix === '' ? name : `${prefix}.${name}`
    return Object.hasOwn(read, name) ? unknownKeys(value, read[name], path) : [path]
  })
}

function isBranch(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null
}

export type SettingsSection = keyof SettingsChanges

export type ConfigFile = {
  /** With all defaults, and with absolute folder paths. */
  readonly settings: Settings
  /** The sections as written. */
  readonly stated: Readonly<Record<string, unknown>>
  readonly enforced: readonly SettingsSection[]
  /** Unknown names, such as `folders.0.settleSecond`: probably typing errors. Never values. */
  readonly unknownNames: readonly string[]
  /** True if the file is unreadable, its last content holds, and it stated a secret, which is not in that. */
  readonly isSecretWithheld?: boolean
}

export type ConfigReading =
  | { readonly kind: 'read'; readonly config: ConfigFile }
  /** A sentence that names the fault, never a value: the file holds a secret. */
  | {
      readonly kind: 'unusable'
      readonly state: 'broken' | 'unreadable'
      readonly message: string
      /** The location of the fault in the file, without the sentence around it. */
      readonly detail: string
    }

export async function readConfigFile(path: string): Promise<ConfigReading> {
  try {
    // Notepad saves files with a byte order mark.
    const content: unknown = JSON.parse((await readFile(path, 'utf8')).replace(/^\uFEFF/, ''))
    return { kind: 'read', config: parseConfig(content) }
  } catch (error) {
    const detail = describeFault(error)
    return {
      kind: 'unusable',
      state: errorCode(error) !== undefined ? 'unreadable' : 'broken',
      message: `The configuration file ${path} cannot be used: ${detail}`,
      detail,
    }
  }
}

/** Throws a ZodError that names the path of the fault. */
export function parseConfig(content: unknown): ConfigFile {
  const settings = settingsSchema.parse(content)
  const names = enforcedNamesSchema.parse(content)
  return {
    settings: {
      ...settings,
      folders: settings.folders.map((folder) => ({ ...folder, path: resolve(folder.path) })),
    },
    stated: content as Record<string, unknown>,
    enforced: names.filter((name) => isEnforceable(name, content)),
    unknownNames: [
      ...unknownKeys(content, { ...settings, enforced: names }),
      ...names.filter((name) => !isEnforceable(name, content)).map((name) => `enforced: ${name}`),
    ],
  }
}

/** `enforced` is no section. A lock that cannot be read must not be ignored. */
const enforcedNamesSchema = z
  .object({ enforced: z.array(z.string()).default([]) })
  .transform(({ enforced }) => enforced)

/** A section that a file may state: completion of the set-up belongs to the station alone. */
export function isSection(name: string): name is SettingsSection {
  return name !== 'setup' && Object.hasOwn(settingsChangesSchema.shape, name)
}

function isEnforceable(name: string, content: unknown): name is SettingsSection {
  return isSection(name) && Object.hasOwn(Object(content) as object, name)
}

/** The location of the fault, never its value. Throws if the error is no fault of the file. */
export function describeFault(error: unknown): string {
  if (error instanceof z.ZodError)
    return error.issues
      .map(({ path, message }) => `${path.length > 0 ? path.join('.') : 'the file'}: ${message}`)
      .join('; ')
  // The message of a SyntaxError quotes the text around the fault.
  if (error instanceof SyntaxError) return 'it is not JSON.'
  const code = errorCode(error)
  if (code !== undefined) return `it cannot be read (${code}).`
  throw error
}
