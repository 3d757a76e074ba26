/** Writes DICOM files of synthetic people and drawn eyes, as cameras of many makers would, with dcmjs. */
import { createHash } from 'node:crypto'
import dcmjs from 'dcmjs'
import sharp from 'sharp'
import { drawFundus } from './draw-fundus.ts'
import { encodeJpeg2000, encodeJpegLs } from './write-codecs.ts'
import { encodeLossless } from './write-lossless.ts'

/** One frame as an RLE fragment (PS3.5 annex G); `segments` are the byte planes in the order of annex G.2. */
export function encodeRle(segments: readonly Uint8Array[]): Buffer {
  const packed = segments.map(packSegment)
  const header = Buffer.alloc(64)
  header.writeUInt32LE(packed.length, 0)
  let offset = 64
  packed.forEach((segment, index) => {
    header.writeUInt32LE(offset, 4 + index * 4)
    offset += segment.length
  })
  return Buffer.concat([header, ...packed])
}

/** The byte planes of interleaved samples of `bytesPerSample` bytes each, low byte first in `pixels`. */
export function bytePlanes(pixels: Uint8Array, samples: number, bytesPerSample: number): Uint8Array[] {
  const step = samples * bytesPerSample
  return Array.from({ length: step }, (_, plane) => {
    const byte = bytesPerSample - 1 - (plane % bytesPerSample)
    const first = Math.floor(plane / bytesPerSample) * bytesPerSample + byte
    return Uint8Array.from({ length: pixels.length / step }, (_, at) => pixels[at * step + first]!)
  })
}

const LONGEST_RUN = 128

function packSegment(bytes: Uint8Array): Buffer {
  const out: number[] = []
  let at = 0
  while (at < bytes.length) {
    const run = runFrom(bytes, at)
    if (run > 1) {
      out.push(257 - run, bytes[at]!)
      at += run
      continue
    }
    const start = at
    while (at < bytes.length && at - start < LONGEST_RUN && runFrom(bytes, at) < 3) at += 1
    out.push(at - start - 1, ...bytes.subarray(start, at))
  }
  if (out.length % 2 === 1) out.push(0)
  return Buffer.from(out)
}

function runFrom(bytes: Uint8Array, at: number): number {
  let run = 1
  while (run < LONGEST_RUN && at + run < bytes.length && bytes[at + run] === bytes[at]) run += 1
  return run
}

export const DICOM_SOPS = {
  op8: '1.2.840.10008.5.1.4.1.1.77.1.5.1',
  op16: '1.2.840.10008.5.1.4.1.1.77.1.5.2',
  vlp: '1.2.840.10008.5.1.4.1.1.77.1.4',
  wideField: '1.2.840.10008.5.1.4.1.1.77.1.5.5',
  sc: '1.2.840.10008.5.1.4.1.1.7',
  scMultiFrame: '1.2.840.10008.5.1.4.1.1.7.4',
  oct: '1.2.840.10008.5.1.4.1.1.77.1.5.4',
  segmentation: '1.2.840.10008.5.1.4.1.1.66.4',
  surfaceSegmentation: '1.2.840.10008.5.1.4.1.1.66.5',
  pdf: '1.2.840.10008.5.1.4.1.1.104.1',
  video: '1.2.840.10008.5.1.4.1.1.77.1.4.1',
  visualField: '1.2.840.10008.5.1.4.1.1.80.1',
  directory: '1.2.840.10008.1.3.10',
} as const
export type DicomSop = keyof typeof DICOM_SOPS

/** PS3.5 section 10 and annex A. JPEG XL and video are only labelled so: the bytes are a stand-in. */
const DICOM_TRANSFER_SYNTAXES = {
  implicitLittle: '1.2.840.10008.1.2',
  explicitLittle: '1.2.840.10008.1.2.1',
  explicitBig: '1.2.840.10008.1.2.2',
  jpegBaseline: '1.2.840.10008.1.2.4.50',
  jpegExtended: '1.2.840.10008.1.2.4.51',
  jpegLossless: '1.2.840.10008.1.2.4.70',
  jpegLs: '1.2.840.10008.1.2.4.80',
  jpeg2000: '1.2.840.10008.1.2.4.90',
  jpegXl: '1.2.840.10008.1.2.4.110',
  mpeg4: '1.2.840.10008.1.2.4.102',
  rle: '1.2.840.10008.1.2.5',
} as const
export type DicomTransferSyntax = keyof typeof DICOM_TRANSFER_SYNTAXES

