/** Which folders it was decided for what to do with the files that lay there before. Kept in the outbox. */
import type { Outbox } from '../outbox/outbox.ts'

const FACT = 'existing'

export type DecidedFolders = {
  /** What was decided for a folder: `ask` while a person is still to decide, undefined before its first start. */
  readonly of: (folderPath: string) => string | undefined
  readonly decide: (folderPath: string, decision: 'include' | 'ignore' | 'ask' | 'since') => void
}

/** The decisions that the outbox keeps. */
export function decidedFolders(outbox: Pick<Outbox, 'readFact' | 'writeFact'>): DecidedFolders {
  const read = (): Record<string, string> =>
    JSON.parse(outbox.readFact(FACT) ?? '{}') as Record<string, string>
  return {
    of: (folderPath) => {
      const decisions = read()
      return Object.hasOwn(decisions, folderPath) ? decisions[folderPath] : undefined
    },
    decide: (folderPath, decision) =>
      outbox.writeFact(FACT, JSON.stringify({ ...read(), [folderPath]: decision })),
  }
}
