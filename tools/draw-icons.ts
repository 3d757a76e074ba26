/** Draws the pictures in `assets/` from the SVG there. Run it by hand after a change: `node tools/draw-icons.ts`. */
import { join } from 'node:path'
import { drawAppIcon } from './draw-app-icon.ts'
import { drawTray } from './draw-tray.ts'
import { projectFolder } from './step.ts'

const assets = join(projectFolder, 'assets')
for (const path of [...(await drawAppIcon(assets)), ...(await drawTray(assets))]) console.log(path)
