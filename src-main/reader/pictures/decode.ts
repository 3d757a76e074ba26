/** Decoding with sharp (libvips): JPEG, PNG and TIFF. It reads neither BMP nor DICOM. */
import { randomUUID } from 'node:crypto'
import { mkdir, open, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Channels, Metadata, Sharp, SharpOptions } from 'sharp'
import { diskCodeOf, removeBestEffort, renameWithRetry, withFile } from '../../station/lib/files.ts'
import { MAX_PIXELS, readAtOfHandle } from '../formats/bytes.ts'
import { hasHoleInScans } from '../formats/jpeg.ts'
import { heldBytesOf } from '../formats/tiff.ts'
import { contentKindOf, HEAD_BYTES, soundnessOf } from '../inspect-file.ts'
import { sharp } from './sharp.ts'

const SMALL_PIXELS = 256

/** A large progressive image takes seconds on an old computer; one that takes longer than this is hostile. */
const MAX_SECONDS = 120

/** Warnings of libjpeg over what cameras write: stray bytes between segments, undefined colour markers. */
const HARMLESS = /extraneous bytes before marker|unknown Adobe color transform|Invalid SOS parameters/i

/** The same warning about bytes inside a scan, which may be the remains of a picture with a hole. */
const PERHAPS_A_HOLE = /extraneous bytes before marker/i

/** Bytes of a reduced picture, row by row from the top, `channels` bytes a pixel. */
export type SmallPicture = {
  readonly pixels: Uint8Array
  readonly width: number
  readonly height: number
  readonly channels: number
}

/** As it is stored; `orientation` as EXIF numbers how it is to be shown. */
type Reduced = {
  readonly small: SmallPicture & { readonly channels: Channels }
  readonly orientation: number
}

/**
 * `notOpened`: disk or memory, may pass. `refused`: by the decoder, for good. `tooCostly`: not decoded at all. `isWarned`: the
 * decoder finds something odd in the file, and shows it.
 */
type DecodedPicture =
  | ({ readonly kind: 'whole'; readonly isWarned: boolean } & Reduced)
  | { readonly kind: 'refused' }
  | { readonly kind: 'tooCostly' }
  | { readonly kind: 'notOpened' }

/**
 * What our own walk has found of the coded data, and so what libvips may complain of: its levels, the strictest first. What
 * passes a later one only is `isWarned`.
 *
 * - `plain`     sound and not packed: nothing can go wrong between the tags and the pixels
 * - `sound`     every code of it
 * - `unknown`   it does not know this coding
 * - `doubtful`  damaged, or of a coding that is left to the decoder
 */
const LEVELS = {
  plain: ['truncated'],
  sound: ['error', 'truncated'],
  unknown: ['warning', 'error'],
  doubtful: ['warning'],
} as const

export type Findings = keyof typeof LEVELS

/**
 * Decodes an image to its last line, reduced afterwards: a JPEG reduced while it is read is not read to its end, and
 * half of the damage goes unnoticed (measured; 35 against 16 ms for 3000 x 2000 pixels).
 */
export async function decodePicture(path: string, findings: Findings = 'doubtful'): Promise<DecodedPicture> {
  try {
    await (await open(path, 'r')).close()
  } catch {
    return { kind: 'notOpened' }
  }
  if (await isTooCostly(path)) return { kind: 'tooCostly' }
  const decoded = await decodedBy(path, inFull, findings)
  return decoded === null
    ? { kind: 'refused' }
    : { kind: 'whole', ...decoded.made, isWarned: decoded.isWarned }
}

/** What libvips may hold of one picture whose rows do not come in order. */
const MAX_HELD_BYTES = 256 * 1_024 * 1_024

type Shape = Pick<Metadata, 'format' | 'isProgressive' | 'width' | 'height' | 'channels' | 'depth'>

/**
 * The bytes that decoding holds at once: the pixels of an interlaced PNG, the coefficients of a progressive JPEG (measured
 * for 119 million pixels: 1.1 GB and 0.8 GB), `ofTiff` of a TIFF. Others come by rows.
 */
export function heldBytes(shape: Shape, ofTiff: number): number {
  const { format, isProgressive, width, height, channels, depth } = shape
  if (format === 'tiff') return ofTiff
  if (!isProgressive && (format === 'jpeg' || format === 'png')) return 0
  return width * height * channels * (format === 'jpeg' || depth === 'ushort' ? 2 : 1)
}

/** Whether it is larger than any photograph, or decoding would hold more of it at once than it may. Reads its head only. */
async function isTooCostly(path: string): Promise<boolean> {
  try {
    const image = sharp(path, { failOn: 'error', limitInputPixels: false })
    const shape = await image.metadata()
    if (shape.width * shape.height > MAX_PIXELS) return true
    const ofTiff =
      shape.format !== 'tiff'
        ? 0
        : await withFile(open(path, 'r'), async (handle) =>
            heldBytesOf(readAtOfHandle(handle), (await handle.stat()).size),
          )
    return heldBytes(shape, ofTiff) > MAX_HELD_BYTES
  } catch {
    // It is no image, as decoding will show.
    return false
  }
}

