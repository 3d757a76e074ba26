/**
 * Rebuilds a lost or damaged outbox from the intact backup that knows most, and from the manifests. Deletes and sends
 * nothing: the next start marks all cases unconfirmed that are not known as sent.
 */
import { existsSync, statSync } from 'node:fs'
import { copyFile, readdir, rm } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { type Message, worded } from '../../../../src-shared/wording.ts'
import { errorCode, isForLackOfSpace } from '../../lib/errors.ts'
import { openingError, StorageError } from '../../lib/storage-faults.ts'
import { flushFileSync, flushFolder, renameWithRetry } from '../../lib/files.ts'
import { checkIntegrity } from '../check-rows.ts'
import { createStore } from '../database.ts'
import { openDatabase, openMigrated } from '../migrations/migrate.ts'
import { bindOutbox } from '../outbox.ts'
import {
  assertNotEmptied,
  markerPathIn,
  readMarker,
  readNewerManifests,
  setAsideDamaged,
  wasUsed,
} from '../restored-copy.ts'

import { type BackupInfo, backupsFolderIn, backupsIn, inspectBackup, newestFirst } from './backups.ts'
import { manifestsFolderIn } from './manifests.ts'
import type { AppliedManifests } from './restore.ts'

const DATABASE = 'outbox.sqlite'
/** Suffixes of the files that belong to a database. */
const PARTS = ['', '-wal', '-shm', '-journal'] as const

/** Recovers an outbox that no station uses; an intact one stays. A StorageError if it is held or unreadable. */
export async function recoverOutbox(dataFolder: string, now: number): Promise<readonly Message[]> {
  const stamp = new Date(now).toISOString().replaceAll(/[:.]/g, '-')
  // Before the marker is set aside, which distinguishes an emptied database from a new one.
  const state = stateOf(dataFolder)
  const isUsed = wasUsed(dataFolder)
  const marker = await setAsideMarker(dataFolder, stamp)
  if (state === 'sound') return [...marker, worded('start:recovery.sound')]
  const backups = await basesIn(dataFolder)
  if (state === 'missing' && backups.length === 0 && !isUsed)
    return [...marker, worded('start:recovery.nothing')]

  const setAside = await setAsideDatabase(dataFolder, stamp)
  const base = await prepareBase(dataFolder, backups)
  const built = await rebuildOutbox(dataFolder, base.path, now)
  await renameWithRetry(base.path, join(dataFolder, DATABASE))
  await flushFolder(dataFolder)
  await setAsideDamaged(manifestsFolderIn(dataFolder), built.damaged)
  return [...marker, ...recoveryMessages({ setAside, ...base, ...built, damaged: built.damaged.length })]
}

/** An unreadable marker would prevent every start. */
async function setAsideMarker(dataFolder: string, stamp: string): Promise<Message[]> {
  const path = markerPathIn(dataFolder)
  try {
    readMarker(path)
    return []
  } catch (error) {
    if (!(error instanceof StorageError)) throw error
    const name = `station-set-aside-${stamp}.json`
    await renameWithRetry(path, join(dataFolder, name))
    return [worded('start:recovery.stationFile', { name })]
  }
}

/** Throws any error that is not damage: rebuilding would not help. */
function stateOf(dataFolder: string): 'sound' | 'damaged' | 'missing' {
  const path = join(dataFolder, DATABASE)
  if (!existsSync(path) || statSync(path).size === 0) return 'missing'
  try {
    const sql = openDatabase(path)
    try {
      checkIntegrity(sql)
      assertNotEmptied(sql, dataFolder)
    } finally {
      sql.close()
    }
    return 'sound'
  } catch (error) {
    const trouble = openingError(error)
    if (trouble instanceof StorageError && trouble.remedy === 'recover') return 'damaged'
    throw trouble
  }
}

/** The backups, those that know most first: the daily ones, and those made before migrations. */
async function basesIn(dataFolder: string): Promise<readonly BackupInfo[]> {
  const names = await readdir(dataFolder)
  const earlier = names
    .filter((name) => /^outbox\.sqlite\.before-\d+$/.test(name))
    .map((name) => join(dataFolder, name))
  const all = [...(await backupsIn(backupsFolderIn(dataFolder))), ...earlier]
  return newestFirst(all.map((path) => inspectBackup(path)))
}

async function setAsideDatabase(dataFolder: string, stamp: string): Promise<string | null> {
  const name = `outbox-set-aside-${stamp}.sqlite`
  let isThere = false
  for (const part of PARTS) {
    if (!existsSync(join(dataFolder, `${DATABASE}${part}`))) continue
    await renameWithRetry(join(dataFolder, `${DATABASE}${part}`), join(dataFolder, `${name}${part}`))
    isThere = true
  }
  await flushFolder(dataFolder)
  return isThere ? name : null
}

