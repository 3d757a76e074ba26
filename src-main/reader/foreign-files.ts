/**
 * Foreign files, opened within this process, which may hang or die in the call, and reports, written into a folder of the
 * clinic, whose share may hang as well. Errors of the disk carry their code. A file that was found whole stays open until it
 * has been copied, so that its share is asked for it once.
 */
import { createHash } from 'node:crypto'
import { type FileHandle, lstat, open, readFile, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { SECOND } from '../../src-shared/durations.ts'
import { errorCode } from '../station/lib/errors.ts'
import {
  chosenFile,
  flushFolder,
  isJunkFile,
  isSidecar,
  openSource,
  type OpenSource,
  readFrom,
  reads,
  readSource,
  withFile,
} from '../station/lib/files.ts'
import { hashSource, spoolFile } from './copy.ts'
import { readAtOfHandle } from './formats/bytes.ts'
import { expandZip } from './formats/zip.ts'
import { listFiles } from './folder/walk.ts'
import { inspectFile } from './inspect-file.ts'
import type {
  ForeignFiles,
  ForeignRequest,
  ListedFile,
  ReportCopyRequest,
  ReportCopyResult,
} from './messages.ts'

/** Few enough to be written to the database between two frames of a screen. */
const FILES_PER_ANSWER = 200

/** Only a few, and not for long: a file server counts them, and Windows cannot remove the folder of one. */
const MOST_HELD = 16
const HELD_MS = 30 * SECOND

type Held = {
  readonly handle: FileHandle
  readonly expiry: NodeJS.Timeout
  users: number
  /** Closed after its last use. */
  isEnding: boolean
}

export class HeldFiles {
  readonly #held = new Map<string, Held>()

  /** The file that lies at the path now, which may be open already. Closing it leaves it open while it is held. */
  readonly open: OpenSource = async (path) => {
    const held = (await this.#stillLyingAt(path)) ?? this.#hold(path, await openSource(path))
    held.users += 1
    const { handle } = held
    // What failed once, fails until it is opened again.
    const orRelease = async <Value>(act: () => Promise<Value>): Promise<Value> => {
      try {
        return await act()
      } catch (error) {
        this.#end(path, held)
        throw error
      }
    }
    let isClosed = false
    const read = (...how: Parameters<FileHandle['read']>) => orRelease(() => handle.read(...how))
    const stat = (...how: Parameters<FileHandle['stat']>) => orRelease(() => handle.stat(...how))
    return {
      read,
      stat: stat as FileHandle['stat'],
      close: async () => {
        if (isClosed) return
        isClosed = true
        held.users -= 1
        if (held.isEnding && held.users === 0) await handle.close()
      },
    }
  }

  /** It is not needed any more: closed at once, or after its last use. */
  release(path: string): void {
    const held = this.#held.get(path)
    if (held) this.#end(path, held)
  }

  /** Null if it is not open, or if something else lies there by now. */
  async #stillLyingAt(path: string): Promise<Held | null> {
    const held = this.#held.get(path)
    if (held === undefined) return null
    const [there, open] = await Promise.all([
      lstat(path, { bigint: true }).catch(() => null),
      held.handle.stat({ bigint: true }).catch(() => null),
    ])
    const isSame =
      there !== null &&
      open !== null &&
      there.ino === open.ino &&
      there.dev === open.dev &&
      there.size === open.size &&
      there.mtimeNs === open.mtimeNs
    if (isSame && !held.isEnding) return held
    this.#end(path, held)
    return null
  }

  #hold(path: string, handle: FileHandle): Held {
    const expiry = setTimeout(() => this.release(path), HELD_MS).unref()
    const held = { handle, expiry, users: 0, isEnding: false }
    // One that was opened twice at the same time, or one too many, is closed after this use.
    if (this.#held.has(path) || this.#held.size >= MOST_HELD) this.#end(null, held, 1)
    else this.#held.set(path, held)
    return held
  }

  #end(path: string | null, held: Held, users = held.users): void {
    clearTimeout(held.expiry)
    if (path !== null && this.#held.get(path) === held) this.#held.delete(path)
    if (held.isEnding) return
    held.isEnding = true
    // A server that has gone does not take it back, either.
    if (users === 0) held.handle.close().catch(() => undefined)
  }
}

/** Within this process. What will be asked for again stays open: a whole file until it is copied, a hashed one until it is read. */
export const openedBy = (held: HeldFiles): ForeignFiles => ({
  copy: (request) => spoolFile(request, held.open).finally(() => held.release(request.sourcePath)),
  hash: (path) => hashSource(path, held.open),
  read: (path, mostBytes) => readSource(path, mostBytes, held.open).finally(() => held.release(path)),
  async inspect(path, expected) {
    const found = await inspectFile(path, expected, held.open)
    const isRead = found.kind === 'whole' || (found.kind === 'other' && isSidecar(path))
    if (!isRead) held.release(path)
    return found
  },
  async locate(path) {
    const target = await chosenFile(path)
    const found = await stat(target)
    const { size: sizeBytes, mtimeMs, ino: inode } = found
    return { path: target, sizeBytes, mtimeMs: Math.floor(mtimeMs), inode, isFile: found.isFile() }
  },
  async elementsOf(path) {
    // Loaded when it is first needed: few processes ever do.
    const [{ openDicom }, { readElements }] = await Promise.all([
      import('./dicom/dicom.ts'),
      import('./dicom/data-set.ts'),
    ])
    return await withFile(held.open(path), async (handle) =>
      readElements(await openDicom(readAtOfHandle(handle), (await handle.stat()).size)),
    ).finally(() => held.release(path))
  },
  copyReport,
  expand: (path, targetFolder) => expandZip(path, targetFolder, isJunkFile, held.open),
  async *list(folderPath) {
    let files: ListedFile[] = []
    for await (const file of listFiles(folderPath)) {
      if (files.push(file) < FILES_PER_ANSWER) continue
      yield files
      files = []
    }
    yield files
  },
})

/** Released once the station has dealt with them. */
export const heldFiles = new HeldFiles()
export const openedHere = openedBy(heldFiles)

/** Answers a request: once, or as often as there are entries of an archive or batches of a folder. */
export async function* answersTo({
  ask,
  parameters,
}: ForeignRequest): AsyncGenerator<unknown, void, undefined> {
  const act = openedHere[ask] as (
    ...all: readonly unknown[]
  ) => Promise<unknown> | AsyncGenerator<unknown, void, undefined>
  try {
    const answer = act(...parameters)
    if (Symbol.asyncIterator in answer) yield* answer
    else yield await answer
  } finally {
    // Not the look of the process that watches: a preview copies nothing.
    if (ask === 'inspect') heldFiles.release(parameters[0])
  }
}

/** File systems of other machines that cannot flush a folder, or do not let us. */
const CANNOT_SYNC = ['EINVAL', 'ENOTSUP', 'EPERM', 'EACCES', 'EISDIR', 'ENOSYS']

/** More files of one name than this were not written by us. */
const MAX_NAMES = 1_000

/** As a slow share takes it between two signs of life. */
const PIECE_BYTES = 1_024 * 1_024

/** Whole or not at all. Rejects for no error of a disk. */
async function copyReport(request: ReportCopyRequest): Promise<ReportCopyResult> {
  const stored = await readFile(request.storedPath).catch(asCode)
  if (typeof stored === 'string') return { kind: 'notRead', code: stored }
  const isWhole = createHash('sha256').update(stored).digest('hex') === request.sha256
  if (!isWhole) return { kind: 'notRead', code: 'DAMAGED' }
  const code = await write(request, request.isLink ? shortcutTo(stored) : stored).catch(asCode)
  return code === null ? { kind: 'saved', code: '' } : { kind: 'notWritten', code }
}

function asCode(error: unknown): string {
  return errorCode(error) ?? 'unknown'
}

function shortcutTo(bytes: Buffer): Buffer {
  const address = bytes.toString('utf8').replace(/[\s\p{Cc}]/gu, '')
  return Buffer.from(`[InternetShortcut]\r\nURL=${address}\r\n`)
}

/** Null once the folder holds the bytes under a name of this report, else a code. */
async function write(request: ReportCopyRequest, bytes: Buffer): Promise<string | null> {
  const { folder, name, number: first, extension, facts } = request
  if (!(await stat(folder)).isDirectory()) return 'ENOTDIR'
  for (let number = first; number < first + MAX_NAMES; number += 1) {
    const fileName = `${name}_${number}.${extension}`
    const path = join(folder, fileName)
    const existing = await compareExisting(path, bytes)
    if (existing === 'other') continue
    if (existing === 'nothing') await writeWhole(path, join(folder, `.${fileName}.part`), bytes)
    const besides = join(folder, `${name}_${number}.case.json`)
    if (facts !== null) await writeWhole(besides, `${besides}.part`, Buffer.from(facts))
    return null
  }
  return 'EEXIST'
}

async function compareExisting(path: string, bytes: Buffer): Promise<'same' | 'other' | 'nothing'> {
  try {
    const found = await stat(path)
    if (!found.isFile() || found.size !== bytes.length) return 'other'
    return await withFile(open(path), async (file) =>
      (await readFrom(file, 0, bytes.length)).equals(bytes) ? 'same' : 'other',
    )
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return 'nothing'
    throw error
  }
}

/** Uses the folder's permissions, not our restrictive ones: others must read the file. */
async function writeWhole(path: string, temporary: string, bytes: Buffer): Promise<void> {
  try {
    await withFile(open(temporary, 'w'), async (file) => {
      for (let written = 0; written < bytes.length; reads.steps += 1)
        written += (await file.write(bytes, written, Math.min(PIECE_BYTES, bytes.length - written)))
          .bytesWritten
      await file.sync()
    })
    await rename(temporary, path)
  } catch (error) {
    await rm(temporary, { force: true }).catch(() => undefined)
    throw error
  }
  try {
    await flushFolder(join(path, '..'))
  } catch (error) {
    if (!CANNOT_SYNC.includes(errorCode(error) ?? '')) throw error
  }
}
