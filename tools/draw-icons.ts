/** Draws the PNG files in `assets/` from the SVG beside them. Run it by hand after a change: `node tools/draw-icons.ts`. */
import { join } from 'node:path'
import sharp from 'sharp'
import { projectFolder } from './step.ts'

const drawings = [
  // electron-builder makes .ico and .icns of it, and asks for 1024.
  { from: 'icon.svg', to: 'icon.png', sizePixels: 1_024 },
  { from: 'tray.svg', to: 'tray.png', sizePixels: 16 },
  { from: 'tray.svg', to: 'tray@1.5x.png', sizePixels: 24 },
  { from: 'tray.svg', to: 'tray@2x.png', sizePixels: 32 },
  { from: 'tray.svg', to: 'tray@3x.png', sizePixels: 48 },
  // macOS knows by the name that it may tint it for a light or dark menu bar.
  { from: 'tray-template.svg', to: 'trayTemplate.png', sizePixels: 16 },
  { from: 'tray-template.svg', to: 'trayTemplate@2x.png', sizePixels: 32 },
]

/** SVG units are drawn at 72 dots per inch; drawn larger, then shrunk, edges stay clean. */
const DENSITY = 72 * 4

for (const { from, to, sizePixels } of drawings) {
  const assets = join(projectFolder, 'assets')
  await sharp(join(assets, from), { density: DENSITY })
    .resize(sizePixels, sizePixels)
    .png({ compressionLevel: 9 })
    .toFile(join(assets, to))
  console.log(`${to}  ${sizePixels} x ${sizePixels}`)
}
