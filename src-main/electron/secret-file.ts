/** The file that secrets lie in: sealed by the system where it can, and closed to other accounts in any case. */
import { readFile } from 'node:fs/promises'
import { z } from 'zod'
import { writeDurably } from '../station/durable-file.ts'

const entrySchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('sealed'), base64: z.string() }),
  /** Where the system has no key of its own: only the rights of the file protect it. */
  z.object({ kind: z.literal('plain'), text: z.string() }),
])
export type SecretEntry = z.infer<typeof entrySchema>

const fileSchema = z.record(z.string(), entrySchema)
export type SecretEntries = z.infer<typeof fileSchema>

/** Empty where there is no file, or one that cannot be read as ours: secrets can be entered again. */
export async function readSecretFile(path: string): Promise<SecretEntries> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '{}'
    throw error
  })
  try {
    return fileSchema.safeParse(JSON.parse(text)).data ?? {}
  } catch (error) {
    if (error instanceof SyntaxError) return {}
    throw error
  }
}

export async function writeSecretFile(path: string, entries: SecretEntries): Promise<void> {
  await writeDurably(path, JSON.stringify(entries))
}
