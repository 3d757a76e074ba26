/** Checks the database of a data folder before it is opened, and brings it to this program's version. Blocks: for a worker thread. */
import { existsSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import {
  breakSeal,
  hashFile,
  hasWal,
  isSamePrint,
  printOf,
  readSeal,
  type FilePrint,
  type Seal,
  type SealVerdict,
} from './database-seal.ts'
import { checkIntegrity } from './check-integrity.ts'
import { refuseEmptied } from './earlier-use.ts'
import { migrate, SCHEMA_VERSION } from './migrate.ts'
import { openDatabase, readHead, type SqlDatabase } from './open-database.ts'
import { openingError } from './opening-trouble.ts'
import { isForLackOfSpace } from '../full-disk.ts'

/** A database that was found sound, and by what it is known again. */
export type CheckedDatabase = {
  readonly seal: SealVerdict
  /** Whoever opens it next must find this very file, and no WAL beside it. */
  readonly print: FilePrint
}

/** Of this connection only: checking looks up every entry of every index, one by one. */
const CACHE_KIBIBYTES = 64_000

function verdictOf(path: string, seal: Seal | null): SealVerdict {
  if (seal === null || hasWal(path)) return 'absent'
  // Another size needs no hash to be another file.
  if (seal.size !== statSync(path).size) return 'differs'
  return hashFile(path).sha256 === seal.sha256 ? 'matches' : 'differs'
}

/**
 * Checks a database that nobody has open; null where there is none yet.
 *
 * Throws a StorageError, with a sentence, where it is held by another process, not ours, damaged, emptied, or too new.
 */
export function checkDatabase(path: string): CheckedDatabase | null {
  try {
    if (!existsSync(path) || statSync(path).size === 0) return null
    const { schemaVersion } = readHead(path)
    const before = printOf(path)
    const seal = verdictOf(path, readSeal(path))
    const isUntouched = !hasWal(path) && isSamePrint(before, printOf(path))
    if (seal === 'matches' && isUntouched && schemaVersion === SCHEMA_VERSION) return { seal, print: before }
    return { seal, print: checkOpened(path, seal) }
  } catch (error) {
    throw openingError(error)
  }
}

/** So that closing writes nothing, and the print is taken while nobody else can write. */
function emptyWal(sql: SqlDatabase): void {
  try {
    sql.pragma('wal_checkpoint(TRUNCATE)')
  } catch (error) {
    // A full disk keeps the WAL, which is sound: the next open finds it, and looks itself.
    if (!isForLackOfSpace(error)) throw error
  }
}

function checkOpened(path: string, seal: SealVerdict): FilePrint {
  const sql = openDatabase(path)
  try {
    sql.pragma(`cache_size = -${CACHE_KIBIBYTES}`)
    checkIntegrity(sql)
    refuseEmptied(sql, dirname(path))
    // A seal that matches or says nothing is over with the first byte written; one that differs is somebody's to judge.
    if (seal !== 'differs') breakSeal(path)
    migrate(sql, path)
    emptyWal(sql)
    return printOf(path)
  } finally {
    sql.close()
  }
}
