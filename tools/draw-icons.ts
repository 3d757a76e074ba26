/** Draws the pictures in `assets/` from the SVG there. Run it by hand after a change: `node tools/draw-icons.ts`. */
import { join } from 'node:path'
import sharp from 'sharp'
import { drawTray } from './draw-tray.ts'
import { projectFolder } from './step.ts'

const assets = join(projectFolder, 'assets')

const drawings = [
  // electron-builder makes .ico and .icns of it, and asks for 1024.
  { from: 'icon.svg', to: 'icon.png', sizePixels: 1_024 },
]

/** SVG units are drawn at 72 dots per inch; drawn larger, then shrunk, edges stay clean. */
const DENSITY = 72 * 4

for (const { from, to, sizePixels } of drawings) {
  await sharp(join(assets, from), { density: DENSITY })
    .resize(sizePixels, sizePixels)
    .png({ compressionLevel: 9 })
    .toFile(join(assets, to))
  console.log(`${to}  ${sizePixels} x ${sizePixels}`)
}
for (const path of await drawTray(assets)) console.log(path)
