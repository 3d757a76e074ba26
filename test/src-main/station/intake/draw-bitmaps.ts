/** BMP files of every kind that Windows programs write, and the colours that each can hold. */
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
  readonly bits: 1 | 4 | 8 | 16 | 24 | 32
  readonly compression?: number
  readonly headerBytes?: 12 | 40 | 108 | 124
  readonly isTopDown?: boolean
  readonly masks?: readonly number[]
  readonly palette?: readonly Rgb[]
  /** The bits of one colour, and the colour that they mean. */
  readonly encode: (colour: Rgb) => { readonly value: number; readonly seen: Rgb }
  /** Packs a row of palette indices; only with run lengths. */
  readonly pack?: (row: readonly number[]) => readonly number[]
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

/** So many bits of each colour, shifted by so much. */
function toBits(bits: readonly number[], shifts: readonly number[]): Plan['encode'] {
  return (colour) => {
    const levels = colour.map((level, channel) => level >> (8 - bits[channel]!))
    const seen = levels.map((level, channel) => Math.round((level * 255) / (2 ** bits[channel]! - 1)))
    const value = levels.reduce((sum, level, channel) => sum + level * 2 ** shifts[channel]!, 0)
    return { value, seen: seen as unknown as Rgb }
  }
}

/** Runs of a repeated value, and literal stretches (of an odd length, which is padded) of others. */
function packRle8(row: readonly number[]): number[] {
  const packed: number[] = []
  for (let x = 0; x < row.length;) {
    let run = 1
    while (run < 255 && x + run < row.length && row[x + run] === row[x]) run += 1
    if (run === 1 && x + 3 <= row.length) {
      packed.push(0, 3, row[x]!, row[x + 1]!, row[x + 2]!, 0)
      x += 3
    } else {
      packed.push(run, row[x]!)
      x += run
    }
  }
  return [...packed, 0, 0]
}

function packRle4(row: readonly number[]): number[] {
  const packed: number[] = []
  for (let x = 0; x < row.length; x += 2)
    packed.push(Math.min(2, row.length - x), row[x]! * 16 + (row[x + 1] ?? 0))
  return [...packed, 0, 0]
}

const eightEach = toBits([8, 8, 8], [16, 8, 0])
const PLANS: readonly Plan[] = [
  { name: 'of 24 bits', bits: 24, encode: eightEach },
  { name: 'from the top', bits: 24, isTopDown: true, encode: eightEach },
  { name: 'of OS/2', bits: 24, headerBytes: 12, encode: eightEach },
  { name: 'of 32 bits', bits: 32, encode: eightEach },
  {
    name: 'of 32 bits by masks in another order',
    bits: 32,
    compression: 3,
    headerBytes: 124,
    masks: [0xff, 0xff00, 0xff_0000, 0xff00_0000],
    encode: toBits([8, 8, 8], [0, 8, 16]),
  },
  { name: 'of 15 bits', bits: 16, encode: toBits([5, 5, 5], [10, 5, 0]) },
  {
    name: 'of 16 bits by masks',
    bits: 16,
    compression: 3,
    masks: [0xf800, 0x7e0, 0x1f],
    encode: toBits([5, 6, 5], [11, 5, 0]),
  },
  { name: 'of 256 greys', bits: 8, ...inGreys(256) },
  { name: 'of 16 greys', bits: 4, ...inGreys(16) },
  { name: 'of two colours', bits: 1, ...inGreys(2) },
  { name: 'of run lengths', bits: 8, compression: 1, ...inGreys(256), pack: packRle8 },
  { name: 'of run lengths in halves', bits: 4, compression: 2, ...inGreys(16), pack: packRle4 },
]

function rowBytesOf(values: readonly number[], bits: Plan['bits']): number[] {
  if (bits >= 16) {
    return values.flatMap((value) =>
      Array.from({ length: bits / 8 }, (_, byte) => Math.floor(value / 256 ** byte) % 256),
    )
  }
  const bytes: number[] = []
  const perByte = 8 / bits
  for (let x = 0; x < values.length; x += perByte) {
    let byte = 0
    for (let nth = 0; nth < perByte; nth += 1) byte = byte * 2 ** bits + (values[x + nth] ?? 0)
    bytes.push(byte)
  }
  return bytes
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
    if (plan.pack) return Buffer.from(plan.pack(values))
    const bytes = Buffer.from(rowBytesOf(values, bits))
    return Buffer.concat([bytes, Buffer.alloc((4 - (bytes.length % 4)) % 4)])
  })
  const pixels = Buffer.concat([...stored, ...(plan.pack ? [Buffer.from([0, 1])] : [])])
  const isOld = headerBytes === 12
  const masksAfter = headerBytes === 40 ? masks.slice(0, 3) : []
  const pixelsAt = 14 + headerBytes + masksAfter.length * 4 + palette.length * 4
  const head = Buffer.alloc(pixelsAt)
  head.write('BM')
  head.writeUInt32LE(pixelsAt + pixels.length, 2)
  head.writeUInt32LE(pixelsAt, 10)
  head.writeUInt32LE(headerBytes, 14)
  if (isOld) {
    head.writeUInt16LE(WIDTH, 18)
    head.writeUInt16LE(HEIGHT, 20)
    head.writeUInt16LE(1, 22)
    head.writeUInt16LE(bits, 24)
  } else {
    head.writeInt32LE(WIDTH, 18)
    head.writeInt32LE(isTopDown ? -HEIGHT : HEIGHT, 22)
    head.writeUInt16LE(1, 26)
    head.writeUInt16LE(bits, 28)
    head.writeUInt32LE(compression, 30)
    head.writeUInt32LE(pixels.length, 34)
    head.writeUInt32LE(palette.length, 46)
  }
  masks.forEach((mask, index) => head.writeUInt32LE(mask, 54 + index * 4))
  palette.forEach(([red, green, blue], index) => {
    head.set([blue, green, red, 0], pixelsAt - palette.length * 4 + index * 4)
  })
  return {
    name: `BMP ${name}`,
    bytes: Buffer.concat([head, pixels]),
    isPlain: !plan.pack,
    width: WIDTH,
    height: HEIGHT,
    rgb: Buffer.from(rows.flatMap((row) => row.flatMap(({ seen }) => [...seen]))),
  }
}

export async function drawnBitmaps(): Promise<DrawnBitmap[]> {
  const rgb = await drawing(WIDTH, HEIGHT).raw().toBuffer()
  return PLANS.map((plan) => encoded(plan, rgb))
}
