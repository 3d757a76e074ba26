import sharp from 'sharp'
import {
  type Eyeground,
  eyegroundOf,
  type Field,
  growVessels,
  mapVessels,
  type View,
  viewOf,
} from './eyeground.ts'
import { randomFrom } from './random.ts'

/** A square of smooth noise, repeated in both directions. */
const NOISE_SIZE = 256

/**
 * Value noise in several octaves, tabulated once and read with linear interpolation: `at(x, y)` is in about
 * [-1, 1], and one unit of x or y is the size of the coarsest grain.
 */
function createNoise(seed: number, octaves: number): (x: number, y: number) => number {
  const random = randomFrom(seed)
  const lattice = new Float32Array(NOISE_SIZE * NOISE_SIZE)
  for (let index = 0; index < lattice.length; index += 1) lattice[index] = random() * 2 - 1

  const octave = (x: number, y: number): number => {
    const left = Math.floor(x)
    const top = Math.floor(y)
    const fx = x - left
    const fy = y - top
    const sx = fx * fx * (3 - 2 * fx)
    const sy = fy * fy * (3 - 2 * fy)
    const column = left & (NOISE_SIZE - 1)
    const nextColumn = (left + 1) & (NOISE_SIZE - 1)
    const row = (top & (NOISE_SIZE - 1)) * NOISE_SIZE
    const nextRow = ((top + 1) & (NOISE_SIZE - 1)) * NOISE_SIZE
    const a = lattice[row + column] ?? 0
    const b = lattice[row + nextColumn] ?? 0
    const c = lattice[nextRow + column] ?? 0
    const d = lattice[nextRow + nextColumn] ?? 0
    return (a + (b - a) * sx) * (1 - sy) + (c + (d - c) * sx) * sy
  }

  return (x, y) => {
    let sum = 0
    let weight = 0.55
    let scale = 1
    for (let count = 0; count < octaves; count += 1) {
      sum += octave(x * scale + count * 37.3, y * scale + count * 91.7) * weight
      weight *= 0.55
      scale *= 2.03
    }
    return sum
  }
}