/** `jpeg` is wrapped as it is, `rgb` is interleaved, `gray8` and `gray16` are MONOCHROME2 unless attributes say else. */
export type DicomImage = { readonly width: number; readonly height: number } & (
  | { readonly jpeg: Buffer }
  | { readonly rgb: Uint8Array }
  | { readonly gray8: Uint8Array }
  | { readonly gray16: Uint16Array; readonly bitsStored?: number }
)

/** A value under its tag (`00100020`), as dcmjs takes it. */
export type DicomAttributes = Record<string, { readonly vr: string; readonly Value: readonly unknown[] }>

export type DicomFileOptions = {
  readonly sop?: DicomSop
  readonly transferSyntax?: DicomTransferSyntax
  /** Text, or bytes for alphabets other than Latin and UTF-8. */
  readonly patientId?: string | Uint8Array
  readonly patientName?: string | Uint8Array
  /** `19570311` */
  readonly birthDate?: string
  readonly sex?: string
  readonly age?: string
  readonly laterality?: string
  /** `20260602` */
  readonly studyDate?: string
  /** `20260602121802.120` */
  readonly acquisitionDateTime?: string
  readonly sopUid?: string
  /** `ISO_IR 192`; null writes none. Several for code extensions. */
  readonly characterSet?: string | readonly string[] | null
  readonly maker?: string
  readonly model?: string
  readonly imageType?: readonly string[]
  readonly image?: DicomImage
  readonly frames?: number
  readonly isFragmented?: boolean
  /** Written last, over everything else; an attribute of null is left out. */
  readonly attributes?: Readonly<Record<string, DicomAttributes[string] | null>>
}

const ENCAPSULATED = 'jpegBaseline jpegExtended jpegLossless jpegLs jpeg2000 jpegXl mpeg4 rle'.split(' ')

const WITHOUT_PIXELS: Readonly<Partial<Record<DicomSop, DicomAttributes>>> = {
  pdf: {
    '00420011': { vr: 'OB', Value: [arrayBufferOf(Buffer.from('%PDF-1.4\n% drawn\n%%EOF\n'))] },
    '00420012': { vr: 'LO', Value: ['application/pdf'] },
  },
  directory: { '00041220': { vr: 'SQ', Value: [{ '00041430': { vr: 'CS', Value: ['IMAGE'] } }] } },
  surfaceSegmentation: { '00660002': { vr: 'SQ', Value: [{ '00660003': { vr: 'UL', Value: [1] } }] } },
  visualField: {},
}

let drawn: Promise<Buffer> | null = null
const DRAWN_SIZE = { width: 240, height: 200 }

/** Drawn once: every file that states another thing may show the same eye. */
export async function drawnDicomImage(): Promise<DicomImage & { readonly jpeg: Buffer }> {
  drawn ??= drawFundus({ eye: 'right', seed: 11, ...DRAWN_SIZE })
  return { jpeg: Buffer.from(await drawn), ...DRAWN_SIZE }
}

export async function dicomFile(options: DicomFileOptions = {}): Promise<Buffer> {
  const { sop = 'op8', transferSyntax = 'jpegBaseline', sopUid = '2.25.297362505' } = options
  const meta = {
    '00020002': ui(DICOM_SOPS[sop]),
    '00020003': ui(sopUid),
    '00020010': ui(DICOM_TRANSFER_SYNTAXES[transferSyntax]),
    '00020012': ui('2.25.100200300'),
  }
  const file = new dcmjs.data.DicomDict(meta)
  const content = WITHOUT_PIXELS[sop] ?? (await pixelAttributes(options, transferSyntax))
  const attributes = { ...identity(options, sop, sopUid), ...content, ...options.attributes }
  file.dict = Object.fromEntries(
    Object.entries(attributes).flatMap(([tag, element]) => (element === null ? [] : [[tag, element]])),
  )
  const fragmentMultiframe = options.isFragmented === true
  // Values that are too long for their type exist.
  const bytes = Buffer.from(file.write({ fragmentMultiframe, allowInvalidVRLength: true }))
  putRawText(bytes, options.patientName, NAME_FILLER)
  putRawText(bytes, options.patientId, ID_FILLER)
  return bytes
}

