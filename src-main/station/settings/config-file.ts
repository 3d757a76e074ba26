/** The configuration file that an IT department lays beside a station; both hosts take the same one. */
import { createHash } from 'node:crypto'
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

/** The places of what was written and is in nothing that was read of it: probably mistyped names. Never values. */
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
  /** With every default filled in, and the paths of folders made whole. */
  readonly settings: Settings
  /**
   * The sections as the file writes them. What it leaves to the defaults is no statement: a newer program with other
   * defaults must not look like a file that was changed.
   */
  readonly stated: Readonly<Record<string, unknown>>
  /** The stated sections that cannot be changed on the screens. */
  readonly enforced: readonly SettingsSection[]
  /** Names that mean nothing here, such as `folders.0.settleSecond`: probably mistyped. Never values. */
  readonly unknownNames: readonly string[]
  /**
   * Only where it is what a file said before and cannot say now: its secret is not here. The digest is that of the
   * service as the file states it, secret included.
   */
  readonly withheld?: { readonly serviceDigest: string }
}

export type ConfigReading =
  | { readonly kind: 'read'; readonly config: ConfigFile }
  /** A sentence that names what is wrong, never a value: the file holds a secret. */
  | {
      readonly kind: 'unusable'
      readonly state: 'broken' | 'unreadable'
      readonly message: string
      /** Where in the file the fault is, without the sentence around it. */
      readonly detail: string
    }

/** Reads a configuration file; whatever is wrong with it is told in a sentence. */
export async function readConfigFile(path: string): Promise<ConfigReading> {
  try {
    // Notepad puts a byte order mark before what it saves.
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

/** Throws a ZodError that names the place of what is wrong. */
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

/** What the file states of a section, as a mark that tells whether it states something else now. */
export function digestOfStated(value: unknown): string {
  return createHash('sha256')
    .update(JSON.stringify(value ?? null))
    .digest('hex')
}

/** `enforced` stands beside the sections and is none of them. A lock that cannot be read must not be passed over. */
const enforcedNamesSchema = z
  .object({ enforced: z.array(z.string()).default([]) })
  .transform(({ enforced }) => enforced)

/** What is not stated has no value that could be kept to; whether set-up is done belongs to the station alone. */
function isEnforceable(name: string, content: unknown): name is SettingsSection {
  return (
    name !== 'setup' &&
    Object.hasOwn(settingsChangesSchema.shape, name) &&
    Object.hasOwn(Object(content) as object, name)
  )
}

/** Where the fault is, and never what stands there. Throws on what is no fault of a file. */
export function describeFault(error: unknown): string {
  if (error instanceof z.ZodError)
    return error.issues
      .map(({ path, message }) => `${path.length > 0 ? path.join('.') : 'the file'}: ${message}`)
      .join('; ')
  // The words of a SyntaxError quote the text around the fault.
  if (error instanceof SyntaxError) return 'it is not JSON.'
  const code = errorCode(error)
  if (code !== undefined) return `it cannot be read (${code}).`
  throw error
}
