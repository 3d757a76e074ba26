/** Which folders it was decided for what to do with the files that lay there before. Kept in the outbox. */
import type { Outbox } from '../outbox/outbox.ts'

const DECISIONS_FACT = 'existing'

export type FolderDecisions = {
  /** What was decided for a folder: `ask` while a person is still to decide, undefined before its first start. */
  readonly of: (folderPath: string) => string | undefined
  readonly decide: (folderPath: string, decision: 'include' | 'ignore' | 'ask' | 'since') => void
}

/** The decisions that the outbox keeps. */
export function folderDecisions(outbox: Pick<Outbox, 'facts'>): FolderDecisions {
  const read = (): Record<string, string> =>
    JSON.parse(outbox.facts.read(DECISIONS_FACT) ?? '{}') as Record<string, string>
  return {
    of: (folderPath) => {
      const decisions = read()
      return Object.hasOwn(decisions, folderPath) ? decisions[folderPath] : undefined
    },
    decide: (folderPath, decision) =>
      outbox.facts.write(DECISIONS_FACT, JSON.stringify({ ...read(), [folderPath]: decision })),
  }
}
