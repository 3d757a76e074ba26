/**
 * Detects at every start that the outbox is an older copy than the one used last, or that it must be compared
 * with its manifests; then applies the manifests and marks unconfirmed whatever may have been sent since.
 */
import { randomBytes, randomUUID } from 'node:crypto'
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { z } from 'zod'
import { isReference, referenceOf } from '../../../src-shared/reference.ts'
import { worded } from '../../../src-shared/wording.ts'
import { StorageError } from '../lib/storage-faults.ts'
import { flushFolderSync, retryWhileLockedSync } from '../lib/files.ts'
import type { Clock, Logger } from '../ports.ts'
import { type FactName, readFact, type SqlDatabase, type Store, writeFact } from './database.ts'
import type { Outbox } from './outbox.ts'
import {
  knowsMore,
  type Manifest,
  manifestIds,
  manifestsFolderIn,
  readManifest,
  setAsideManifest,
} from './recovery/manifests.ts'

import { NO_SERVICE, type RestoreReason, type Service } from './recovery/restore.ts'
import { NO_IDENTITY } from './submissions.ts'

/** A missing or empty database beside this marker is trouble, never a new station. It has the last generation. */
export type StationMarker = {
  readonly stationId: string
  /** Null in a marker of an earlier version. */
  readonly generation: string | null
}

const markerSchema = z.object({ stationId: z.string(), generation: z.string().nullable().default(null) })

export function markerPathIn(dataFolder: string): string {
  return join(dataFolder, 'station.json')
}

/** Reads the marker; null if there is none. Throws a StorageError if it cannot be parsed. */
export function readMarker(path: string): StationMarker | null {
  if (!existsSync(path)) return null
  try {
    return markerSchema.parse(JSON.parse(readFileSync(path, 'utf8')))
  } catch (error) {
    throw new StorageError(worded('start:stationFileUnreadable'), {
      cause: error,
      remedy: 'recover',
    })
  }
}

/** Writes the marker completely or not at all, so that it survives a power cut. */
export function writeMarker(path: string, marker: StationMarker): void {
  const temporary = `${path}.new`
  writeFileSync(temporary, `${JSON.stringify(marker)}\n`, { mode: 0o600, flush: true })
  retryWhileLockedSync(() => renameSync(temporary, path))
  flushFolderSync(dirname(path))
}

/**
 * Every opening and closing writes a new generation into the outbox and then into the marker: a kill in between leaves
 * the previous one there, which the outbox knows. A copy from an open session looks the same: then manifests decide.
 */
type Generations = {
  /** Exists in our backups only. */
  readonly backupOf: string | null
  readonly generation: string | null
  readonly previousGeneration: string | null
  readonly hasSubmissions: boolean
}

/** Why this is not the outbox used last; null if it is. `marked` is undefined if there is no marker. */
export function detectRestore(outbox: Generations, marked: string | null | undefined): RestoreReason | null {
  if (outbox.backupOf !== null) return 'backup'
  if (marked === undefined) {
    // A new station has no outbox, or an unused one of a first start that was cut off. A used one may be any copy.
    const isUnused = outbox.previousGeneration === null && !outbox.hasSubmissions
    return outbox.generation === null || isUnused ? null : 'otherCopy'
  }
  return marked === outbox.generation || marked === outbox.previousGeneration ? null : 'otherCopy'
}

/** Stored until the outbox has been compared with the manifests. */
const TO_COMPARE = 'toCompare'

/** Begins a session. Returns the marker to write before anything else happens. */
export function beginSession(store: Store, marker: StationMarker | null): StationMarker {
  const fact = (name: FactName): string | null => {
    const value = readFact(store, name)
    return value === '' ? null : value
  }
  const generations = {
    backupOf: fact('backupOf'),
    generation: fact('generation'),
    previousGeneration: fact('previousGeneration'),
    hasSubmissions: store.row('SELECT 1 AS found FROM submissions LIMIT 1') !== undefined,
  }
  const why = detectRestore(generations, marker === null ? undefined : marker.generation)
  const begun = {
    stationId: marker?.stationId ?? fact('stationId') ?? randomUUID(),
    generation: randomUUID(),
  }
  store.write(() => {
    const wasCut = fact('session') === 'open'
    const before = fact('restored')
    // An earlier finding stays until it is dealt with; a known reason makes the comparison unnecessary.
    const known = before === TO_COMPARE ? why : (before ?? why)
    const found = known ?? (wasCut ? TO_COMPARE : before)
    writeFact(store, 'restored', found ?? '')
    writeFact(store, 'backupOf', '')
    writeFact(store, 'stationId', begun.stationId)
    writeFact(store, 'session', 'open')
    // Uses the generation of the marker and not of the row: interrupted openings leave the marker unchanged, however
    // many there are.
    writeGeneration(store, marker === null ? null : marker.generation, begun.generation)
  })
  return begun
}

