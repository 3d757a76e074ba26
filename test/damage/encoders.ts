/** Encoders of sound photographs: those that come with sharp, and those that this machine has. */
import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import type { JpegOptions, PngOptions, TiffOptions } from 'sharp'
import type { ImageType } from '../../src-shared/image-files.ts'
import { encodeBmp } from '../camera/draw-fundus.ts'
import { type DicomFileOptions, dicomFile } from '../camera/write-dicom.ts'
import { type Picture, sharpOf } from './pictures.ts'

export type Encoder = {
  readonly program: 'sharp' | 'mozjpeg' | 'ImageMagick' | 'cjpeg' | 'camera'
  readonly name: string
  readonly type: ImageType
  /** What cannot be checked is listed, and not counted. */
  readonly isChecked: boolean
  readonly encode: (picture: Picture) => Promise<Buffer>
}

const JPEGS: readonly JpegOptions[] = [
  {},
  { quality: 92, chromaSubsampling: '4:4:4' },
  { optimiseCoding: false },
  { quality: 100, chromaSubsampling: '4:4:4' },
  { quality: 30 },
  { progressive: true },
  { progressive: true, quality: 98, chromaSubsampling: '4:4:4' },
]
const MOZJPEGS: readonly JpegOptions[] = [
  { mozjpeg: true },
  { mozjpeg: true, quality: 95, chromaSubsampling: '4:4:4' },
  { trellisQuantisation: true, overshootDeringing: true },
  { optimiseScans: true, progressive: true, quantisationTable: 3 },
]
const PNGS: readonly PngOptions[] = [
  {},
  { progressive: true },
  { palette: true },
  { adaptiveFiltering: true },
]
const TIFFS: readonly TiffOptions[] = [
  { compression: 'none' },
  { compression: 'none', tile: true, tileWidth: 256, tileHeight: 256 },
  { compression: 'lzw' },
  { compression: 'deflate' },
  { compression: 'packbits' },
  { compression: 'jpeg', quality: 90 },
  { compression: 'jpeg', tile: true, pyramid: true, tileWidth: 128, tileHeight: 128 },
]
const CJPEG = [
  '',
  '-quality 95 -sample 1x1',
  '-progressive',
  '-optimize',
  '-restart 1',
  '-restart 7B',
  '-progressive -restart 3',
  '-grayscale',
  '-rgb',
  '-sample 2x1',
  '-sample 1x2',
  '-sample 4x1,1x1,1x1',
  '-quality 100',
  '-quality 1',
  '-dct float -smooth 20',
]
const MAGICK_JPEGS = [
  '',
  '-quality 95',
  '-quality 100',
  '-interlace JPEG',
  '-sampling-factor 4:1:1',
  '-sampling-factor 4:4:0',
  '-colorspace Gray',
  '-define jpeg:optimize-coding=false',
]
const MAGICK_TIFFS = [
  '-compress None',
  '-compress None -define tiff:rows-per-strip=1',
  '-compress None -endian MSB -depth 16',
  '-compress None -interlace Plane',
  '-compress LZW',
  '-compress Zip',
  '-compress RLE',
  '-compress JPEG',
  '-compress LZW -define tiff:tile-geometry=128x128',
]

const CJPEG_PATH = '/usr/bin/cjpeg'
const MAGICK_PATH = '/usr/bin/convert'

/** Programs that this machine lacks. */
export function missingPrograms(): readonly string[] {
  return [...(existsSync(CJPEG_PATH) ? [] : ['cjpeg']), ...(existsSync(MAGICK_PATH) ? [] : ['ImageMagick'])]
}

export function encoders(): readonly Encoder[] {
  const missing = missingPrograms()
  return [...ofSharp(), ...ofCameras(), ...ofPrograms()].filter(({ program }) => !missing.includes(program))
}

function ofSharp(): readonly Encoder[] {
  const named = (options: object): string => JSON.stringify(options)
  const shared = { isChecked: true } as const
  return [
    ...[...JPEGS, ...MOZJPEGS].map((options): Encoder => ({
      ...shared,
      program: MOZJPEGS.includes(options) ? 'mozjpeg' : 'sharp',
      name: `JPEG ${named(options)}`,
      type: 'image/jpeg',
      encode: (picture) => sharpOf(picture).jpeg(options).toBuffer(),
    })),
    ...PNGS.map((options): Encoder => ({
      ...shared,
      program: 'sharp',
      name: `PNG ${named(options)}`,
      type: 'image/png',
      encode: (picture) => sharpOf(picture).png(options).toBuffer(),
    })),
    ...TIFFS.map((options): Encoder => ({
      ...shared,
      program: 'sharp',
      name: `TIFF ${named(options)}`,
      type: 'image/tiff',
      encode: (picture) => sharpOf(picture).tiff(options).toBuffer(),
    })),
  ]
}

/** BMP and DICOM, as the drawn cameras write them. */
function ofCameras(): readonly Encoder[] {
  const dicom = (name: string, options: (picture: Picture) => Promise<DicomFileOptions>): Encoder => ({
    program: 'camera',
    name: `DICOM ${name}`,
    type: 'application/dicom',
    isChecked: true,
    encode: async (picture) => dicomFile(await options(picture)),
  })
  const jpegOf = async (picture: Picture): Promise<DicomFileOptions> => {
    const { width, height } = picture
    return { image: { jpeg: await sharpOf(picture).jpeg({ quality: 92 }).toBuffer(), width, height } }
  }
  return [
    {
      program: 'camera',
      name: 'BMP',
      type: 'image/bmp',
      isChecked: true,
      encode: async ({ rgb, ...size }) => encodeBmp(rgb, size),
    },
    dicom('JPEG', jpegOf),
    dicom('JPEG in fragments', async (picture) => ({ ...(await jpegOf(picture)), isFragmented: true })),
    dicom('RLE', async (image) => ({ image, transferSyntax: 'rle' })),
    dicom('plain', async (image) => ({ image, transferSyntax: 'explicitLittle' })),
  ]
}

function ofPrograms(): readonly Encoder[] {
  const run = (program: string, options: readonly string[], { rgb, width, height }: Picture): Buffer =>
    execFileSync(program, options, {
      input: Buffer.concat([Buffer.from(`P6\n${width} ${height}\n255\n`, 'latin1'), rgb]),
      maxBuffer: 2 ** 28,
      stdio: ['pipe', 'pipe', 'ignore'],
    })
  const listed = (text: string): readonly string[] => text.split(' ').filter((option) => option !== '')
  const cjpeg = (options: string, isChecked: boolean): Encoder => ({
    program: 'cjpeg',
    name: `JPEG ${options}`.trim(),
    type: 'image/jpeg',
    isChecked,
    encode: async (picture) => run(CJPEG_PATH, listed(options), picture),
  })
  const magick = (options: string, type: ImageType): Encoder => {
    const format = type.slice('image/'.length)
    return {
      program: 'ImageMagick',
      name: `${format.toUpperCase()} ${options}`.trim(),
      type,
      isChecked: true,
      encode: async (picture) => run(MAGICK_PATH, ['ppm:-', ...listed(options), `${format}:-`], picture),
    }
  }
  return [
    ...CJPEG.map((options) => cjpeg(options, true)),
    cjpeg('-arithmetic', false),
    ...MAGICK_JPEGS.map((options) => magick(options, 'image/jpeg')),
    ...['', '-interlace PNG', '-depth 16'].map((options) => magick(options, 'image/png')),
    ...MAGICK_TIFFS.map((options) => magick(options, 'image/tiff')),
    magick('-type TrueColor -define bmp:format=bmp3', 'image/bmp'),
  ]
}
