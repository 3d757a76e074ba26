/** Whether the image data of a stored file are sound: what decoders conceal, checked code by code. */
import { open } from 'node:fs/promises'
import type { ImageType } from '../../../../src-shared/measurement-ranges.ts'
import { withFile } from '../../lib/files.ts'
import { bufferOf, type ReadAt, readAtOfHandle } from '../file-structure.ts'
import { plainPixelsOfBmp } from '../images/bmp.ts'
import type { SmallPicture } from '../images/decode.ts'
import { DamageSign, NotChecked, type NotWalked } from './signs.ts'
import { checkDicom } from './dicom.ts'
import { checkJpeg, MAX_JPEG_BYTES } from './jpeg.ts'
import { checkPlainPixels, MAX_PLAIN_BYTES } from './plain-pixels.ts'
import { checkPng } from './png.ts'
import { checkTiff } from './tiff.ts'

/**
 * - `sound`       checked to its end; `small` is a picture of it that cost nothing, if there is one
 * - `doubtful`    a sign of damage; `sign` says which, without content of the file
 * - `notChecked`  coded in a way that is not checked here; `what` says which
 */
export type Soundness =
  | { readonly kind: 'sound'; readonly small: SmallPicture | null }
  | { readonly kind: 'doubtful'; readonly sign: string }
  | { readonly kind: 'notChecked'; readonly what: NotWalked }

type Check = (readAt: ReadAt, sizeBytes: number) => Promise<Soundness | SmallPicture | null | void>

const CHECKS: Readonly<Record<ImageType, Check>> = {
  'image/jpeg': checkWholeJpeg,
  'image/png': checkPng,
  'image/tiff': checkTiff,
  'image/bmp': checkBmp,
  'application/dicom': checkDicom,
}

/** Errors are those of the disk; none concerns the content. */
export async function soundnessOfFile(path: string, type: ImageType): Promise<Soundness> {
  return withFile(open(path, 'r'), async (handle) =>
    soundnessOf(readAtOfHandle(handle), (await handle.stat()).size, type),
  )
}

/** Errors are those of `readAt`. */
export async function soundnessOf(readAt: ReadAt, sizeBytes: number, type: ImageType): Promise<Soundness> {
  try {
    const found = await CHECKS[type](readAt, sizeBytes)
    return found && 'kind' in found ? found : { kind: 'sound', small: found ?? null }
  } catch (error) {
    if (error instanceof DamageSign) return { kind: 'doubtful', sign: error.message }
    if (error instanceof NotChecked) return { kind: 'notChecked', what: error.what }
    throw error
  }
}

async function checkWholeJpeg(readAt: ReadAt, sizeBytes: number): Promise<Soundness> {
  if (sizeBytes > MAX_JPEG_BYTES) throw new NotChecked('size')
  return checkJpeg(bufferOf(await readAt(0, sizeBytes)))
}

/** Its pixels are plain, or run lengths, which are read to their end when they are shown. */
async function checkBmp(readAt: ReadAt, sizeBytes: number): Promise<void> {
  const area = await plainPixelsOfBmp(readAt)
  if (area === null) throw new NotChecked('compression')
  if (area.bytes > MAX_PLAIN_BYTES) throw new NotChecked('size')
  if (area.at + area.bytes > sizeBytes) throw new DamageSign('a BMP ends before its image')
  checkPlainPixels({ bytes: bufferOf(await readAt(area.at, area.bytes)), rowBytes: area.rowBytes })
}
