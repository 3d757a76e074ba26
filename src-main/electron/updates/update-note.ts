/**
 * A note for the start after an update, which an installer brings about without any word of ours: which update the app
 * ended for, and how it had been started.
 *
 * Where that start is still the old program, the installation came to nothing, and is not tried over and over with nobody
 * there. Where it lacks words, such as a data folder, it would be another station, and starts over with them.
 */
import { readFile, rm } from 'node:fs/promises'
import { z } from 'zod'
import type { Logger } from '../../station/ports.ts'
import { writeDurably } from '../../station/durable-file.ts'

const noteSchema = z.object({
  version: z.string(),
  window: z.enum(['shown', 'hidden']),
  /** The words of the start before with whole paths, without those for that start alone. */
  words: z.array(z.string()),
})
export type UpdateNote = z.infer<typeof noteSchema>

/** Null where there is none. One that cannot be read tells as little, and stops no start; the log says so. */
export async function readUpdateNote(path: string, logger: Logger): Promise<UpdateNote | null> {
  try {
    return noteSchema.parse(JSON.parse(await readFile(path, 'utf8')))
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT'))
      logger.warn('the note of an update could not be read; this start goes on with the words that it has')
    return null
  }
}

/** Writes it whole or not at all, or removes it for null. Never rejects: what cannot be noted ends no station. */
export async function keepUpdateNote(
  path: string,
  note: UpdateNote | null,
  logger: Logger,
): Promise<'noted' | 'not'> {
  try {
    await (note === null ? rm(path, { force: true }) : writeDurably(path, JSON.stringify(note)))
    return 'noted'
  } catch (error) {
    logger.warn('an update could not be noted for the next start', {
      code: error instanceof Error && 'code' in error ? String(error.code) : 'unknown',
    })
    return 'not'
  }
}

/** With which words to start over, or null where this start has them. Pure. */
export function wordsToStartOver(note: UpdateNote | null, words: readonly string[]): string[] | null {
  if (note === null || note.words.every((word) => words.includes(word))) return null
  return [...note.words, ...(note.window === 'hidden' ? ['--hidden'] : [])]
}
