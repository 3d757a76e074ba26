/** RLE as DICOM has it (PS3.5 annex G): PackBits, one segment for each byte of a sample, the high bytes first. */

/** One frame as an RLE fragment. `segments` are the byte planes, in the order in which annex G.2 names them. */
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
export function bytePlanes(
  pixels: Uint8Array,
  samples: number,
  bytesPerSample: number,
): readonly Uint8Array[] {
  const step = samples * bytesPerSample
  const planes: Uint8Array[] = []
  for (let sample = 0; sample < samples; sample += 1) {
    for (let byte = bytesPerSample - 1; byte >= 0; byte -= 1) {
      const first = sample * bytesPerSample + byte
      planes.push(Uint8Array.from({ length: pixels.length / step }, (_, at) => pixels[at * step + first]!))
    }
  }
  return planes
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
