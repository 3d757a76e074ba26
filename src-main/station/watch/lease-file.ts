/** The lease on the disk. Calls of the file system are synchronous, as in every part of the watching thread. */
import {
  closeSync,
  lstatSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  unlinkSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { openSourceNow } from '../open-source.ts'
import { errorCode } from './folder-trouble.ts'
import { LEASE_NAME, leaseText, readLease, type FoundLease, type Lease } from './lease.ts'

/** More than any lease; what is longer is none of ours. */
const MAX_LEASE_BYTES = 4_096
/** Everybody who sees the folder must be able to read who holds it. */
const LEASE_MODE = 0o644

/** Looks for a lease; `away` where the folder itself is not there. */
export function findLease(root: string, stationId: string): FoundLease | 'away' {
  const path = join(root, LEASE_NAME)
  try {
    const { size, mtimeMs, ino } = lstatSync(path)
    const text = readText(path)
    // What cannot be read is somebody's as long as it changes.
    return text === null
      ? { kind: 'other', mark: `${size}:${mtimeMs}:${ino}`, hostName: null }
      : readLease(text, stationId)
  } catch (error) {
    const code = errorCode(error)
    if (code === undefined) throw error
    return code === 'ENOENT' && isFolder(root) ? { kind: 'none' } : 'away'
  }
}

/** Writes our lease under a name beside it, then gives it its own: nobody ever reads half of one. */
export function writeLease(root: string, lease: Lease): 'written' | 'refused' | 'away' {
  const temporary = temporaryPath(root, lease.stationId)
  try {
    rmSync(temporary, { force: true })
    // Created anew, so that no link which somebody left there is written through.
    const file = openSync(temporary, 'wx', LEASE_MODE)
    try {
      writeSync(file, leaseText(lease))
    } finally {
      closeSync(file)
    }
    renameSync(temporary, join(root, LEASE_NAME))
    return 'written'
  } catch (error) {
    if (errorCode(error) === undefined) throw error
    removeBestEffort(temporary)
    return isFolder(root) ? 'refused' : 'away'
  }
}

/** Takes our lease away; one that is another's by now stays. */
export function removeLease(root: string, stationId: string): void {
  removeBestEffort(temporaryPath(root, stationId))
  const found = findLease(root, stationId)
  if (found !== 'away' && found.kind === 'ours') removeBestEffort(join(root, LEASE_NAME))
}

/** The text of a plain small file, null for anything else. Throws ENOENT where it has gone. */
function readText(path: string): string | null {
  if (!lstatSync(path).isFile()) return null
  const bytes = Buffer.alloc(MAX_LEASE_BYTES)
  try {
    const file = openSourceNow(path)
    try {
      const length = readSync(file, bytes, 0, MAX_LEASE_BYTES, 0)
      return length === MAX_LEASE_BYTES ? null : bytes.toString('utf8', 0, length)
    } finally {
      closeSync(file)
    }
  } catch (error) {
    if (errorCode(error) === undefined || errorCode(error) === 'ENOENT') throw error
    return null
  }
}

function temporaryPath(root: string, stationId: string): string {
  return join(root, `${LEASE_NAME}-${stationId.replaceAll(/[^\w-]/g, '').slice(0, 64)}.tmp`)
}

/** A file that cannot be taken away now is written over at the next start, or is seen to stand still. */
function removeBestEffort(path: string): void {
  try {
    unlinkSync(path)
  } catch (error) {
    if (errorCode(error) === undefined) throw error
  }
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory()
  } catch (error) {
    if (errorCode(error) === undefined) throw error
    return false
  }
}
