/**
 * The layout of one eyeground, in degrees of visual angle: the fovea at the origin, x towards the nose, y upwards.
 * A left eye is the same eyeground mirrored when it is drawn, as it is in nature.
 *
 * Sizes are the textbook ones: the disc is about 5.5° wide and lies 15.5° nasal of the fovea and a little above it.
 */
import { between, randomFrom } from './random.ts'

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
