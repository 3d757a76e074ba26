/**
 * At every start, before anything else works with the outbox: where `restored-copy.ts` has found an older copy, or one to
 * compare with its manifests, reads the manifests from the disk and has `restored-store.ts` put in doubt what may have
 * been sent since.
 */
import { randomUUID } from 'node:crypto'
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { z } from 'zod'
import { DAMAGED, StorageError } from '../lib/errors.ts'
import { flushFolderSync, retryWhileLockedSync } from '../lib/files.ts'
import type { Clock, Logger } from '../ports.ts'
import { type FactName, readFact, writeFact } from './audit.ts'
import type { SqlDatabase } from './database.ts'
import type { Outbox } from './outbox.ts'
import { knowsMore, manifestIds, manifestsFolderIn, readManifest } from './recovery/manifests.ts'
import type { RestoreReason, Service } from './recovery/restore.ts'
import { readNewerManifests, setDamagedAside } from './recovery/salvage.ts'
import type { WriteThrough } from './write-through.ts'

/**
 * The marker outside the database tells a lost database from a first run: a database that is gone or empty beside a
 * marker is trouble, and is never taken for a new station. It also bears the generation of the outbox used last.
 */
export type StationMarker = {
  readonly stationId: string
  /** Null in a marker of an earlier version. */
  readonly generation: string | null
}

const markerSchema = z.object({ stationId: z.string(), generation: z.string().nullable().default(null) })

export function markerPathIn(dataFolder: string): string {
  return join(dataFolder, 'station.json')
}

/** Reads the marker, null where there is none; throws a StorageError where it cannot be understood. */
export function readMarker(path: string): StationMarker | null {
  if (!existsSync(path)) return null
  try {
    return markerSchema.parse(JSON.parse(readFileSync(path, 'utf8')))
  } catch (error) {
    throw new StorageError('The station file in the data folder cannot be read. Nothing was sent.', {
      cause: error,
      remedy: 'recover',
    })
  }
}

/** Writes the marker whole or not at all, so that it outlives a power cut. */
export function writeMarker(path: string, marker: StationMarker): void {
  const temporary = `${path}.new`
  writeFileSync(temporary, `${JSON.stringify(marker)}\n`, { mode: 0o600, flush: true })
  retryWhileLockedSync(() => renameSync(temporary, path))
  flushFolderSync(dirname(path))
}

/**
 * At the beginning and end of a session: is this the outbox that was used last, or an older copy of it? What follows
 * from that is done by `restored.ts`, once per start, with the rows of `restored-store.ts`.
 *
 * At every opening and closing a new generation is written into the outbox and then into the marker beside it. A copy
 * that is put in place later bears an earlier one. Where a kill comes between the two writes, the marker still bears the
 * one before, which the outbox knows, also where that happens several times in a row. A copy from within the latest
 * session looks alike: after a session that was not closed the outbox is compared with the manifests (`restored.ts`).
 */
type Generations = {
  /** Stands in our backups only. */
  readonly backupOf: string | null
  readonly generation: string | null
  readonly previousGeneration: string | null
  readonly hasSubmissions: boolean
}

/** Why this is not the outbox that was used last, or null. `marked` is undefined where there is no marker. */
export function detectRestore(outbox: Generations, marked: string | null | undefined): RestoreReason | null {
  if (outbox.backupOf !== null) return 'backup'
  if (marked === undefined) return isOfFirstStart(outbox) ? null : 'otherCopy'
  return marked === outbox.generation || marked === outbox.previousGeneration ? null : 'otherCopy'
}

/**
 * A new station has neither outbox nor marker, and one whose first starts were cut off has an outbox that nobody has
 * worked with. One that was used and lost its marker may be any copy.
 */
function isOfFirstStart({ generation, previousGeneration, hasSubmissions }: Generations): boolean {
  return generation === null || (previousGeneration === null && !hasSubmissions)
}

/** What is kept until the outbox was compared with the manifests. */
const TO_COMPARE = 'toCompare'

/** Begins a session; answers with what the marker must say before anything else happens. */
export function beginSession(store: WriteThrough, marker: StationMarker | null): StationMarker {
  const fact = (name: FactName): string | null => {
    const value = readFact(store, name)
    return value === '' ? null : value
  }
  const generations = {
    backupOf: fact('backupOf'),
    generation: fact('generation'),
    previousGeneration: fact('previousGeneration'),
    hasSubmissions: store.sql.prepare('SELECT 1 AS found FROM submissions LIMIT 1').get() !== undefined,
  }
  const why = detectRestore(generations, marker === null ? undefined : marker.generation)
  const begun = {
    stationId: marker?.stationId ?? fact('stationId') ?? randomUUID(),
    generation: randomUUID(),
  }
  store.write(() => {
    const wasCut = fact('session') === 'open'
    const before = fact('restored')
    // What was found out and not dealt with yet stays; there is nothing to compare where more is known.
    const known = before === TO_COMPARE ? why : (before ?? why)
    const found = known ?? (wasCut ? TO_COMPARE : before)
    writeFact(store, 'restored', found ?? '')
    writeFact(store, 'backupOf', '')
    writeFact(store, 'stationId', begun.stationId)
    writeFact(store, 'session', 'open')
    // What the marker says now, and not what the row says: openings that are cut off leave the marker as it is, however
    // many come in a row.
    writeGeneration(store, marker === null ? null : marker.generation, begun.generation)
  })
  return begun
}

