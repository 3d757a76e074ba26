import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { settingsSchema, type Settings } from '../../src-shared/settings.ts'

/** The configuration cannot be used; the message says where and why. */
export class ConfigError extends Error {
  override name = 'ConfigError' as const
}

/** Reads a configuration file; throws a ConfigError with a sentence where it is not one. */
export async function readConfig(path: string): Promise<Settings> {
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    throw new ConfigError(`The configuration file ${path} cannot be read.`, { cause: error })
  })
  let content: unknown
  try {
    content = JSON.parse(text.replace(/^\uFEFF/, ''))
  } catch (error) {
    throw new ConfigError(`The configuration file ${path} is not valid JSON.`, { cause: error })
  }
  const parsed = settingsSchema.safeParse(content)
  if (!parsed.success) {
    const places = parsed.error.issues.map(
      (issue) => `${issue.path.join('.') || 'the file'}: ${issue.message}`,
    )
    throw new ConfigError(`The configuration file ${path} cannot be used: ${places.join('; ')}.`)
  }
  const settings = parsed.data
  return {
    ...settings,
    folders: settings.folders.map((folder) => ({ ...folder, path: resolve(folder.path) })),
  }
}
