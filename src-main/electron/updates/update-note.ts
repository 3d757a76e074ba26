/**
 * A note for the start after an update, which an installer brings about without any word of ours: which update the app
 * ended for, and how it had been started.
 *
 * Where that start is still the old program, the installation came to nothing, and is not tried over and over with nobody
 * there. Where it lacks words, such as a data folder, it would be another station, and starts over with them.
 */
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { z } from 'zod'

const noteSchema = z.object({
  version: z.string(),
  window: z.enum(['shown', 'hidden']),
  /** The words of the start before, without those for that start alone. */
  words: z.array(z.string()),
})
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
  await mkdir(dirname(path), { recursive: true })
  await writeFile(path, JSON.stringify(note))
}

export async function removeUpdateNote(path: string): Promise<void> {
  await rm(path, { force: true })
}

/** With which words to start over, or null where this start has them. Pure. */
export function wordsToStartOver(note: UpdateNote | null, words: readonly string[]): string[] | null {
  if (note === null || note.words.every((word) => words.includes(word))) return null
  return [...note.words, ...(note.window === 'hidden' ? ['--hidden'] : [])]
}
