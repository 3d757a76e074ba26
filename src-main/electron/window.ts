/** The one window. Closing it hides it: the station goes on, and the tray or a second start shows it again. */
import { BrowserWindow, nativeTheme } from 'electron'
import { START_ADDRESS } from './app-scheme.ts'
import { hideWindow } from './hide-window.ts'
import { DEFAULT_SIZE, MINIMUM_SIZE, type Bounds } from './window-bounds.ts'
import { WINDOW_PREFERENCES } from './window-preferences.ts'

/** The ground of the screens' own themes: an unattended screen in a dark room must not flash white at start. */
const BACKGROUND = { dark: '#242424', light: '#ffffff' }

export type WindowOptions = {
  readonly preloadPath: string
  readonly iconPath: string
  readonly bounds: Bounds | null
  /** Started at login: the window is there and stays out of the way. */
  readonly isHidden: boolean
  /** Asked when the window is about to close; true while the app goes on. */
  readonly hidesOnClose: () => boolean
  readonly onHidden: (bounds: Bounds) => void
}

export function openWindow(options: WindowOptions): BrowserWindow {
  const window = new BrowserWindow({
    ...(options.bounds ?? DEFAULT_SIZE),
    minWidth: MINIMUM_SIZE.width,
    minHeight: MINIMUM_SIZE.height,
    title: 'Fundus Courier',
    icon: options.iconPath,
    backgroundColor: nativeTheme.shouldUseDarkColors ? BACKGROUND.dark : BACKGROUND.light,
    show: false,
    webPreferences: { ...WINDOW_PREFERENCES, preload: options.preloadPath },
  })
  if (!options.isHidden) window.once('ready-to-show', () => window.show())
  window.on('close', (event) => {
    options.onHidden(window.getNormalBounds())
    if (!options.hidesOnClose()) return
    event.preventDefault()
    hideWindow(window, process.platform)
  })
  // A page that fails to load is told by the events of the window; the promise says the same a second time.
  void window.loadURL(START_ADDRESS).catch(() => undefined)
  return window
}

/** Brings the window before the person, wherever it was. */
export function showWindow(window: BrowserWindow): void {
  if (window.isMinimized()) window.restore()
  window.show()
  window.focus()
}
