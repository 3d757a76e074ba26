/**
 * The spool: our own verified copies of the images.
 *
 * Copied and never linked: a link would follow an in-place rewrite by the camera, and would fail across volumes and
 * on many shares. The names are content addresses, so that a repeated copy is the same file.
 */
import { createHash, randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdir, open, rename, rm, stat, type FileHandle } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { syncFolder } from '../durable-file.ts'

export type Spooled =
  | { readonly ok: true; readonly sha256: string; readonly sizeBytes: number; readonly spoolName: string }
  /** A sentence for a photographer. */
  | { readonly ok: false; readonly message: string }

const PIECE_BYTES = 1024 * 1024

/** Virus scanners and indexers hold a new file for moments; renames wait for them, but not for ever. */
const RENAME_TRIES = 20
const RENAME_PAUSE_MS = 100

const MESSAGES: Readonly<Record<string, string>> = {
  ENOSPC:
    'There is no space left on this computer, so this image could not be kept. Free some space; it is tried again by itself.',
  EDQUOT:
    'There is no space left on this computer, so this image could not be kept. Free some space; it is tried again by itself.',
  ENOENT: 'This file went away while it was read. It is taken in when it is back.',
  EBUSY: 'Another program holds this file. It is tried again by itself.',
  EPERM: 'This file may not be read yet. It is tried again by itself.',
  EACCES: 'This file may not be read. It is tried again by itself; if it stays so, ask the administrator.',
}
const OTHER_TROUBLE = 'This file could not be copied. It is tried again by itself.'
const CHANGED = 'This file changed while it was read. It is tried again by itself.'

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''
}

/** Copies all bytes while hashing them. */
async function copyInto(
  target: FileHandle,
  sourcePath: string,
): Promise<{ readonly sha256: string; readonly sizeBytes: number }> {
  const hash = createHash('sha256')
  let sizeBytes = 0
  for await (const piece of createReadStream(sourcePath, {
    highWaterMark: PIECE_BYTES,
  }) as AsyncIterable<Buffer>) {
    hash.update(piece)
    sizeBytes += piece.length
    for (let written = 0; written < piece.length;)
      written += (await target.write(piece, written)).bytesWritten
  }
  return { sha256: hash.digest('hex'), sizeBytes }
}

async function renamePatiently(from: string, to: string): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await rename(from, to)
    } catch (error) {
      const isHeld = ['EBUSY', 'EPERM', 'EACCES'].includes(codeOf(error)) && process.platform === 'win32'
      if (!isHeld || tries === RENAME_TRIES) throw error
      await sleep(RENAME_PAUSE_MS)
    }
  }
}

/** The hash of a file's bytes, lower-case hexadecimal. */
export async function hashFile(path: string): Promise<string> {
  const hash = createHash('sha256')
  for await (const piece of createReadStream(path, { highWaterMark: PIECE_BYTES }) as AsyncIterable<Buffer>)
    hash.update(piece)
  return hash.digest('hex')
}

async function isWholeAt(path: string, sha256: string, sizeBytes: number): Promise<boolean> {
  const found = await stat(path).catch(() => null)
  return found?.size === sizeBytes && (await hashFile(path)) === sha256
}

/**
 * Copies a file into the spool: hash while copying, compare with what was seen before, fsync, rename, fsync the
 * folder. When it answers, the copy outlives a power cut. The source is only read.
 */
export async function spoolFile(given: {
  readonly sourcePath: string
  readonly spoolFolder: string
  readonly expected: { readonly sizeBytes: number; readonly mtimeMs: number }
}): Promise<Spooled> {
  const temporary = join(given.spoolFolder, `${randomUUID()}.arriving`)
  try {
    const target = await open(temporary, 'wx', 0o600)
    let copied: { readonly sha256: string; readonly sizeBytes: number }
    try {
      copied = await copyInto(target, given.sourcePath)
      await target.sync()
    } finally {
      await target.close()
    }
    const after = await stat(given.sourcePath)
    const isSame =
      after.size === given.expected.sizeBytes &&
      Math.floor(after.mtimeMs) === Math.floor(given.expected.mtimeMs)
    if (!isSame || copied.sizeBytes !== given.expected.sizeBytes) return { ok: false, message: CHANGED }
    const spoolName = `${copied.sha256.slice(0, 2)}/${copied.sha256}`
    const path = join(given.spoolFolder, spoolName)
    if (!(await isWholeAt(path, copied.sha256, copied.sizeBytes))) {
      await mkdir(dirname(path), { recursive: true, mode: 0o700 })
      await renamePatiently(temporary, path)
      await syncFolder(dirname(path))
      await syncFolder(given.spoolFolder)
    }
    return { ok: true, ...copied, spoolName }
  } catch (error) {
    const code = codeOf(error)
    if (code === '') throw error
    return { ok: false, message: MESSAGES[code] ?? OTHER_TROUBLE }
  } finally {
    await rm(temporary, { force: true })
  }
}
