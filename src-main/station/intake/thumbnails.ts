/** Small pictures for the screens, and the proof that an image can be opened at all. */
import { randomUUID } from 'node:crypto'
import { mkdir, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import sharp from 'sharp'

// One image at a time and nothing kept: the station shares its machine with a camera.
sharp.concurrency(1)
sharp.cache(false)

const THUMBNAIL_PIXELS = 256
/** A wide-field mosaic has some 50 million pixels; what claims many times more is no photograph. */
const MAX_PIXELS = 400_000_000

const INPUT = { limitInputPixels: MAX_PIXELS, failOn: 'error', sequentialRead: true } as const

/**
 * What libjpeg only warns of, although rows of the picture are lost. Its other warnings (stray bytes, odd headers)
 * come with the whole pictures of some cameras and do no harm.
 */
const LOST_ROWS = /premature end|bad Huffman code/i

async function decodeAll(path: string, failOn: 'warning' | 'error'): Promise<unknown> {
  const picture = sharp(path, { ...INPUT, failOn })
  return picture.resize({ width: 64, height: 64, fit: 'inside', fastShrinkOnLoad: false }).raw().toBuffer()
}

/** Can every row of this image be decoded? Reads it all, at the least cost. */
export async function isDecodable(path: string): Promise<boolean> {
  try {
    await decodeAll(path, 'warning')
    return true
  } catch (error) {
    if (error instanceof Error && LOST_ROWS.test(error.message)) return false
  }
  return decodeAll(path, 'error').then(
    () => true,
    () => false,
  )
}

/** Writes a JPEG of at most 256 pixels a side, upright as the camera meant it. Throws where it cannot be decoded. */
export async function makeThumbnail(imagePath: string, thumbnailPath: string): Promise<void> {
  await mkdir(dirname(thumbnailPath), { recursive: true, mode: 0o700 })
  const temporary = `${thumbnailPath}.${randomUUID()}.tmp`
  try {
    await sharp(imagePath, INPUT)
      .rotate()
      .resize({ width: THUMBNAIL_PIXELS, height: THUMBNAIL_PIXELS, fit: 'inside' })
      .flatten({ background: '#000000' })
      .jpeg({ quality: 82 })
      .toFile(temporary)
    await rename(temporary, thumbnailPath)
  } finally {
    await rm(temporary, { force: true })
  }
}
