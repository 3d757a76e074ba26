import type { MenuItemConstructorOptions } from 'electron'

/**
 * The menu of the app. Only macOS has one for all windows, and there it carries copy, paste, hide and quit. Electron's
 * own would also reload the screens, open its tools for developers and lead to its pages in the web.
 */
export function applicationMenu(platform: NodeJS.Platform): MenuItemConstructorOptions[] | null {
  return platform === 'darwin' ? [{ role: 'appMenu' }, { role: 'editMenu' }, { role: 'windowMenu' }] : null
}
