/** BMP files as cameras and Windows programs write photographs, and the colours that each can hold. */
import { drawing, type DrawnImage } from './draw-images.ts'

type Rgb = readonly [number, number, number]

export type DrawnBitmap = DrawnImage & {
  readonly width: number
  readonly height: number
  /** Red, green and blue of each pixel from the top. */
  readonly rgb: Buffer
}

type Plan = {
  readonly name: string
  readonly bits: 8 | 24 | 32
  readonly compression?: number
  readonly headerBytes?: 12 | 16 | 40 | 64 | 108 | 124
  readonly isTopDown?: boolean
  readonly masks?: readonly number[]
  readonly palette?: readonly Rgb[]
  /** The bits of one colour, and the colour that they mean. */
  readonly encode: (colour: Rgb) => { readonly value: number; readonly seen: Rgb }
}

const WIDTH = 61
const HEIGHT = 47

function greys(count: number): Rgb[] {
  return Array.from({ length: count }, (_, index): Rgb => {
    const level = Math.round((index * 255) / (count - 1))
    return [level, level, level]
  })
}

/** A palette of so many greys. */
function inGreys(count: number): Pick<Plan, 'palette' | 'encode'> {
  const palette = greys(count)
  const encode: Plan['encode'] = ([red, green]) => {
    const value = Math.round((Math.max(red, green) / 255) * (count - 1))
    return { value, seen: palette[value]! }
  }
  return { palette, encode }
}

/** A byte of each colour, shifted by so much. */
function toBits(shifts: readonly number[]): Plan['encode'] {
  return (colour) => ({
    value: colour.reduce((sum, level, channel) => sum + level * 2 ** shifts[channel]!, 0),
    seen: colour,
  })
}

const eightEach = toBits([16, 8, 0])
const PLANS: readonly Plan[] = [
  { name: 'of 24 bits', bits: 24, encode: eightEach },
  { name: 'from the top', bits: 24, isTopDown: true, encode: eightEach },
  { name: 'of 32 bits', bits: 32, encode: eightEach },
  {
    name: 'of 32 bits by masks in another order',
    bits: 32,
    compression: 3,
    headerBytes: 124,
    masks: [0xff, 0xff00, 0xff_0000, 0xff00_0000],
    encode: toBits([0, 8, 16]),
  },
  { name: 'of 256 greys', bits: 8, ...inGreys(256) },
  { name: 'of OS/2, 24 bits', bits: 24, headerBytes: 12, encode: eightEach },
  { name: 'of 256 greys, of OS/2', bits: 8, headerBytes: 12, ...inGreys(256) },
  { name: 'of OS/2 2', bits: 24, headerBytes: 64, encode: eightEach },
  { name: 'of OS/2 2 with a short head', bits: 32, headerBytes: 16, encode: eightEach },
]

function rowBytesOf(values: readonly number[], bits: Plan['bits']): number[] {
  return values.flatMap((value) =>
    Array.from({ length: bits / 8 }, (_, byte) => Math.floor(value / 256 ** byte) % 256),
  )
}

