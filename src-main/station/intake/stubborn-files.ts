/**
 * Renaming on Windows fails for a moment while a virus scanner, an indexer or a synchroniser holds the file
 * (isaacs/node-graceful-fs 98 and 127, coder/vscode-coder 841): tried again, more and more slowly, for a bounded time.
 */
import { rename, rm } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { SECOND } from '../../../src-shared/durations.ts'

const HELD_CODES = ['EBUSY', 'EPERM', 'EACCES']
const FIRST_PAUSE_MS = 10
const LONGEST_PAUSE_MS = 100

export type Patience = { readonly forMs: number }
/** A scanner of a large file may take so long; a right that is missing for good shows after it. */
export const LONG_PATIENCE: Patience = { forMs: 10 * SECOND }

/** Renames a file, over another if there is one. Throws the last error when it is still held after the patience. */
export async function renameStubbornly(from: string, to: string, patience = LONG_PATIENCE): Promise<void> {
  const endMs = performance.now() + patience.forMs
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)) {
    try {
      return await rename(from, to)
    } catch (error) {
      if (!isHeld(error) || performance.now() + pauseMs > endMs) throw error
      await sleep(pauseMs)
    }
  }
}

/** Removes a file of ours that nobody needs. What cannot be removed now is left for the next start, and harms nothing. */
export async function removeOrLeave(path: string): Promise<'removed' | 'left'> {
  try {
    await rm(path, { force: true })
    return 'removed'
  } catch {
    return 'left'
  }
}

function isHeld(error: unknown): boolean {
  return error instanceof Error && 'code' in error && HELD_CODES.includes(String(error.code))
}
