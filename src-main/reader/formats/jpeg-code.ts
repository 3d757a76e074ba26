/** The coded data of JPEG scans (ISO/IEC 10918-1 annexes C and F): Huffman codes as lookup tables, and the bits. */
import { malformed } from './bytes.ts'

/** Bits that one lookup covers; longer codes are rare and take a second step. */
const SHORT_BITS = 9

/** Bits that a lookup of several symbols covers. */
export const SKIP_BITS = 11

/** The widest number in an AC coefficient of eight-bit samples, bits (table F.2). */
export const MAX_AC_BITS = 10

/** The same of a DC difference. */
export const MAX_DC_BITS = 11

/** A code of up to 256 symbols of up to 16 bits (B.2.4.2). */
export class HuffmanCode {
  /** By the next nine bits: length * 256 + symbol; 0 if the code is longer, or none. */
  readonly short = new Uint16Array(1 << SHORT_BITS)
  /** By length: the first 16 bits that no code of this or a lower length begins. */
  readonly #limits = new Int32Array(17)
  readonly #offsets = new Int32Array(17)
  readonly #symbols: Uint8Array
  #skips: Int32Array | null = null

  /** `counts` of the codes of one to 16 bits, and their symbols in order. Throws `Flaw` if no code results. */
  constructor(counts: Uint8Array, symbols: Uint8Array) {
    this.#symbols = symbols
    let [code, done] = [0, 0]
    for (let length = 1; length <= 16; length += 1) {
      const count = counts[length - 1] ?? 0
      this.#offsets[length] = done - code
      if (code + count > 1 << length) throw malformed('a Huffman table has more codes than fit')
      if (length <= SHORT_BITS) {
        for (let index = 0; index < count; index += 1) {
          const from = (code + index) << (SHORT_BITS - length)
          this.short.fill(
            length * 256 + (symbols[done + index] ?? 0),
            from,
            from + (1 << (SHORT_BITS - length)),
          )
        }
      }
      code += count
      done += count
      this.#limits[length] = code << (16 - length)
      code <<= 1
    }
    if (done > symbols.length) throw malformed('a Huffman table is shorter than it states')
  }

  /** The code at the head of these 16 bits: length * 256 + symbol; 0 if none begins so. */
  find(bits: number): number {
    const found = this.short[bits >>> (16 - SHORT_BITS)] ?? 0
    if (found !== 0) return found
    for (let length = SHORT_BITS + 1; length <= 16; length += 1) {
      if (bits < (this.#limits[length] ?? 0)) {
        return length * 256 + (this.#symbols[(bits >>> (16 - length)) + (this.#offsets[length] ?? 0)] ?? 0)
      }
    }
    return 0
  }

  /**
   * For AC coefficients whose values do not matter: what the next `SKIP_BITS` bits decide. Bits to pass (6 bits),
   * coefficients * 64 (8 bits), * 16,384 at a block's end; 0 if the first symbol is longer, or none.
   */
  get skips(): Int32Array {
    this.#skips ??= this.#manySymbols()
    return this.#skips
  }

  #manySymbols(): Int32Array {
    const skips = new Int32Array(1 << SKIP_BITS)
    for (let index = 0; index < skips.length; index += 1) {
      let [bits, coefficients, isEnd] = [0, 0, 0]
      while (bits < SKIP_BITS && isEnd === 0) {
        const found = this.find((index << (16 - SKIP_BITS + bits)) & 0xffff)
        const length = found >> 8
        const [run, size] = [(found >> 4) & 15, found & 15]
        if (found === 0 || bits + length > SKIP_BITS || size > MAX_AC_BITS) break
        if (size === 0 && run !== 0 && run !== 15) break
        if (found === length * 256) isEnd = 1
        else coefficients += run + 1
        bits += length + size
      }
      skips[index] = bits + coefficients * 64 + isEnd * 16_384
    }
    return skips
  }
}

/** Zeros behind the data of a segment: a block that runs over the end reads them, and is noticed after it. */
const GUARD_BYTES = 512

/** Bytes after the last bit before a marker: some encoders fill a word; damage leaves far more, or others. */
const MAX_LEFT_BYTES = 4

/**
 * Zeros of this many bytes are data of even blocks, or none: no two codes of a table are zeros, so a block with
 * coefficients would have the same one 63 times.
 */
const ZEROS = Buffer.alloc(64)

/** A range of bits. */
export type Bits = { readonly from: number; readonly to: number }

const NO_BITS: Bits = { from: Infinity, to: Infinity }

/** Between two markers: the entropy-coded data without its stuffing, readable from any bit. */
export class CodedData {
  readonly #file: Buffer
  readonly #plain: Buffer
  /** The data: `getInt32(bit >>> 3) << (bit & 7)` has 25 bits from a position on. */
  readonly view: DataView
  #bits = 0
  /** The marker that follows, and the position after it. */
  marker = 0
  next = 0

