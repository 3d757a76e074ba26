/**
 * The frames of DICOM files that neither browsers nor sharp decode: JPEG 2000, JPEG-LS and lossless JPEG. Decoders of others are
 * loaded with the first frame that needs one, and only in a process that may die: their memory is theirs, and nothing of it is
 * used after a failure. What a head claims is compared with the file before anything is decoded.
 */
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { Flaw, malformed, NotChecked } from '../formats/bytes.ts'
import { decodeLossless } from '../formats/jpeg-lossless.ts'
import type { Packing } from './dicom.ts'

export const CODECS = ['jpeg2000', 'jpegLs', 'jpegLossless'] as const satisfies readonly Packing[]
export type Codec = (typeof CODECS)[number]

/** What the DICOM file states of each frame. */
type Shape = { readonly columns: number; readonly rows: number; readonly samples: number }

export type DecodedFrame = {
  /** A sample in a byte or, of more than eight bits, in two, low first. */
  readonly bytes: Buffer
  /** Of a sample. */
  readonly bits: number
  readonly isSigned: boolean
  readonly arrangement: 'byPixel' | 'byPlane'
  /** It found fault with the data, and decoded them. */
  readonly isWarned: boolean
}

export type FrameDecoder = (frame: Buffer, shape: Shape) => Promise<DecodedFrame>

/** What decoders hold of one frame: they keep each sample in four bytes. */
const MAX_HELD_BYTES = 256 * 1_024 * 1_024
const SAMPLE_BYTES = 4

/** True for more than is decoded. */
export function isTooLarge({ columns, rows, samples }: Shape): boolean {
  return columns * rows * samples * SAMPLE_BYTES > MAX_HELD_BYTES
}

/** For the frames of one file. The decoder throws `Flaw`, and `NotChecked` for what it does not know. */
export async function openDecoder(codec: Codec): Promise<FrameDecoder> {
  switch (codec) {
    case 'jpeg2000':
      return jpeg2000()
    case 'jpegLs':
      return jpegLs()
    case 'jpegLossless':
      return async (frame, shape) => ({ ...PLAIN, ...(await decodeLossless(frame, shape)) })
  }
}

const PLAIN = { isSigned: false, arrangement: 'byPixel', isWarned: false } as const

/** The packages leave it to others to find what they need. */
async function wasmOf(name: string): Promise<Buffer> {
  return readFile(createRequire(import.meta.url).resolve(name))
}

type Decoded = {
  getFrameInfo(): { readonly width: number; readonly height: number; readonly componentCount: number }
  getDecodedBuffer(): Uint8Array
}

/** It throws numbers, and errors of WebAssembly. */
type Decoder = Decoded & {
  /** Memory for so many bytes of a code stream. */
  getEncodedBuffer(length: number): Uint8Array
  decode(): void
  /** Of JPEG-LS; 0 if the samples of each colour come together. */
  getInterleaveMode(): number
}

type Program = (options: {
  readonly wasmBinary: Uint8Array
  readonly print: (line: string) => void
  readonly printErr: (line: string) => void
}) => Promise<{ readonly J2KDecoder: new () => Decoder; readonly JpegLSDecoder: new () => Decoder }>

/** What a decoder throws is of its own kinds, and always about the data: a defect would end it, and not this process. */
function attempt<Made>(act: () => Made): Made {
  try {
    return act()
  } catch (error) {
    if (error instanceof Flaw || error instanceof NotChecked) throw error
    throw malformed('a decoder refuses packed image data')
  }
}

/** Both end with this marker; a byte may fill the length of a fragment. */
function requireEnd(frame: Buffer): void {
  const end = frame.lastIndexOf(Buffer.from([0xff, 0xd9]))
  if (end === -1 || frame.subarray(end + 2).some((byte) => byte !== 0))
    throw malformed('packed image data end without their mark')
}

type Head = { readonly bits: number; readonly isSigned: boolean }

function requireShape(head: Shape, stated: Shape): void {
  if (head.columns !== stated.columns || head.rows !== stated.rows || head.samples !== stated.samples)
    throw malformed('packed image data are of another size than their DICOM file says')
}

const [SIZE, TILE_PART] = [0xff51, 0xff90]

/** More tiles than any camera writes take much time, and memory for each. */
const MAX_TILES = 4_096

/** A lost sector of a disk. Empty packets are zeros, too, but hardly ever so many. */
const HOLE = Buffer.alloc(512)

/** The code stream in the boxes of a file (ISO/IEC 15444-1 annex I), which do not belong there, and some writers leave. */
function withoutBoxes(frame: Buffer): Buffer {
  const hasBoxes = frame.toString('latin1', 4, 8) === 'jP  '
  return hasBoxes ? frame.subarray(Math.max(0, frame.indexOf('ff4fff51', 0, 'hex'))) : frame
}

