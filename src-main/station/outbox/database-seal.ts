/**
 * The seal of a database that was closed cleanly: size and SHA-256 of its file, in a small file beside it.
 *
 * A file that has the hash of its seal is bit for bit what was closed: stronger than an integrity check, which does not
 * see every flipped bit, and several times as fast. The seal is taken away when the database is opened for writing, so
 * it never speaks of an older content than the file has, but for a file that somebody else has put in its place.
 */
import { createHash } from 'node:crypto'
import { closeSync, existsSync, fstatSync, openSync, readFileSync, readSync } from 'node:fs'
import { renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { syncFolderNow } from '../durable-file.ts'
import { whileHeldNow } from '../stubborn-files.ts'

export type Seal = { readonly size: number; readonly sha256: string }

/**
 * - matches  the file is bit for bit what was closed
 * - differs  a clean close left another file than this one: it was replaced, or is damaged where no check sees it
 * - absent   nothing can be said: the first start, a crash, or a close that had no time for a seal
 */
export type SealVerdict = 'matches' | 'differs' | 'absent'

/** What tells whether a file is still the one that was looked at. */
export type FilePrint = { readonly size: number; readonly mtimeNs: string; readonly inode: string }

const CHUNK_BYTES = 4_194_304

export function sealPathOf(databasePath: string): string {
  return `${databasePath}.seal`
}

/** What was written past the last checkpoint is not in the database file yet. */
export function hasWal(databasePath: string): boolean {
  const wal = `${databasePath}-wal`
  return existsSync(wal) && statSync(wal).size > 0
}

/** Looks at the entry of the file only, and never opens it. */
export function printOf(path: string): FilePrint {
  const { size, mtimeNs, ino } = statSync(path, { bigint: true })
  return { size: Number(size), mtimeNs: String(mtimeNs), inode: String(ino) }
}

export function isSamePrint(one: FilePrint, other: FilePrint): boolean {
  return one.size === other.size && one.mtimeNs === other.mtimeNs && one.inode === other.inode
}

/** The seal beside a database, or null where there is none or it cannot be read. */
export function readSeal(databasePath: string): Seal | null {
  try {
    const { size, sha256 } = JSON.parse(readFileSync(sealPathOf(databasePath), 'utf8')) as Partial<Seal>
    return typeof size === 'number' && typeof sha256 === 'string' ? { size, sha256 } : null
  } catch {
    return null
  }
}

/** Takes the seal away, durably: nothing may be written below a seal. */
export function breakSeal(databasePath: string): void {
  const path = sealPathOf(databasePath)
  if (!existsSync(path)) return
  whileHeldNow(() => rmSync(path))
  syncFolderNow(dirname(path))
}

/** Hashes a file that no connection of this process has open. */
export function hashFile(path: string): Seal {
  const hash = createHash('sha256')
  const chunk = Buffer.allocUnsafe(CHUNK_BYTES)
  const file = openSync(path, 'r')
  try {
    for (let count = 0; (count = readSync(file, chunk, 0, chunk.length, null)) > 0;)
      hash.update(chunk.subarray(0, count))
    return { size: fstatSync(file).size, sha256: hash.digest('hex') }
  } finally {
    closeSync(file)
  }
}

/**
 * Seals a database that was closed; answers false where it is open again, or was not closed cleanly.
 *
 * Another process may open it meanwhile. It takes the seal away once it holds the lock, and from then on has a WAL: so
 * what was written too late is taken away again here.
 */
export function sealDatabase(databasePath: string): boolean {
  const wal = `${databasePath}-wal`
  if (!existsSync(databasePath) || existsSync(wal)) return false
  const before = printOf(databasePath)
  const seal = hashFile(databasePath)
  const temporary = `${sealPathOf(databasePath)}.new`
  writeFileSync(temporary, `${JSON.stringify(seal)}\n`, { mode: 0o600, flush: true })
  const isUntouched = (): boolean => !existsSync(wal) && isSamePrint(before, printOf(databasePath))
  if (!isUntouched()) {
    rmSync(temporary, { force: true })
    return false
  }
  whileHeldNow(() => renameSync(temporary, sealPathOf(databasePath)))
  if (!isUntouched()) {
    breakSeal(databasePath)
    return false
  }
  syncFolderNow(dirname(databasePath))
  return true
}
