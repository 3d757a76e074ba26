/**
 * The formats of images and archives: one walk each, which answers whether a file is whole, and whether its image data
 * are sound. Errors of the disk pass; no other concerns the content.
 */
import type { ImageType } from '../../../../src-shared/image-files.ts'
import { type DicomKind, walkDicom } from '../dicom/dicom.ts'
import { walkBmp } from './bmp.ts'
import { type Depth, Flaw, NotChecked, type ReadAt } from './bytes.ts'
import { walkJpeg } from './jpeg.ts'
import { walkPng } from './png.ts'
import { walkTiff } from './tiff.ts'
import { walkZip } from './zip.ts'

/** Answers which kind of DICOM file it is. Throws `Flaw`, `NotChecked` and the errors of `readAt`. */
type Walk = (readAt: ReadAt, sizeBytes: number, depth: Depth) => Promise<DicomKind | void>

/** Bytes by which a type is recognized, from this position on. */
export type Signature = { readonly at: number; readonly bytes: readonly number[] }

export const ascii = (text: string): readonly number[] => Array.from(text, (letter) => letter.charCodeAt(0))

const atStart = (...bytes: readonly number[]): Signature => ({ at: 0, bytes })

type Format = { readonly walk: Walk; readonly signatures: readonly Signature[] }

const BY_TYPE: Readonly<Record<ImageType | 'zip', Format>> = {
  // Before TIFF: the 128 bytes before this signature are arbitrary, and may form a TIFF header (PS3.10 7.1).
  'application/dicom': { walk: walkDicom, signatures: [{ at: 128, bytes: ascii('DICM') }] },
  'image/jpeg': { walk: walkJpeg, signatures: [atStart(0xff, 0xd8, 0xff)] },
  'image/png': { walk: walkPng, signatures: [atStart(0x89, ...ascii('PNG\r\n'), 0x1a, 0x0a)] },
  'image/tiff': {
    walk: walkTiff,
    // BigTIFF has version 43.
    signatures: [42, 43].flatMap((version) => [
      atStart(...ascii('II'), version, 0),
      atStart(...ascii('MM'), 0, version),
    ]),
  },
  'image/bmp': { walk: walkBmp, signatures: [] },
  zip: { walk: walkZip, signatures: [atStart(...ascii('PK'), 3, 4), atStart(...ascii('PK'), 5, 6)] },
}

/** What is read, in the order in which its signatures are compared. */
export const FORMATS = (Object.keys(BY_TYPE) as (ImageType | 'zip')[]).map((type) => ({
  type,
  signatures: BY_TYPE[type].signatures,
}))

/** Whether a file is whole; `dicom` is null for all but DICOM files. */
export type Outline = { readonly kind: 'whole'; readonly dicom: DicomKind | null } | Flaw

export async function outlineOf(
  readAt: ReadAt,
  sizeBytes: number,
  type: ImageType | 'zip',
): Promise<Outline> {
  try {
    return { kind: 'whole', dicom: (await BY_TYPE[type].walk(readAt, sizeBytes, 'outline')) ?? null }
  } catch (error) {
    if (error instanceof Flaw) return error
    throw error
  }
}

/**
 * - `sound`       checked to its end
 * - `doubtful`    a sign of damage; `sign` says which, without content of the file
 * - `notChecked`  coded in a way that is not checked here; `what` says which
 */
export type Soundness =
  | { readonly kind: 'sound' }
  | { readonly kind: 'doubtful'; readonly sign: string }
  | { readonly kind: 'notChecked'; readonly what: string }

/** Of all but DICOM files, whose frames are checked once they are opened: `dicom/frames.ts`. */
export async function soundnessOf(
  readAt: ReadAt,
  sizeBytes: number,
  type: Exclude<ImageType, 'application/dicom'>,
): Promise<Soundness> {
  return soundnessBy(BY_TYPE[type].walk(readAt, sizeBytes, 'data'))
}

/** What this walk comes to. */
export async function soundnessBy(walk: Promise<unknown>): Promise<Soundness> {
  try {
    await walk
    return { kind: 'sound' }
  } catch (error) {
    if (error instanceof Flaw) return { kind: 'doubtful', sign: error.message }
    if (error instanceof NotChecked) return { kind: 'notChecked', what: error.message }
    throw error
  }
}
