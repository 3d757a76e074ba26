/** Grows the vessels of an eyeground out of its disc, as polylines in degrees. */
import type { Eyeground } from './eyeground.ts'
import { between, randomFrom, type Random } from './random.ts'

type VesselPoint = { readonly x: number; readonly y: number; readonly radius: number }
export type Vessel = { readonly kind: 'artery' | 'vein'; readonly points: readonly VesselPoint[] }

/** One step of growth, degrees. */
const STEP = 0.4
/** The fovea is free of vessels within so many degrees. */
const FREE_ZONE = 1.8
/** Where even the widest field ends, degrees from the fovea. */
const EDGE = 40
/** Finer than this no camera shows, radius in degrees. */
const THINNEST = 0.028

/** Where a vessel is bound for: around the macula, into it, or away to the periphery. */
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

/** The vessels of both arcades, of the nasal side and of the macula, with their branches. */
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
  let side = random() < 0.5 ? 1 : -1
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
    const branchAngle = heading + side * between(random, 0.45, 0.95)
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
    angle -= side * 0.06
    side = random() < 0.75 ? -side : side
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
