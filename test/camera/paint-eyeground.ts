import type { Eyeground } from './eyeground.ts'
import { createNoise } from './noise.ts'
import { mapVessels } from './vessel-map.ts'
import { growVessels } from './vessels.ts'
import type { View } from './view.ts'

/** Paints an eyeground as a camera sees it: interleaved RGB, eight bits each. */
export function paintEyeground(eyeground: Eyeground, view: View): Uint8Array {
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
