import { randomFrom } from '../../camera/random.ts'

/**
 * Damaged copies of a file, always the same ones: bytes changed (mostly in its head and tail, within `reach`, where
 * formats keep their structure), pieces cut out, doubled, zeroed, and the end cut off.
 */
export function* mutationsOf(bytes: Buffer, count: number, reach = 400): Generator<Buffer> {
  const random = randomFrom(bytes.length + count)
  const below = (most: number): number => Math.floor(random() * most)
  const somewhere = (): number => {
    const near = below(Math.min(reach, bytes.length))
    return [near, bytes.length - 1 - near, below(bytes.length)][below(3)] ?? 0
  }
  const EXTREMES = [0, 1, 0x7f, 0x80, 0xff]
  for (let nth = 0; nth < count; nth += 1) {
    let copy = Buffer.from(bytes)
    const hits = 1 + below(6)
    for (let hit = 0; hit < hits; hit += 1) {
      const at = Math.min(somewhere(), copy.length - 1)
      const length = 1 + below(16)
      switch (below(6)) {
        case 0:
          copy = Buffer.concat([copy.subarray(0, at), copy.subarray(at + length)])
          break
        case 1:
          copy = Buffer.concat([copy.subarray(0, at + length), copy.subarray(at)])
          break
        case 2:
          copy = Buffer.from(copy.subarray(0, Math.max(1, at)))
          break
        case 3:
          copy.fill(0, at, Math.min(copy.length, at + length * 8))
          break
        case 4:
          copy[at] = EXTREMES[below(EXTREMES.length)] ?? 0
          break
        default:
          copy[at] = below(256)
      }
      if (copy.length === 0) copy = Buffer.from([0])
    }
    yield copy
  }
}
