/** RLE of DICOM, PS3.5 annex G: PackBits, one segment for each byte of a sample, the high bytes first. */

const HEADER_BYTES = 64
const MAX_SEGMENTS = 15

/**
 * Unpacks a frame into planes of samples, low byte first. Null where it does not hold exactly `planes` x `bytesPerSample`
 * segments, or one is too short for `pixels`. What is too long is cut, as G.3.2 has it.
 */
export function decodeRle(
  frame: Buffer,
  shape: { readonly pixels: number; readonly planes: number; readonly bytesPerSample: number },
): Buffer | null {
  const { pixels, planes, bytesPerSample } = shape
  const segments = planes * bytesPerSample
  if (frame.length < HEADER_BYTES || segments > MAX_SEGMENTS) return null
  if (frame.readUInt32LE(0) !== segments) return null
  // Before memory is taken: two bytes become 128 at most.
  if (pixels * segments > frame.length * 64) return null
  const out = Buffer.alloc(pixels * segments)
  for (let segment = 0; segment < segments; segment += 1) {
    const start = frame.readUInt32LE(4 + segment * 4)
    const end = segment + 1 < segments ? frame.readUInt32LE(8 + segment * 4) : frame.length
    if (start < HEADER_BYTES || end < start || end > frame.length) return null
    const plane = Math.floor(segment / bytesPerSample)
    const byte = bytesPerSample - 1 - (segment % bytesPerSample)
    const into = { out, from: plane * pixels * bytesPerSample + byte, step: bytesPerSample, pixels }
    if (!unpackSegment(frame.subarray(start, end), into)) return null
  }
  return out
}

/** Every `step`th byte of `out`, beginning at `from`, `pixels` times. */
type Target = { readonly out: Buffer; readonly from: number; readonly step: number; readonly pixels: number }

function unpackSegment(packed: Buffer, { out, from, step, pixels }: Target): boolean {
  let at = 0
  let done = 0
  while (done < pixels && at < packed.length) {
    const control = packed.readInt8(at)
    at += 1
    if (control === -128) continue
    const count = Math.min(control < 0 ? 1 - control : control + 1, pixels - done)
    if (at + (control < 0 ? 1 : count) > packed.length) return false
    for (let index = 0; index < count; index += 1) {
      out[from + (done + index) * step] = packed[control < 0 ? at : at + index] ?? 0
    }
    done += count
    at += control < 0 ? 1 : control + 1
  }
  return done === pixels
}
