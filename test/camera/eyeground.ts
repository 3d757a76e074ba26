/**
 * The layout of one eyeground, in degrees of visual angle: the fovea at the origin, x towards the nose, y upwards.
 * A left eye is the same eyeground mirrored when it is drawn, as it is in nature.
 *
 * Sizes are the textbook ones: the disc is about 5.5° wide and lies 15.5° nasal of the fovea and a little above it.
 */
import { between, type Random, randomFrom } from './random.ts'

type Tone = readonly [red: number, green: number, blue: number]

export type Eyeground = {
  readonly discX: number
  readonly discY: number
  readonly discRadiusX: number
  readonly discRadiusY: number
  /** Cup to disc, 0 to 1. */
  readonly cupRatio: number
  /** The tone of the lit retina, 0 to 1. */
  readonly ground: Tone
  /** How much the vessels of the choroid shine through, 0 to 1; the fairer the eye, the more. */
  readonly choroid: number
  readonly vesselSeed: number
  readonly textureSeed: number
}

/** A patient's two eyes are alike in colour and differ in their vessels. */
export function eyegroundOf(seed: number, eye: 'right' | 'left'): Eyeground {
  const shared = randomFrom(seed)
  const fairness = shared()
  const warmth = between(shared, -0.02, 0.025)
  const own = randomFrom(seed * 2 + (eye === 'right' ? 1 : 2) * 7_919)
  const radius = between(shared, 2.7, 3.1)
  return {
    discX: between(own, 15, 16.2),
    discY: between(own, 0.8, 2),
    discRadiusX: radius * between(own, 0.88, 0.96),
    discRadiusY: radius,
    cupRatio: between(shared, 0.3, 0.52),
    ground: [0.68 + 0.17 * fairness, 0.28 + 0.15 * fairness + warmth, 0.11 + 0.13 * fairness - warmth],
    choroid: 0.25 + 0.75 * fairness,
    vesselSeed: Math.floor(own() * 2 ** 31),
    textureSeed: Math.floor(own() * 2 ** 31),
  }
}

/** How a camera looks at an eyeground: which degrees fall on which pixel. */

/** What lies in the middle of the picture. */
export type Field = 'macula' | 'disc'

export type View = {
  readonly width: number
  readonly height: number
  /** The round aperture, pixels. */
  readonly centerX: number
  readonly centerY: number
  readonly radius: number
  readonly pixelsPerDegree: number
  /** The degrees at the centre of the aperture. */
  readonly degreesX: number
  readonly degreesY: number
  /** 1 if the nose is on the right of the picture (a right eye), -1 if it is on the left. */
  readonly noseward: 1 | -1
}

/** The usual angle of a screening camera, degrees across the aperture. */
const FIELD_OF_VIEW = 45

/** `shot` counts the photographs of one eye and field: no patient holds quite still between two of them. */
export function viewOf(options: {
  readonly eye: 'right' | 'left'
  readonly field: Field
  readonly shot: number
  readonly width: number
  readonly height: number
}): View {
  const { width, height, shot } = options
  const radius = Math.min(width, height) * 0.487
  return {
    width,
    height,
    centerX: width / 2,
    centerY: height / 2,
    radius,
    pixelsPerDegree: (radius * 2) / FIELD_OF_VIEW,
    degreesX: (options.field === 'macula' ? 2.5 : 13.5) + Math.sin(shot * 2.4) * Math.min(shot, 1.4),
    degreesY: (options.field === 'macula' ? 0.3 : 1) + Math.cos(shot * 2.4) * Math.min(shot, 1.4),
    noseward: options.eye === 'right' ? 1 : -1,
  }
}

type VesselPoint = { readonly x: number; readonly y: number; readonly radius: number }
type Vessel = { readonly kind: 'artery' | 'vein'; readonly points: readonly VesselPoint[] }

/** One step of growth, degrees. */
const STEP = 0.4
/** The fovea is free of vessels within so many degrees. */
const FREE_ZONE = 1.8
/** Where even the widest field ends, degrees from the fovea. */
const EDGE = 40
/** Finer than this no camera shows, radius in degrees. */
const THINNEST = 0.028

/** The goal of a vessel: around the macula, into it, or away to the periphery. */
type Bound = 'arcade' | 'macula' | 'periphery'

/** The share of its width that a vessel loses on its way. */
const TAPER: Readonly<Record<Bound, number>> = { arcade: 0.62, macula: 0.8, periphery: 0.62 }

