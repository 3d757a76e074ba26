/** The codes of a JPEG's scans, each walked to the last block (ISO/IEC 10918-1 annexes F.2 and G.2). */
import { malformed } from './bytes.ts'
import {
  type Bits,
  type CodedData,
  type HuffmanCode,
  MAX_AC_BITS,
  MAX_DC_BITS,
  nextSegment,
  type Scan,
  type ScanComponent,
  SKIP_BITS,
} from './jpeg-bytes.ts'

const END_OF_BLOCK_FLAG = 16_384
const ZEROS_16 = 0xf0

/** A sequential scan (F.2). Returns the position after the marker that ends it. Throws `Flaw`. */
export function walkSequential(scan: Scan, data: CodedData, from: number): number {
  const { mcus, blocks } = layoutOf(scan)
  const units = blocks.map((part) => {
    const { dcCode, acCode, maxDc = 0 } = scan.parts[part] ?? {}
    if (!dcCode || !acCode) throw malformed('a scan refers to a Huffman table that is not there')
    return { part, dcCode, acCode, dcShort: dcCode.short, skips: acCode.skips, maxDc }
  })
  const previous = new Int32Array(scan.parts.length)
  const { view } = data
  let untilRestart = scan.restartInterval === 0 ? mcus : scan.restartInterval
  let restarts = 0
  data.load(from)
  let at = 0
  let zeros = data.zerosAfter(0)
  for (let mcu = 0; mcu < mcus; mcu += 1) {
    if (untilRestart === 0) {
      nextSegment(data, at, restarts)
      restarts += 1
      untilRestart = scan.restartInterval
      at = 0
      zeros = data.zerosAfter(0)
      previous.fill(0)
    }
    untilRestart -= 1
    for (const { part, dcCode, dcShort, acCode, skips, maxDc } of units) {
      if (at > zeros.to) zeros = data.zerosAfter(at)
      const isInZeros = at >= zeros.from
      let bits = view.getInt32(at >>> 3) << (at & 7)
      let found = dcShort[bits >>> 23] ?? 0
      if (found === 0) found = dcCode.find(bits >>> 16)
      if (found === 0) throw malformed('coded data hold a code of no symbol')
      at += found >> 8
      const size = found & 0xff
      let level = previous[part] ?? 0
      if (size !== 0) {
        if (size > MAX_DC_BITS) throw malformed('a coefficient is larger than any of a picture')
        bits = view.getInt32(at >>> 3) << (at & 7)
        // F.2.2.1: a leading zero means a negative number.
        level += bits < 0 ? bits >>> (32 - size) : (bits >>> (32 - size)) - (1 << size) + 1
        if (level > maxDc || level < -maxDc) throw malformed('a coefficient is larger than any of a picture')
        at += size
        previous[part] = level
      }
      let index = 1
      while (index < 64) {
        bits = view.getInt32(at >>> 3) << (at & 7)
        const skip = skips[bits >>> (32 - SKIP_BITS)] ?? 0
        const next = index + ((skip >> 6) & 0xff)
        if (skip !== 0 && next < 64) {
          at += skip & 63
          if (skip >= END_OF_BLOCK_FLAG) break
          index = next
          continue
        }
        found = acCode.find(bits >>> 16)
        const symbol = found & 0xff
        if (found === 0 || (symbol & 15) > MAX_AC_BITS) throw malformed('coded data hold a code of no symbol')
        at += (found >> 8) + (symbol & 15)
        if (symbol === 0) break
        if ((symbol & 15) === 0 && symbol !== ZEROS_16) throw malformed('coded data hold a code of no symbol')
        index += (symbol >> 4) + 1
        if (index > 64) throw malformed('a block has more coefficients than there are')
      }
      if (isInZeros && index > 1 && at <= zeros.to)
        throw malformed('coded data are zeros, which no picture has')
      if (!data.holds(at)) throw malformed('coded data end before their last block')
    }
  }
  data.end(at)
  return data.next
}

/** The longest run of blocks that end at once has this many bits in its number (table G.1). */
const MAX_RUN_BITS = 14
const MAX_RUN = 0x7fff

/** libjpeg ends a run if a block more could refine more than 1,000 coefficients in it. */
const MAX_RUN_CORRECTIONS = 900

/**
 * A progressive scan (G.2), as a sequential one. Notes which coefficients are not zero: a later scan sends one bit for each
 * of them.
 */
export function walkProgressive(scan: Scan, data: CodedData, from: number): number {
  const walk = new ProgressiveWalk(scan, data, from)
  if (scan.from > 0) walk.acScan()
  else walk.dcScan()
  return data.next
}

