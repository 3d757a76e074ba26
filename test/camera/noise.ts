import { randomFrom } from './random.ts'

/** A square of smooth noise, repeated in both directions. */
const SIDE = 256

/**
 * Value noise in several octaves, tabulated once and read with linear interpolation: `at(x, y)` is in about
 * [-1, 1], and one unit of x or y is the size of the coarsest grain.
 */
export function createNoise(seed: number, octaves: number): (x: number, y: number) => number {
  const random = randomFrom(seed)
  const lattice = new Float32Array(SIDE * SIDE)
  for (let index = 0; index < lattice.length; index += 1) lattice[index] = random() * 2 - 1

  const octave = (x: number, y: number): number => {
    const left = Math.floor(x)
    const top = Math.floor(y)
    const fx = x - left
    const fy = y - top
    const sx = fx * fx * (3 - 2 * fx)
    const sy = fy * fy * (3 - 2 * fy)
    const column = left & (SIDE - 1)
    const nextColumn = (left + 1) & (SIDE - 1)
    const row = (top & (SIDE - 1)) * SIDE
    const nextRow = ((top + 1) & (SIDE - 1)) * SIDE
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
