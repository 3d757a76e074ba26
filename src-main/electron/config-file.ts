/** The file that an IT department lays beside the station: the same as `npm run serve -- --config` takes. */
import { readFile } from 'node:fs/promises'
import { z } from 'zod'
import { settingsSchema, type Settings } from '../../src-shared/settings.ts'

export type ConfigReading =
  | { readonly kind: 'read'; readonly config: Settings }
  /** A sentence that names what is wrong, never a value: the file holds a secret. */
  | { readonly kind: 'unusable'; readonly message: string }

export async function readConfigFile(path: string): Promise<ConfigReading> {
  try {
    // Notepad puts a byte order mark before what it saves.
    const text = (await readFile(path, 'utf8')).replace(/^\uFEFF/, '')
    return { kind: 'read', config: settingsSchema.parse(JSON.parse(text)) }
  } catch (error) {
    return { kind: 'unusable', message: `The configuration file cannot be used: ${whatIsWrong(error)}` }
  }
}

function whatIsWrong(error: unknown): string {
  if (error instanceof z.ZodError)
    return error.issues
      .map(({ path, message }) => `${path.length > 0 ? path.join('.') : 'the file'}: ${message}`)
      .join('; ')
  // The words of a SyntaxError quote the text around the fault.
  if (error instanceof SyntaxError) return 'it is not JSON.'
  if (error instanceof Error && 'code' in error) return `it cannot be read (${String(error.code)}).`
  throw error
}