class ProgressiveWalk {
  readonly #scan: Scan
  readonly #data: CodedData
  readonly #previous: Int32Array
  #at = 0
  #restarts = 0
  #untilRestart: number
  /** Blocks that follow without coefficients of their own. */
  #endRun = 0
  /** The blocks of the last such run, and the bits that refine coefficients in them. */
  #runBlocks = 0
  #runBits = 0
  /** True if the encoder may end the next block at once: it would have made the run before it longer instead. */
  #mayEnd = true
  /** True once a code has ended more than one block: some encoders write no runs. */
  #hasRuns = false
  #zeros: Bits

  constructor(scan: Scan, data: CodedData, from: number) {
    this.#scan = scan
    this.#data = data
    this.#previous = new Int32Array(scan.parts.length)
    this.#untilRestart = scan.restartInterval
    data.load(from)
    this.#zeros = data.zerosAfter(0)
  }

  /** To be called before each MCU. */
  #step(): void {
    const { restartInterval } = this.#scan
    if (restartInterval === 0) return
    if (this.#untilRestart === 0) {
      this.#endSegment()
      nextSegment(this.#data, this.#at, this.#restarts)
      this.#restarts += 1
      this.#untilRestart = restartInterval
      this.#at = 0
      this.#zeros = this.#data.zerosAfter(0)
      this.#mayEnd = true
      this.#previous.fill(0)
    }
    this.#untilRestart -= 1
  }

  #endSegment(): void {
    if (this.#endRun !== 0) throw malformed('a run of empty blocks is longer than its scan')
  }

