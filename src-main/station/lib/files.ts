import { randomUUID } from 'node:crypto'
import { closeSync, fsyncSync, openSync } from 'node:fs'
import { type FileHandle, mkdir, open, rename, rm, statfs } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { MINUTE } from '../../../src-shared/durations.ts'
import { errorCode } from './errors.ts'

// Our own files while something else holds them. On Windows a virus scanner, an indexer or a synchroniser holds what
// was just written for a moment, and renaming, opening and removing fail (isaacs/node-graceful-fs 98 and 127,
// coder/vscode-coder 841): tried again, more and more slowly, for a bounded time.

const FIRST_PAUSE_MS = 10

const LONGEST_PAUSE_MS = 100

/** `platform` decides what passes by itself: elsewhere than on Windows a right that is missing stays missing. */
type RetryTime = { readonly forMs: number; readonly platform?: NodeJS.Platform }

/** A scanner of a large file may take so long; what is held longer is held for good. */
const LONG_RETRY: RetryTime = { forMs: MINUTE }

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

/** Makes the entries of a folder durable; Windows has no such call and needs none for its own file system. */
export async function flushFolder(path: string): Promise<void> {
  if (process.platform === 'win32') return
  const folder = await open(path, 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}

/** The same at once, for where nobody can wait. */
export function flushFolderSync(path: string): void {
  if (process.platform !== 'win32') flushSync(path, 'r')
}

/** Makes the content of a file durable that somebody else has written. Windows flushes only what was opened for writing. */
export function flushFileSync(path: string): void {
  flushSync(path, 'r+')
}

function flushSync(path: string, flags: 'r' | 'r+'): void {
  const opened = openSync(path, flags)
  try {
    fsyncSync(opened)
  } finally {
    closeSync(opened)
  }
}

/** Writes a file whole or not at all: after a power cut there is the old one or the new one, never a part. */
export async function writeDurably(path: string, bytes: Uint8Array | string): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  const temporary = `${path}.${randomUUID()}.tmp`
  try {
    const file = await openWithRetry(temporary, 'wx', 0o600)
    try {
      await file.writeFile(bytes)
      await file.sync()
    } finally {
      await file.close()
    }
    await renameWithRetry(temporary, path)
  } catch (error) {
    await removeBestEffort(temporary)
    throw error
  }
  await flushFolder(dirname(path))
}

/** Makes a name that a stranger gave to a file into one that every disk takes and that leads nowhere. Pure. */

/** Devices that Windows opens instead of a file, whatever stands behind the dot. */
const RESERVED_DEVICES = /^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i

/** Of UTF-8; file systems take 255, and what is beside it needs some. */
const MAX_BYTES = 180

const MAX_EXTENSION_LENGTH = 12

/**
 * The last part of the name, without what separates, controls or turns letters around, as long as a disk takes. The
 * extension stays, because people know a file by it; nobody believes it.
 */
export function sanitiseFileName(name: string): string {
  const last = name.split(/[/\\]/).at(-1) ?? ''
  const plain = last
    .normalize('NFC')
    .toWellFormed()
    .replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\uFFFD]/gu, '')
    .replaceAll(/[<>:"|?*]/g, '_')
    .replaceAll(/^[\s.]+|[\s.]+$/g, '')
  if (plain === '') return 'image'
  return shortened(RESERVED_DEVICES.test(plain) ? `_${plain}` : plain)
}

function shortened(name: string): string {
  const { stem, extension } = partsOf(name)
  let short = ''
  let bytes = byteLengthOf(extension)
  for (const letter of stem) {
    bytes += byteLengthOf(letter)
    if (bytes > MAX_BYTES) break
    short += letter
  }
  return short.trimEnd() + extension
}

function partsOf(name: string): { readonly stem: string; readonly extension: string } {
  const dot = name.lastIndexOf('.')
  const extension = dot > 0 ? name.slice(dot) : ''
  return /^\.[\w-]+$/.test(extension) && extension.length <= MAX_EXTENSION_LENGTH
    ? { stem: name.slice(0, dot), extension }
    : { stem: name, extension: '' }
}

function byteLengthOf(text: string): number {
  return Buffer.byteLength(text, 'utf8')
}

/** What lies in a data folder beside the outbox and what belongs to it. */
export type DataFolders = {
  readonly spoolFolder: string
  readonly reportsFolder: string
  readonly thumbnailsFolder: string
  /** Files that a person hands over for a case by hand. */
  readonly uploadsFolder: string
}

/** Makes the folders that are not there yet. */
export async function makeDataFolders(dataFolder: string): Promise<DataFolders> {
  const folders = {
    spoolFolder: join(dataFolder, 'spool'),
    reportsFolder: join(dataFolder, 'reports'),
    thumbnailsFolder: join(dataFolder, 'thumbnails'),
    uploadsFolder: join(dataFolder, 'incoming'),
  }
  for (const folder of Object.values(folders)) await mkdir(folder, { recursive: true, mode: 0o700 })
  return folders
}

/** Bytes that this program may still write to the volume of a folder; null where it cannot be asked. */
export async function askFreeBytes(folder: string): Promise<number | null> {
  try {
    const { bavail, bsize } = await statfs(folder)
    return bavail * bsize
  } catch {
    return null
  }
}
