/**
 * Our own files while something else holds them. On Windows a virus scanner, an indexer or a synchroniser holds what
 * was just written for a moment, and renaming, opening and removing fail (isaacs/node-graceful-fs 98 and 127,
 * coder/vscode-coder 841): tried again, more and more slowly, for a bounded time.
 */
import { open, rename, rm, type FileHandle } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { MINUTE } from '../../src-shared/durations.ts'
import { errorCode } from './lib/errors.ts'

const FIRST_PAUSE_MS = 10
const LONGEST_PAUSE_MS = 100

/** `platform` decides what passes by itself: elsewhere than on Windows a right that is missing stays missing. */
export type RetryTime = { readonly forMs: number; readonly platform?: NodeJS.Platform }
/** A scanner of a large file may take so long; what is held longer is held for good. */
export const LONG_RETRY: RetryTime = { forMs: MINUTE }

const BLOCKING_RETRY: RetryTime = { forMs: 1_000 }

/** Is a file held by another program, so that a little later it may be free? */
export function isFileLocked(error: unknown, platform: NodeJS.Platform = process.platform): boolean {
  const code = errorCode(error)
  return code === 'EBUSY' || (platform === 'win32' && (code === 'EPERM' || code === 'EACCES'))
}

/** Acts on a file of ours until it is not held any more. Throws the last error after the patience, others at once. */
export async function retryWhileLocked<Value>(
  act: () => Promise<Value>,
  retry: RetryTime = LONG_RETRY,
): Promise<Value> {
  const endMs = performance.now() + retry.forMs
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)) {
    try {
      return await act()
    } catch (error) {
      if (!isFileLocked(error, retry.platform) || performance.now() + pauseMs > endMs) throw error
      await sleep(pauseMs)
    }
  }
}

/** The same where nobody can wait: the thread stands still meanwhile, so the patience is short. */
export function retryWhileLockedSync<Value>(act: () => Value, retry: RetryTime = BLOCKING_RETRY): Value {
  const endMs = performance.now() + retry.forMs
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)) {
    try {
      return act()
    } catch (error) {
      if (!isFileLocked(error, retry.platform) || performance.now() + pauseMs > endMs) throw error
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, pauseMs)
    }
  }
}

/** Renames a file of ours, over another if there is one. */
export async function renameWithRetry(from: string, to: string, retry = LONG_RETRY): Promise<void> {
  await retryWhileLocked(() => rename(from, to), retry)
}

/** Opens a file of ours, also one that was just written. */
export async function openWithRetry(
  path: string,
  flags: string | number,
  mode?: number,
  retry = LONG_RETRY,
): Promise<FileHandle> {
  return retryWhileLocked(() => open(path, flags, mode), retry)
}

/** What nobody needs is worth a moment only: the next start or run finds it again. */
const SHORT_RETRY: RetryTime = { forMs: 250 }

/** Removes a file of ours that nobody needs. What cannot be removed now is left for the next start, and harms nothing. */
export async function removeBestEffort(path: string, retry = SHORT_RETRY): Promise<'removed' | 'left'> {
  try {
    await retryWhileLocked(() => rm(path, { force: true }), retry)
    return 'removed'
  } catch {
    return 'left'
  }
}
