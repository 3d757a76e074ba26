/**
 * An `.icns`: the pictures of a macOS app, each a PNG under the four letters of its size.
 *
 * Layout: `icns` and the length of the file, then for each picture its letters, its length with this head, and its bytes,
 * all lengths big-endian. https://en.wikipedia.org/wiki/Apple_Icon_Image_format
 */

/** The letters of a size in pixels. Those of 16 and 32 without a doubled screen are left to the system, which shrinks. */
export const ICNS_KINDS = [
  { kind: 'ic11', sizePixels: 32 },
  { kind: 'ic12', sizePixels: 64 },
  { kind: 'ic07', sizePixels: 128 },
  { kind: 'ic13', sizePixels: 256 },
  { kind: 'ic08', sizePixels: 256 },
  { kind: 'ic14', sizePixels: 512 },
  { kind: 'ic09', sizePixels: 512 },
  { kind: 'ic10', sizePixels: 1_024 },
] as const

const HEAD_BYTES = 8

function block(kind: string, ...content: readonly Buffer[]): Buffer {
  const head = Buffer.alloc(HEAD_BYTES)
  head.write(kind, 'latin1')
  head.writeUInt32BE(HEAD_BYTES + content.reduce((sum, { length }) => sum + length, 0), 4)
  return Buffer.concat([head, ...content])
}

/** The bytes of the file; `pngOf` gives the PNG of a size. */
export function icnsOf(pngOf: (sizePixels: number) => Buffer): Buffer {
  return block('icns', ...ICNS_KINDS.map(({ kind, sizePixels }) => block(kind, pngOf(sizePixels))))
}