const ui = (uid: string): DicomAttributes[string] => ({ vr: 'UI', Value: [uid] })
const us = (value: number): DicomAttributes[string] => ({ vr: 'US', Value: [value] })

// dcmjs writes UTF-8 only, so other bytes take the place of a text of the same length afterwards.
const NAME_FILLER = '~'
const ID_FILLER = '`'

function textOrFiller(text: string | Uint8Array, filler: string): string {
  return typeof text === 'string' ? text : filler.repeat(text.length)
}

function putRawText(file: Buffer, text: string | Uint8Array | undefined, filler: string): void {
  if (text === undefined || typeof text === 'string') return
  const at = file.indexOf(filler.repeat(text.length))
  if (at === -1) throw new Error('The place of this text was not found in the file.')
  file.set(text, at)
}

function identity(options: DicomFileOptions, sop: DicomSop, sopUid: string): DicomAttributes {
  const { characterSet = 'ISO_IR 192', imageType = ['ORIGINAL', 'PRIMARY', '', 'COLOR'] } = options
  const texts: Record<string, readonly [vr: string, value: string | readonly string[] | undefined | null]> = {
    '00080005': ['CS', characterSet],
    '00080008': ['CS', imageType],
    '00080016': ['UI', DICOM_SOPS[sop]],
    '00080018': ['UI', sopUid],
    '00080020': ['DA', options.studyDate ?? '20260602'],
    '0008002A': ['DT', options.acquisitionDateTime],
    '00080060': ['CS', sop === 'oct' ? 'OPT' : 'OP'],
    '00080070': ['LO', options.maker ?? 'Drawn Cameras'],
    '00081090': ['LO', options.model ?? 'Eyeground 1'],
    '00100020': ['LO', textOrFiller(options.patientId ?? 'HC-004512', ID_FILLER)],
    '00100030': ['DA', options.birthDate ?? '19570311'],
    '00100040': ['CS', options.sex ?? 'F'],
    '00101010': ['AS', options.age],
    '0020000D': ['UI', '2.25.400500600'],
    '0020000E': ['UI', '2.25.400500601'],
    '00200062': ['CS', options.laterality],
  }
  const name = textOrFiller(options.patientName ?? 'LOPEZ^ANA', NAME_FILLER)
  const attributes: DicomAttributes = { '00100010': { vr: 'PN', Value: [{ Alphabetic: name }] } }
  for (const [tag, [vr, value]] of Object.entries(texts))
    if (value !== undefined && value !== null)
      attributes[tag] = { vr, Value: typeof value === 'string' ? [value] : value }
  return attributes
}

async function pixelAttributes(
  options: DicomFileOptions,
  transferSyntax: DicomTransferSyntax,
): Promise<DicomAttributes> {
  const source = options.image ?? (await drawnDicomImage())
  const isJpeg = transferSyntax === 'jpegBaseline' || transferSyntax === 'jpegExtended'
  const plain = isJpeg || transferSyntax === 'mpeg4' ? await asJpeg(source) : await asPixels(source)
  const image = options.image === undefined ? markedAs(plain, options.sopUid) : plain
  const { frames = 1 } = options
  const isColour = 'jpeg' in image ? (await sharp(image.jpeg).metadata()).channels === 3 : 'rgb' in image
  const bits = 'gray16' in image ? 16 : 8
  const stored = 'gray16' in image ? (image.bitsStored ?? 16) : 8
  const attributes: DicomAttributes = {
    '00280002': us(isColour ? 3 : 1),
    '00280004': { vr: 'CS', Value: [!isColour ? 'MONOCHROME2' : 'jpeg' in image ? 'YBR_FULL_422' : 'RGB'] },
    '00280010': us(image.height),
    '00280011': us(image.width),
    '00280100': us(bits),
    '00280101': us(stored),
    '00280102': us(stored - 1),
    '00280103': us(0),
  }
  if (isColour) attributes['00280006'] = us(0)
  if (frames > 1) attributes['00280008'] = { vr: 'IS', Value: [frames] }
  const isEncapsulated = ENCAPSULATED.includes(transferSyntax)
  const frame = await frameBytes(image, transferSyntax)
  const all = Array.from({ length: frames }, () => arrayBufferOf(frame))
  const joined = arrayBufferOf(Buffer.concat(all.map((frame) => Buffer.from(frame))))
  const vr = isEncapsulated || bits === 8 ? 'OB' : 'OW'
  attributes['7FE00010'] = { vr, Value: isEncapsulated ? all : [joined] }
  return attributes
}