/** Tries the strictest decoding first, and the next one only if the failure may be none of the data. Null if it is. */
async function decodedBy<Made>(
  path: string,
  decoding: (image: Sharp) => Promise<Made>,
  findings: Findings,
): Promise<{ readonly made: Made; readonly isWarned: boolean } | null> {
  const attempt = async (failOn: NonNullable<SharpOptions['failOn']>): Promise<Made | string> => {
    const image = sharp(path, { failOn, limitInputPixels: MAX_PIXELS, sequentialRead: true })
    try {
      return await decoding(image.timeout({ seconds: MAX_SECONDS }))
    } catch (error) {
      const message = messageOf(error)
      // sharp throws plain errors for anything that libvips could not decode or open.
      if (message === '') throw error
      return message
    }
  }
  for (const [index, failOn] of LEVELS[findings].entries())
    // libvips keeps the words of an error in one place for all threads, and another one may have taken or replaced them.
    // So only a second failure counts, also because the first may have been one of the disk or of memory.
    for (let failures = 0; failures < 2; failures += 1) {
      let made = await attempt(failOn)
      const isHarmless = typeof made === 'string' && failOn === 'warning' && HARMLESS.test(made)
      if (typeof made === 'string' && isHarmless) {
        if (PERHAPS_A_HOLE.test(made) && (await hasHoleInScans(path))) return null
        made = await attempt('error')
        if (typeof made === 'string') return null
      }
      if (typeof made !== 'string') return { made, isWarned: index > 0 }
    }
  return null
}

/** A picture that was taken: of what a decoder only warns is shown, and what our walk finds sound, too. */
async function shownBy<Made>(path: string, decoding: (image: Sharp) => Promise<Made>): Promise<Made | null> {
  const decoded = await decodedBy(path, decoding, 'unknown')
  if (decoded !== null || !(await isFlawless(path))) return decoded?.made ?? null
  return (await decodedBy(path, decoding, 'plain'))?.made ?? null
}

async function isFlawless(path: string): Promise<boolean> {
  try {
    return await withFile(open(path, 'r'), async (handle) => {
      const readAt = readAtOfHandle(handle)
      const type = contentKindOf(await readAt(0, HEAD_BYTES))
      if (type !== 'image/jpeg' && type !== 'image/tiff') return false
      return (await soundnessOf(readAt, (await handle.stat()).size, type)).kind === 'sound'
    })
  } catch (error) {
    if (diskCodeOf(error) === null) throw error
    return false
  }
}

/** Extracting the whole area prevents libvips from reading a JPEG at a reduced scale. */
async function inFull(image: Sharp): Promise<Reduced> {
  const { width, height, orientation = 1 } = await image.metadata()
  const { data, info } = await shrunk(image.extract({ left: 0, top: 0, width, height }))
    .raw()
    .toBuffer({ resolveWithObject: true })
  const small = { pixels: data, width: info.width, height: info.height, channels: info.channels }
  return { small, orientation }
}

function shrunk(image: Sharp): Sharp {
  return image.resize(SMALL_PIXELS, SMALL_PIXELS, { fit: 'inside', withoutEnlargement: true })
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : ''
}

/**
 * A PNG, rotated by EXIF, in sRGB; false if undecodable. Not compressed, as it is soon removed (measured for 50 million
 * pixels: 0.9 s and 150 MB against 4.6 s and 114 MB at the lowest compression).
 */
export async function makeScreenPicture(imagePath: string, picturePath: string): Promise<boolean> {
  if (await isTooCostly(imagePath)) return false
  const made = await shownBy(imagePath, (image) =>
    image.autoOrient().toColourspace('srgb').png({ compressionLevel: 0 }).toFile(picturePath),
  )
  return made !== null
}

/** Writes a small upright JPEG. False if the image cannot be decoded. Throws if the thumbnail cannot be written. */
export async function makeThumbnail(imagePath: string, thumbnailPath: string): Promise<boolean> {
  if (await isTooCostly(imagePath)) return false
  const thumbnail = await shownBy(imagePath, (image) => encoded(shrunk(image.autoOrient())))
  if (thumbnail === null) return false
  await writeThumbnail(thumbnailPath, thumbnail)
  return true
}

/** How a stored picture is turned upright, by its orientation: mirrored first (EXIF 2.3, 4.6.4, tag 274). */
const TURNS: Readonly<Record<number, { readonly isMirrored: boolean; readonly clockwise: number }>> = {
  2: { isMirrored: true, clockwise: 0 },
  3: { isMirrored: false, clockwise: 180 },
  4: { isMirrored: true, clockwise: 180 },
  5: { isMirrored: true, clockwise: 270 },
  6: { isMirrored: false, clockwise: 90 },
  7: { isMirrored: true, clockwise: 90 },
  8: { isMirrored: false, clockwise: 270 },
}

/** Writes the thumbnail of a decoded picture. If that fails there is none, and it is made on demand: it is worth no image. */
export async function saveThumbnail({ small, orientation }: Reduced, thumbnailPath: string): Promise<void> {
  const { pixels, width, height, channels } = small
  const { isMirrored = false, clockwise = 0 } = TURNS[orientation] ?? {}
  try {
    const image = sharp(pixels, { raw: { width, height, channels } })
    await writeThumbnail(thumbnailPath, await encoded(image.flop(isMirrored).rotate(clockwise)))
  } catch {
    // As of more planes than a JPEG has colours, or on a full disk.
  }
}

async function encoded(image: Sharp): Promise<Buffer> {
  return image.flatten().toColourspace('srgb').jpeg({ quality: 80 }).toBuffer()
}

async function writeThumbnail(thumbnailPath: string, thumbnail: Buffer): Promise<void> {
  await mkdir(dirname(thumbnailPath), { recursive: true })
  const temporaryPath = `${thumbnailPath}.${randomUUID()}.tmp`
  try {
    await writeFile(temporaryPath, thumbnail, { mode: 0o600 })
    await renameWithRetry(temporaryPath, thumbnailPath)
  } catch (error) {
    await removeBestEffort(temporaryPath)
    throw error
  }
}
