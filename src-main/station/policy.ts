/**
 * The policy of an administrator: settings that a station begins with (`defaults`), and settings that nobody changes on
 * its screens (`enforced`). Both have the shape of the settings; what they leave out is not theirs.
 */
import { resolve } from 'node:path'
import { z } from 'zod'
import { settingsChangesSchema, settingsSchema } from '../../src-shared/settings.ts'
import type { SettingsSection } from './config-file.ts'
import { unknownKeys } from './names-lost.ts'
import { isPlainObject, layerOf, mergeLayer, valueOf } from './layered.ts'

/** Sections as the file writes them, without secrets, the paths of folders made whole. */
export type StatedSections = Partial<Readonly<Record<SettingsSection, unknown>>>

export type Policy = {
  readonly defaults: StatedSections
  readonly enforced: StatedSections
  /** Names that mean nothing here, such as `enforced.folders.0.settleSecond`. Never values. */
  readonly unknownNames: readonly string[]
  /** The enrolment file that it names; null where the usual one beside it is meant. */
  readonly enrolment: string | null
}

const outlineSchema = z.object({
  defaults: z.record(z.string(), z.unknown()).default({}),
  enforced: z.record(z.string(), z.unknown()).default({}),
  enrolment: z.string().min(1).nullable().default(null),
})

/** A service may be brought in parts: its address by a policy for all stations, the rest by each one's enrolment. */
const ANY_SERVICE = { baseUrl: 'https://service.invalid', clientId: 'any' }

/** Throws a ZodError that names the place of what is wrong. */
export function parsePolicy(content: unknown): Policy {
  const outline = outlineSchema.parse(content)
  // Each layer must stand by itself as well: one fault in the defaults would else look like one of what is enforced.
  const readDefaults = readLayer(outline.defaults, 'defaults')
  const readEnforced = readLayer(outline.enforced, 'enforced')
  const outside = Object.keys(content as object).filter((name) => !Object.hasOwn(outline, name))
  return {
    defaults: readDefaults.stated,
    enforced: readEnforced.stated,
    unknownNames: [...outside, ...readDefaults.unknownNames, ...readEnforced.unknownNames],
    enrolment: outline.enrolment,
  }
}

function readLayer(
  layer: Readonly<Record<string, unknown>>,
  prefix: string,
): { readonly stated: StatedSections; readonly unknownNames: readonly string[] } {
  const names = Object.keys(layer).filter(isSection)
  const sections = Object.fromEntries(names.map((name) => [name, dropSecret(name, layer[name])]))
  const toParse = sections['service']
    ? {
        ...sections,
        service: valueOf(mergeLayer(layerOf(ANY_SERVICE, 'builtIn'), sections['service'], 'builtIn')),
      }
    : sections
  const parsed = settingsSchema.safeParse(toParse)
  if (!parsed.success)
    throw new z.ZodError(parsed.error.issues.map((issue) => ({ ...issue, path: [prefix, ...issue.path] })))
  const folders = sections['folders']
  const stated = Array.isArray(folders) ? { ...sections, folders: folders.map(withWholePath) } : sections
  const { setup: _setup, ...read } = parsed.data
  return { stated, unknownNames: unknownKeys(layer, read, prefix) }
}

/** Whether set-up is done belongs to the station alone. */
function isSection(name: string): name is SettingsSection {
  return name !== 'setup' && Object.hasOwn(settingsChangesSchema.shape, name)
}

/** Everybody on the computer can read a policy. A secret in it is not taken, and told among what means nothing. */
function dropSecret(name: string, section: unknown): unknown {
  if (name !== 'service' || !isPlainObject(section)) return section
  const { clientSecret: _secret, ...rest } = section
  return rest
}

function withWholePath(folder: unknown): unknown {
  return isPlainObject(folder) && typeof folder['path'] === 'string'
    ? { ...folder, path: resolve(folder['path']) }
    : folder
}