/** Ends a session as it should be; answers with what the marker must say. */
export function endSession(store: WriteThrough, begun: StationMarker): StationMarker {
  const generation = randomUUID()
  store.write(() => {
    writeFact(store, 'session', 'closed')
    writeGeneration(store, begun.generation, generation)
  })
  return { ...begun, generation }
}

function writeGeneration(store: WriteThrough, from: string | null, to: string): void {
  writeFact(store, 'previousGeneration', from ?? '')
  writeFact(store, 'generation', to)
}

type Comparison = {
  /** Does any manifest know of what the outbox does not? */
  readonly isBehind: boolean
  /** Submissions that are not settled, of which the disk does not give what their manifest knows. */
  readonly unreadIds: readonly string[]
}

/** Manifests of what is settled are not read. */
async function compare(outbox: Outbox, folder: string, logger: Logger): Promise<Comparison> {
  const unreadIds: string[] = []
  const behind = { isBehind: true, unreadIds }
  for await (const listed of manifestIds(folder)) {
    if (listed.kind === 'unreadable')
      logger.error('a folder of manifests cannot be read', { error: listed.code })
    else if (listed.ids.some((id) => !outbox.manifests.isKnown(id))) return behind
  }
  for (const id of outbox.manifests.unsettledIds()) {
    const found = await readManifest(folder, id)
    const row = outbox.manifests.progressOf(id)
    if (found.kind === 'read' && row && knowsMore(found.manifest, row)) return behind
    if (found.kind !== 'unreadable') continue
    logger.error('a manifest cannot be read', { submission: id, error: found.code })
    unreadIds.push(id)
  }
  return { isBehind: false, unreadIds }
}

async function findReason(options: RestoreOptions): Promise<RestoreReason | null> {
  const { outbox, manifestsFolder, clock, logger } = options
  if (outbox.facts.read('restored') !== TO_COMPARE) return outbox.recovery.whyRestored()
  const { isBehind, unreadIds } = await compare(outbox, manifestsFolder, logger)
  const context = { service: options.service ?? NO_SERVICE, at: clock.now() }
  // Before the comparison is called done: a kill amid this leaves it to the next start.
  if (!isBehind) for (const id of unreadIds) outbox.recovery.markUnreadUnconfirmed(id, context)
  const why = isBehind ? 'behindManifests' : null
  outbox.facts.write('restored', why ?? '')
  return why
}

const NO_SERVICE: Service = { baseUrl: '', clientId: '' }

type RestoreOptions = {
  readonly outbox: Outbox
  readonly manifestsFolder: string
  readonly clock: Clock
  readonly logger: Logger
  /** The service that is set now; null where none is. */
  readonly service: Service | null
}

/**
 * Finds out whether the outbox is older than what happened. If so, lays over it what the manifests know and puts in
 * doubt all that is not sent. A kill amid this leaves it to the next start.
 */
export async function handleRestored(options: RestoreOptions): Promise<void> {
  const { outbox, manifestsFolder, clock, logger } = options
  const why = await findReason(options)
  if (why === null) return
  const at = clock.now()
  const { manifests, damaged, unreadable } = await readNewerManifests(outbox, manifestsFolder, at)
  const applied = outbox.manifests.apply(manifests, at)
  const unconfirmed = outbox.recovery.markAllUnconfirmed(why, { service: options.service ?? NO_SERVICE, at })
  await setDamagedAside(manifestsFolder, damaged)
  const counts = { ...applied, damaged: damaged.length, unreadable, ...unconfirmed }
  logger.error('the outbox is older than what happened', { why, ...counts })
}

// Was a data folder used before? A database that knows nothing is a beginning in a new folder, and a loss in a used one.

/** Manifests tell of an earlier use, too: a folder that lost its outbox and its marker is no new one. */
export function wasUsed(dataFolder: string): boolean {
  return existsSync(markerPathIn(dataFolder)) || existsSync(manifestsFolderIn(dataFolder))
}

/**
 * Throws a StorageError where an opened database of a used folder holds no table yet. After a hard end all content may
 * lie in the WAL; if that is lost, what is left passes every check and would be taken for a new station's.
 */
export function assertNotEmptied(sql: SqlDatabase, dataFolder: string): void {
  const isEmpty = sql.pragma('user_version', { simple: true }) === 0
  if (isEmpty && wasUsed(dataFolder)) throw new StorageError(DAMAGED, { remedy: 'recover' })
}
