/** Photographs of drawn eyes with the noise of a sensor, as cameras take them: without compression, before any encoder. */
import sharp, { type Sharp } from 'sharp'
import { drawFundus } from '../camera/draw-fundus.ts'
import { type Random, randomFrom } from '../camera/random.ts'

export type Picture = { readonly rgb: Buffer; readonly width: number; readonly height: number }

const SIZES = [
  [1_000, 800],
  [1_203, 1_001],
  [853, 640],
  [1_100, 1_100],
  [960, 720],
] as const

/** The `nth` picture of a seed: another eye, size and noise each. */
export async function drawnPicture(seed: number, nth: number): Promise<Picture> {
  const [width, height] = SIZES[nth % SIZES.length] ?? SIZES[0]
  const eye = nth % 2 === 0 ? 'right' : 'left'
  const drawn = await drawFundus({ eye, seed: seed * 1_000 + nth, width, height, format: 'png' })
  const rgb = await sharp(drawn).removeAlpha().raw().toBuffer()
  return { rgb: withNoise(rgb, randomFrom(seed * 7_919 + nth), 2 + (nth % 4) * 2), width, height }
}

/** In what is lit; black stays black. */
function withNoise(rgb: Buffer, random: Random, levels: number): Buffer {
  for (const [index, value] of rgb.entries()) {
    if (value <= 12) continue
    rgb[index] = Math.min(255, Math.max(0, value + Math.round((random() + random() - 1) * levels)))
  }
  return rgb
}

export function sharpOf({ rgb, width, height }: Picture): Sharp {
  return sharp(rgb, { raw: { width, height, channels: 3 } })
}
