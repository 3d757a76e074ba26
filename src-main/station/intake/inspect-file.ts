import type { FileHandle } from 'node:fs/promises'
import type { ImageType } from '../../../src-shared/image-type.ts'
import { diskCodeOf, openSource } from '../open-source.ts'
import { contentKindOf, HEAD_BYTES, isImageType, type ContentKind, type OtherDicom } from './content-kind.ts'
import { dicomKindOf, type DicomKind } from './dicom/dicom-kind.ts'
import { readAtOfHandle } from './read-at.ts'
import { structureOf } from './structure.ts'

/** Size and time of last change that a file had when it was looked at; whole milliseconds. */
export type FileStamp = { readonly sizeBytes: number; readonly mtimeMs: number }

/**
 * Is a file still what it was at a look? The time is rounded here as every look rounds it: from the same floating
 * number, because the exact nanoseconds (`bigint`) of a time such as 0.9999999 ms round to another millisecond.
 */
export function matchesStamp(
  { size, mtimeMs }: { readonly size: number; readonly mtimeMs: number },
  stamp: FileStamp,
): boolean {
  return size === stamp.sizeBytes && Math.floor(mtimeMs) === stamp.mtimeMs
}

/**
 * What opening a file showed.
 *
 * - `whole`       an image or a ZIP archive, all there
 * - `incomplete`  not all there, or not open to us: perhaps still being written
 * - `other`       no image that becomes part of a case
 * - `changed`     it is gone, or no longer what was looked at: look anew
 * - `unreadable`  reading it failed in a way that nobody foresaw, and would again; `message` is a sentence, `error` the
 *                 class of what was thrown, without content
 */
export type Inspection =
  | { readonly kind: 'whole'; readonly content: ImageType | 'zip' }
  | { readonly kind: 'incomplete'; readonly why: Incompleteness }
  | { readonly kind: 'other'; readonly content: ContentKind }
  | { readonly kind: 'changed' }
  | { readonly kind: 'unreadable'; readonly message: string; readonly error: string }

const UNREADABLE =
  'Reading this file failed, so it is in no case. The other files are taken as usual. Export it again from the camera, in another format if it can be.'

export type Incompleteness = 'empty' | 'truncated' | 'malformed' | 'busy'

const GONE_CODES = ['ENOENT', 'ENOTDIR', 'ESTALE', 'EFTYPE']

/**
 * Opens a file to read, says what it is and whether it is whole. Never writes, never throws: a camera that holds its
 * file shut (EBUSY, EPERM, EACCES) has not finished with it, and so has a share that stumbles; what is thrown over the
 * content of one file is about that file, and never about the folder.
 */
export async function inspectFile(path: string, expected: FileStamp): Promise<Inspection> {
  try {
    return await inspectOpened(path, expected)
  } catch (error) {
    return inspectionOfError(error)
  }
}

async function inspectOpened(path: string, expected: FileStamp): Promise<Inspection> {
  const handle = await openSource(path)
  try {
    if (!(await isUnchanged(handle, expected))) return { kind: 'changed' }
    const found = await inspectContent(handle, expected.sizeBytes)
    // What was read while the file changed proves nothing.
    return (await isUnchanged(handle, expected)) ? found : { kind: 'changed' }
  } finally {
    await handle.close()
  }
}

async function inspectContent(handle: FileHandle, sizeBytes: number): Promise<Inspection> {
  const readAt = readAtOfHandle(handle)
  const content = contentKindOf(await readAt(0, HEAD_BYTES))
  if (content === 'empty') return { kind: 'incomplete', why: 'empty' }
  if (content === 'blank' || content === 'beginning') return { kind: 'incomplete', why: 'truncated' }
  if (!isImageType(content) && content !== 'zip') return { kind: 'other', content }
  const structure = await structureOf(content, readAt, sizeBytes)
  if (structure.kind !== 'whole') return { kind: 'incomplete', why: structure.kind }
  const dicom = content === 'application/dicom' ? await dicomKindOf(readAt, sizeBytes) : 'photo'
  return dicom === 'photo' ? { kind: 'whole', content } : { kind: 'other', content: OTHER_DICOM[dicom] }
}

const OTHER_DICOM: Readonly<Record<Exclude<DicomKind, 'photo'>, OtherDicom>> = {
  oct: 'dicomOct',
  segmentation: 'dicomSegmentation',
  report: 'dicomReport',
  directory: 'dicomDirectory',
  video: 'dicomOther',
  otherImage: 'dicomOther',
  noImage: 'dicomOther',
}

async function isUnchanged(handle: FileHandle, expected: FileStamp): Promise<boolean> {
  return matchesStamp(await handle.stat(), expected)
}

function inspectionOfError(error: unknown): Inspection {
  const code = diskCodeOf(error)
  if (code === null) return { kind: 'unreadable', message: UNREADABLE, error: errorName(error) }
  return GONE_CODES.includes(code) ? { kind: 'changed' } : { kind: 'incomplete', why: 'busy' }
}

function errorName(error: unknown): string {
  return error instanceof Error ? error.name : 'unknown'
}
