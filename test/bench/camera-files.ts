/** The exports that the bench takes in: drawn once, and each file with other bytes. */
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'
import { drawFundus } from '../camera/draw-fundus.ts'
import { withRemark } from '../camera/layouts/layout.ts'
import { randomFrom } from '../camera/random.ts'
import { TODAY_IN_NAMES } from '../camera/today.ts'

/** Six megapixels with the grain of a sensor make about two megabytes. */
const PHOTOGRAPH = { width: 3_000, height: 2_000 }
const SMALL_PHOTOGRAPH = { width: 600, height: 400 }
/** Levels of 256 up and down: drawn pictures have no grain, and a smooth one is a third of the size. */
const GRAIN = 14

const SHOTS = [
  { eye: 'right', shot: 0 },
  { eye: 'right', shot: 1 },
  { eye: 'left', shot: 0 },
  { eye: 'left', shot: 1 },
] as const

async function grained(drawing: Buffer, seed: number): Promise<Buffer> {
  const { data, info } = await sharp(drawing).raw().toBuffer({ resolveWithObject: true })
  const random = randomFrom(seed)
  for (let at = 0; at < data.length; at += 1) {
    const level = (data[at] ?? 0) + (at % 3 === 0 ? 0 : (random() + random() - 1) * GRAIN)
    data[at] = Math.max(0, Math.min(255, level))
  }
  const { width, height, channels } = info
  return sharp(data, { raw: { width, height, channels } }).jpeg({ quality: 95 }).toBuffer()
}

/** Four photographs of one synthetic person, two of each eye. */
export async function drawCase(size: 'large' | 'small'): Promise<readonly Buffer[]> {
  const pixels = size === 'large' ? PHOTOGRAPH : SMALL_PHOTOGRAPH
  const drawn: Buffer[] = []
  for (const [index, { eye, shot }] of SHOTS.entries())
    drawn.push(await grained(await drawFundus({ eye, shot, seed: 17, ...pixels }), index + 1))
  return drawn
}

/** Names that report everything, as `well-named` of the synthetic camera. */
export function nameOf(number: number, index: number): string {
  const visit = `H-${String(number).padStart(5, '0')}_${TODAY_IN_NAMES}`
  const eye = SHOTS[index]?.eye === 'right' ? 'OD' : 'OS'
  return `${visit}/${visit}_${String(90_000 + index)}_${eye}_${index + 1}.jpg`
}

export type WrittenCases = { readonly files: number; readonly bytes: number }

/** Writes so many cases, each image with a remark of its own and so with another hash. */
export async function writeCases(
  folder: string,
  count: number,
  drawn: readonly Buffer[],
): Promise<WrittenCases> {
  let bytes = 0
  for (let number = 1; number <= count; number += 1) {
    for (const [index, picture] of drawn.entries()) {
      const path = join(folder, nameOf(number, index))
      if (index === 0) await mkdir(join(path, '..'), { recursive: true })
      const image = withRemark(picture, `${number}-${index}`)
      bytes += image.length
      await writeFile(path, image)
    }
  }
  return { files: count * drawn.length, bytes }
}
