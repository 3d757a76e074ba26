/**
 * A note beside the account's window: which update the app ended for. The next start reads it. Where that start is still
 * the old program, the installation came to nothing, and is not tried over and over with nobody there.
 */
import { readFile, rm, writeFile } from 'node:fs/promises'
import { z } from 'zod'

const noteSchema = z.object({ version: z.string(), window: z.enum(['shown', 'hidden']) })
export type UpdateNote = z.infer<typeof noteSchema>

/** Null where there is none; one that cannot be read tells as little. */
export async function readUpdateNote(path: string): Promise<UpdateNote | null> {
  try {
    return noteSchema.parse(JSON.parse(await readFile(path, 'utf8')))
  } catch {
    return null
  }
}

export async function writeUpdateNote(path: string, note: UpdateNote): Promise<void> {
  await writeFile(path, JSON.stringify(note))
}

export async function removeUpdateNote(path: string): Promise<void> {
  await rm(path, { force: true })
}
