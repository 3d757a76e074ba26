/** `BrowserWindow`: its state here, its page in Chromium. */
import { EventEmitter } from 'node:events'
import type { Records } from '../desktop.ts'
import type { PageEvent } from './messages.ts'
import { loud } from './loud.ts'
import { defaultSession } from './sessions.ts'
import { around, needsReady, order, record, toPlain } from './stage.ts'
import { emitOnApp, noWindowIsLeft, preventable, windowsOfApp } from './the-app.ts'
import { makeContents, type Contents } from './web-contents.ts'

type Rectangle = { readonly x: number; readonly y: number; readonly width: number; readonly height: number }
type Options = Partial<Rectangle> & {
  readonly show?: boolean
  readonly title?: string
  readonly webPreferences?: {
    readonly preload?: string
    readonly session?: unknown
    readonly partition?: string
  }
}

const open = new Map<number, Window>()
let lastId = 0

class Window extends EventEmitter {
  readonly id = ++lastId
  readonly webContents: Contents
  #bounds: Rectangle
  #isVisible: boolean
  #isMinimized = false
  #isMaximized = false
  #isFullScreen = false
  #isGone = false
  #title: string
  #proxy: Window = this
  accessibleTitle = ''
  autoHideMenuBar = false

  constructor(options: Options = {}) {
    super()
    needsReady('BrowserWindow')
    const { preload, session, partition } = options.webPreferences ?? {}
    if (partition !== undefined || (session !== undefined && session !== defaultSession))
      throw new Error('The stand-in for electron plays the default session only')
    const area = around().displays[0] ?? { x: 0, y: 0, width: 1_280, height: 800 }
    this.#bounds = {
      x: options.x ?? area.x,
      y: options.y ?? area.y,
      width: options.width ?? 800,
      height: options.height ?? 600,
    }
    this.#isVisible = options.show ?? true
    this.#title = options.title ?? 'stand-in'
    this.webContents = loud('webContents', makeContents(this.id, defaultSession))
    this.webContents.on('close-asked', () => this.close())
    emitOnApp('web-contents-created', preventable(), this.webContents)
    this.#note('created', [toPlain(options)])
    open.set(this.id, this)
    const { width, height } = this.#bounds
    void order({
      kind: 'open',
      window: this.id,
      width,
      height,
      preload: preload ?? null,
      isDark: around().isDark,
    }).catch((error: unknown) =>
      process.stderr.write(`The stand-in could not open a page: ${String(error)}\n`),
    )
    this.#proxy = loud('BrowserWindow', this)
    return this.#proxy
  }

  static getAllWindows = (): Window[] => [...open.values()].map((window) => window.asGiven())
  static getFocusedWindow = (): Window | null =>
    Window.getAllWindows().find((window) => window.isFocused()) ?? null
  static fromId = (id: number): Window | null => open.get(id)?.asGiven() ?? null
  static fromWebContents = (contents: Contents): Window | null => Window.fromId(contents.id)

  asGiven = (): Window => this.#proxy
  #note(what: Records['window']['what'], parameters: readonly unknown[] = []): void {
    record('window', { id: this.id, what, parameters })
  }
  loadURL = (url: string): Promise<void> => this.webContents.loadURL(url)
  reload = (): void => this.webContents.reload()
  show = (): void => {
    this.#isVisible = true
    this.#isMinimized = false
    this.#note('shown')
    this.emit('show')
    this.focus()
  }
  showInactive = (): void => {
    this.#isVisible = true
    this.#note('shown')
    this.emit('show')
  }
  hide = (): void => {
    this.#isVisible = false
    this.#note('hidden')
    this.emit('hide')
  }
  focus = (): void => {
    this.#note('focused')
    this.emit('focus')
  }
  blur = (): void => void this.emit('blur')
  minimize = (): void => {
    this.#isMinimized = true
    this.#note('minimized')
    this.emit('minimize')
  }
  restore = (): void => {
    this.#isMinimized = false
    this.#note('restored')
    this.emit('restore')
  }
  maximize = (): void => {
    this.#isMaximized = true
    this.emit('maximize')
  }
  unmaximize = (): void => {
    this.#isMaximized = false
    this.emit('unmaximize')
  }
  isVisible = (): boolean => this.#isVisible && !this.#isGone
  isFocused = (): boolean => this.isVisible() && !this.#isMinimized
  isMinimized = (): boolean => this.#isMinimized
  isMaximized = (): boolean => this.#isMaximized
  isFullScreen = (): boolean => this.#isFullScreen
  isDestroyed = (): boolean => this.#isGone
  setFullScreen = (isFull: boolean): void => void (this.#isFullScreen = isFull)
  getBounds = (): Rectangle => this.#bounds
  getNormalBounds = (): Rectangle => this.#bounds
  setBounds = (bounds: Partial<Rectangle>): void => void (this.#bounds = { ...this.#bounds, ...bounds })
  getSize = (): number[] => [this.#bounds.width, this.#bounds.height]
  getTitle = (): string => this.#title
  setTitle = (title: string): void => void (this.#title = title)
  setBackgroundColor = (): void => undefined
  setIcon = (): void => undefined
  setMenu = (): void => undefined
  removeMenu = (): void => undefined
  setMenuBarVisibility = (): void => undefined
  setSkipTaskbar = (): void => undefined
  setAlwaysOnTop = (): void => undefined
  setContentProtection = (): void => undefined
  moveTop = (): void => undefined
  center = (): void => undefined
  flashFrame = (isOn: boolean): void => this.#note('flashed', [isOn])
  setProgressBar = (value: number, options?: { readonly mode?: string }): void =>
    record('progress', { value, mode: options?.mode ?? null })
  setOverlayIcon = (image: unknown, description: string): void =>
    record('overlay', { image: image === null ? null : String(toPlain(image)), description })

  /** The cross, or the app itself: whoever listens may keep the window. */
  close = (): void => {
    if (this.#isGone) return
    const event = preventable()
    this.emit('close', event)
    if (event.defaultPrevented) return this.#note('kept')
    this.destroy()
  }
  destroy = (): void => {
    if (this.#isGone) return
    this.#isGone = true
    this.webContents.isGone = true
    open.delete(this.id)
    void order({ kind: 'destroy', window: this.id }).catch(() => undefined)
    this.#note('closed')
    this.webContents.emit('destroyed')
    this.emit('closed')
    if (open.size === 0) setImmediate(noWindowIsLeft)
  }

  hear(event: PageEvent): void {
    switch (event.kind) {
      case 'loaded':
        this.webContents.emit('dom-ready', {})
        this.webContents.emit('did-finish-load', {})
        return
      case 'firstPaint':
        return void this.emit('ready-to-show', {})
      case 'crashed':
        this.#note('crashed')
        return void this.webContents.emit('render-process-gone', {}, { reason: 'crashed', exitCode: 5 })
      case 'loadFailed':
        return void this.webContents.emit('did-fail-load', {}, -2, event.reason, event.url, true)
      case 'unresponsive':
      case 'responsive':
        this.webContents.emit(event.kind)
        return void this.emit(event.kind)
    }
  }
}

windowsOfApp.count = () => open.size
windowsOfApp.closeAll = () => {
  for (const window of open.values()) window.close()
  return open.size === 0
}
windowsOfApp.destroyAll = () => {
  for (const window of open.values()) window.destroy()
}

export const BrowserWindow = Window
export const windowOf = (id: number): Window | undefined => open.get(id)
export const allWindows = (): Window[] => [...open.values()]
