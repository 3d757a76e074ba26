/**
 * JPEG files, ISO/IEC 10918-1: whether one is complete, and whether its image data are sound.
 *
 * The last two bytes of a file prove nothing: thumbnails have end markers, and cameras pad files. And decoders conceal
 * damage: libjpeg resumes after foreign bytes and shows stripes or another colour, without a word (measured: 20 of 20
 * images with 4 KB of foreign bytes). What a check of every code passes, a decoder can decode to its end.
 */
import { open } from 'node:fs/promises'
import { withFile } from '../../lib/files.ts'
import {
  bufferOf,
  ByteWindow,
  type Depth,
  Flaw,
  MAX_PIXELS,
  NotChecked,
  type ReadAt,
  readAtOfBytes,
  readAtOfHandle,
  type SmallPicture,
} from './bytes.ts'
import { JpegCheck } from './jpeg-scans.ts'
import { JpegWalk, nextImage } from './jpeg-segments.ts'

/** Larger than any photograph. The check holds the file twice, and two to twelve bytes for each block of 64 pixels. */
const MAX_JPEG_BYTES = 128 * 1_024 * 1_024

/** `small` is a picture from the mean colours of its blocks; null if they are too few, or of unusual colours. */
type SeenJpeg = { readonly small: SmallPicture | null }

/** Whole if a walk reaches the end marker, and likewise each image that follows; sound if the first one is. */
export async function walkJpeg(readAt: ReadAt, sizeBytes: number, depth: Depth): Promise<SeenJpeg> {
  if (depth === 'data' && sizeBytes > MAX_JPEG_BYTES) throw new NotChecked('size')
  if (depth === 'data') return checkJpeg(bufferOf(await readAt(0, sizeBytes)))
  const window = new ByteWindow(readAt, sizeBytes)
  let end = await new JpegWalk(window).image()
  // Multi-picture files (CIPA DC-007) append further images to the first; other trailers are vendor-specific.
  for (let next = await nextImage(window, end); next !== null; next = await nextImage(window, end)) {
    try {
      end = await new JpegWalk(window).image(next)
    } catch (error) {
      if (error instanceof Flaw && error.kind === 'malformed') break
      throw error
    }
  }
  return { small: null }
}

/**
 * Every code of every scan, from start marker to end marker. `mostPixels` are those that a container has for it, in whole
 * blocks of at most 32 x 32. Throws `Flaw` and `NotChecked`.
 */
export async function checkJpeg(file: Buffer, mostPixels = MAX_PIXELS): Promise<SeenJpeg> {
  if (file.length > MAX_JPEG_BYTES) throw new NotChecked('size')
  const window = windowOf(file)
  const check = new JpegCheck(file, window, mostPixels)
  const image = new JpegWalk(window, check)
  await image.image()
  return { small: check.end(image) }
}

/** What a JPEG says of its image, whether or not its data are sound. Throws `Flaw` if it is not whole. */
export async function outlineOfJpeg(file: Buffer): Promise<JpegWalk> {
  const walk = new JpegWalk(windowOf(file))
  await walk.image()
  return walk
}

function windowOf(bytes: Buffer): ByteWindow {
  return new ByteWindow(readAtOfBytes(bytes), bytes.length, bytes.length)
}

/** Disks write this much at once. Valid black may be zeros too, so this is checked only after a decoder's warning. */
const HOLE = Buffer.alloc(2_048)

/**
 * True if a hole explains a decoder's warning of extraneous bytes: a JPEG that was copied out of order may have zeros
 * in a scan, and libjpeg reports them just like harmless stray bytes. False if the file cannot be read.
 */
export async function hasHoleInScans(path: string): Promise<boolean> {
  try {
    return await withFile(open(path, 'r'), async (handle) => {
      const [readAt, { size }] = [readAtOfHandle(handle), await handle.stat()]
      const walk = new JpegWalk(new ByteWindow(readAt, size))
      const end = await walk.image().catch((error: unknown) => {
        if (!(error instanceof Flaw)) throw error
        return size
      })
      // Then the warning is about these, and they are harmless.
      if (walk.hasStrays || walk.scansAt === null) return false
      return bufferOf(await readAt(walk.scansAt, end - walk.scansAt)).includes(HOLE)
    })
  } catch (error) {
    if (!(error instanceof Error && 'code' in error)) throw error
    return false
  }
}
