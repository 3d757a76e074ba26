/** Draws the app's own icon in all sizes that the systems ask for: `assets/icon.png`, `.ico`, `.icns`, and `icons/` for Linux. */
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import sharp, { type Sharp } from 'sharp'
import { ICNS_KINDS, icnsOf } from './icns.ts'
import { icoOf, type Picture } from './ico.ts'

/** Up to so many pixels another drawing is taken, with less in it. */
const SMALL_PIXELS = 32
/** Windows at 100 to 250 per cent; what is larger than 128 stands as PNG. */
const WINDOWS_PIXELS = [16, 20, 24, 32, 40, 48, 64, 96, 128, 256]
/** The sizes of the hicolor theme, https://specifications.freedesktop.org/icon-theme-spec. */
const LINUX_PIXELS = [16, 22, 24, 32, 48, 64, 96, 128, 256, 512]
const LARGEST_PIXELS = 1_024

/** Answers with the paths of the files, below `assets`. */
export async function drawAppIcon(assets: string): Promise<readonly string[]> {
  const drawn = (sizePixels: number): Sharp => {
    const [name, unitsWide] = sizePixels <= SMALL_PIXELS ? ['icon-small.svg', 32] : ['icon.svg', 512]
    // SVG units are drawn at 72 dots per inch; drawn four times as large, then shrunk, edges stay clean.
    const density = Math.min(Math.max(72 * 4 * (sizePixels / unitsWide), 72), 2_400)
    return sharp(join(assets, name), { density }).resize(sizePixels, sizePixels)
  }
  const sizes = new Set([
    ...WINDOWS_PIXELS,
    ...LINUX_PIXELS,
    ...ICNS_KINDS.map(({ sizePixels }) => sizePixels),
    LARGEST_PIXELS,
  ])
  const pngs = new Map<number, Buffer>()
  for (const sizePixels of sizes)
    pngs.set(sizePixels, await drawn(sizePixels).png({ compressionLevel: 9 }).toBuffer())
  const pngOf = (sizePixels: number): Buffer => {
    const png = pngs.get(sizePixels)
    if (!png) throw new Error(`no icon of ${sizePixels} pixels was drawn`)
    return png
  }
  const picture = async (sizePixels: number): Promise<Picture> =>
    sizePixels > 128
      ? { sizePixels, png: pngOf(sizePixels) }
      : { sizePixels, rgba: await drawn(sizePixels).ensureAlpha().raw().toBuffer() }

  const files: readonly (readonly [string, Buffer])[] = [
    ['icon.png', pngOf(LARGEST_PIXELS)],
    ['icon.ico', icoOf(await Promise.all(WINDOWS_PIXELS.map(picture)))],
    ['icon.icns', icnsOf(pngOf)],
    // electron-builder reads the size from the name.
    ...LINUX_PIXELS.map(
      (sizePixels) => [`icons/${sizePixels}x${sizePixels}.png`, pngOf(sizePixels)] as const,
    ),
  ]
  await mkdir(join(assets, 'icons'), { recursive: true })
  for (const [path, bytes] of files) await writeFile(join(assets, path), bytes)
  return files.map(([path]) => path)
}
