/**
 * Draws fundus photographs that no eye ever had. Places are degrees of visual angle: the fovea at the origin, x towards
 * the nose, y upwards; a left eye is mirrored when it is drawn. Sizes are the textbook ones: the disc is about 5.5° wide
 * and lies 15.5° nasal of the fovea and a little above it.
 */
import sharp from 'sharp'
import { between, type Random, randomFrom } from './random.ts'

const NOISE_SIZE = 256

/** Value noise in two octaves: `at(x, y)` is in about [-1, 1], and one unit is the size of the coarsest grain. */
function createNoise(seed: number): (x: number, y: number) => number {
  const random = randomFrom(seed)
  const lattice = Float32Array.from({ length: NOISE_SIZE * NOISE_SIZE }, () => random() * 2 - 1)
  const octave = (x: number, y: number): number => {
    const [left, top] = [Math.floor(x), Math.floor(y)]
    const at = (column: number, row: number): number =>
      lattice[(row & (NOISE_SIZE - 1)) * NOISE_SIZE + (column & (NOISE_SIZE - 1))] ?? 0
    const sx = smooth(0, 1, x - left)
    const sy = smooth(0, 1, y - top)
    const upper = at(left, top) * (1 - sx) + at(left + 1, top) * sx
    const lower = at(left, top + 1) * (1 - sx) + at(left + 1, top + 1) * sx
    return upper * (1 - sy) + lower * sy
  }
  return (x, y) => octave(x, y) * 0.55 + octave(x * 2.03 + 37.3, y * 2.03 + 91.7) * 0.3
}

type Eyeground = ReturnType<typeof eyegroundOf>

/** A patient's two eyes are alike in colour and differ in their vessels. */
function eyegroundOf(seed: number, eye: 'right' | 'left') {
  const shared = randomFrom(seed)
  const fairness = shared()
  const warmth = between(shared, -0.02, 0.025)
  const own = randomFrom(seed * 2 + (eye === 'right' ? 1 : 2) * 7_919)
  return {
    discX: between(own, 15, 16.2),
    discY: between(own, 0.8, 2),
    discRadius: between(shared, 2.6, 3),
    cupRatio: between(shared, 0.3, 0.52),
    /** The colour of the lit retina: red, green, blue, 0 to 1. */
    ground: [
      0.68 + 0.17 * fairness,
      0.28 + 0.15 * fairness + warmth,
      0.11 + 0.13 * fairness - warmth,
    ] as const,
    seed: Math.floor(own() * 2 ** 31),
  }
}

type Field = 'macula' | 'disc'

/** How a camera looks at an eyeground: which degrees fall on which pixel. */
type View = ReturnType<typeof viewOf>

/** The usual angle of a screening camera, degrees across the aperture. */
const FIELD_OF_VIEW = 45

function viewOf({ eye, field, shot, width, height }: Required<Omit<FundusOptions, 'seed' | 'format'>>) {
  const radius = Math.min(width, height) * 0.487
  // No patient holds quite still between two photographs.
  const moved = Math.min(shot, 1.4)
  return {
    width,
    height,
    /** Of the round aperture, pixels. */
    radius,
    pixelsPerDegree: (radius * 2) / FIELD_OF_VIEW,
    /** The degrees at the centre of the aperture. */
    degreesX: (field === 'macula' ? 2.5 : 13.5) + Math.sin(shot * 2.4) * moved,
    degreesY: (field === 'macula' ? 0.3 : 1) + Math.cos(shot * 2.4) * moved,
    /** 1 if the nose is on the right of the picture (a right eye), -1 if it is on the left. */
    noseward: eye === 'right' ? 1 : -1,
  }
}

type Vessel = { readonly kind: 'artery' | 'vein'; readonly points: readonly (Pixel & { radius: number })[] }

const STEP = 0.4
const FREE_ZONE = 1.8
/** Where even the widest field ends, degrees from the fovea. */
const EDGE = 40

type Stem = Readonly<Record<'x' | 'y' | 'angle' | 'radius' | 'length' | 'depth', number>> & {
  readonly kind: Vessel['kind']
  /** How far above or below the fovea an arcade passes, degrees; null for all others. */
  readonly clearance: number | null
}

