/** Draws the pictures in `assets/tray` from the parts in `assets/tray.svg`. */
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import sharp, { type Sharp } from 'sharp'
import { icoOf, type Picture } from './ico.ts'
import { trayDrawings, type Drawing } from './tray-drawings.ts'

/** By the part of a name from which Electron knows the density of the screen. */
const SCALES = { '': 1, '@1.5x': 1.5, '@2x': 2, '@3x': 3 }
const LINUX_PIXELS = 24
const MACOS_PIXELS = 18
/** Those of Windows at 100, 125, 150, 200, 250 and 300 per cent. */
const WINDOWS_PIXELS = [16, 20, 24, 32, 40, 48]

/** SVG units are drawn at 72 dots per inch, so that a picture of 16 units has 16 pixels. */
const DOTS_PER_UNIT = 72 / 16

/** Answers with the paths of the files, below `assets`. */
export async function drawTray(assets: string): Promise<readonly string[]> {
  const { tray, templates } = trayDrawings(await readFile(join(assets, 'tray.svg'), 'utf8'))
  const paths: string[] = []
  const write = async (path: string, bytes: Promise<Buffer>): Promise<void> => {
    await writeFile(join(assets, path), await bytes)
    paths.push(path)
  }
  await mkdir(join(assets, 'tray'), { recursive: true })
  for (const drawing of tray) {
    await write(`tray/${drawing.name}.ico`, ico(drawing))
    for (const [mark, scale] of Object.entries(SCALES))
      await write(`tray/${drawing.name}${mark}.png`, png(drawing, LINUX_PIXELS * scale))
  }
  for (const drawing of templates) {
    await write(`tray/${drawing.name}.png`, png(drawing, MACOS_PIXELS))
    await write(`tray/${drawing.name}@2x.png`, png(drawing, MACOS_PIXELS * 2))
  }
  return paths
}

function drawn({ svg }: Drawing, sizePixels: number): Sharp {
  return sharp(Buffer.from(svg), { density: DOTS_PER_UNIT * sizePixels }).resize(sizePixels, sizePixels)
}

function png(drawing: Drawing, sizePixels: number): Promise<Buffer> {
  return drawn(drawing, sizePixels).png({ compressionLevel: 9 }).toBuffer()
}

async function ico(drawing: Drawing): Promise<Buffer> {
  const pictureOf = async (sizePixels: number): Promise<Picture> => ({
    sizePixels,
    rgba: await drawn(drawing, sizePixels).ensureAlpha().raw().toBuffer(),
  })
  return icoOf(await Promise.all(WINDOWS_PIXELS.map(pictureOf)))
}
