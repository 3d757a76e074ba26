import { randomUUID } from 'node:crypto'
import { closeSync, fsyncSync, openSync } from 'node:fs'
import { mkdir, open } from 'node:fs/promises'
import { dirname } from 'node:path'
import { openWithRetry, removeBestEffort, renameWithRetry } from './stubborn-files.ts'

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