/** The vessels of both arcades and of the nasal side, with their branches. */
function growVessels(eyeground: Eyeground): readonly Vessel[] {
  const { discX, discY, seed } = eyeground
  const random = randomFrom(seed)
  const vessels: Vessel[] = []
  for (const up of [1, -1])
    for (const kind of ['vein', 'artery'] as const) {
      const sign = kind === 'vein' ? 1 : -1
      const stem = { kind, x: discX + 0.2 * sign, y: discY + up * between(random, -0.1, 0.2), depth: 0 }
      const radius = between(random, 0.24, 0.28) * (kind === 'vein' ? 1 : 0.74)
      const clearance = between(random, 8.2, 10.4) + 0.5 * sign
      grow({ ...stem, radius, clearance, angle: up * between(random, 1.35, 1.75), length: 60 }, random)
      const angle = up * between(random, 0.55, 1)
      grow({ ...stem, radius: radius * 0.7, clearance: null, angle, length: 30 }, random)
    }
  return vessels

  function grow(stem: Stem, random: Random): void {
    const points: (Pixel & { radius: number })[] = []
    const phase = random() * 6.3
    let { x, y, angle } = stem
    let turnSign = random() < 0.5 ? 1 : -1
    let untilBranch = between(random, 2, 4.5)
    for (let travelled = 0; travelled < stem.length; travelled += STEP) {
      const radius = stem.radius * (1 - 0.62 * (travelled / stem.length))
      points.push({ x, y, radius })
      const fromFovea = Math.hypot(x, y)
      if (fromFovea > EDGE || fromFovea < FREE_ZONE || radius < 0.028) break
      if (stem.clearance !== null) angle += turn(angle, arcadeAt(x, y, stem.clearance, eyeground)) * 0.22
      const heading = angle + 0.22 * Math.min(1, travelled / 2) * Math.sin(travelled * 0.7 + phase)
      x += Math.cos(heading) * STEP
      y += Math.sin(heading) * STEP
      untilBranch -= STEP
      if (untilBranch > 0 || stem.depth > 2) continue
      const branch = {
        angle: heading + turnSign * between(random, 0.45, 0.95),
        length: between(random, 6, 14),
      }
      const share = between(random, 0.4, 0.65)
      grow(
        { ...stem, ...branch, x, y, radius: radius * share, clearance: null, depth: stem.depth + 1 },
        random,
      )
      turnSign = -turnSign
      untilBranch = between(random, 1.8, 4.4)
    }
    vessels.push({ kind: stem.kind, points })
  }
}

/** An arcade is half an ellipse around the macula that begins at the disc and, past the fovea, runs out straight. */
function arcadeAt(x: number, y: number, clearance: number, eyeground: Eyeground): number {
  const up = y >= eyeground.discY || (y > 0 && x < 10) ? 1 : -1
  const middle = -3
  const halfWidth = eyeground.discX - middle
  if (x < middle) return Math.atan2(up * 0.06, -1)
  const around = Math.atan2(Math.abs(y) / clearance, (x - middle) / halfWidth)
  const alongX = -halfWidth * Math.sin(around)
  const alongY = clearance * Math.cos(around)
  const off = Math.hypot(Math.abs(y) / clearance, (x - middle) / halfWidth) - 1
  const back = off * 18
  return Math.atan2(up * (alongY - back * Math.sin(around)), alongX - back * Math.cos(around))
}

/** The turn from one angle to another by the shorter way, radians. */
function turn(angle: number, goal: number): number {
  return Math.atan2(Math.sin(goal - angle), Math.cos(goal - angle))
}

/** Vessels below this are a sheer haze, not a line, radius in pixels. */
const THINNEST_LINE = 0.55

function mapVessels(vessels: readonly Vessel[], view: View): Readonly<Record<Vessel['kind'], Float32Array>> {
  const size = view.width * view.height
  const map = { artery: new Float32Array(size), vein: new Float32Array(size) }
  for (const { kind, points } of vessels)
    for (const [index, to] of points.entries()) {
      const from = points[index - 1]
      if (!from) continue
      const radius = from.radius * view.pixelsPerDegree
      const line = { ...pixelAt(view, from.x, from.y), end: pixelAt(view, to.x, to.y) }
      // What is thinner than a pixel is drawn one pixel wide and paler.
      const strength = Math.min(1, 0.35 + 0.65 * (radius / THINNEST_LINE / 2))
      drawLine(view, map[kind], line, Math.max(radius, THINNEST_LINE), strength)
    }
  return map
}

