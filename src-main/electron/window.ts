/** The only window. Closing it hides it: the station keeps running, and the tray or a second start shows it again. */
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import {
  app,
  BrowserWindow,
  Menu,
  type MenuItemConstructorOptions,
  nativeTheme,
  screen,
  type WebContents,
  type WebPreferences,
} from 'electron'
import { z } from 'zod'
import type { DesktopRoute } from '../../src-shared/desktop.ts'
import { errorCode } from '../station/lib/errors.ts'
import type { Logger } from '../station/ports.ts'
import { appFile } from './app-protocol.ts'
import { START_ADDRESS } from './app-scheme.ts'
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

/** The window's bounds, remembered and adjusted to the current displays. */
const boundsSchema = z.object({
  x: z.number().int(),
  y: z.number().int(),
  width: z.number().int().positive(),
  height: z.number().int().positive(),
})

/** Device-independent pixels in the coordinate space of all displays. */
type Bounds = z.infer<typeof boundsSchema>

const DEFAULT_SIZE = { width: 1_280, height: 860 }

const MINIMUM_SIZE = { width: 800, height: 560 }

/** The remembered bounds, moved and shrunk to fit the work area of a display. */
export function fitTo(area: Bounds, remembered: Bounds): Bounds {
  const width = Math.min(remembered.width, area.width)
  const height = Math.min(remembered.height, area.height)
  return {
    x: clamp(remembered.x, area.x, area.x + area.width - width),
    y: clamp(remembered.y, area.y, area.y + area.height - height),
    width,
    height,
  }
}

function clamp(value: number, lowest: number, highest: number): number {
  return Math.max(lowest, Math.min(value, highest))
}

/** Null if nothing readable is stored: the window then has its default size. */
export async function readBounds(path: string): Promise<Bounds | null> {
  try {
    return boundsSchema.safeParse(JSON.parse(await readFile(path, 'utf8'))).data ?? null
  } catch (error) {
    if (error instanceof SyntaxError || errorCode(error) !== undefined) return null
    throw error
  }
}

export async function rememberBounds(path: string, bounds: Bounds): Promise<void> {
  await mkdir(dirname(path), { recursive: true })
  await writeFile(path, JSON.stringify(bounds))
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
  readonly logger: Logger
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
    /** Opens the window at its last bounds and remembers changes. */
    open: async ({ shutdown, logger, onHidden }: MainWindowOptions): Promise<BrowserWindow> => {
      const menu = applicationMenu(process.platform)
      Menu.setApplicationMenu(menu && Menu.buildFromTemplate(menu))
      const boundsPath = join(app.getPath('userData'), 'window.json')
      const window = openWindow(await readBounds(boundsPath), () => isWanted)
      window.on('close', (event) => {
        rememberBounds(boundsPath, window.getNormalBounds()).catch(() =>
          logger.warn('the bounds of the window could not be remembered'),
        )
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

function openWindow(bounds: Bounds | null, isShown: () => boolean): BrowserWindow {
  // The display that shows most of it, or the first one if none does.
  const fitted = bounds && fitTo(screen.getDisplayMatching(bounds).workArea, bounds)
  const preload = appFile('out', 'preload', 'preload.cjs')
  const window = new BrowserWindow({
    ...(fitted ?? DEFAULT_SIZE),
    minWidth: MINIMUM_SIZE.width,
    minHeight: MINIMUM_SIZE.height,
    title: 'Fundus Courier',
    icon: appFile('assets', 'icon.png'),
    backgroundColor: nativeTheme.shouldUseDarkColors ? BACKGROUND.dark : BACKGROUND.light,
    show: false,
    webPreferences: { ...WINDOW_PREFERENCES, preload },
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
