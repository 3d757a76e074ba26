/** Damage of each kind, at a spot in the coded data of a file. */
import { type Random } from '../camera/random.ts'
import { type CodedRange, valuesOfTiff } from './coded-data.ts'
import type { CodedPicture } from './kinds.ts'

/** A block of most file systems. */
export const BLOCK_BYTES = 4_096

export type Spot = { readonly at: number; readonly range: CodedRange }

export type Planting = {
  readonly picture: CodedPicture
  readonly spot: Spot
  readonly random: Random
  /** The file of another picture. */
  readonly other: Buffer
}

export type Damage = {
  readonly name: string
  /** False for what the structure of a file cannot show: measured, and not demanded. */
  readonly isDemanded: boolean
  /** Null if this damage does not exist for this picture. */
  readonly plant: (planting: Planting) => Buffer | null
}

const END_OF_JPEG = Buffer.from([0xff, 0xd9])
const END_OF_PNG = Buffer.from('0000000049454e44ae426082', 'hex')

export const DAMAGES: readonly Damage[] = [
  {
    name: '4 KB random',
    isDemanded: true,
    plant: (planting) => overwritten(planting, (random) => Math.floor(random() * 255)),
  },
  { name: '4 KB of another file', isDemanded: true, plant: ofAnotherFile },
  { name: '4 KB zeros', isDemanded: true, plant: (planting) => overwritten(planting, () => 0) },
  { name: 'cut, end glued', isDemanded: true, plant: cutAndGlued },
  { name: 'chunks swapped', isDemanded: true, plant: swappedChunks },
  { name: 'pieces swapped', isDemanded: false, plant: swappedPieces },
  { name: 'strips swapped', isDemanded: false, plant: swappedStrips },
  { name: 'one bit', isDemanded: false, plant: flippedBit },
]

/** A random spot of all coded bytes, so that a block from there on ends with the last range at the latest. */
export function spotIn(ranges: readonly CodedRange[], random: Random): Spot {
  const end = Math.max(...ranges.map(({ to }) => to))
  let at = Math.floor(random() * ranges.reduce((sum, { from, to }) => sum + to - from, 0))
  for (const range of ranges) {
    if (at < range.to - range.from)
      return { at: Math.max(range.from, Math.min(range.from + at, end - BLOCK_BYTES)), range }
    at -= range.to - range.from
  }
  throw new RangeError('A spot lies in a range.')
}

function overwritten(
  { picture: { bytes, ranges }, spot: { at }, random }: Planting,
  byte: (random: Random) => number,
): Buffer {
  const copy = Buffer.from(bytes)
  const end = Math.min(at + BLOCK_BYTES, Math.max(...ranges.map(({ to }) => to)))
  for (let index = at; index < end; index += 1) copy[index] = byte(random)
  return copy
}

/** A block of the other file, without what could be a marker. */
function ofAnotherFile(planting: Planting): Buffer {
  const { other, random } = planting
  let from = Math.floor(random() * other.length)
  return overwritten(planting, () => {
    do from = (from + 1) % other.length
    while (other[from] === 0xff)
    return other[from] ?? 0
  })
}

/** The rest is gone; inside a container, whose end must stay, it is zeros. */
function cutAndGlued({ picture: { type, bytes, ranges }, spot: { at, range } }: Planting): Buffer {
  if (type === 'image/jpeg') return Buffer.concat([bytes.subarray(0, at), END_OF_JPEG])
  if (type === 'image/png') return Buffer.concat([bytes.subarray(0, at), END_OF_PNG])
  const copy = Buffer.from(bytes).fill(0, at, range.to)
  const isJpeg = bytes.readUInt16BE(Math.min(range.to, bytes.length - 2)) === 0xffd9
  if (isJpeg && ranges.length > 0) copy.set(END_OF_JPEG, at)
  return copy
}

/** Two neighbours, each with its own head and checksum. */
function swappedChunks({ picture: { type, bytes, ranges }, spot: { range } }: Planting): Buffer | null {
  const index = ranges.indexOf(range)
  const second = ranges[index + 1]
  if (type !== 'image/png' || !second) return null
  return Buffer.concat([
    bytes.subarray(0, range.from - 8),
    bytes.subarray(second.from - 8, second.to + 4),
    bytes.subarray(range.from - 8, range.to + 4),
    bytes.subarray(second.to + 4),
  ])
}

function swappedPieces({ picture: { bytes }, spot: { at, range } }: Planting): Buffer | null {
  if (at + 2 * BLOCK_BYTES > range.to) return null
  const copy = Buffer.from(bytes)
  copy.set(bytes.subarray(at + BLOCK_BYTES, at + 2 * BLOCK_BYTES), at)
  copy.set(bytes.subarray(at, at + BLOCK_BYTES), at + BLOCK_BYTES)
  return copy
}

/** Their offsets and sizes in the directory. */
function swappedStrips({ picture: { type, bytes }, random }: Planting): Buffer | null {
  const count = type === 'image/tiff' ? valuesOfTiff(bytes, 273).at.length : 0
  // The last strip is lower than the others.
  if (count < 4) return null
  const first = Math.floor(random() * (count - 2))
  const copy = Buffer.from(bytes)
  for (const tag of [273, 279]) {
    const { at, size } = valuesOfTiff(bytes, tag)
    const [one, other] = [at[first] ?? 0, at[first + 1] ?? 0]
    copy.writeUIntLE(bytes.readUIntLE(other, size), one, size)
    copy.writeUIntLE(bytes.readUIntLE(one, size), other, size)
  }
  return copy
}

function flippedBit({ picture: { bytes }, spot: { at }, random }: Planting): Buffer {
  const copy = Buffer.from(bytes)
  copy[at] = (copy[at] ?? 0) ^ (1 << Math.floor(random() * 8))
  return copy
}
