/** Walks a sequential scan of a JPEG (ISO/IEC 10918-1 annex F.2) over every code to its last block. */
import { type CodedData, MAX_AC_BITS, MAX_DC_BITS, nextSegment, SKIP_BITS } from './jpeg-code.ts'
import { malformed } from './bytes.ts'
import { layoutOf, type Scan } from './jpeg-frame.ts'

const END_OF_BLOCK_FLAG = 16_384
const ZEROS_16 = 0xf0

/** Returns the position after the marker that ends it. Holds DC only; no block has over 64. Throws `Flaw`. */
export function walkSequential(scan: Scan, data: CodedData, from: number): number {
  const { mcusAcross, mcusDown, blocks } = layoutOf(scan)
  const units = blocks.map((block) => {
    const { component, dcCode, acCode, maxDc } = partOf(scan, block.part)
    if (!dcCode || !acCode) throw malformed('a scan refers to a Huffman table that is not there')
    return { ...block, dc: component.dc, dcCode, acCode, dcShort: dcCode.short, skips: acCode.skips, maxDc }
  })
  const previous = new Int32Array(scan.parts.length)
  const { view } = data
  const total = mcusAcross * mcusDown
  let untilRestart = scan.restartInterval === 0 ? total : scan.restartInterval
  let restarts = 0
  data.load(from)
  let at = 0
  let zeros = data.zerosAfter(0)
  for (let row = 0; row < mcusDown; row += 1) {
    for (let column = 0; column < mcusAcross; column += 1) {
      if (untilRestart === 0) {
        nextSegment(data, at, restarts)
        restarts += 1
        untilRestart = scan.restartInterval
        at = 0
        zeros = data.zerosAfter(0)
        previous.fill(0)
      }
      untilRestart -= 1
      for (const { part, first, step, stepDown, dc, dcCode, dcShort, acCode, skips, maxDc } of units) {
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
          if (level > maxDc || level < -maxDc)
            throw malformed('a coefficient is larger than any of a picture')
          at += size
          previous[part] = level
        }
        dc[first + column * step + row * stepDown] = level
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
          if (found === 0 || (symbol & 15) > MAX_AC_BITS)
            throw malformed('coded data hold a code of no symbol')
          at += (found >> 8) + (symbol & 15)
          if (symbol === 0) break
          if ((symbol & 15) === 0 && symbol !== ZEROS_16)
            throw malformed('coded data hold a code of no symbol')
          index += (symbol >> 4) + 1
          if (index > 64) throw malformed('a block has more coefficients than there are')
        }
        if (isInZeros && index > 1 && at <= zeros.to)
          throw malformed('coded data are zeros, which no picture has')
        if (!data.holds(at)) throw malformed('coded data end before their last block')
      }
    }
  }
  data.end(at)
  return data.next
}

function partOf(scan: Scan, index: number): Scan['parts'][number] {
  const part = scan.parts[index]
  if (!part) throw new RangeError('A block belongs to a part of its scan.')
  return part
}