/** The photograph of this name, unlike that of any other: a comment in a JPEG, the first bytes of plain pixels. */
function markedAs(image: DicomImage, sopUid: string | undefined): DicomImage {
  if (sopUid === undefined) return image
  const mark = createHash('sha256').update(sopUid).digest().subarray(0, 6)
  if ('jpeg' in image) {
    const comment = Buffer.concat([Buffer.from([0xff, 0xfe, 0, mark.length + 2]), mark])
    return { ...image, jpeg: Buffer.concat([image.jpeg.subarray(0, 2), comment, image.jpeg.subarray(2)]) }
  }
  return 'rgb' in image ? { ...image, rgb: Buffer.concat([mark, image.rgb.subarray(mark.length)]) } : image
}

async function frameBytes(image: DicomImage, transferSyntax: DicomTransferSyntax): Promise<Uint8Array> {
  // As it is, whatever packs it.
  if ('jpeg' in image) return image.jpeg
  const pixels = pixelBytes(image, transferSyntax === 'explicitBig')
  const isWide = 'gray16' in image
  const components = 'rgb' in image ? 3 : 1
  const bits = isWide ? (image.bitsStored ?? 16) : 8
  const { width, height } = image
  switch (transferSyntax) {
    case 'rle':
      return encodeRle(bytePlanes(pixels, components, isWide ? 2 : 1))
    case 'jpegLossless': {
      const samples = isWide ? image.gray16 : pixels
      return encodeLossless(samples, { width, height, components, bits })
    }
    case 'jpegLs':
      return encodeJpegLs({ width, height, components, bits, bytes: pixels })
    case 'jpeg2000':
      return encodeJpeg2000({ width, height, components, bits, bytes: pixels })
    default:
      // Enough of a code stream to be taken for one, and never to be decoded.
      return ENCAPSULATED.includes(transferSyntax) ? Buffer.from('ff0afa1f01900800', 'hex') : pixels
  }
}

function pixelBytes(image: Exclude<DicomImage, { jpeg: Buffer }>, isBigEndian: boolean): Uint8Array {
  if ('rgb' in image) return image.rgb
  if ('gray8' in image) return image.gray8
  const bytes = Buffer.alloc(image.gray16.length * 2)
  image.gray16.forEach((value, index) => {
    if (isBigEndian) bytes.writeUInt16BE(value, index * 2)
    else bytes.writeUInt16LE(value, index * 2)
  })
  return bytes
}

/** Pixels as JPEG, if they are none yet; the loss is what a camera would cause. */
async function asJpeg(image: DicomImage): Promise<DicomImage & { readonly jpeg: Buffer }> {
  const { width, height } = image
  if ('jpeg' in image) return image
  if ('gray16' in image) throw new Error('Baseline JPEG holds eight bits.')
  const raw = { width, height, channels: 'rgb' in image ? 3 : 1 } as const
  const jpeg = await sharp('rgb' in image ? image.rgb : image.gray8, { raw })
    .jpeg({ quality: 92 })
    .toBuffer()
  return { jpeg, width, height }
}

async function asPixels(image: DicomImage): Promise<Exclude<DicomImage, { jpeg: Buffer }>> {
  if (!('jpeg' in image)) return image
  const { width, height } = image
  return { rgb: await sharp(image.jpeg).toColourspace('srgb').removeAlpha().raw().toBuffer(), width, height }
}

function arrayBufferOf(bytes: Uint8Array): ArrayBuffer {
  // An odd length would not fit the format (PS3.5 section 8).
  const copy = new Uint8Array(bytes.length + (bytes.length % 2))
  copy.set(bytes)
  return copy.buffer
}
