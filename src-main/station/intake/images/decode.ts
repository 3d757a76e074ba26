/** Decoding by sharp (libvips): JPEG, PNG and TIFF. It reads neither BMP nor DICOM. */
import { randomUUID } from 'node:crypto'
import { mkdir, open } from 'node:fs/promises'
import { dirname } from 'node:path'
import sharp from 'sharp'
import type { Sharp, SharpOptions } from 'sharp'
import { removeBestEffort, renameWithRetry } from '../../lib/files.ts'
import { hasHoleInScans } from './jpeg.ts'

/** Three times the largest mosaic of any known camera; an image that claims more is made to fill the memory. */
export const MAX_PIXELS = 120_000_000

/** Pixels of the longer side of whatever is made small. */
const SMALL_PIXELS = 256

/** A large progressive image takes seconds on an old computer; one that takes longer than this is made to. */
const MAX_SECONDS = 120

// One image at a time keeps one core and little memory; a cache would only keep what is never asked for again.
sharp.concurrency(1)

sharp.cache(false)

/**
 * What libjpeg complains of and decoders show all the same: stray bytes between segments, and marks of colour that
 * nobody defined. Cameras write both, and the picture is all there.
 */
const HARMLESS = /extraneous bytes before marker|unknown Adobe color transform|Invalid SOS parameters/i

/** The same complaint about bytes inside a scan, where they are what is left of a picture with a hole. */
const PERHAPS_A_HOLE = /extraneous bytes before marker/i

/** Bytes of a picture made small, row after row from the top, `channels` bytes a pixel. */
export type SmallPicture = {
  readonly pixels: Uint8Array
  readonly width: number
  readonly height: number
  readonly channels: number
}

/** `notOpened` is about the disk or the memory and may pass; `damaged` is about the image and stays. */
type DecodedPicture =
  | { readonly kind: 'whole'; readonly small: SmallPicture }
  | { readonly kind: 'damaged' }
  | { readonly kind: 'notOpened' }

/**
 * Decodes an image to its last line and keeps it small. Damaged is what is no image, claims to be larger than any, or
 * is damaged inside.
 *
 * All of it is decoded at full size: a JPEG that is made small while it is read is not read to its end, and half of the
 * damage goes unseen (measured; 35 against 16 ms for 3000 x 2000 pixels).
 */
export async function decodePicture(path: string): Promise<DecodedPicture> {
  try {
    await (await open(path, 'r')).close()
  } catch {
    return { kind: 'notOpened' }
  }
  const small = await decoded(path, inFull)
  return small === null ? { kind: 'damaged' } : { kind: 'whole', small }
}

/** The strictest decoding first; where only that fails, and for a harmless reason, the next one. Null where both do. */
async function decoded<Made>(path: string, decoding: (image: Sharp) => Promise<Made>): Promise<Made | null> {
  const attempt = (failOn: NonNullable<SharpOptions['failOn']>): Promise<Made> =>
    decoding(
      sharp(path, { failOn, limitInputPixels: MAX_PIXELS, sequentialRead: true }).timeout({
        seconds: MAX_SECONDS,
      }),
    )
  try {
    return await attempt('warning')
  } catch (error) {
    const message = messageOf(error)
    if (!HARMLESS.test(message)) return null
    if (PERHAPS_A_HOLE.test(message) && (await hasHoleInScans(path))) return null
  }
  try {
    return await attempt('error')
  } catch (error) {
    // sharp throws plain errors for whatever libvips could not decode or open.
    if (messageOf(error) === '') throw error
    return null
  }
}

/** Makes an image small, keeping its shape. */
function shrunk(image: Sharp): Sharp {
  const side = SMALL_PIXELS
  return image.resize({ width: side, height: side, fit: 'inside', withoutEnlargement: true })
}

/** Cutting out the whole keeps libvips from reading a JPEG at a smaller scale. */
async function inFull(image: Sharp): Promise<SmallPicture> {
  const { width, height } = await image.metadata()
  const { data, info } = await shrunk(image.extract({ left: 0, top: 0, width, height }))
    .raw()
    .toBuffer({ resolveWithObject: true })
  return { pixels: data, width: info.width, height: info.height, channels: info.channels }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : ''
}

// A picture for the screen of an image that no browser draws, with each of its pixels.

const BYTES_PER_PIXEL = 3

/** How much space such a picture takes; null where the file is no image, or claims to be larger than any. */
export async function screenPictureBytes(imagePath: string): Promise<number | null> {
  try {
    const { width, height } = await sharp(imagePath, { limitInputPixels: MAX_PIXELS }).metadata()
    return width * height * BYTES_PER_PIXEL
  } catch {
    return null
  }
}

/**
 * Writes the image as a PNG, upright as its EXIF says, in the colours of a screen. False where it cannot be decoded.
 *
 * Not compressed: it is read once or twice and then removed (measured for 50 million pixels: 0.9 s and 150 MB against
 * 4.6 s and 114 MB at the lowest compression).
 */
export async function makeScreenPicture(imagePath: string, picturePath: string): Promise<boolean> {
  const made = await decoded(imagePath, (image) =>
    image.autoOrient().toColourspace('srgb').png({ compressionLevel: 0 }).toFile(picturePath),
  )
  return made !== null
}

/** Can this image be decoded to its last line? See `decodePicture`. */
export async function decodabilityOf(imagePath: string): Promise<DecodedPicture['kind']> {
  return (await decodePicture(imagePath)).kind
}

/**
 * Writes a small JPEG of an image, upright as its EXIF says. Only a whole one ever stands under `thumbnailPath`. False
 * where the image cannot be decoded. Throws where the thumbnail cannot be written.
 */
export async function makeThumbnail(imagePath: string, thumbnailPath: string): Promise<boolean> {
  const thumbnail = await decoded(imagePath, upright)
  if (thumbnail === null) return false
  await mkdir(dirname(thumbnailPath), { recursive: true })
  const temporaryPath = `${thumbnailPath}.${randomUUID()}.tmp`
  try {
    const file = await open(temporaryPath, 'w', 0o600)
    try {
      await file.writeFile(thumbnail)
    } finally {
      await file.close()
    }
    await renameWithRetry(temporaryPath, thumbnailPath)
  } catch (error) {
    await removeBestEffort(temporaryPath)
    throw error
  }
  return true
}

async function upright(image: Sharp): Promise<Buffer> {
  return shrunk(image.autoOrient()).flatten().toColourspace('srgb').jpeg({ quality: 80 }).toBuffer()
}