type Pixel = { readonly x: number; readonly y: number }

function pixelAt(view: View, x: number, y: number): Pixel {
  return {
    x: view.width / 2 + (x - view.degreesX) * view.pixelsPerDegree * view.noseward,
    y: view.height / 2 - (y - view.degreesY) * view.pixelsPerDegree,
  }
}

/** A round-ended line with soft edges; where lines cross, the stronger one counts. */
function drawLine(
  view: View,
  layer: Float32Array,
  line: Pixel & { readonly end: Pixel },
  radius: number,
  strength: number,
): void {
  const { x, y, end } = line
  const soft = Math.max(1.3, radius * 0.7)
  const reach = radius + soft / 2
  const reach2 = reach * reach
  const left = Math.max(0, Math.floor(Math.min(x, end.x) - reach))
  const right = Math.min(view.width - 1, Math.ceil(Math.max(x, end.x) + reach))
  const top = Math.max(0, Math.floor(Math.min(y, end.y) - reach))
  const bottom = Math.min(view.height - 1, Math.ceil(Math.max(y, end.y) + reach))
  // Written out for speed: this is the innermost loop, and Math.hypot costs ten times a square root.
  const alongX = end.x - x
  const alongY = end.y - y
  const length2 = alongX * alongX + alongY * alongY || 1
  for (let row = top; row <= bottom; row += 1)
    for (let column = left; column <= right; column += 1) {
      const dx = column + 0.5 - x
      const dy = row + 0.5 - y
      const along = Math.min(1, Math.max(0, (dx * alongX + dy * alongY) / length2))
      const offX = dx - along * alongX
      const offY = dy - along * alongY
      const distance2 = offX * offX + offY * offY
      if (distance2 > reach2) continue
      const coverage = Math.min(1, (radius - Math.sqrt(distance2)) / soft + 0.5) * strength
      const index = row * view.width + column
      if (coverage > (layer[index] ?? 0)) layer[index] = coverage
    }
}

