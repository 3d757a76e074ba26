/**
 * Opens files that are not ours: a camera's, a clinic's, or one that a person chose.
 *
 * Between checking and opening a file, another program may replace it. Opening a pipe or a device can block forever,
 * and a link leads out of the folder. So opening never blocks, follows no link, and verifies the type of the opened
 * file before reading a byte.
 */
import { closeSync, constants, fstatSync, openSync } from 'node:fs'
import { open, realpath, type FileHandle } from 'node:fs/promises'
import { errorCode } from './errors.ts'

/** Windows lacks these flags: they are undefined there and add nothing. */
const READ_ONLY = constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW

/**
 * The code of a file system error, or null. Codes of Node (`ERR_OUT_OF_RANGE`) and SQLite are about the content of a
 * file and do not count.
 */
export function diskCodeOf(error: unknown): string | null {
  const code = errorCode(error)
  return code !== undefined && !/^(ERR|SQLITE)_/.test(code) ? code : null
}

/** The path is a pipe, a device, a socket or a folder. The code is the one that macOS uses. */
export class NotAFile extends Error {
  readonly code = 'EFTYPE'

  constructor() {
    super('What lies there is no file.')
    this.name = 'NotAFile'
  }
}

/**
 * Opens a foreign file for reading; the caller closes it. Fails with `ELOOP` for a link, with `NotAFile` for anything
 * but a regular file, otherwise with the file system's error.
 */
export async function openSource(path: string): Promise<FileHandle> {
  const handle = await open(path, READ_ONLY)
  try {
    if ((await handle.stat()).isFile()) return handle
    throw new NotAFile()
  } catch (error) {
    await handle.close()
    throw error
  }
}

/**
 * The target of a link that a person chose, which is as good as the file itself; the path itself if it cannot be
 * resolved, as on some Windows drives, where links are followed anyway.
 */
export async function chosenFile(path: string): Promise<string> {
  return realpath(path).catch(() => path)
}

/** The synchronous form of `openSource`; returns a descriptor. */
export function openSourceNow(path: string): number {
  const file = openSync(path, READ_ONLY)
  try {
    if (fstatSync(file).isFile()) return file
    throw new NotAFile()
  } catch (error) {
    closeSync(file)
    throw error
  }
}

/**
 * The first `mostBytes` bytes of a foreign file. Bytes appended meanwhile are left out. Fails as `openSource` does.
 */
export async function readSource(path: string, mostBytes: number): Promise<Buffer> {
  const handle = await openSource(path)
  try {
    const bytes = Buffer.allocUnsafe(Math.min((await handle.stat()).size, mostBytes))
    let filled = 0
    // A read may return fewer bytes than requested before the end, especially on network shares.
    while (filled < bytes.length) {
      const { bytesRead } = await handle.read(bytes, filled, bytes.length - filled, filled)
      if (bytesRead === 0) break
      filled += bytesRead
    }
    return bytes.subarray(0, filled)
  } finally {
    await handle.close()
  }
}