/** Ends a session properly. Returns the marker to write. */
export function endSession(store: Store, begun: StationMarker): StationMarker {
  const generation = randomUUID()
  store.write(() => {
    writeFact(store, 'session', 'closed')
    writeGeneration(store, begun.generation, generation)
  })
  return { ...begun, generation }
}

function writeGeneration(store: Store, from: string | null, to: string): void {
  writeFact(store, 'previousGeneration', from ?? '')
  writeFact(store, 'generation', to)
}

type Comparison = {
  /** Does any manifest know of something that the outbox does not? */
  readonly isBehind: boolean
  /** Unfinished submissions whose manifest the disk cannot read. */
  readonly unreadIds: readonly string[]
}

/** Skips the manifests of finished submissions, and ends as soon as the outbox is found to be behind. */
async function compare(outbox: Outbox, folder: string, logger: Logger): Promise<Comparison> {
  const unreadIds: string[] = []
  const behind = { isBehind: true, unreadIds }
  for await (const listed of manifestIds(folder)) {
    if (listed.kind === 'unreadable')
      logger.error('a folder of manifests cannot be read', { error: listed.code })
    else if (listed.ids.some((id) => !outbox.isSubmissionKnown(id))) return behind
  }
  for (const id of outbox.unsettledIds()) {
    const found = await readManifest(folder, id)
    const row = outbox.progressOf(id)
    if (found.kind === 'read' && row && knowsMore(found.manifest, row)) return behind
    if (found.kind !== 'unreadable') continue
    logger.error('a manifest cannot be read', { submission: id, error: found.code })
    unreadIds.push(id)
  }
  return { isBehind: false, unreadIds }
}

async function findReason(options: RestoreOptions): Promise<RestoreReason | null> {
  const { outbox, manifestsFolder, clock, logger } = options
  if (outbox.readFact('restored') !== TO_COMPARE) return outbox.whyRestored()
  const { isBehind, unreadIds } = await compare(outbox, manifestsFolder, logger)
  const context = { service: options.service ?? NO_SERVICE, at: clock.now() }
  // Before the comparison is recorded as done: if a kill interrupts this, the next start repeats it.
  if (!isBehind) for (const id of unreadIds) outbox.markUnreadUnconfirmed(id, context)
  const why = isBehind ? 'behindManifests' : null
  outbox.writeFact('restored', why ?? '')
  return why
}

type RestoreOptions = {
  readonly outbox: Outbox
  readonly manifestsFolder: string
  readonly clock: Clock
  readonly logger: Logger
  /** The service currently set; null if there is none. */
  readonly service: Service | null
}

/** If the outbox is outdated, applies the manifests and marks all unconfirmed. After a kill the next start repeats it. */
export async function handleRestored(options: RestoreOptions): Promise<void> {
  const { outbox, manifestsFolder, clock, logger } = options
  const why = await findReason(options)
  if (why === null) return
  const at = clock.now()
  const { manifests, damaged, unreadable } = await readNewerManifests(outbox, manifestsFolder, at)
  const applied = outbox.applyManifests(manifests, at)
  const unconfirmed = outbox.markAllUnconfirmed(why, { service: options.service ?? NO_SERVICE, at })
  // After a power cut they may be the only ones that know of their cases.
  await outbox.durable()
  await setAsideDamaged(manifestsFolder, damaged)
  const counts = { ...applied, damaged: damaged.length, unreadable, ...unconfirmed }
  logger.error('the outbox is older than what happened', { why, ...counts })
}

