/**
 * The station's own verified copies of images.
 *
 * A copy is named by the hash of its bytes: a second copy is the same file, and no name reveals a patient. It is a
 * real copy and never a link: cameras rewrite files in place, and shares vanish. It is flushed to the disk, and its
 * folder with it, before it is reported.
 */
import { createHash, randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { type FileHandle, lstat, mkdir, open, readdir, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { failureOf } from '../../../src-shared/failure.ts'
import type { ImageType } from '../../../src-shared/image-files.ts'
import { type Message, worded } from '../../../src-shared/wording.ts'
import { factsColumn, odditiesColumn } from '../json-columns.ts'
import { errorCode, isFullDisk } from '../lib/errors.ts'
import {
  flushFolder,
  openSource,
  openWithRetry,
  reads,
  removeBestEffort,
  renameWithRetry,
  withFile,
} from '../lib/files.ts'
import type { Holder, SpooledBytes } from '../outbox/images.ts'
import type { ImageRow } from '../outbox/rows.ts'
import type { ContentFacts } from '../cases/meaning/sources.ts'
import type { IngestContext } from '../cases/settle.ts'
import type { Digest, SpoolRequest, SpoolResult } from './foreign-messages.ts'
import { type FileStamp, matchesStamp } from './formats/bytes.ts'
import type { MadePicture, PhotoRequest } from './messages.ts'

const CHUNK_BYTES = 256 * 1_024

type SpoolFailure = Extract<SpoolResult, { ok: false }>['why']

/** The folder of unfinished copies; anything in it at a start is useless. */
const INCOMING = 'incoming'

/** Copies one file into the spool. The source is only read. */
export async function spoolFile(request: SpoolRequest): Promise<SpoolResult> {
  const { sourcePath, spoolFolder, expected } = request
  const temporaryPath = join(spoolFolder, INCOMING, `${randomUUID()}.tmp`)
  try {
    const source = await readingSource(() => openSource(sourcePath))
    try {
      const digest = await copyUnchanged(source, sourcePath, expected, temporaryPath)
      const spoolName = `${digest.sha256.slice(0, 2)}/${digest.sha256}`
      await commitCopy(temporaryPath, spoolFolder, spoolName, digest)
      return { ok: true, ...digest, spoolName }
    } finally {
      await readingSource(() => source.close())
    }
  } catch (error) {
    await removeBestEffort(temporaryPath)
    const isOfSource = error instanceof SpoolError
    if (!isOfSource && errorCode(error) === undefined) throw error
    const why = isOfSource ? error.reason : isFullDisk(error) ? 'diskFull' : 'storage'
    return { ok: false, why, ...worded(`intake:spool.${why}`) }
  }
}

/** The hash of a foreign file now; null if it cannot be read. */
export async function hashSource(path: string): Promise<string | null> {
  return hashOf(openSource(path))
}

async function hashOf(opening: Promise<FileHandle>): Promise<string | null> {
  try {
    return await withFile(opening, async (file) => (await copyAndHash(file, null)).sha256)
  } catch (error) {
    if (!(error instanceof SpoolError) && errorCode(error) === undefined) throw error
    return null
  }
}

/** Hashes, and copies if there is a `copy`. Holds two chunks: while one is hashed, the next is read. */
async function copyAndHash(source: FileHandle, copy: FileHandle | null): Promise<Digest> {
  const hash = createHash('sha256')
  const read = async (buffer: Buffer, position: number): Promise<number> => {
    const { bytesRead } = await readingSource(() => source.read(buffer, 0, CHUNK_BYTES, position))
    reads.steps += 1
    return bytesRead
  }
  let [current, next] = [Buffer.allocUnsafe(CHUNK_BYTES), Buffer.allocUnsafe(CHUNK_BYTES)]
  let sizeBytes = 0
  let bytesRead = await read(current, 0)
  while (bytesRead > 0) {
    const chunk = current.subarray(0, bytesRead)
    const reading = read(next, sizeBytes + bytesRead)
    // Appends the whole chunk.
    const writing = copy?.writeFile(chunk)
    hash.update(chunk)
    const [nextRead] = await Promise.all([reading, writing])
    sizeBytes += bytesRead
    bytesRead = nextRead
    ;[current, next] = [next, current]
  }
  return { sha256: hash.digest('hex'), sizeBytes }
}

/** Removes unfinished copies of an earlier run. Nothing may be spooling meanwhile. */
export async function clearIncoming(spoolFolder: string): Promise<void> {
  const folder = join(spoolFolder, INCOMING)
  await mkdir(folder, { recursive: true })
  for (const name of await readdir(folder)) await removeBestEffort(join(folder, name))
}

class SpoolError extends Error {
  readonly reason: SpoolFailure

  constructor(reason: SpoolFailure, options?: ErrorOptions) {
    super(`The file was not spooled: ${reason}.`, options)
    this.reason = reason
  }
}

/** The source is gone, or replaced by something that is no file. */
const GONE_CODES = ['ENOENT', 'ENOTDIR', 'EFTYPE']

/** Separates errors of the source from those of our own disk. */
async function readingSource<Value>(act: () => Promise<Value>): Promise<Value> {
  try {
    return await act()
  } catch (error) {
    const code = errorCode(error)
    if (code === undefined) throw error
    throw new SpoolError(GONE_CODES.includes(code) ? 'changed' : 'unreadable', { cause: error })
  }
}

async function copyUnchanged(
  source: FileHandle,
  sourcePath: string,
  expected: FileStamp,
  temporaryPath: string,
): Promise<Digest> {
  const before = await readingSource(() => source.stat({ bigint: true }))
  if (!matchesStamp(await readingSource(() => source.stat()), expected)) throw new SpoolError('changed')
  await mkdir(dirname(temporaryPath), { recursive: true })
  const digest = await withFile(openWithRetry(temporaryPath, 'wx', 0o600), async (copy) => {
    const copied = await copyAndHash(source, copy)
    await copy.sync()
    return copied
  })
  // By name as well: the camera may have replaced the file.
  const after = [
    await readingSource(() => source.stat({ bigint: true })),
    await readingSource(() => lstat(sourcePath, { bigint: true })),
  ]
  const isUnchanged = after.every(
    (now) => now.size === before.size && now.mtimeNs === before.mtimeNs && now.ino === before.ino,
  )
  if (!isUnchanged || digest.sizeBytes !== expected.sizeBytes) throw new SpoolError('changed')
  // A camera that sets times may have written it over meanwhile, or a backup has touched it: the bytes decide.
  if (after.some(({ ctimeNs }) => ctimeNs !== before.ctimeNs)) {
    const now = await copyAndHash(source, null)
    if (now.sha256 !== digest.sha256) throw new SpoolError('changed')
  }
  return digest
}

/** Gives the copy its final name. An existing copy stays if its content still matches its name. */
async function commitCopy(
  temporaryPath: string,
  spoolFolder: string,
  spoolName: string,
  digest: Digest,
): Promise<void> {
  const path = join(spoolFolder, spoolName)
  const folder = dirname(path)
  const made = await mkdir(folder, { recursive: true })
  if (made !== undefined) await flushFolder(spoolFolder)
  const isThere = (await hashOf(open(path, 'r'))) === digest.sha256
  await (isThere ? removeBestEffort(temporaryPath) : renameWithRetry(temporaryPath, path))
  await flushFolder(folder)
}

/** The position and type of the bytes: in a camera's folder, or in ours, as what was extracted from an archive. */
export type ImageSource = {
  readonly contentType: ImageType
  readonly at: FileStamp & { readonly path: string }
  readonly copy: IngestContext['foreign']['copy']
}

/** A stored and inspected image, as recorded in the outbox. */
export type StoredImage = {
  readonly bytes: SpooledBytes
  readonly facts: ContentFacts | null
  readonly picture: SpooledBytes | null
  /** Of its picture, see `cases/visits/twins.ts`. */
  readonly grey: string | null
  /** Warnings about the picture, as JSON. */
  readonly oddities: string
}

/** True for several frames, and for pixels that cannot be decoded here: only the file itself is complete. */
export function isShownInPart({ oddities }: StoredImage): boolean {
  return odditiesColumn.read(oddities).some(({ kind }) => kind === 'noPreview')
}

/** Its columns in the outbox. */
export function columnsOf({ bytes, facts, picture, grey, oddities }: StoredImage) {
  const sopUid = facts?.sopUid ?? null
  return { ...bytes, facts: facts && JSON.stringify(facts), sopUid, picture, grey, oddities }
}

/** An image as its columns have it. */
function storedIn(row: ImageRow): StoredImage {
  const {
    picture_spool_name: spoolName,
    picture_content_type: contentType,
    picture_size_bytes: sizeBytes,
    picture_sha256: sha256,
  } = row
  const isWhole = spoolName !== null && contentType !== null && sizeBytes !== null && sha256 !== null
  return {
    bytes: {
      spoolName: row.spool_name,
      contentType: row.content_type,
      sizeBytes: row.size_bytes,
      sha256: row.sha256,
    },
    facts: row.facts === null ? null : factsColumn.read(row.facts),
    picture: isWhole ? { spoolName, contentType, sizeBytes, sha256 } : null,
    grey: row.grey,
    oddities: row.oddities,
  }
}

/** `passing` may succeed next time; `damaged` is permanent. The hash is that of the file. */
export type StoreResult =
  | { readonly kind: 'kept'; readonly image: StoredImage }
  | {
      readonly kind: 'known'
      readonly holder: Holder
      readonly sha256: string
      /** As it was inspected; undefined if its row cannot be read. */
      readonly image: StoredImage | undefined
    }
  | (Message & { readonly kind: 'damaged'; readonly sha256: string })
  | (Message & { readonly kind: 'passing' })

/** Stores an image: first a verified copy, then its inspection. Known bytes are not inspected again. */
export async function storeImage(
  context: IngestContext,
  { contentType, at, copy }: ImageSource,
  nameOrder: PhotoRequest['nameOrder'],
): Promise<StoreResult> {
  const spooled = await storeBytes(context, at, copy)
  if (!spooled.ok) return { ...spooled, kind: 'passing' }
  const { ok: _ok, ...digest } = spooled
  const bytes: SpooledBytes = { ...digest, contentType }
  const [holder] = context.outbox.holdersOf(bytes.sha256)
  const held = holder && context.outbox.imageById(holder.imageId)
  // Bytes that were removed after their retention time are as good as new.
  if (holder && typeof held?.removed_at !== 'number')
    return { kind: 'known', holder, sha256: bytes.sha256, image: held && storedIn(held) }
  const { spoolFolder, pictureFolder } = context
  const path = join(spoolFolder, bytes.spoolName)
  const reading = await context.readPhoto({ path, contentType, nameOrder, pictureFolder })
  if (reading.kind === 'notOpened') return { kind: 'passing', ...worded('intake:ingest.notChecked') }
  if (reading.kind === 'damaged') return { ...reading, sha256: bytes.sha256 }
  const picture = reading.picture === null ? null : await storePicture(context, reading.picture)
  if (picture !== null && 'why' in picture) return { ...picture, kind: 'passing' }
  const oddities = JSON.stringify(reading.oddities)
  return { kind: 'kept', image: { bytes, facts: reading.facts, picture, grey: reading.grey, oddities } }
}

/** Copies a file into the spool, and reports if our own disk accepts nothing more. */
async function storeBytes(
  context: IngestContext,
  at: ImageSource['at'],
  copy: ImageSource['copy'],
): Promise<SpoolResult> {
  const { path: sourcePath, ...expected } = at
  const spooled = await copy({ sourcePath, spoolFolder: context.spoolFolder, expected })
  const kind = spooled.ok ? null : DISK_FAILURES[spooled.why]
  if (spooled.ok || kind === null) context.storageIs(null)
  else context.storageIs(failureOf(kind, { message: spooled.message, wording: spooled.wording }))
  return spooled
}

/** How trouble of our own disk shows in the status; that of the source does not. */
const DISK_FAILURES = { changed: null, unreadable: null, diskFull: 'diskLow', storage: 'storage' } as const

async function storePicture(
  context: IngestContext,
  picture: MadePicture,
): Promise<SpooledBytes | Extract<SpoolResult, { ok: false }>> {
  const { size: sizeBytes, mtimeMs } = await stat(picture.path)
  const at = { path: picture.path, sizeBytes, mtimeMs: Math.floor(mtimeMs) }
  const spooled = await storeBytes(context, at, spoolFile)
  await removeBestEffort(picture.path)
  if (!spooled.ok) return spooled
  const { ok: _ok, ...digest } = spooled
  return { ...digest, contentType: picture.contentType }
}

/** Its bytes may have been removed during inspection as an old case's. Asked in the commit that creates the row. */
export function isStillStored({ spoolFolder }: IngestContext, { bytes, picture }: StoredImage): boolean {
  return [bytes, ...(picture === null ? [] : [picture])].every(({ spoolName }) =>
    existsSync(join(spoolFolder, spoolName)),
  )
}
