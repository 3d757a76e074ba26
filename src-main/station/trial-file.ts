/** Does the volume still take anything? Only a write says so: where a quota is used up, it names free bytes nevertheless. */
import { closeSync, fsyncSync, openSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { isFullDisk } from './full-disk.ts'

const NAME = 'space-trial'
/** More than SQLite writes at once. */
const PROBE_BYTES = 65_536

/** True where a small file in the folder is refused for lack of space, and for nothing else. Blocks; never throws. */
export function isOutOfSpace(folder: string): boolean {
  const path = join(folder, NAME)
  try {
    const file = openSync(path, 'w', 0o600)
    try {
      for (let left = PROBE_BYTES; left > 0;) left -= writeSync(file, Buffer.alloc(left, 1))
      // Some volumes find out only when it is flushed.
      fsyncSync(file)
    } finally {
      closeSync(file)
    }
    return false
  } catch (error) {
    return isFullDisk(error)
  } finally {
    try {
      rmSync(path, { force: true })
    } catch {
      // The next trial writes over it.
    }
  }
}
