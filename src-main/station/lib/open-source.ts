/**
 * Opening files that are not ours: a camera's, a clinic's, one that a person chose.
 *
 * Between the look at a file and its opening another program may have put something else in its place. Opening a pipe or
 * a device waits for as long as its other end likes, and a link leads out of the folder. So nothing waits, no link is
 * followed, and what was opened is asked what it is before a byte of it is read.
 */
import { closeSync, constants, fstatSync, openSync } from 'node:fs'
import { open, realpath, type FileHandle } from 'node:fs/promises'
import { errorCode } from './errors.ts'

/** Windows has no such flags: there they are undefined, and add nothing. */
const READ_ONLY = constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW

/**
 * The code of an error of the file system, or null. Other errors are about what stands in a file, also those to which
 * Node (`ERR_OUT_OF_RANGE`) or SQLite gave a code.
 */
export function diskCodeOf(error: unknown): string | null {
  const code = errorCode(error)
  return code !== undefined && !/^(ERR|SQLITE)_/.test(code) ? code : null
}

/** What lies under this name is a pipe, a device, a socket or a folder. It has the code that macOS has for it. */
export class NotAFile extends Error {
  readonly code = 'EFTYPE'

  constructor() {
    super('What lies there is no file.')
    this.name = 'NotAFile'
  }
}

/**
 * Opens a file that is not ours, to read it; the caller closes it. A link in place of the file fails with `ELOOP`, what
 * is no regular file with `NotAFile`; other errors are those of the file system.
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
 * Where a link leads that a person chose, which is as good as the file itself; the path as it is if that cannot be
 * told (on some drives of Windows it cannot, and there links are followed anyway).
 */
export async function chosenFile(path: string): Promise<string> {
  return realpath(path).catch(() => path)
}

/** The same as `openSource` in a thread that may stand still; answers with a descriptor. */
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
 * The bytes of a file that is not ours, but no more than the first `mostBytes`. What is appended meanwhile is left out.
 * Errors are those of `openSource`.
 */
export async function readSource(path: string, mostBytes: number): Promise<Buffer> {
  const handle = await openSource(path)
  try {
    const bytes = Buffer.allocUnsafe(Math.min((await handle.stat()).size, mostBytes))
    let filled = 0
    // A read may bring less than asked for before the end, on network shares above all.
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
