/** Compares spool and manifests with the outbox, rescues damaged manifests, and describes what a recovery did. */
import { randomBytes } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { isReference, referenceOf } from '../../../../src-shared/reference.ts'
import { type Message, worded, type Wording, wordingOf } from '../../../../src-shared/wording.ts'
import { errorCode } from '../../lib/errors.ts'
import type { Outbox } from '../outbox.ts'
import { NO_IDENTITY } from '../submissions.ts'
import { knowsMore, type Manifest, manifestIds, readManifest, setAsideManifest } from './manifests.ts'
import type { AppliedManifests } from './restore.ts'

type SpoolCount = {
  /** Images without a file. */
  readonly missing: number
  /** Files without a row. */
  readonly unnamed: number
}

/** A spooled file that a row names: an image of the camera, or a picture made from one. */
type SpooledFile = { readonly spoolName: string }

/** Spooled copies are in folders named by the first two characters of their hash. */
const HASH_FOLDER = /^[0-9a-f]{2}$/

/** Compares the rows with the files in the spool. Changes nothing. */
export async function countSpool(spoolFolder: string, named: readonly SpooledFile[]): Promise<SpoolCount> {
  const there = new Set<string>()
  for (const folder of (await namesIn(spoolFolder)).filter((name) => HASH_FOLDER.test(name)))
    for (const name of await namesIn(join(spoolFolder, folder))) there.add(`${folder}/${name}`)
  const missing = named.filter(({ spoolName }) => !there.has(spoolName)).length
  for (const { spoolName } of named) there.delete(spoolName)
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

export type Recovered = AppliedManifests &
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
export function recoveryMessages(done: Recovered): readonly Message[] {
  return [
    done.setAside === null
      ? worded('start:recovery.noOutbox')
      : worded('start:recovery.setAside', { name: done.setAside }),
    ...done.unusable.map((name) => worded('start:recovery.unusableBackup', { name })),
    done.backup === null
      ? worded('start:recovery.fromNotes')
      : worded('start:recovery.fromBackup', { name: done.backup }),
    worded('start:recovery.counts', { added: cases(done.added), changed: cases(done.changed) }),
    ...counted('damaged', done.damaged),
    ...counted('unreadable', done.unreadable),
    ...counted('missingImages', done.missing),
    ...counted('unnamed', done.unnamed),
    ...(done.unsettled === 0 ? [worded('start:recovery.settled')] : counted('unsettled', done.unsettled)),
  ]
}

const cases = (count: number): Wording => wordingOf('start:recovery.cases', { count })

function counted(
  key: 'damaged' | 'unreadable' | 'missingImages' | 'unnamed' | 'unsettled',
  count: number,
): readonly Message[] {
  return count === 0 ? [] : [worded(`start:recovery.${key}`, { count })]
}

type SalvageFallback = {
  readonly id: string
  /** The reference to use if none is readable. */
  readonly reference: string
  readonly at: number
}

const HASH = /"sha256":"([0-9a-f]{64})"/g

const REFERENCE = /"reference":"([0-9A-Z]{11})"/

/**
 * Builds a manifest from the readable parts of a damaged one, all of it unconfirmed; null if no image is readable.
 * The case is lost, but its images are known, so that they never silently become a second case.
 */
function salvageManifest(
  text: string,
  fallback: SalvageFallback,
  isReference: (text: string) => boolean,
): Manifest | null {
  const hashes = [...new Set([...text.matchAll(HASH)].map((match) => match[1] ?? ''))]
  if (hashes.length === 0) return null
  const read = REFERENCE.exec(text)?.[1]
  const { id, at } = fallback
  return {
    format: 1,
    revision: 1,
    submission: {
      id,
      reference: read !== undefined && isReference(read) ? read : fallback.reference,
      state: 'unconfirmed',
      fields: '{}',
      sources: '{}',
      // Which facts its names alone state is unknown.
      identity: JSON.stringify({ ...NO_IDENTITY, namedOnly: undefined }),
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
    attempts: [],
    announced: null,
  }
}

type ReadManifests = {
  readonly manifests: readonly Manifest[]
  /** The ids of damaged ones. They are still in place: see `setAsideDamaged`. */
  readonly damaged: readonly string[]
  /** Files that the disk cannot read, and folders that it cannot even list. */
  readonly unreadable: number
}

type DamagedManifest = { readonly id: string; readonly text: string }

/**
 * Reads the manifests that know more than the outbox. If one is damaged and the outbox does not have its
 * submission, its readable parts are used instead. Changes nothing.
 */
export async function readNewerManifests(outbox: Outbox, folder: string, at: number): Promise<ReadManifests> {
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
      const row = outbox.manifests.progressOf(id)
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
    !used.has(reference) && outbox.submissions.byReference(reference, { baseUrl: '', clientId: '' }) === null
  return damaged.flatMap(({ id, text }) => {
    if (outbox.manifests.isKnown(id)) return []
    const fallback = { id, reference: referenceOf(randomBytes(8)), at }
    const manifest = salvageManifest(text, fallback, (read) => isReference(read) && isFree(read))
    if (manifest === null) return []
    used.add(manifest.submission.reference)
    return [manifest]
  })
}

/** Sets damaged manifests aside, after their content was committed. One that cannot be moved is found again. */
export async function setAsideDamaged(folder: string, ids: readonly string[]): Promise<void> {
  for (const id of ids) await setAsideManifest(folder, id, 'damaged').catch(() => undefined)
}