type Base = Pick<Recovered, 'backup' | 'unusable'> & { readonly path: string }

/** Uses the first backup that opens and is intact, or starts empty. */
async function prepareBase(dataFolder: string, backups: readonly BackupInfo[]): Promise<Base> {
  const path = join(dataFolder, 'recovering.sqlite')
  const unusable: string[] = []
  for (const [index, { path: backup }] of backups.entries()) {
    await removeDatabase(path)
    await copyFile(backup, path)
    try {
      const sql = openMigrated(path)
      try {
        checkIntegrity(sql)
      } finally {
        sql.close()
      }
      // Backups that cannot even be inspected come last, but are reported all the same.
      const unreadable = backups.slice(index + 1).filter(({ knows }) => knows < 0)
      unusable.push(...unreadable.map((one) => basename(one.path)))
      return { path, backup: basename(backup), unusable }
    } catch (error) {
      const trouble = openingError(error)
      // A full disk says nothing about a backup: don't rebuild from less than everything there is.
      if (!(trouble instanceof StorageError) || isForLackOfSpace(trouble)) throw trouble
      unusable.push(basename(backup))
    }
  }
  await removeDatabase(path)
  openMigrated(path).close()
  return { path, backup: null, unusable }
}

async function removeDatabase(path: string): Promise<void> {
  for (const part of PARTS) await rm(`${path}${part}`, { force: true })
}

async function rebuildOutbox(dataFolder: string, path: string, now: number) {
  const sql = openMigrated(path)
  try {
    const outbox = bindOutbox(createStore(sql, () => undefined))
    const { manifests, damaged, unreadable } = await readNewerManifests(
      outbox,
      manifestsFolderIn(dataFolder),
      now,
    )
    const applied = outbox.applyManifests(manifests, now)
    outbox.writeFact('restored', 'recovered')
    const spool = await countSpool(join(dataFolder, 'spool'), outbox.spooledFiles())
    return { ...applied, ...spool, damaged, unreadable, unsettled: outbox.unsettledIds().length }
  } finally {
    sql.close()
    flushFileSync(path)
  }
}

type SpoolCount = {
  /** Images without a file. */
  readonly missing: number
  /** Files without a row. */
  readonly unnamed: number
}

/** Spooled copies are in folders named by the first two characters of their hash. */
const HASH_FOLDER = /^[0-9a-f]{2}$/

/** Compares the rows with the files in the spool. Changes nothing. */
async function countSpool(spoolFolder: string, named: readonly string[]): Promise<SpoolCount> {
  const there = new Set<string>()
  for (const folder of (await namesIn(spoolFolder)).filter((name) => HASH_FOLDER.test(name)))
    for (const name of await namesIn(join(spoolFolder, folder))) there.add(`${folder}/${name}`)
  const missing = named.filter((name) => !there.has(name)).length
  for (const name of named) there.delete(name)
  return { missing, unnamed: there.size }
}

async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder)
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return []
    throw error
  }
}

type Recovered = AppliedManifests &
  SpoolCount & {
    /** The new name of the old outbox; null if there was none. */
    readonly setAside: string | null
    /** The backup that it was built on, or null. */
    readonly backup: string | null
    /** Backups that could not be used. */
    readonly unusable: readonly string[]
    readonly damaged: number
    readonly unreadable: number
    readonly unsettled: number
  }

/** Describes a recovery to the person who started it. */
function recoveryMessages(done: Recovered): readonly Message[] {
  return [
    done.setAside === null
      ? worded('start:recovery.noOutbox')
      : worded('start:recovery.setAside', { name: done.setAside }),
    ...done.unusable.map((name) => worded('start:recovery.unusableBackup', { name })),
    done.backup === null
      ? worded('start:recovery.fromNotes')
      : worded('start:recovery.fromBackup', { name: done.backup }),
    worded('start:recovery.counts', { added: done.added, changed: done.changed }),
    ...counted('damaged', done.damaged),
    ...counted('unreadable', done.unreadable),
    ...counted('missingImages', done.missing),
    ...counted('unnamed', done.unnamed),
    ...(done.unsettled === 0 ? [worded('start:recovery.settled')] : counted('unsettled', done.unsettled)),
  ]
}

function counted(
  key: 'damaged' | 'unreadable' | 'missingImages' | 'unnamed' | 'unsettled',
  count: number,
): readonly Message[] {
  return count === 0 ? [] : [worded(`start:recovery.${key}`, { count })]
}
