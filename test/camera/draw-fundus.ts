import sharp from 'sharp'
import { encodeBmp } from './encode-bmp.ts'
import { eyegroundOf } from './eyeground.ts'
import { LETTER_HEIGHT, printWord } from './lettering.ts'
import { paintEyeground } from './paint-eyeground.ts'
import { viewOf, type Field } from './view.ts'

export type ImageFormat = 'jpeg' | 'png' | 'tiff' | 'bmp'

export type FundusOptions = {
  readonly eye: 'right' | 'left'
  /** The same seed is the same patient; it decides every pixel. */
  readonly seed: number
  /** Pixels. */
  readonly width?: number
  readonly height?: number
  readonly field?: Field
  /** Another shot of the same eye, from 0: a little moved, and so never the same bytes. */
  readonly shot?: number
  readonly format?: ImageFormat
}

/**
 * Draws a fundus photograph that no eye ever had, and says so in print in its corner. A right eye has its disc on
 * the right of the picture, a left eye on the left.
 */
export async function drawFundus(options: FundusOptions): Promise<Buffer> {
  const { eye, seed, width = 1_200, height = 1_000, field = 'macula', shot = 0, format = 'jpeg' } = options
  const pixels = paintEyeground(eyegroundOf(seed, eye), viewOf({ eye, field, shot, width, height }))
  const dot = Math.max(1, Math.floor(Math.min(width, height) / 330))
  const margin = dot * 6
  const mark = { x: margin, dot: dot * 2, brightness: 200, y: margin }
  printWord(pixels, width, eye === 'right' ? 'OD' : 'OS', mark)
  const caption = { x: margin, dot, brightness: 150, y: height - margin - LETTER_HEIGHT * dot }
  printWord(pixels, width, 'SYNTHETIC', caption)
  const image = sharp(pixels, { raw: { width, height, channels: 3 } })
  switch (format) {
    case 'jpeg':
      return image.jpeg({ quality: 92, chromaSubsampling: '4:4:4' }).toBuffer()
    case 'png':
      return image.png({ compressionLevel: 4 }).toBuffer()
    case 'tiff':
      return image.tiff({ compression: 'lzw' }).toBuffer()
    case 'bmp':
      return encodeBmp(pixels, { width, height })
  }
}