/** Paints an eyeground as a camera sees it: interleaved RGB, eight bits each. */
function paintEyeground(eyeground: Eyeground, view: View): Uint8Array {
  const { width, height, radius, noseward, pixelsPerDegree } = view
  const pixels = new Uint8Array(width * height * 3).fill(4)
  const vessels = mapVessels(growVessels(eyeground), view)
  const mottle = createNoise(eyeground.textureSeed, 2)
  const strands = createNoise(eyeground.textureSeed + 1, 2)
  const { discX, discY, discRadiusX, discRadiusY, cupRatio, choroid } = eyeground
  // Square degrees: so far the sheen around the disc reaches.
  const discReach2 = (4.5 * discRadiusY) ** 2
  const [groundRed, groundGreen, groundBlue] = eyeground.ground
  let grainState = eyeground.textureSeed | 1

  for (let row = 0; row < height; row += 1) {
    const fromCenterY = (row + 0.5 - view.centerY) / radius
    const y = view.degreesY - (row + 0.5 - view.centerY) / pixelsPerDegree
    for (let column = 0; column < width; column += 1) {
      const fromCenterX = (column + 0.5 - view.centerX) / radius
      const eccentricity2 = fromCenterX * fromCenterX + fromCenterY * fromCenterY
      if (eccentricity2 > 1.01) continue
      const x = view.degreesX + ((column + 0.5 - view.centerX) / pixelsPerDegree) * noseward
      const index = row * width + column

      // The flash falls off towards the rim, and is never quite in the middle.
      let light =
        1.06 - 0.36 * eccentricity2 - 0.2 * eccentricity2 ** 4 + 0.07 * fromCenterX - 0.05 * fromCenterY
      const cloud = mottle(x * 0.16, y * 0.16)
      const grain = mottle(x * 1.7 + 40, y * 1.7)
      light *= 1 + 0.1 * cloud + 0.035 * grain
      let red = groundRed
      let green = groundGreen
      let blue = groundBlue

      // Choroidal vessels: pale strands between darker ones, away from the macula.
      const fromFovea = Math.sqrt(x * x + y * y)
      const warp = 2.2 * cloud
      const strand = 1 - Math.abs(strands(x * 0.34 + warp, y * 0.34 - warp)) * 3.2
      const show = choroid * clamp01((fromFovea - 4) / 14) * Math.max(-0.6, strand)
      red += 0.045 * show
      green += 0.05 * show
      blue += 0.035 * show

      // The macula: a broad shade of pigment, a dark fovea, a point of reflected light.
      const shade = 0.36 * bell(fromFovea / 2.5) + 0.26 * bell(fromFovea / 6.2)
      red *= 1 - 0.5 * shade
      green *= 1 - 0.85 * shade
      blue *= 1 - 0.9 * shade
      const reflex = 0.1 * bell(fromFovea / 0.32) + 0.022 * bell((fromFovea - 2.5) / 0.5)
      light += reflex

      // The disc, with its cup towards the temple, a pale crescent beside it and the sheen of nerve fibres around.
      const dx = x - discX
      const dy = y - discY
      if (dx * dx + dy * dy < discReach2) {
        const wobble = 1 + 0.05 * strands(dx * 0.8 + 9, dy * 0.8)
        const ring = Math.hypot(dx / discRadiusX, dy / discRadiusY) * wobble
        const course = Math.atan2(dy, dx)
        const fibres = strands(course * 14, ring * 0.5) * Math.abs(Math.sin(course))
        light += (0.06 + 0.1 * fibres) * bell((ring - 1) / 1.5)
        const crescent = bell((ring - 1.07) / 0.09) * clamp01(-dx / discRadiusX)
        const border = bell((ring - 1.1) / 0.07) * clamp01(dx / discRadiusX)
        light *= 1 + 0.2 * crescent - 0.14 * border
        const disc = smooth(1.07, 0.93, ring)
        const cupRing = Math.hypot((dx + 0.1 * discRadiusX) / discRadiusX, dy / discRadiusY) * wobble
        const cup = smooth(cupRatio + 0.2, cupRatio - 0.16, cupRing)
        const rimPink = 0.06 * clamp01(dx / discRadiusX + 0.3)
        red += disc * (0.93 + 0.05 * cup - red)
        green += disc * (0.6 - rimPink + 0.26 * cup - green)
        blue += disc * (0.33 - rimPink + 0.28 * cup - blue)
        light += disc * (0.06 + 0.02 * grain)
      }

      // Blood takes green and blue away; veins are darker than arteries, and wide vessels shine along the middle.
      const vein = vessels.veins[index] ?? 0
      const artery = (vessels.arteries[index] ?? 0) * (1 - 0.55 * vein)
      red *= (1 - 0.4 * vein) * (1 - 0.2 * artery)
      green *= (1 - 0.62 * vein) * (1 - 0.46 * artery)
      blue *= (1 - 0.58 * vein) * (1 - 0.45 * artery)
      const sheen = (vessels.sheen[index] ?? 0) * (artery > vein ? 1 : 0.6)
      red += 0.07 * sheen
      green += 0.05 * sheen
      blue += 0.03 * sheen

      grainState = (Math.imul(grainState, 1_664_525) + 1_013_904_223) | 0
      const sensor = (grainState >> 16) / 32_768 / 90
      const edge = clamp01((1 - Math.sqrt(eccentricity2)) * radius * 0.7)
      const haze = 0.03 * smooth(0.86, 1, eccentricity2)
      pixels[index * 3] = level((red * light + sensor + haze) * edge)
      pixels[index * 3 + 1] = level((green * light + sensor + haze) * edge)
      pixels[index * 3 + 2] = level((blue * light + sensor + haze * 1.3) * edge)
    }
  }
  return pixels
}

function level(value: number): number {
  return Math.min(255, Math.max(4, value * 255))
}

function clamp01(value: number): number {
  return Math.min(1, Math.max(0, value))
}

/** 1 at zero, falling off on both sides, nothing beyond 2.5. */
function bell(value: number): number {
  return value > 2.5 || value < -2.5 ? 0 : Math.exp(-value * value)
}

/** 0 below `low`, 1 above `high`, smooth between; with `high` below `low` it falls. */
function smooth(low: number, high: number, value: number): number {
  const share = clamp01((value - low) / (high - low))
  return share * share * (3 - 2 * share)
}

/** Prints words into a picture, with a font of five by seven dots of its own: no font file, the same everywhere. */

const GLYPHS: Readonly<Record<string, readonly string[]>> = {
  C: ['.###.', '#...#', '#....', '#....', '#....', '#...#', '.###.'],
  D: ['####.', '#...#', '#...#', '#...#', '#...#', '#...#', '####.'],
  E: ['#####', '#....', '#....', '####.', '#....', '#....', '#####'],
  H: ['#...#', '#...#', '#...#', '#####', '#...#', '#...#', '#...#'],
  I: ['.###.', '..#..', '..#..', '..#..', '..#..', '..#..', '.###.'],
  N: ['#...#', '##..#', '#.#.#', '#..##', '#...#', '#...#', '#...#'],
  O: ['.###.', '#...#', '#...#', '#...#', '#...#', '#...#', '.###.'],
  S: ['.####', '#....', '#....', '.###.', '....#', '....#', '####.'],
  T: ['#####', '..#..', '..#..', '..#..', '..#..', '..#..', '..#..'],
  Y: ['#...#', '#...#', '.#.#.', '..#..', '..#..', '..#..', '..#..'],
}

/** A letter and the gap after it, dots. */
const ADVANCE = 6
const LETTER_HEIGHT = 7

