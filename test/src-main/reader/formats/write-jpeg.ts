/** Writes JPEGs from random coefficients, with what the encoders at hand do not write: restarts, odd padding. */
import { type Random, randomFrom } from '../../../camera/random.ts'

/** Code lengths and symbols (ISO/IEC 10918-1 B.2.4.2): a DC code of eight sizes, an AC code of few symbols. */
const DC_SYMBOLS = [0, 1, 2, 3, 4, 5, 6, 7]
const DC_COUNTS = [0, 1, 5, 1, 1]
const AC_SYMBOLS = [0x01, 0x00, 0x02, 0x11, 0x03, 0x21, 0xf0]
const AC_COUNTS = [0, 2, 1, 2, 1, 1]

export type JpegOptions = {
  readonly width: number
  readonly height: number
  /** Sampling factors of each component; one component is a grey picture. */
  readonly sampling?: readonly (readonly [across: number, down: number])[]
  readonly restartInterval?: number
  /** Each component in a scan of its own. */
  readonly isSeparate?: boolean
  readonly padding?: 'ones' | 'zeros'
  /** Bytes between the last bit and the marker after it. */
  readonly left?: readonly number[]
  readonly seed?: number
}

/** Bits of a segment between two markers. */
class BitWriter {
  readonly #bytes: number[] = []
  #bits = 0
  #count = 0

  write(value: number, length: number): void {
    for (let index = length - 1; index >= 0; index -= 1) {
      this.#bits = this.#bits * 2 + ((value >> index) & 1)
      this.#count += 1
      if (this.#count === 8) this.#flush()
    }
  }

  #flush(): void {
    this.#bytes.push(this.#bits)
    if (this.#bits === 0xff) this.#bytes.push(0)
    this.#bits = 0
    this.#count = 0
  }

  end(padding: 'ones' | 'zeros'): readonly number[] {
    while (this.#count > 0) this.write(padding === 'ones' ? 1 : 0, 1)
    return this.#bytes
  }
}

type Code = ReadonlyMap<number, readonly [code: number, length: number]>

function codeOf(counts: readonly number[], symbols: readonly number[]): Code {
  const codes = new Map<number, readonly [number, number]>()
  let [code, next] = [0, 0]
  for (const [index, count] of counts.entries()) {
    for (let nth = 0; nth < count; nth += 1) {
      codes.set(symbols[next] ?? 0, [code, index + 1])
      code += 1
      next += 1
    }
    code *= 2
  }
  return codes
}

const DC_CODE = codeOf(DC_COUNTS, DC_SYMBOLS)
const AC_CODE = codeOf(AC_COUNTS, AC_SYMBOLS)

const segment = (marker: number, bytes: readonly number[]): readonly number[] => [
  0xff,
  marker,
  (bytes.length + 2) >> 8,
  (bytes.length + 2) & 0xff,
  ...bytes,
]
const twoBytes = (value: number): readonly number[] => [value >> 8, value & 0xff]
const huffmanTable = (id: number, counts: readonly number[], symbols: readonly number[]): readonly number[] =>
  segment(0xc4, [id, ...Array.from({ length: 16 }, (_, index) => counts[index] ?? 0), ...symbols])

/** A valid JPEG of noise. */
export function writeJpeg(options: JpegOptions): Buffer {
  const { width, height, sampling = [[1, 1]], restartInterval = 0, isSeparate = false } = options
  const random = randomFrom(options.seed ?? 1)
  const all = sampling.map((_, index) => index)
  const scans = isSeparate ? all.map((index) => [index]) : [all]
  const bytes = [0xff, 0xd8]
  bytes.push(...segment(0xdb, [0, ...Array.from({ length: 64 }, () => 8)]))
  const components = sampling.flatMap(([across, down], index) => [index + 1, across * 16 + down, 0])
  bytes.push(...segment(0xc0, [8, ...twoBytes(height), ...twoBytes(width), sampling.length, ...components]))
  bytes.push(...huffmanTable(0, DC_COUNTS, DC_SYMBOLS), ...huffmanTable(0x10, AC_COUNTS, AC_SYMBOLS))
  if (restartInterval > 0) bytes.push(...segment(0xdd, twoBytes(restartInterval)))
  for (const scan of scans) {
    const selectors = scan.flatMap((index) => [index + 1, 0])
    bytes.push(...segment(0xda, [scan.length, ...selectors, 0, 63, 0]))
    for (const byte of codedData(options, scan, random)) bytes.push(byte)
  }
  return Buffer.from([...bytes, 0xff, 0xd9])
}

function* codedData(options: JpegOptions, scan: readonly number[], random: Random): Generator<number> {
  const { sampling = [[1, 1]], restartInterval = 0, padding = 'ones', left = [] } = options
  const { mcus, blocks } = shapeOf(options, scan)
  let writer = new BitWriter()
  const levels = sampling.map(() => 0)
  for (let mcu = 0; mcu < mcus; mcu += 1) {
    if (restartInterval > 0 && mcu > 0 && mcu % restartInterval === 0) {
      yield* writer.end(padding)
      yield* [0xff, 0xd0 + ((mcu / restartInterval - 1) % 8)]
      writer = new BitWriter()
      levels.fill(0)
    }
    for (const component of blocks) {
      const level = Math.floor(random() * 80) - 40
      writeBlock(writer, level - (levels[component] ?? 0), random)
      levels[component] = level
    }
  }
  yield* [...writer.end(padding), ...left]
}

/** How many MCUs a scan has, and the component of each block of one. */
function shapeOf({ width, height, sampling = [[1, 1]] }: JpegOptions, scan: readonly number[]) {
  const mostAcross = Math.max(...sampling.map(([across]) => across))
  const mostDown = Math.max(...sampling.map(([, down]) => down))
  const [first = 0] = scan
  if (scan.length === 1) {
    const [across, down] = sampling[first] ?? [1, 1]
    const columns = Math.ceil(Math.ceil((width * across) / mostAcross) / 8)
    const rows = Math.ceil(Math.ceil((height * down) / mostDown) / 8)
    return { mcus: columns * rows, blocks: [first] }
  }
  return {
    mcus: Math.ceil(width / (8 * mostAcross)) * Math.ceil(height / (8 * mostDown)),
    blocks: scan.flatMap((index) => {
      const [across, down] = sampling[index] ?? [1, 1]
      return Array.from({ length: across * down }, () => index)
    }),
  }
}

function writeBlock(writer: BitWriter, change: number, random: Random): void {
  const size = sizeOf(change)
  writer.write(...(DC_CODE.get(size) ?? [0, 0]))
  writeNumber(writer, change, size)
  let index = 1
  while (index < 64 && random() < 0.9) {
    const symbol = AC_SYMBOLS[Math.floor(random() * AC_SYMBOLS.length)] ?? 0
    if (symbol === 0 || index + (symbol >> 4) > (symbol === 0xf0 ? 47 : 63)) break
    writer.write(...(AC_CODE.get(symbol) ?? [0, 0]))
    writer.write(Math.floor(random() * 2 ** (symbol & 15)), symbol & 15)
    index += (symbol >> 4) + 1
  }
  if (index < 64) writer.write(...(AC_CODE.get(0) ?? [0, 0]))
}

function sizeOf(value: number): number {
  return 32 - Math.clz32(Math.abs(value))
}

/** F.1.2.1: negative numbers are one less, in as many bits. */
function writeNumber(writer: BitWriter, value: number, size: number): void {
  writer.write(value < 0 ? value + (1 << size) - 1 : value, size)
}