  constructor(file: Buffer) {
    this.#file = file
    this.#plain = Buffer.allocUnsafe(file.length + GUARD_BYTES)
    this.view = new DataView(this.#plain.buffer, this.#plain.byteOffset, this.#plain.length)
  }

  /** Reads up to the next marker (F.1.2.3: FF 00 is FF; B.1.1.2: FF may fill the space before a marker). */
  load(from: number): void {
    const file = this.#file
    let [filled, at] = [0, from]
    for (;;) {
      const found = file.indexOf(0xff, at)
      if (found === -1) throw malformed('coded data are followed by no marker')
      let after = found + 1
      while (file[after] === 0xff) after += 1
      if (after >= file.length) throw malformed('coded data are followed by no marker')
      const code = file[after] ?? 0
      const end = code === 0 ? found + 1 : found
      file.copy(this.#plain, filled, at, end)
      filled += end - at
      at = after + 1
      if (code === 0) continue
      this.#plain.fill(0, filled, filled + GUARD_BYTES)
      this.#bits = filled * 8
      this.marker = code
      this.next = at
      return
    }
  }

  /** The next long range of zeros from a bit on, as far as it consists of whole bytes; endless if there is none. */
  zerosAfter(bit: number): Bits {
    const from = this.#plain.indexOf(ZEROS, (bit + 7) >>> 3)
    let to = from + ZEROS.length
    if (from === -1 || to * 8 > this.#bits) return NO_BITS
    while (to * 8 < this.#bits && this.#plain[to] === 0) to += 1
    return { from: from * 8, to: to * 8 }
  }

  /** True if a walk that has come to this bit is still inside the data. */
  holds(bit: number): boolean {
    return bit <= this.#bits
  }

  /** The data must end with the last block: with padding bits, all ones by the standard, and at most a word of it. */
  end(bit: number): void {
    const left = this.#bits - bit
    if (left < 0) throw malformed('coded data end before their last block')
    const bytes = left >> 3
    if (bytes > MAX_LEFT_BYTES) throw malformed('coded data go on after their last block')
    const padding = left & 7
    const value = (this.view.getUint8(bit >>> 3) & ((1 << padding) - 1)) >>> 0
    if (padding !== 0 && value !== 0 && value !== (1 << padding) - 1)
      throw malformed('coded data are padded with neither ones nor zeros')
    for (let index = 0; index < bytes; index += 1) {
      const byte = this.view.getUint8(((bit + 7) >>> 3) + index)
      if (byte !== 0 && byte !== 0xff) throw malformed('coded data go on after their last block')
    }
  }
}

/** F.1.1.5.2. */
const RST0 = 0xd0

export function isRestart(marker: number): boolean {
  return marker >= RST0 && marker <= RST0 + 7
}

/** Ends a segment at this bit and loads the next one, if the marker between them is the one whose turn it is. */
export function nextSegment(data: CodedData, bit: number, restarts: number): void {
  data.end(bit)
  if (data.marker !== RST0 + (restarts & 7)) throw malformed('a restart marker is missing or out of order')
  data.load(data.next)
}
