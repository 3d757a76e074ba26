/** Writes the copy of a report into a folder that belongs to somebody else: a share, a watched in-tray. */
import { open, readFile, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { flushFolder } from '../durable-file.ts'
import { errorCode } from '../lib/errors.ts'

/** File systems of other machines that cannot make the entries of a folder durable, or do not let us. */
const CANNOT_SYNC = ['EINVAL', 'ENOTSUP', 'EPERM', 'EACCES', 'EISDIR', 'ENOSYS']
/** More files of one name than this were not made by us. */
const MAX_NAMES = 1_000

async function compareExisting(path: string, bytes: Uint8Array): Promise<'same' | 'other' | 'nothing'> {
  try {
    const found = await stat(path)
    if (!found.isFile() || found.size !== bytes.byteLength) return 'other'
    return (await readFile(path)).equals(bytes) ? 'same' : 'other'
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return 'nothing'
    throw error
  }
}

/**
 * Writes `<reference>_<number>.<extension>` whole or not at all. What already has this name and another content is left
 * alone, and the next free number is taken. A folder that is gone is not made anew: below it, perhaps, nothing is
 * mounted right now.
 *
 * Rejects with the error of the file system where it cannot be written now.
 */
export async function writeCopy(
  folder: string,
  name: { readonly reference: string; readonly number: number; readonly extension: string },
  bytes: Uint8Array,
): Promise<void> {
  if (!(await stat(folder)).isDirectory()) throw Object.assign(new Error('not a folder'), { code: 'ENOTDIR' })
  for (let number = name.number; number < name.number + MAX_NAMES; number += 1) {
    const fileName = `${name.reference}_${number}.${name.extension}`
    const path = join(folder, fileName)
    const existing = await compareExisting(path, bytes)
    if (existing === 'same') return
    if (existing === 'other') continue
    return writeWhole(path, join(folder, `.${fileName}.part`), bytes)
  }
  throw new Error('no name is free')
}

/** The rights are those of the folder and not our own closed ones: others are to read it. */
async function writeWhole(path: string, temporary: string, bytes: Uint8Array): Promise<void> {
  try {
    const file = await open(temporary, 'w')
    try {
      await file.writeFile(bytes)
      await file.sync()
    } finally {
      await file.close()
    }
    await rename(temporary, path)
  } catch (error) {
    await rm(temporary, { force: true }).catch(() => undefined)
    throw error
  }
  try {
    await flushFolder(join(path, '..'))
  } catch (error) {
    if (!CANNOT_SYNC.includes(errorCode(error) ?? '')) throw error
  }
}