type Sprout = {
  readonly kind: Vessel['kind']
  readonly bound: Bound
  readonly x: number
  readonly y: number
  readonly angle: number
  readonly radius: number
  readonly length: number
  /** 0 for what leaves the disc. */
  readonly depth: number
  /** How far above or below the fovea an arcade passes, degrees; 0 for all others. */
  readonly clearance: number
}

/** The vessels of both arcades, of the nasal turnSign and of the macula, with their branches. */
export function growVessels(eyeground: Eyeground): readonly Vessel[] {
  const random = randomFrom(eyeground.vesselSeed)
  const vessels: Vessel[] = []
  const waiting = sproutsOfDisc(eyeground, random)
  for (let sprout = waiting.shift(); sprout; sprout = waiting.shift()) {
    const grown = grow(sprout, eyeground, random)
    vessels.push(grown.vessel)
    waiting.push(...grown.branches)
  }
  return vessels
}

function sproutsOfDisc(eyeground: Eyeground, random: Random): Sprout[] {
  const { discX, discY, discRadiusX } = eyeground
  const sprouts: Sprout[] = []
  for (const up of [1, -1])
    for (const kind of ['vein', 'artery'] as const) {
      const isVein = kind === 'vein'
      const x = discX + (isVein ? 0.25 : -0.2) + between(random, -0.2, 0.2)
      const y = discY + up * between(random, -0.1, 0.2)
      const arcade = between(random, 0.24, 0.28) * (isVein ? 1 : 0.74)
      sprouts.push({
        kind,
        bound: 'arcade',
        x,
        y,
        angle: up * between(random, 1.35, 1.75),
        radius: arcade,
        length: 60,
        depth: 0,
        clearance: between(random, 8.2, 10.4) + (isVein ? 0.5 : -0.5),
      })
      const nasal = { kind, bound: 'periphery', x, y, depth: 0, clearance: 0 } as const
      sprouts.push({
        ...nasal,
        angle: up * between(random, 0.55, 1),
        radius: arcade * between(random, 0.6, 0.75),
        length: 30,
      })
    }
  for (const kind of ['artery', 'vein', 'artery', 'vein'] as const)
    sprouts.push({
      kind,
      bound: 'macula',
      x: discX - discRadiusX * between(random, 0.2, 0.6),
      y: discY + between(random, -1.6, 1.6),
      angle: Math.PI + between(random, -0.6, 0.6),
      radius: between(random, 0.06, 0.09),
      length: between(random, 8, 14),
      depth: 2,
      clearance: 0,
    })
  return sprouts
}

function grow(
  sprout: Sprout,
  eyeground: Eyeground,
  random: Random,
): { readonly vessel: Vessel; readonly branches: readonly Sprout[] } {
  const points: VesselPoint[] = []
  const branches: Sprout[] = []
  const winding = windingOf(sprout, random)
  let { x, y, angle, radius } = sprout
  let turnSign = random() < 0.5 ? 1 : -1
  let untilBranch = between(random, 2, 4.5)
  for (let travelled = 0; travelled < sprout.length; travelled += STEP) {
    const taper = 1 - TAPER[sprout.bound] * (travelled / sprout.length)
    const caliber = radius * taper
    points.push({ x, y, radius: caliber })
    const fromFovea = Math.hypot(x, y)
    if (fromFovea > EDGE || caliber < THINNEST || (fromFovea < FREE_ZONE && travelled > 0)) break

    const course = courseAt(x, y, angle, sprout, eyeground)
    angle += turn(angle, course) * (sprout.bound === 'arcade' ? 0.22 : 0.05)
    const heading = angle + winding(travelled)
    x += Math.cos(heading) * STEP
    y += Math.sin(heading) * STEP

    untilBranch -= STEP
    if (untilBranch > 0 || sprout.depth > 3 || caliber < 0.045) continue
    const branchAngle = heading + turnSign * between(random, 0.45, 0.95)
    const bound = boundOf(x, y, branchAngle)
    const share = bound === 'macula' ? between(random, 0.3, 0.52) : between(random, 0.42, 0.72)
    branches.push({
      kind: sprout.kind,
      bound,
      x,
      y,
      angle: branchAngle,
      radius: caliber * share,
      length: between(random, 7, 17) * (sprout.depth === 0 ? 1 : 0.62),
      depth: sprout.depth + 1,
      clearance: 0,
    })
    // Murray's law, softened: the cubes of the radii of both branches make that of the stem.
    radius *= Math.cbrt(1 - 0.4 * share ** 3)
    angle -= turnSign * 0.06
    turnSign = random() < 0.75 ? -turnSign : turnSign
    untilBranch = between(random, 1.8, 4.4)
  }
  return { vessel: { kind: sprout.kind, points }, branches }
}

