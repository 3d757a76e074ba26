/** Writes a report into a folder of the clinic, whose share may hang in any call. */
import { createHash } from 'node:crypto'
import { open, readFile, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { errorCode } from '../station/lib/errors.ts'
import { flushFolder, readFrom, reads, withFile } from '../station/lib/files.ts'

export type ReportCopyRequest = {
  /** Our stored file, and the hash of its bytes. */
  readonly storedPath: string
  readonly sha256: string
  /** A bare address becomes a file that opens it; a document is copied unchanged. */
  readonly isLink: boolean
  /** An existing folder: one that is missing is not created, because its drive may not be mounted. */
  readonly folder: string
  /** `<reference>_<number>.<extension>`, or the next free number beside other content. */
  readonly reference: string
  readonly number: number
  readonly extension: string
}

/** `notRead`: our stored file is missing or damaged. `code` is that of the disk, or `DAMAGED`. */
export type ReportCopyResult = {
  readonly kind: 'saved' | 'notRead' | 'notWritten'
  readonly code: string
}

/** File systems of other machines that cannot flush a folder, or do not let us. */
const CANNOT_SYNC = ['EINVAL', 'ENOTSUP', 'EPERM', 'EACCES', 'EISDIR', 'ENOSYS']

/** More files of one name than this were not written by us. */
const MAX_NAMES = 1_000

/** As a slow share takes it between two signs of life. */
const PIECE_BYTES = 1_024 * 1_024

/** Whole or not at all. Rejects for no error of a disk. */
export async function copyReport(request: ReportCopyRequest): Promise<ReportCopyResult> {
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
  const { folder, reference, number: first, extension } = request
  if (!(await stat(folder)).isDirectory()) return 'ENOTDIR'
  for (let number = first; number < first + MAX_NAMES; number += 1) {
    const fileName = `${reference}_${number}.${extension}`
    const path = join(folder, fileName)
    const existing = await compareExisting(path, bytes)
    if (existing === 'other') continue
    if (existing === 'nothing') await writeWhole(path, join(folder, `.${fileName}.part`), bytes)
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
