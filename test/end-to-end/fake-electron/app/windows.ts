/** `BrowserWindow`, its `webContents` and `ipcMain`: their state here, the page in Chromium. */
import { EventEmitter } from 'node:events'
import type { Records } from '../desktop.ts'
import { emitOnApp, noWindowIsLeft, windowsOfApp } from './app.ts'
import { needsReady, order, preventable, record, strict, toPlain } from './link.ts'
import type { Frame, PageEvent, Question } from './messages.ts'
import { defaultSession } from './sessions.ts'

type OpenHandler = (details: Readonly<Record<string, unknown>>) => { readonly action: string }

class Contents extends EventEmitter {
  readonly id: number
  readonly session = defaultSession
  isGone = false
  private address = ''
  private openHandler: OpenHandler | null = null

  constructor(id: number) {
    super()
    this.id = id
  }

  getURL = (): string => this.address
  isDestroyed = (): boolean => this.isGone
  isLoading = (): boolean => false
  forcefullyCrashRenderer = (): void => void order({ kind: 'crash', window: this.id })
  setWindowOpenHandler = (handler: OpenHandler): void => void (this.openHandler = handler)

  /** Electron opens a window unless the handler says otherwise. */
  mayOpen(url: string): string {
    const { action } = this.openHandler?.({ url, disposition: 'foreground-tab' }) ?? { action: 'allow' }
    record('windowOpen', { url, action })
    return action
  }

  send(channel: string, ...parameters: unknown[]): void {
    if (this.isGone) throw new TypeError('Object has been destroyed')
    // What cannot be cloned throws here, in the caller, as in Electron.
    const cloned = structuredClone(parameters)
    record('sent', { channel, parameters: cloned.map(toPlain) })
    void order({ kind: 'send', window: this.id, channel, parameters: cloned }).catch(() => undefined)
  }

  async loadURL(url: string): Promise<void> {
    this.address = url
    record('window', { id: this.id, what: 'loaded', parameters: [url] })
    try {
      await order({ kind: 'load', window: this.id, url })
    } catch (error) {
      this.emit('did-fail-load', {}, -2, error instanceof Error ? error.message : '', url, true)
      throw error
    }
  }

  reload(): void {
    record('window', { id: this.id, what: 'reloaded', parameters: [] })
    void order({ kind: 'reload', window: this.id }).catch(() => undefined)
  }
}

type Options = {
  readonly width?: number
  readonly height?: number
  readonly show?: boolean
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
  readonly webContents = strict('webContents', new Contents(this.id))
  #isVisible: boolean
  #isMinimized = false
  #isGone = false

  constructor(options: Options = {}) {
    super()
    needsReady('BrowserWindow')
    const { preload, session, partition } = options.webPreferences ?? {}
    if (partition !== undefined || (session !== undefined && session !== defaultSession))
      throw new Error('The fake electron has the default session only')
    const { width = 800, height = 600 } = options
    this.#isVisible = options.show ?? true
    emitOnApp('web-contents-created', preventable(), this.webContents)
    this.#record('created', [toPlain(options)])
    open.set(this.id, this)
    order({ kind: 'open', window: this.id, width, height, preload: preload ?? null }).catch(
      (error: unknown) => process.stderr.write(`The fake electron could not open a page: ${String(error)}\n`),
    )
    return strict('BrowserWindow', this)
  }

  #record(what: Records['window']['what'], parameters: readonly unknown[] = []): void {
    record('window', { id: this.id, what, parameters })
  }
  loadURL = (url: string): Promise<void> => this.webContents.loadURL(url)
  show = (): void => {
    this.#isVisible = true
    this.#isMinimized = false
    this.#record('shown')
    this.emit('show')
    this.focus()
  }
  hide = (): void => {
    this.#isVisible = false
    this.#record('hidden')
    this.emit('hide')
  }
  focus = (): void => {
    this.#record('focused')
    this.emit('focus')
  }
  restore = (): void => void (this.#isMinimized = false)
  isVisible = (): boolean => this.#isVisible && !this.#isGone
  isMinimized = (): boolean => this.#isMinimized
  isFullScreen = (): boolean => false
  isDestroyed = (): boolean => this.#isGone
  setFullScreen = (): void => undefined

  /** The cross, or the app itself: a listener may prevent it. */
  close = (): void => {
    if (this.#isGone) return
    const event = preventable()
    this.emit('close', event)
    if (!event.defaultPrevented) this.destroy()
  }
  destroy = (): void => {
    if (this.#isGone) return
    this.#isGone = true
    this.webContents.isGone = true
    open.delete(this.id)
    void order({ kind: 'destroy', window: this.id }).catch(() => undefined)
    this.#record('closed')
    this.webContents.emit('destroyed')
    this.emit('closed')
    if (open.size === 0) setImmediate(noWindowIsLeft)
  }

  take(event: PageEvent): void {
    switch (event) {
      case 'loaded':
        this.webContents.emit('did-finish-load', {})
        return void this.emit('ready-to-show', {})
      case 'crashed':
        this.#record('crashed')
        return void this.webContents.emit('render-process-gone', {}, { reason: 'crashed', exitCode: 5 })
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

/** A `WebFrameMain`; null once it has gone. */
function frameOf(frame: Frame): Readonly<Record<string, unknown>> | null {
  if (frame === null) return null
  const parent = frame.isMainFrame ? null : frameOf({ url: 'app://station/index.html', isMainFrame: true })
  return strict('WebFrameMain', { url: frame.url, parent, isDestroyed: () => false })
}

type Listener = (event: object, ...parameters: unknown[]) => unknown
const handlers = new Map<string, Listener>()

export const ipcMain = strict('ipcMain', {
  handle(channel: string, listener: Listener) {
    if (handlers.has(channel)) throw new Error(`Attempted to register a second handler for '${channel}'`)
    handlers.set(channel, listener)
  },
})

/** The answer is cloned as Electron clones it; what cannot be is an error for the page. */
export async function answerInvoke({
  window,
  frame,
  channel,
  parameters,
}: Extract<Question, { kind: 'invoke' }>): Promise<unknown> {
  const handler = handlers.get(channel)
  if (!handler) throw new Error(`No handler registered for '${channel}'`)
  const event = { sender: windowOf(window)?.webContents, senderFrame: frameOf(frame) }
  const answer = await handler(event, ...parameters)
  try {
    return structuredClone(answer)
  } catch {
    throw new Error('An object could not be cloned.')
  }
}
