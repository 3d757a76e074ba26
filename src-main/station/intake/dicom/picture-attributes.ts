import type { FileWindow } from './file-window.ts'
import { readCode, readCount } from './read-value.ts'
import type { DataSet } from './walk-data-set.ts'

/** What the colours of a pixel mean, PS3.3 C.7.6.3.1.2; of the others none is written by a camera without packing. */
const PHOTOMETRICS = [
  'MONOCHROME1',
  'MONOCHROME2',
  'RGB',
  'PALETTE COLOR',
  'YBR_FULL',
  'YBR_FULL_422',
] as const
export type Photometric = (typeof PHOTOMETRICS)[number]

/** The Image Pixel Module, PS3.3 C.7.6.3. */
export type PictureAttributes = {
  readonly rows: number
  readonly columns: number
  readonly samples: number
  readonly bitsAllocated: number
  readonly bitsStored: number
  readonly highBit: number
  readonly isSigned: boolean
  /** Null where it is a kind that is not known; as a JPEG it may be shown all the same. */
  readonly photometric: Photometric | null
  readonly arrangement: 'byPixel' | 'byPlane'
  readonly frames: number
}

const SAMPLES = 0x00280002
const PHOTOMETRIC = 0x00280004
const PLANAR_CONFIGURATION = 0x00280006
const FRAMES = 0x00280008
const ROWS = 0x00280010
const COLUMNS = 0x00280011
const BITS_ALLOCATED = 0x00280100
const BITS_STORED = 0x00280101
const HIGH_BIT = 0x00280102
const PIXEL_REPRESENTATION = 0x00280103

/** Null where the file does not say what its picture is like, or contradicts itself. */
export async function readPictureAttributes(
  window: FileWindow,
  dataSet: DataSet,
): Promise<PictureAttributes | null> {
  const count = (tag: number): Promise<number | null> => readCount(window, dataSet, tag)
  const rows = await count(ROWS)
  const columns = await count(COLUMNS)
  const bitsAllocated = (await count(BITS_ALLOCATED)) ?? 8
  const bitsStored = (await count(BITS_STORED)) ?? bitsAllocated
  const highBit = (await count(HIGH_BIT)) ?? bitsStored - 1
  const samples = (await count(SAMPLES)) ?? 1
  const frames = Number((await readCode(window, dataSet, FRAMES)) ?? '1')
  const stated = await readCode(window, dataSet, PHOTOMETRIC)
  if (rows === null || columns === null || rows === 0 || columns === 0) return null
  if (bitsStored < 1 || bitsStored > bitsAllocated) return null
  if (highBit < bitsStored - 1 || highBit >= bitsAllocated) return null
  if (!Number.isSafeInteger(frames) || frames < 1) return null
  return {
    rows,
    columns,
    samples,
    bitsAllocated,
    bitsStored,
    highBit,
    isSigned: (await count(PIXEL_REPRESENTATION)) === 1,
    photometric: PHOTOMETRICS.find((one) => one === stated) ?? null,
    arrangement: (await count(PLANAR_CONFIGURATION)) === 1 ? 'byPlane' : 'byPixel',
    frames,
  }
}