  dcScan(): void {
    const { mcus, blocks } = layoutOf(this.#scan)
    const isFirst = this.#scan.high === 0
    for (let mcu = 0; mcu < mcus; mcu += 1) {
      this.#step()
      // A refinement is one bit a block, whatever it is.
      if (!isFirst) this.#at += blocks.length
      else for (const part of blocks) this.#firstDc(part)
      if (!this.#data.holds(this.#at)) throw malformed('coded data end before their last block')
    }
    this.#data.end(this.#at)
  }

  #firstDc(index: number): void {
    const part = this.#scan.parts[index]
    if (!part?.dcCode) throw malformed('a scan refers to a Huffman table that is not there')
    const size = this.#symbol(part.dcCode)
    if (size > MAX_DC_BITS) throw malformed('a coefficient is larger than any of a picture')
    const bits = this.#data.view.getInt32(this.#at >>> 3) << (this.#at & 7)
    const change = size === 0 ? 0 : bits < 0 ? bits >>> (32 - size) : (bits >>> (32 - size)) - (1 << size) + 1
    const level = (this.#previous[index] ?? 0) + change
    this.#previous[index] = level
    this.#at += size
    if (Math.abs(level << this.#scan.low) > part.maxDc + (1 << this.#scan.low))
      throw malformed('a coefficient is larger than any of a picture')
  }

  acScan(): void {
    const [part] = this.#scan.parts
    const code = part?.acCode
    if (!part || !code) throw malformed('a scan refers to a Huffman table that is not there')
    const isFirst = this.#scan.high === 0
    const { blocksAcross, blocksDown } = part.component
    for (let row = 0; row < blocksDown; row += 1) {
      // Encoders may begin again with each row.
      this.#mayEnd = true
      for (let column = 0; column < blocksAcross; column += 1) {
        this.#step()
        const block = row * blocksAcross + column
        const start = this.#at
        const coefficients = isFirst
          ? this.#firstBlock(code, part, block)
          : this.#refineBlock(code, part, block)
        if (start > this.#zeros.to) this.#zeros = this.#data.zerosAfter(start)
        if (coefficients > 0 && start >= this.#zeros.from && this.#at <= this.#zeros.to)
          throw malformed('coded data are zeros, which no picture has')
        if (!this.#data.holds(this.#at)) throw malformed('coded data end before their last block')
      }
    }
    this.#endSegment()
    this.#data.end(this.#at)
  }

  /** G.1.2.2: as in a sequential scan, but a code may end many blocks. Returns how many coefficients it has. */
  #firstBlock(code: HuffmanCode, { component: { nonZero } }: ScanComponent, block: number): number {
    if (this.#endRun > 0) {
      this.#passEnded(0)
      return 0
    }
    const { from, to, low } = this.#scan
    let coefficients = 0
    let isAfterZeros = false
    let isEnded = false
    for (let index = from; index <= to; index += 1) {
      const symbol = this.#symbol(code)
      const [run, size] = [symbol >> 4, symbol & 15]
      if (size === 0 && run < 15) {
        this.#beginRun(run, coefficients === 0, isAfterZeros)
        isEnded = true
        break
      }
      index += run
      if (index > to) throw malformed('a block has more coefficients than there are')
      isAfterZeros = size === 0
      if (isAfterZeros) continue
      if (size + low > MAX_AC_BITS) throw malformed('a coefficient is larger than any of a picture')
      this.#at += size
      coefficients += 1
      const half = block * 2 + (index >> 5)
      nonZero[half] = (nonZero[half] ?? 0) | (1 << (index & 31))
    }
    if (isEnded) this.#passEnded(0)
    else this.#mayEnd = true
    return coefficients
  }

  /** G.1.2.3: a bit for each coefficient that is not zero, and codes for new ones; returns how many these are. */
  #refineBlock(code: HuffmanCode, { component: { nonZero } }: ScanComponent, block: number): number {
    const { from, to } = this.#scan
    let [lower, upper] = [nonZero[block * 2] ?? 0, nonZero[block * 2 + 1] ?? 0]
    let index = from
    let coefficients = 0
    let isAfterZeros = false
    while (this.#endRun === 0 && index <= to) {
      const symbol = this.#symbol(code)
      const size = symbol & 15
      let zeros = symbol >> 4
      if (size > 1) throw malformed('a coefficient is refined by more than a bit')
      if (size === 0 && zeros < 15) {
        this.#beginRun(zeros, coefficients === 0, isAfterZeros)
        break
      }
      this.#at += size
      while (index <= to) {
        const isKnown = index < 32 ? (lower >>> index) & 1 : (upper >>> (index - 32)) & 1
        if (isKnown === 1) this.#at += 1
        else if (zeros === 0) break
        else zeros -= 1
        index += 1
      }
      if (index > to) throw malformed('a block has more coefficients than there are')
      isAfterZeros = size === 0
      coefficients += size
      if (size === 1) {
        if (index < 32) lower |= 1 << index
        else upper |= 1 << (index - 32)
      }
      index += 1
    }
    if (this.#endRun > 0) this.#passEnded(countBetween(lower, upper, index, to))
    else this.#mayEnd = true
    nonZero[block * 2] = lower
    nonZero[block * 2 + 1] = upper
    return coefficients
  }

  /** A code that ends this block and perhaps others; whether it is the first of its block, and comes after 16 zeros. */
  #beginRun(size: number, isFirst: boolean, isAfterZeros: boolean): void {
    if (isAfterZeros) throw malformed('sixteen zeros are coded before nothing')
    if (isFirst && !this.#mayEnd) throw malformed('blocks end one by one that could end at once')
    this.#endRun = this.#runOf(size)
    this.#runBlocks = this.#endRun
    this.#runBits = 0
    this.#hasRuns ||= this.#endRun > 1
  }

  /** Passes a block of a run with so many bits that refine its coefficients. */
  #passEnded(bits: number): void {
    this.#at += bits
    this.#runBits += bits
    this.#endRun -= 1
    if (this.#endRun === 0)
      this.#mayEnd = !this.#hasRuns || this.#runBlocks >= MAX_RUN || this.#runBits > MAX_RUN_CORRECTIONS
  }

  /** The blocks that end at once, this one included (table G.1). */
  #runOf(size: number): number {
    if (size > MAX_RUN_BITS) throw malformed('coded data hold a code of no symbol')
    if (size === 0) return 1
    const bits = this.#data.view.getInt32(this.#at >>> 3) << (this.#at & 7)
    this.#at += size
    return (1 << size) + (bits >>> (32 - size))
  }

  #symbol(code: HuffmanCode): number {
    const bits = this.#data.view.getInt32(this.#at >>> 3) << (this.#at & 7)
    const found = code.find(bits >>> 16)
    if (found === 0) throw malformed('coded data hold a code of no symbol')
    this.#at += found >> 8
    return found & 0xff
  }
}

/** The bits that are set from one index to another, both included. */
function countBetween(lower: number, upper: number, from: number, to: number): number {
  let count = 0
  if (from < 32) count += ones(lower & (-1 << from) & maskTo(to))
  if (to >= 32) count += ones(upper & (from <= 32 ? -1 : -1 << (from - 32)) & maskTo(to - 32))
  return count
}

function maskTo(last: number): number {
  return last >= 31 ? -1 : (1 << (last + 1)) - 1
}

function ones(bits: number): number {
  let count = bits - ((bits >>> 1) & 0x5555_5555)
  count = (count & 0x3333_3333) + ((count >>> 2) & 0x3333_3333)
  return Math.imul((count + (count >>> 4)) & 0x0f0f_0f0f, 0x0101_0101) >>> 24
}

/** How many MCUs a scan has, and which part of it each block of an MCU belongs to (A.2.2, A.2.3). */
function layoutOf({ frame, parts }: Scan): {
  readonly mcus: number
  readonly blocks: readonly number[]
} {
  const [only] = parts
  if (parts.length === 1 && only)
    return { mcus: only.component.blocksAcross * only.component.blocksDown, blocks: [0] }
  const blocks = parts.flatMap(({ component: { across, down } }, part) =>
    Array.from({ length: across * down }, () => part),
  )
  return { mcus: frame.mcus, blocks }
}