/** Paints an eyeground as a camera sees it: interleaved RGB, eight bits each. */
function paintEyeground(eyeground: Eyeground, view: View): Uint8Array {
  const { width, height, radius, noseward, pixelsPerDegree } = view
  const { discX, discY, discRadius, cupRatio, ground } = eyeground
  const pixels = new Uint8Array(width * height * 3).fill(4)
  const vessels = mapVessels(growVessels(eyeground), view)
  const mottle = createNoise(eyeground.seed)
  let grainState = eyeground.seed | 1
  for (let row = 0; row < height; row += 1) {
    const fromCenterY = (row + 0.5 - height / 2) / radius
    const y = view.degreesY - (row + 0.5 - height / 2) / pixelsPerDegree
    for (let column = 0; column < width; column += 1) {
      const fromCenterX = (column + 0.5 - width / 2) / radius
      const eccentricity2 = fromCenterX * fromCenterX + fromCenterY * fromCenterY
      if (eccentricity2 > 1.01) continue
      const x = view.degreesX + ((column + 0.5 - width / 2) / pixelsPerDegree) * noseward
      const index = row * width + column

      // The flash falls off towards the rim, and is never quite in the middle.
      let light = 1.06 - 0.36 * eccentricity2 - 0.2 * eccentricity2 ** 4 + 0.07 * fromCenterX
      light *= 1 + 0.1 * mottle(x * 0.16, y * 0.16) + 0.035 * mottle(x * 1.7 + 40, y * 1.7)
      let [red, green, blue] = ground

      // The macula: a broad shade of pigment, a dark fovea, a point of reflected light.
      const fromFovea = Math.sqrt(x * x + y * y)
      const shade = 0.36 * bell(fromFovea / 2.5) + 0.26 * bell(fromFovea / 6.2)
      red *= 1 - 0.5 * shade
      green *= 1 - 0.85 * shade
      blue *= 1 - 0.9 * shade
      light += 0.1 * bell(fromFovea / 0.32)

      // The disc, with its cup towards the temple.
      const ring = Math.hypot((x - discX) * 1.08, y - discY) / discRadius
      const disc = smooth(1.07, 0.93, ring)
      const cupRing = Math.hypot((x - discX) * 1.08 + 0.1 * discRadius, y - discY) / discRadius
      const cup = smooth(cupRatio + 0.2, cupRatio - 0.16, cupRing)
      red += disc * (0.93 + 0.05 * cup - red)
      green += disc * (0.57 + 0.26 * cup - green)
      blue += disc * (0.3 + 0.28 * cup - blue)

      // Blood takes green and blue away; veins are darker than arteries.
      const vein = vessels.vein[index] ?? 0
      const artery = (vessels.artery[index] ?? 0) * (1 - 0.55 * vein)
      red *= (1 - 0.4 * vein) * (1 - 0.2 * artery)
      green *= (1 - 0.62 * vein) * (1 - 0.46 * artery)
      blue *= (1 - 0.58 * vein) * (1 - 0.45 * artery)

      grainState = (Math.imul(grainState, 1_664_525) + 1_013_904_223) | 0
      const sensor = (grainState >> 16) / 32_768 / 90
      const edge = clamp01((1 - Math.sqrt(eccentricity2)) * radius * 0.7)
      pixels[index * 3] = level((red * light + sensor) * edge)
      pixels[index * 3 + 1] = level((green * light + sensor) * edge)
      pixels[index * 3 + 2] = level((blue * light + sensor) * edge)
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

/** A font of five by seven dots: no font file, the same everywhere. */
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

/** With the upper left corner at x, y; `dot` is the size of a dot in pixels. */
function printText(
  pixels: Uint8Array,
  width: number,
  text: string,
  { x, y, dot }: Pixel & { readonly dot: number },
): void {
  for (const [position, letter] of Array.from(text).entries())
    for (const [row, line] of (GLYPHS[letter] ?? []).entries())
      for (const [column, mark] of Array.from(line).entries()) {
        if (mark !== '#') continue
        const left = x + (position * 6 + column) * dot
        for (let at = y + row * dot; at < y + (row + 1) * dot; at += 1)
          pixels.fill(180, (at * width + left) * 3, (at * width + left + dot) * 3)
      }
}

const HEADER_BYTES = 54
/** 72 dots per inch, as most programs write, in pixels per metre. */
const RESOLUTION = 2_835

/** A 24-bit BMP as old cameras write it (BITMAPINFOHEADER); `rgb` holds three bytes a pixel from the top left on. */
export function encodeBmp(
  rgb: Uint8Array,
  size: { readonly width: number; readonly height: number },
): Buffer {
  const { width, height } = size
  if (rgb.length !== width * height * 3) throw new Error('Three bytes for each pixel make a picture.')
  const rowBytes = Math.ceil((width * 3) / 4) * 4
  const bmp = Buffer.alloc(HEADER_BYTES + rowBytes * height)
  bmp.write('BM', 0, 'latin1')
  const pixelBytes = rowBytes * height
  for (const [index, value] of [
    width,
    height,
    1 + 24 * 0x10000,
    0,
    pixelBytes,
    RESOLUTION,
    RESOLUTION,
  ].entries())
    bmp.writeUInt32LE(value, 18 + index * 4)
  for (const [at, value] of [
    [2, bmp.length],
    [10, HEADER_BYTES],
    [14, 40],
  ] as const)
    bmp.writeUInt32LE(value, at)
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
  readonly width?: number
  readonly height?: number
  readonly field?: Field
  /** Another shot of the same eye, from 0: a little moved, and so never the same bytes. */
  readonly shot?: number
  readonly format?: ImageFormat
}

/** Prints into its corner that it is synthetic. A right eye has its disc on the right, a left eye on the left. */
export async function drawFundus(options: FundusOptions): Promise<Buffer> {
  const { eye, seed, width = 1_200, height = 1_000, field = 'macula', shot = 0, format = 'jpeg' } = options
  const pixels = paintEyeground(eyegroundOf(seed, eye), viewOf({ eye, field, shot, width, height }))
  const dot = Math.max(1, Math.floor(Math.min(width, height) / 330))
  const margin = dot * 6
  printText(pixels, width, eye === 'right' ? 'OD' : 'OS', { x: margin, y: margin, dot: dot * 2 })
  printText(pixels, width, 'SYNTHETIC', { x: margin, y: height - margin - 7 * dot, dot })
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
