import { join } from 'node:path'
import { app, Menu, screen, type BrowserWindow } from 'electron'
import type { Logger } from '../station/ports.ts'
import { appFile } from './app-files.ts'
import { applicationMenu } from './application-menu.ts'
import type { Shutdown } from './life.ts'
import { fitToDisplays, readBounds, rememberBounds } from './window-bounds.ts'
import { openWindow } from './window.ts'

/** Opens the window where it was last, and remembers where it is left. */
export async function restoreWindow(options: {
  readonly shutdown: Shutdown
  readonly logger: Logger
  readonly isHidden: () => boolean
  /** The window was closed, and the app goes on. */
  readonly onHidden: () => void
}): Promise<BrowserWindow> {
  const menu = applicationMenu(process.platform)
  Menu.setApplicationMenu(menu && Menu.buildFromTemplate(menu))
  const boundsPath = join(app.getPath('userData'), 'window.json')
  const workAreas = screen.getAllDisplays().map(({ workArea }) => workArea)
  return openWindow({
    preloadPath: appFile('out', 'preload', 'preload.cjs'),
    iconPath: appFile('assets', 'icon.png'),
    bounds: fitToDisplays(await readBounds(boundsPath), workAreas),
    isHidden: options.isHidden(),
    hidesOnClose: () => options.shutdown.isRunning(),
    onHidden: (bounds) => {
      rememberBounds(boundsPath, bounds).catch(() =>
        options.logger.warn('the place of the window could not be remembered'),
      )
      if (options.shutdown.isRunning()) options.onHidden()
    },
  })
}