/** Prints with the upper left corner at x, y; `dot` is the size of a dot in pixels. Only letters of the font. */
function printText(
  pixels: Uint8Array,
  width: number,
  text: string,
  spot: { readonly x: number; readonly y: number; readonly dot: number; readonly brightness: number },
): void {
  for (const [position, letter] of Array.from(text).entries()) {
    const glyph = GLYPHS[letter]
    if (!glyph) throw new Error(`The font has no ${letter}.`)
    for (const [row, line] of glyph.entries())
      for (const [column, mark] of Array.from(line).entries()) {
        if (mark === '#') fillDot(pixels, width, spot, position * ADVANCE + column, row)
      }
  }
}

function fillDot(
  pixels: Uint8Array,
  width: number,
  spot: { readonly x: number; readonly y: number; readonly dot: number; readonly brightness: number },
  column: number,
  row: number,
): void {
  const left = spot.x + column * spot.dot
  for (let y = spot.y + row * spot.dot; y < spot.y + (row + 1) * spot.dot; y += 1) {
    const start = (y * width + left) * 3
    pixels.fill(spot.brightness, start, start + spot.dot * 3)
  }
}

/** Offset of the pixels: the file header of 14 bytes and the BITMAPINFOHEADER of 40. */
const HEADER_BYTES = 54
/** 72 dots per inch, as most programs write, in pixels per metre. */
const RESOLUTION = 2_835

/**
 * An uncompressed 24-bit BMP, as cameras with an old export write it: rows from the bottom up, blue before red, each row
 * filled up to four bytes (BITMAPINFOHEADER, Microsoft's "Bitmap Storage"). `rgb` holds three bytes a pixel from the top
 * left on.
 */
export function encodeBmp(
  rgb: Uint8Array,
  size: { readonly width: number; readonly height: number },
): Buffer {
  const { width, height } = size
  if (rgb.length !== width * height * 3) throw new Error('Three bytes for each pixel make a picture.')
  const rowBytes = Math.ceil((width * 3) / 4) * 4
  const bmp = Buffer.alloc(HEADER_BYTES + rowBytes * height)
  bmp.write('BM', 0, 'latin1')
  bmp.writeUInt32LE(bmp.length, 2)
  bmp.writeUInt32LE(HEADER_BYTES, 10)
  bmp.writeUInt32LE(40, 14)
  bmp.writeInt32LE(width, 18)
  bmp.writeInt32LE(height, 22)
  bmp.writeUInt16LE(1, 26)
  bmp.writeUInt16LE(24, 28)
  bmp.writeUInt32LE(rowBytes * height, 34)
  bmp.writeInt32LE(RESOLUTION, 38)
  bmp.writeInt32LE(RESOLUTION, 42)
  for (let y = 0; y < height; y += 1) {
    const row = HEADER_BYTES + (height - 1 - y) * rowBytes
    for (let x = 0; x < width; x += 1) {
      const from = (y * width + x) * 3
      bmp[row + x * 3] = rgb[from + 2] ?? 0
      bmp[row + x * 3 + 1] = rgb[from + 1] ?? 0
      bmp[row + x * 3 + 2] = rgb[from] ?? 0
    }
  }
  return bmp
}

export type ImageFormat = 'jpeg' | 'png' | 'tiff' | 'bmp'

type FundusOptions = {
  readonly eye: 'right' | 'left'
  /** The same seed is the same patient; it decides every pixel. */
  readonly seed: number
  /** Pixels. */
  readonly width?: number
  readonly height?: number
  readonly field?: Field
  /** Another shot of the same eye, from 0: a little moved, and so never the same bytes. */
  readonly shot?: number
  readonly format?: ImageFormat
}

/**
 * Draws a fundus photograph that no eye ever had, and says so in print in its corner. A right eye has its disc on
 * the right of the picture, a left eye on the left.
 */
export async function drawFundus(options: FundusOptions): Promise<Buffer> {
  const { eye, seed, width = 1_200, height = 1_000, field = 'macula', shot = 0, format = 'jpeg' } = options
  const pixels = paintEyeground(eyegroundOf(seed, eye), viewOf({ eye, field, shot, width, height }))
  const dot = Math.max(1, Math.floor(Math.min(width, height) / 330))
  const margin = dot * 6
  const mark = { x: margin, dot: dot * 2, brightness: 200, y: margin }
  printText(pixels, width, eye === 'right' ? 'OD' : 'OS', mark)
  const caption = { x: margin, dot, brightness: 150, y: height - margin - LETTER_HEIGHT * dot }
  printText(pixels, width, 'SYNTHETIC', caption)
  const image = sharp(pixels, { raw: { width, height, channels: 3 } })
  switch (format) {
    case 'jpeg':
      return image.jpeg({ quality: 92, chromaSubsampling: '4:4:4' }).toBuffer()
    case 'png':
      return image.png({ compressionLevel: 4 }).toBuffer()
    case 'tiff':
      return image.tiff({ compression: 'lzw' }).toBuffer()
    case 'bmp':
      return encodeBmp(pixels, { width, height })
  }
}
