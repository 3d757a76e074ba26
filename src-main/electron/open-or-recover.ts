/** Where the outbox is lost or damaged, a person decides whether it is built anew; nothing is done without asking. */
import { StorageError } from '../station/outbox/opening-trouble.ts'
import type { Station } from '../station/station-api.ts'

export type OpenOrRecover = {
  open(): Promise<Station>
  /** Builds the outbox anew; says in sentences what was done. */
  recover(): Promise<readonly string[]>
  /** Asks a person, who reads the sentence. */
  ask(message: string): Promise<'recover' | 'quit'>
  /** Shows what was done; nobody waits until it was read. */
  showResult(sentences: readonly string[]): void
}

/** Opens the station, or null where a person would rather quit. Rejects where recovery cannot help, too. */
export async function openOrRecover(options: OpenOrRecover): Promise<Station | null> {
  try {
    return await options.open()
  } catch (error) {
    if (!(error instanceof StorageError) || error.remedy !== 'recover') throw error
    if ((await options.ask(error.message)) === 'quit') return null
  }
  return recoverAndOpen(options)
}

/** Recovers first, as the command line asked. */
export async function recoverAndOpen(options: Omit<OpenOrRecover, 'ask'>): Promise<Station> {
  const sentences = await options.recover()
  const station = await options.open()
  options.showResult(sentences)
  return station
}
