/** The kinds of image that damage is planted in, and what may pass in silence. */
import type { JpegOptions, TiffOptions } from 'sharp'
import type { ImageType } from '../../src-shared/image-files.ts'
import { encodeBmp } from '../camera/draw-fundus.ts'
import { dicomFile } from '../camera/write-dicom.ts'
import {
  chunksOfPng,
  type CodedRange,
  fragmentOfDicom,
  scansOfJpeg,
  scansOfTiff,
  stripsOfTiff,
} from './coded-data.ts'
import { type Picture, sharpOf } from './pictures.ts'

export type CodedPicture = {
  readonly type: ImageType
  readonly bytes: Buffer
  readonly ranges: readonly CodedRange[]
}

export type Kind = {
  readonly name: string
  /** The share of foreign bytes, zeros and cuts that may pass; 1 if a structure cannot show them. */
  readonly mayPass: 0 | 0.02 | 1
  readonly make: (picture: Picture, nth: number) => Promise<CodedPicture>
}

/** Qualities and colours of cameras, and of the programs that export for them. */
const QUALITIES: readonly JpegOptions[] = [
  { quality: 92, chromaSubsampling: '4:4:4' },
  { quality: 85 },
  { quality: 97, optimiseCoding: false },
  { quality: 75 },
  { quality: 95, chromaSubsampling: '4:4:4', optimiseCoding: false },
]
const PROGRESSIVE: readonly JpegOptions[] = [
  { quality: 92, chromaSubsampling: '4:4:4', progressive: true },
  { quality: 85, progressive: true },
  { quality: 90, mozjpeg: true },
]

function pick<Value>(values: readonly Value[], nth: number): Value {
  return values[nth % values.length] as Value
}

const jpegKind = (name: string, options: readonly JpegOptions[]): Kind => ({
  name,
  mayPass: 0,
  make: async (picture, nth) => {
    const bytes = await sharpOf(picture).jpeg(pick(options, nth)).toBuffer()
    return { type: 'image/jpeg', bytes, ranges: scansOfJpeg(bytes) }
  },
})

const tiffKind = (name: string, mayPass: Kind['mayPass'], options: TiffOptions): Kind => ({
  name,
  mayPass,
  make: async (picture, nth) => {
    const predictor = nth % 2 === 0 ? 'none' : 'horizontal'
    const bytes = await sharpOf(picture)
      .tiff({ predictor, ...options })
      .toBuffer()
    const ranges = options.compression === 'jpeg' ? scansOfTiff(bytes) : stripsOfTiff(bytes)
    return { type: 'image/tiff', bytes, ranges }
  },
})

const dicom = async (
  picture: Picture,
  transferSyntax: 'rle' | 'explicitLittle',
  headBytes: number,
): Promise<CodedPicture> => {
  const bytes = await dicomFile({ image: picture, transferSyntax })
  const plain = [{ from: bytes.length - picture.rgb.length, to: bytes.length, part: '' }]
  const ranges = transferSyntax === 'rle' ? fragmentOfDicom(bytes, headBytes) : plain
  return { type: 'application/dicom', bytes, ranges }
}

export const KINDS: readonly Kind[] = [
  jpegKind('JPEG, baseline', QUALITIES),
  jpegKind('JPEG, progressive', PROGRESSIVE),
  tiffKind('JPEG in TIFF', 0, { compression: 'jpeg', quality: 92, predictor: 'none' }),
  {
    name: 'JPEG in DICOM',
    mayPass: 0,
    make: async (picture, nth) => {
      const { width, height } = picture
      const jpeg = await sharpOf(picture).jpeg(pick(QUALITIES, nth)).toBuffer()
      const bytes = await dicomFile({ image: { jpeg, width, height } })
      return {
        type: 'application/dicom',
        bytes,
        ranges: scansOfJpeg(bytes, bytes.indexOf('ffd8ff', 0, 'hex')),
      }
    },
  },
  {
    name: 'PNG',
    mayPass: 0,
    make: async (picture, nth) => {
      const bytes = await sharpOf(picture)
        .png({ progressive: nth % 5 === 0, adaptiveFiltering: nth % 2 === 0 })
        .toBuffer()
      return { type: 'image/png', bytes, ranges: chunksOfPng(bytes) }
    },
  },
  tiffKind('TIFF, deflate', 0, { compression: 'deflate' }),
  tiffKind('TIFF, LZW', 0.02, { compression: 'lzw' }),
  tiffKind('TIFF, PackBits', 0.02, { compression: 'packbits', predictor: 'none' }),
  { name: 'DICOM, RLE', mayPass: 0.02, make: (picture) => dicom(picture, 'rle', 64) },
  tiffKind('TIFF, plain', 1, { compression: 'none', predictor: 'none' }),
  {
    name: 'BMP, plain',
    mayPass: 1,
    make: async ({ rgb, ...size }) => {
      const bytes = encodeBmp(rgb, size)
      return { type: 'image/bmp', bytes, ranges: [{ from: 54, to: bytes.length, part: '' }] }
    },
  },
  { name: 'DICOM, plain', mayPass: 1, make: (picture) => dicom(picture, 'explicitLittle', 0) },
]