/** Was the data folder used before? One that lost its outbox and its marker has manifests. */
export function wasUsed(dataFolder: string): boolean {
  return existsSync(markerPathIn(dataFolder)) || existsSync(manifestsFolderIn(dataFolder))
}

/** Throws a StorageError if a used database has no table: without its WAL it would look like a new station. */
export function assertNotEmptied(sql: SqlDatabase, dataFolder: string): void {
  const isEmpty = sql.pragma('user_version', { simple: true }) === 0
  if (isEmpty && wasUsed(dataFolder)) throw new StorageError(worded('start:damaged'), { remedy: 'recover' })
}

const HASH = /"sha256":"([0-9a-f]{64})"/g

const REFERENCE = /"reference":"([0-9A-Z]{11})"/

/** What can be read of a damaged manifest, unconfirmed, so that its images become no second case; null if none. */
function salvageManifest(text: string, id: string, reference: string, at: number): Manifest | null {
  // Those of its copies are of no images.
  const [ofImages = ''] = text.split('"copies":', 1)
  const hashes = [...new Set([...ofImages.matchAll(HASH)].map((match) => match[1] ?? ''))]
  if (hashes.length === 0) return null
  return {
    format: 1,
    revision: 1,
    submission: {
      id,
      reference,
      state: 'unconfirmed',
      fields: '{}',
      sources: '{}',
      // Which facts its names alone state is unknown.
      identity: JSON.stringify(NO_IDENTITY),
      reasons: '[]',
      attempts: 0,
      case_id: null,
      added_at: at,
      changed_at: at,
    },
    keys: [],
    images: hashes.map((sha256, index) => ({
      id: `${id}-${index + 1}`,
      submission_id: id,
      folder_path: null,
      file_name: `recovered-${index + 1}`,
      eye: 'unknown',
      size_bytes: 0,
      sha256,
      spool_name: `${sha256.slice(0, 2)}/${sha256}`,
      content_type: 'image/jpeg',
      added_at: at,
    })),
    copies: [],
    unusable: [],
    attempts: [],
    announced: null,
  }
}

type DamagedManifest = { readonly id: string; readonly text: string }

/** Reads the manifests that know more, and what is readable of damaged ones without a case. Changes nothing. */
export async function readNewerManifests(outbox: Outbox, folder: string, at: number) {
  const manifests: Manifest[] = []
  const damaged: DamagedManifest[] = []
  let unreadable = 0
  for await (const listed of manifestIds(folder)) {
    if (listed.kind === 'unreadable') {
      unreadable += 1
      continue
    }
    for (const id of listed.ids) {
      const found = await readManifest(folder, id)
      const row = outbox.progressOf(id)
      if (found.kind === 'unreadable') unreadable += 1
      else if (found.kind === 'damaged') damaged.push({ id, text: found.text })
      else if (found.kind === 'read' && (!row || knowsMore(found.manifest, row)))
        manifests.push(found.manifest)
    }
  }
  const salvaged = salvageAll(outbox, manifests, damaged, at)
  return { manifests: [...manifests, ...salvaged], damaged: damaged.map(({ id }) => id), unreadable }
}

/** A manifest copied under another id has the reference of another submission: it gets its own. */
function salvageAll(
  outbox: Outbox,
  sound: readonly Manifest[],
  damaged: readonly DamagedManifest[],
  at: number,
): Manifest[] {
  const used = new Set(sound.map(({ submission }) => submission.reference))
  const isFree = (reference: string): boolean =>
    !used.has(reference) && outbox.submissionByReference(reference, NO_SERVICE) === null
  return damaged.flatMap(({ id, text }) => {
    if (outbox.isSubmissionKnown(id)) return []
    const read = REFERENCE.exec(text)?.[1]
    const isUsable = read !== undefined && isReference(read) && isFree(read)
    const manifest = salvageManifest(text, id, isUsable ? read : referenceOf(randomBytes(8)), at)
    if (manifest === null) return []
    used.add(manifest.submission.reference)
    return [manifest]
  })
}

/** Sets damaged manifests aside, after their content was committed. One that cannot be moved is found again. */
export async function setAsideDamaged(folder: string, ids: readonly string[]): Promise<void> {
  for (const id of ids) await setAsideManifest(folder, id, 'damaged').catch(() => undefined)
}
