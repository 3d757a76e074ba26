import { randomUUID } from 'node:crypto'
import { closeSync, fsyncSync, openSync } from 'node:fs'
import { mkdir, open } from 'node:fs/promises'
import { dirname } from 'node:path'
import { openStubbornly, removeOrLeave, renameStubbornly } from './stubborn-files.ts'

/** Makes the entries of a folder durable; Windows has no such call and needs none for its own file system. */
export async function syncFolder(path: string): Promise<void> {
  if (process.platform === 'win32') return
  const folder = await open(path, 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}

/** The same at once, for where nobody can wait. */
export function syncFolderNow(path: string): void {
  if (process.platform !== 'win32') syncNow(path, 'r')
}

/** Makes the content of a file durable that somebody else has written. Windows flushes only what was opened for writing. */
export function syncFileNow(path: string): void {
  syncNow(path, 'r+')
}

function syncNow(path: string, flags: 'r' | 'r+'): void {
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
    const file = await openStubbornly(temporary, 'wx', 0o600)
    try {
      await file.writeFile(bytes)
      await file.sync()
    } finally {
      await file.close()
    }
    await renameStubbornly(temporary, path)
  } catch (error) {
    await removeOrLeave(temporary)
    throw error
  }
  await syncFolder(dirname(path))
}
