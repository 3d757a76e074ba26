/** Images for the stand-in: a few drawings, shared by all submissions. */
import { stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { ServedBytes } from '../../../src-main/station/api.ts'
import type { Image } from '../../../src-shared/submission.ts'
import { drawFundus } from '../../camera/draw-fundus.ts'

const SHOTS = 3

export type StandInFiles = { fileOf(kind: 'image' | 'thumbnail', image: Image): ServedBytes }

/** Draws the images into a folder. */
export async function drawFiles(folder: string): Promise<StandInFiles> {
  const drawn = new Map<string, ServedBytes>()
  for (const eye of ['right', 'left'] as const)
    for (let shot = 0; shot < SHOTS; shot += 1)
      for (const [kind, width] of [
        ['image', 900],
        ['thumbnail', 240],
      ] as const) {
        const path = join(folder, `${kind}-${eye}-${shot}.jpg`)
        await writeFile(path, await drawFundus({ eye, seed: shot * 5 + 3, shot, width, height: width / 1.2 }))
        drawn.set(`${kind}-${eye}-${shot}`, {
          path,
          contentType: 'image/jpeg',
          sizeBytes: (await stat(path)).size,
        })
      }
  return {
    fileOf(kind, { id, eye }) {
      const shot = Array.from(id).reduce((sum, letter) => sum + letter.charCodeAt(0), 0) % SHOTS
      const drawing = drawn.get(`${kind}-${eye === 'left' ? 'left' : 'right'}-${shot}`)
      if (!drawing) throw new Error('The stand-in has no such drawing')
      return drawing
    },
  }
}
