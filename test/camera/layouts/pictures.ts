/** The files that all layouts are made of. */
import sharp from 'sharp'
import { drawFundus, type ImageFormat } from '../draw-fundus.ts'
import { momentOf, type ExportedFile, type FileKind, type LayoutVisit } from './layout.ts'

/** Small, so that tests are quick. */
export const PICTURE_SIZE = { width: 320, height: 240 }

export type Shot = {
  readonly eye: 'right' | 'left'
  /** The how-many-eth photograph of the visit, from 0; no two of one visit show the same. */
  readonly index: number
}

/** Right and left by turns, so many of each. */
export function shotsOfBothEyes(perEye: number): readonly Shot[] {
  return Array.from({ length: perEye * 2 }, (_, index) => ({
    eye: index % 2 === 0 ? 'right' : 'left',
    index,
  }))
}

export const EYE_WORDS = { right: 'OD', left: 'OS' } as const
export const EYE_LETTERS = { right: 'R', left: 'L' } as const

/** Draws the photograph of a shot. Another visit of the same patient gives another picture. */
export async function drawShot(
  visit: LayoutVisit,
  shot: Shot,
  format: ImageFormat = 'jpeg',
): Promise<Buffer> {
  const minutes = Math.round(momentOf(visit, 0).at.getTime() / 60_000) % 50_000
  return drawFundus({
    eye: shot.eye,
    seed: visit.number,
    shot: 1 + minutes + shot.index * 50_000,
    format,
    ...PICTURE_SIZE,
  })
}

/** The pixels of a shot, three bytes each, for files that hold them bare. */
export async function drawPixels(visit: LayoutVisit, shot: Shot): Promise<Buffer> {
  return sharp(await drawShot(visit, shot, 'png'))
    .removeAlpha()
    .raw()
    .toBuffer()
}

/** A file that is made at the first call and then kept. */
export function fileOf(
  relativePath: string,
  kind: FileKind,
  modifiedAt: Date,
  make: () => Promise<Buffer> | Buffer,
): ExportedFile {
  let made: Promise<Buffer> | null = null
  const bytes = (): Promise<Buffer> => {
    made ??= Promise.resolve(make())
    return made
  }
  return { relativePath, kind, modifiedAt, bytes }
}

/** A photograph in a plain image file. */
export function imageFile(
  relativePath: string,
  visit: LayoutVisit,
  shot: Shot,
  format: ImageFormat = 'jpeg',
): ExportedFile {
  return fileOf(relativePath, 'image', momentOf(visit, shot.index).at, () => drawShot(visit, shot, format))
}

/** Four times the size and without compression, as old cameras write it. */
export function bigTiffFile(relativePath: string, visit: LayoutVisit, shot: Shot): ExportedFile {
  const make = async (): Promise<Buffer> =>
    sharp(await drawShot(visit, shot, 'png'))
      .resize(PICTURE_SIZE.width * 4, PICTURE_SIZE.height * 4)
      .tiff({ compression: 'none' })
      .toBuffer()
  return fileOf(relativePath, 'image', momentOf(visit, shot.index).at, make)
}

/** The same photograph with a remark in it: other bytes, the same picture (JPEG's COM segment). */
export function withRemark(jpeg: Buffer, remark: string): Buffer {
  const text = Buffer.from(remark, 'latin1')
  const segment = Buffer.alloc(4)
  segment.writeUInt16BE(0xff_fe, 0)
  segment.writeUInt16BE(text.length + 2, 2)
  return Buffer.concat([jpeg.subarray(0, 2), segment, text, jpeg.subarray(2)])
}
