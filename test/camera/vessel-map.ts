import type { Vessel } from './vessels.ts'
import type { View } from './view.ts'

/** How much of each pixel a vessel covers, 0 to 1; `sheen` is the bright line along the middle of wide vessels. */
export type VesselMap = {
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
