/**
 * A verified copy of a foreign file.
 *
 * It is named by the hash of its bytes: a second copy is the same file, and no name reveals a patient. It is a real copy
 * and never a link: cameras rewrite files in place, and shares vanish. It is flushed to the disk, and its folder with
 * it, before it is reported. Runs in the process of the folder, which loads little.
 */
import { createHash, randomUUID } from 'node:crypto'
import { type FileHandle, lstat, mkdir, open, readdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { worded } from '../../src-shared/wording.ts'
import { errorCode, isFullDisk } from '../station/lib/errors.ts'
import {
  flushFolder,
  openSource,
  type OpenSource,
  openWithRetry,
  reads,
  removeBestEffort,
  renameWithRetry,
  type Source,
  withFile,
} from '../station/lib/files.ts'
import type { Digest, SpoolRequest, SpoolResult, FileStamp } from './messages.ts'
import { matchesStamp } from './formats/bytes.ts'

const CHUNK_BYTES = 256 * 1_024

type SpoolFailure = Extract<SpoolResult, { ok: false }>['why']

/** The folder of unfinished copies; anything in it at a start is useless. */
export const incomingOf = (spoolFolder: string): string => join(spoolFolder, 'incoming')

/** Copies one file into the spool. The source is only read. */
export async function spoolFile(request: SpoolRequest, open: OpenSource = openSource): Promise<SpoolResult> {
  const { sourcePath, spoolFolder, expected } = request
  const temporaryPath = join(incomingOf(spoolFolder), `${reads.prefix}${randomUUID()}.tmp`)
  try {
    const source = await readingSource(() => open(sourcePath))
    try {
      const digest = await copyUnchanged(source, sourcePath, expected, temporaryPath)
      const spoolName = `${digest.sha256.slice(0, 2)}/${digest.sha256}`
      await onOwnDisk(() => commitCopy(temporaryPath, spoolFolder, spoolName, digest))
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
export async function hashSource(path: string, open: OpenSource = openSource): Promise<string | null> {
  return hashOf(open(path))
}

async function hashOf(opening: Promise<Source>): Promise<string | null> {
  try {
    return await withFile(opening, async (file) => (await copyAndHash(file, null)).sha256)
  } catch (error) {
    if (!(error instanceof SpoolError) && errorCode(error) === undefined) throw error
    return null
  }
}

/** Hashes, and copies if there is a `copy`. Holds two chunks: while one is hashed, the next is read. */
async function copyAndHash(source: Source, copy: FileHandle | null): Promise<Digest> {
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
  const folder = incomingOf(spoolFolder)
  await mkdir(folder, { recursive: true })
  await removeBeginningWith('', folder)
}

/** With this begin files that a process was writing when it ended. */
export async function removeBeginningWith(prefix: string, folder: string): Promise<void> {
  for (const name of await readdir(folder))
    if (name.startsWith(prefix)) await removeBestEffort(join(folder, name))
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

/** A share is not blamed for our own disk, which may be slow, or for a program that checks our files. */
async function onOwnDisk<Value>(act: () => Promise<Value>): Promise<Value> {
  reads.own += 1
  try {
    return await act()
  } finally {
    reads.own -= 1
    reads.steps += 1
  }
}

async function copyUnchanged(
  source: Source,
  sourcePath: string,
  expected: FileStamp,
  temporaryPath: string,
): Promise<Digest> {
  const before = await readingSource(() => source.stat({ bigint: true }))
  if (!matchesStamp(await readingSource(() => source.stat()), expected)) throw new SpoolError('changed')
  await mkdir(dirname(temporaryPath), { recursive: true })
  const digest = await withFile(openWithRetry(temporaryPath, 'wx', 0o600), async (copy) => {
    const copied = await copyAndHash(source, copy)
    await onOwnDisk(() => copy.sync())
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
