import { randomUUID } from 'node:crypto'
import { mkdir, open } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Sharp } from 'sharp'
import { decoded, decodePicture, shrunk, type DecodedPicture } from './decode-picture.ts'
import { removeBestEffort, renameWithRetry } from '../stubborn-files.ts'

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