/** ISO/IEC 15444-1 annex A. `signsAt`: the positions of the signs of the samples. */
function jpeg2000Head(frame: Buffer, stated: Shape): Head & { readonly signsAt: number[] } {
  let size: Buffer | null = null
  let sizeAt = 0
  if (frame.length < 4 || frame.readUInt16BE(0) !== 0xff4f)
    throw malformed('a JPEG 2000 does not begin as one')
  for (let at = 2; at + 4 <= frame.length && frame.readUInt16BE(at) !== TILE_PART;) {
    const [marker, length] = [frame.readUInt16BE(at), frame.readUInt16BE(at + 2)]
    const segment = frame.subarray(at + 4, at + 2 + length)
    if (length < 2 || segment.length < length - 2) break
    if (marker === SIZE && size === null) [size, sizeAt] = [segment, at + 4]
    at += 2 + length
  }
  if (size === null || size.length < 39) throw malformed('a JPEG 2000 does not begin as one')
  const of = (at: number): number => size.readUInt32BE(at)
  const samples = size.readUInt16BE(34)
  requireShape({ columns: of(2) - of(10), rows: of(6) - of(14), samples }, stated)
  const tiles = Math.ceil(of(2) / of(18)) * Math.ceil(of(6) / of(22))
  const components = Array.from({ length: samples }, (_, index) =>
    size.subarray(36 + index * 3, 39 + index * 3),
  )
  const depths = new Set(components.map(([depth = 0, across, down]) => [depth, across, down].join()))
  const depth = size[36] ?? 0
  const bits = (depth & 0x7f) + 1
  if (depths.size !== 1 || !depths.has(`${depth},1,1`) || bits > 16 || !(tiles <= MAX_TILES))
    throw new NotChecked('compression')
  return {
    bits,
    isSigned: depth > 0x7f,
    signsAt: components.map((_, index) => sizeAt + 36 + index * 3),
  }
}

async function jpeg2000(): Promise<FrameDecoder> {
  // @ts-expect-error -- the package has no types
  const { default: openjpeg } = (await import('@cornerstonejs/codec-openjpeg/decodewasmjs')) as {
    default: Program
  }
  const wasmBinary = await wasmOf('@cornerstonejs/codec-openjpeg/decodewasm')
  let lines: string[] = []
  const print = (line: string): void => void lines.push(line.slice(0, 20))
  return async (frame, shape) => {
    const stream = withoutBoxes(frame)
    const { bits, isSigned, signsAt } = jpeg2000Head(stream, shape)
    requireEnd(stream)
    // The decoder takes signed bytes for unsigned ones: without their signs they come as the distance from the least one.
    const hasSignedBytes = isSigned && bits <= 8
    const packed = hasSignedBytes ? Buffer.from(stream) : stream
    if (hasSignedBytes) for (const at of signsAt) packed[at] = bits - 1
    lines = []
    // Another one each time: it keeps what memory it has taken, and after a fault all may be wrong in it.
    const program = await openjpeg({ wasmBinary, print, printErr: print })
    const bytes = attempt(() => {
      const decoder = new program.J2KDecoder()
      decoder.getEncodedBuffer(packed.length).set(packed)
      decoder.decode()
      return decodedBytes(decoder, shape, bits)
    })
    // The decoder takes any bytes for codes.
    const isWarned = stream.includes(HOLE) || lines.some((line) => /^\[(?:WARNING|ERROR)\]/.test(line))
    if (hasSignedBytes)
      for (let at = 0; at < bytes.length; at += 1) bytes[at] = (bytes[at] ?? 0) ^ (1 << (bits - 1))
    return { bytes, bits, isSigned, arrangement: 'byPixel', isWarned }
  }
}

/** A copy: the memory is the decoder's. */
function decodedBytes(decoder: Decoded, shape: Shape, bits: number): Buffer {
  const { width: columns, height: rows, componentCount: samples } = decoder.getFrameInfo()
  requireShape({ columns, rows, samples }, shape)
  const bytes = decoder.getDecodedBuffer()
  if (bytes.length !== columns * rows * samples * (bits > 8 ? 2 : 1))
    throw malformed('a decoder refuses packed image data')
  return Buffer.from(bytes)
}

const [SOF55, SOS] = [0xfff7, 0xffda]

/** ISO/IEC 14495-1 annex C. */
function jpegLsHead(frame: Buffer, stated: Shape): Head {
  if (frame.length < 4 || frame.readUInt16BE(0) !== 0xffd8) throw malformed('a JPEG does not begin as one')
  for (let at = 2; at + 10 <= frame.length && frame.readUInt16BE(at) !== SOS;) {
    if (frame.readUInt16BE(at) === SOF55) {
      const [rows, columns] = [frame.readUInt16BE(at + 5), frame.readUInt16BE(at + 7)]
      requireShape({ rows, columns, samples: frame[at + 9] ?? 0 }, stated)
      return { bits: frame[at + 4] ?? 0, isSigned: false }
    }
    at += 2 + Math.max(2, frame.readUInt16BE(at + 2))
  }
  throw malformed('a frame header is none')
}

const ignore = (): undefined => undefined

async function jpegLs(): Promise<FrameDecoder> {
  // @ts-expect-error -- the package has no types
  const { default: charls } = (await import('@cornerstonejs/codec-charls/decodewasmjs')) as {
    default: Program
  }
  const wasmBinary = await wasmOf('@cornerstonejs/codec-charls/decodewasm')
  return async (frame, shape) => {
    const { bits } = jpegLsHead(frame, shape)
    requireEnd(frame)
    const program = await charls({ wasmBinary, print: ignore, printErr: ignore })
    return attempt(() => {
      const decoder = new program.JpegLSDecoder()
      decoder.getEncodedBuffer(frame.length).set(frame)
      decoder.decode()
      const isByPlane = shape.samples > 1 && decoder.getInterleaveMode() === 0
      const bytes = decodedBytes(decoder, shape, bits)
      return { ...PLAIN, bytes, bits, arrangement: isByPlane ? 'byPlane' : 'byPixel' }
    })
  }
}
