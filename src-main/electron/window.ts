/** The only window. Closing it hides it: the station keeps running, and the tray or a second start shows it again. */
import {
  app,
  BrowserWindow,
  Menu,
  type MenuItemConstructorOptions,
  nativeTheme,
  type WebContents,
  type WebPreferences,
} from 'electron'
import type { DesktopRoute } from '../../src-shared/desktop.ts'
import { appFile } from './app-protocol.ts'
import { START_ADDRESS } from './preload/bridge.ts'
import { createRouteSender } from './ipc.ts'
import type { Shutdown } from './shutdown.ts'

type HiddenWindow = {
  isFullScreen(): boolean
  setFullScreen(isFullScreen: false): void
  once(event: 'leave-full-screen', listener: () => void): unknown
  hide(): void
}

/** Hides the window; on macOS the space of a full-screen one would stay behind, black (electron 20263). */
export function hideWindow(window: HiddenWindow, platform: NodeJS.Platform): void {
  if (platform !== 'darwin' || !window.isFullScreen()) return window.hide()
  window.once('leave-full-screen', () => window.hide())
  window.setFullScreen(false)
}

/** Defaults are stated too, because they can change. */
export const WINDOW_PREFERENCES = {
  contextIsolation: true,
  sandbox: true,
  nodeIntegration: false,
  nodeIntegrationInWorker: false,
  nodeIntegrationInSubFrames: false,
  webSecurity: true,
  allowRunningInsecureContent: false,
  webviewTag: false,
  navigateOnDragDrop: false,
  spellcheck: false,
} as const satisfies WebPreferences

/** The screens' background colours: in the dark the window must not flash white at startup. */
const BACKGROUND = { dark: '#242424', light: '#ffffff' }

type MainWindowOptions = {
  readonly shutdown: Shutdown
  /** The window was closed while the app continues. */
  readonly onHidden: () => void
}

/** The only window, perhaps asked for before it opens. `isShownAtStart`: false for a start at login. */
export function createMainWindow(isShownAtStart: boolean) {
  let isWanted = isShownAtStart
  let opened: {
    readonly window: BrowserWindow
    readonly send: (route: DesktopRoute) => void
    readonly shutdown: Shutdown
  } | null = null
  const windowThere = (): BrowserWindow | null =>
    opened === null || opened.window.isDestroyed() ? null : opened.window
  const show = (): void => {
    isWanted = true
    const window = windowThere()
    if (window === null || opened?.shutdown.isRunning() !== true) return
    if (window.isMinimized()) window.restore()
    window.show()
    window.focus()
  }
  return {
    /** Shows, restores and focuses the window. Before it opens, this only prevents a hidden start. */
    show,
    showRoute: (route: DesktopRoute): void => {
      show()
      opened?.send(route)
    },
    isHidden: (): boolean => windowThere()?.isVisible() !== true,
    contents: (): WebContents | null => windowThere()?.webContents ?? null,
    open: ({ shutdown, onHidden }: MainWindowOptions): BrowserWindow => {
      const menu = applicationMenu(process.platform)
      Menu.setApplicationMenu(menu && Menu.buildFromTemplate(menu))
      const window = openWindow(() => isWanted)
      window.on('close', (event) => {
        if (!shutdown.isRunning()) return
        onHidden()
        event.preventDefault()
        hideWindow(window, process.platform)
      })
      opened = { window, send: createRouteSender(window), shutdown }
      return window
    },
  }
}

function openWindow(isShown: () => boolean): BrowserWindow {
  const preload = appFile('out', 'preload', 'preload.cjs')
  const window = new BrowserWindow({
    // Electron remembers the bounds under this name, and fits them to the displays of the next start.
    name: 'main',
    windowStatePersistence: { bounds: true, displayMode: false },
    width: 1_280,
    height: 860,
    minWidth: 800,
    minHeight: 560,
    title: 'Fundus Courier',
    icon: appFile('assets', 'icon.png'),
    backgroundColor: nativeTheme.shouldUseDarkColors ? BACKGROUND.dark : BACKGROUND.light,
    show: false,
    webPreferences: { ...WINDOW_PREFERENCES, devTools: !app.isPackaged, preload },
  })
  if (isShown()) window.once('ready-to-show', () => window.show())
  // Window events report a failed load; the promise only repeats it.
  void window.loadURL(START_ADDRESS).catch(() => undefined)
  return window
}

/** Only macOS has a menu for all windows, for copy and paste. Electron's own would also open developer tools. */
export function applicationMenu(platform: NodeJS.Platform): MenuItemConstructorOptions[] | null {
  return platform === 'darwin' ? [{ role: 'appMenu' }, { role: 'editMenu' }, { role: 'windowMenu' }] : null
}