/** Vessels wind in long waves and, the finer they are, in short ones: the turn from their course, radians. */
function windingOf(sprout: Sprout, random: Random): (travelled: number) => number {
  const long = { wave: between(random, 7, 12), phase: random() * 6.3, turn: between(random, 0.1, 0.26) }
  const short = {
    wave: between(random, 2.2, 4.5),
    phase: random() * 6.3,
    turn: between(random, 0.05, 0.13) * (1 + 0.5 * sprout.depth),
  }
  return (travelled) => {
    // Nothing winds before it has left its stem.
    const start = Math.min(1, travelled / 2)
    const at = (wave: typeof long): number =>
      wave.turn * Math.sin((travelled / wave.wave) * 2 * Math.PI + wave.phase)
    return start * (at(long) + at(short))
  }
}

/** A branch that sets out towards the fovea feeds the macula, all others the periphery. */
function boundOf(x: number, y: number, angle: number): Bound {
  const isNear = Math.hypot(x, y) < 15
  return isNear && Math.abs(turn(angle, Math.atan2(-y, -x))) < 1.15 ? 'macula' : 'periphery'
}

function courseAt(x: number, y: number, angle: number, sprout: Sprout, eyeground: Eyeground): number {
  switch (sprout.bound) {
    case 'macula':
      return Math.atan2(-y, -x)
    case 'periphery': {
      const outward = Math.atan2(y - eyeground.discY, x - eyeground.discX)
      return angle + turn(angle, outward) * 0.6
    }
    case 'arcade':
      return arcadeAt(x, y, sprout.clearance, eyeground)
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
  // Back to the ellipse from where winding has led it.
  const off = Math.hypot(Math.abs(y) / clearance, (x - middle) / halfWidth) - 1
  const back = off * 18
  return Math.atan2(up * (alongY - back * Math.sin(around)), alongX - back * Math.cos(around))
}

/** The turn from one angle to another by the shorter way, radians. */
function turn(angle: number, goal: number): number {
  return Math.atan2(Math.sin(goal - angle), Math.cos(goal - angle))
}

/** How much of each pixel a vessel covers, 0 to 1; `sheen` is the bright line along the middle of wide vessels. */
type VesselMap = {
  readonly arteries: Float32Array
  readonly veins: Float32Array
  readonly sheen: Float32Array
}

/** Vessels below this are a sheer haze, not a line, radius in pixels. */
const THINNEST_LINE = 0.55

/** Draws the vessels onto the pixel grid of a view. */
export function mapVessels(vessels: readonly Vessel[], view: View): VesselMap {
  const size = view.width * view.height
  const map = {
    arteries: new Float32Array(size),
    veins: new Float32Array(size),
    sheen: new Float32Array(size),
  }
  for (const vessel of vessels) {
    const layer = vessel.kind === 'artery' ? map.arteries : map.veins
    for (let index = 1; index < vessel.points.length; index += 1) {
      const from = vessel.points[index - 1]
      const to = vessel.points[index]
      if (!from || !to) continue
      const radius = from.radius * view.pixelsPerDegree
      const line = { ...pixelAt(view, from.x, from.y), end: pixelAt(view, to.x, to.y) }
      // What is thinner than a pixel is drawn one pixel wide and paler.
      const strength = Math.min(1, 0.35 + 0.65 * (radius / THINNEST_LINE / 2))
      drawLine(view, layer, line, Math.max(radius, THINNEST_LINE), strength)
      if (radius > 1.6) drawLine(view, map.sheen, line, radius * 0.3, vessel.kind === 'artery' ? 1 : 0.45)
    }
  }
  return map
}

type Pixel = { readonly x: number; readonly y: number }

function pixelAt(view: View, x: number, y: number): Pixel {
  return {
    x: view.centerX + (x - view.degreesX) * view.pixelsPerDegree * view.noseward,
    y: view.centerY - (y - view.degreesY) * view.pixelsPerDegree,
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