function encoded(plan: Plan, rgb: Buffer): DrawnBitmap {
  const { name, bits, compression = 0, headerBytes = 40, isTopDown = false, masks = [], palette = [] } = plan
  const rows = Array.from({ length: HEIGHT }, (_, y) =>
    Array.from({ length: WIDTH }, (_, x) => {
      const at = (y * WIDTH + x) * 3
      return plan.encode([rgb[at]!, rgb[at + 1]!, rgb[at + 2]!])
    }),
  )
  const stored = (isTopDown ? rows : rows.toReversed()).map((row) => {
    const values = row.map(({ value }) => value)
    const bytes = Buffer.from(rowBytesOf(values, bits))
    return Buffer.concat([bytes, Buffer.alloc((4 - (bytes.length % 4)) % 4)])
  })
  const pixels = Buffer.concat(stored)
  const masksAfter = headerBytes === 40 ? masks.slice(0, 3) : []
  const isCore = headerBytes === 12
  const entryBytes = isCore ? 3 : 4
  const pixelsAt = 14 + headerBytes + masksAfter.length * 4 + palette.length * entryBytes
  const head = Buffer.alloc(pixelsAt)
  head.write('BM')
  head.writeUInt32LE(pixelsAt + pixels.length, 2)
  head.writeUInt32LE(pixelsAt, 10)
  head.writeUInt32LE(headerBytes, 14)
  if (isCore) [WIDTH, HEIGHT, 1, bits].forEach((value, index) => head.writeUInt16LE(value, 18 + index * 2))
  else {
    head.writeInt32LE(WIDTH, 18)
    head.writeInt32LE(isTopDown ? -HEIGHT : HEIGHT, 22)
    head.writeUInt16LE(1, 26)
    head.writeUInt16LE(bits, 28)
  }
  if (headerBytes >= 40) {
    head.writeUInt32LE(compression, 30)
    head.writeUInt32LE(pixels.length, 34)
    head.writeUInt32LE(palette.length, 46)
  }
  masks.forEach((mask, index) => head.writeUInt32LE(mask, 54 + index * 4))
  palette.forEach(([red, green, blue], index) => {
    head.set([blue, green, red], pixelsAt - (palette.length - index) * entryBytes)
  })
  return {
    name: `BMP ${name}`,
    bytes: Buffer.concat([head, pixels]),
    isPlain: true,
    width: WIDTH,
    height: HEIGHT,
    rgb: Buffer.from(rows.flatMap((row) => row.flatMap(({ seen }) => [...seen]))),
  }
}

export async function drawnBitmaps(): Promise<DrawnBitmap[]> {
  const rgb = await drawing(WIDTH, HEIGHT).raw().toBuffer()
  return PLANS.map((plan) => encoded(plan, rgb))
}

/** Of kinds that are not shown: run lengths, few colours, 16 bits, masks of no whole bytes. */
export async function drawnOddBitmaps(): Promise<{ readonly name: string; readonly bytes: Buffer }[]> {
  const [plain] = await drawnBitmaps()
  const [sized, depth, packing, masks] = [34, 28, 30, 54]
  const of = (name: string, bits: number, compression: number, dataBytes: number, headerBytes = 40) => {
    const masked = compression === 3 && headerBytes === 40 ? 12 : 0
    const data = Buffer.from(Array.from({ length: dataBytes }, (_, index) => 1 + ((index * 37) % 251)))
    const head = Buffer.alloc(14 + headerBytes + masked)
    plain?.bytes.copy(head, 0, 0, 54)
    head.writeUInt32LE(head.length, 10)
    head.writeUInt32LE(headerBytes, 14)
    head.writeUInt16LE(bits, depth)
    head.writeUInt32LE(compression, packing)
    head.writeUInt32LE(dataBytes, sized)
    if (masked > 0)
      [0xf800, 0x7e0, 0x1f].forEach((mask, index) => head.writeUInt32LE(mask, masks + index * 4))
    return { name: `BMP ${name}`, bytes: Buffer.concat([head, data]) }
  }
  return [
    of('of run lengths', 8, 1, 900),
    of('of run lengths of 4 bits', 4, 2, 700),
    of('of two colours', 1, 0, 8 * HEIGHT),
    of('of 16 colours', 4, 0, 32 * HEIGHT),
    of('of 16 bits', 16, 0, 124 * HEIGHT),
    of('of 16 bits by masks', 16, 3, 124 * HEIGHT),
    of('of 32 bits by odd masks', 32, 3, 244 * HEIGHT),
    of('with a JPEG inside', 24, 4, 2_000),
    of('of OS/2 2 with run lengths of 24 bits', 24, 4, 2_000, 64),
    of('of OS/2 2 with Huffman codes', 1, 3, 500, 64),
  ]
}
