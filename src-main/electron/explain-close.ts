/** Closing the window does not end the station; the first time, that is said, and never again for this account. */
import { mkdir, stat, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Logger } from '../station/ports.ts'
import { errorCode } from '../station/lib/errors.ts'

/** The answer is called each time that the window was closed; it explains at most once. */
export function createCloseExplainer(options: {
  /** Is there once it was explained. */
  readonly path: string
  readonly logger: Logger
  readonly explain: () => Promise<unknown>
}): () => Promise<void> {
  const { path, logger, explain } = options
  let isStarted = false
  return async () => {
    if (isStarted) return
    isStarted = true
    if (await fileExists(path)) return
    await explain()
    // Only now: a person who never saw it is told the next time.
    try {
      await mkdir(dirname(path), { recursive: true })
      await writeFile(path, '{}')
    } catch (error) {
      if (errorCode(error) === undefined) throw error
      logger.warn('that closing was explained could not be remembered')
    }
  }
}

async function fileExists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  )
}
