import { learnAllWords } from '../words/language.ts'
import { retryUntilReachable } from './patiently.ts'

/** Fetches a screen, or a dialog, that is not on the first page, and the words that are not there yet. */
export async function loadScreen<Module>(fetchModule: () => Promise<Module>): Promise<Module> {
  const [module] = await retryUntilReachable(() => Promise.all([fetchModule(), learnAllWords()]))
  return module
}
