/** `webContents`: the page of a window, as the main process sees it. */
import { EventEmitter } from 'node:events'
import { loud } from './loud.ts'
import { order, record, toPlain } from './stage.ts'
import type { Frame } from './messages.ts'

type OpenHandler = (details: Readonly<Record<string, unknown>>) => { readonly action: string }

export class Contents extends EventEmitter {
  readonly id: number
  readonly session: object
  readonly ipc: EventEmitter = new EventEmitter()
  isGone = false
  private address = ''
  private openHandler: OpenHandler | null = null
  zoomFactor = 1
  zoomLevel = 0
  audioMuted = false
  backgroundThrottling = true
  userAgent = 'stand-in'

  constructor(id: number, session: object) {
    super()
    this.id = id
    this.session = session
  }

  get mainFrame(): Readonly<Record<string, unknown>> {
    return frameOf({ url: this.address, isMainFrame: true }) ?? {}
  }
  setUrl(url: string): void {
    this.address = url
  }
  getURL = (): string => this.address
  getTitle = (): string => ''
  getProcessId = (): number => this.id
  getOSProcessId = (): number => 0
  isDestroyed = (): boolean => this.isGone
  isCrashed = (): boolean => false
  isLoading = (): boolean => false
  isFocused = (): boolean => true
  focus = (): void => undefined
  stop = (): void => undefined
  setZoomFactor = (factor: number): void => void (this.zoomFactor = factor)
  getZoomFactor = (): number => this.zoomFactor
  setZoomLevel = (level: number): void => void (this.zoomLevel = level)
  getZoomLevel = (): number => this.zoomLevel
  setVisualZoomLevelLimits = (): Promise<void> => Promise.resolve()
  setBackgroundThrottling = (isAllowed: boolean): void => void (this.backgroundThrottling = isAllowed)
  setIgnoreMenuShortcuts = (): void => undefined
  setWebRTCIPHandlingPolicy = (): void => undefined
  openDevTools = (): void => undefined
  closeDevTools = (): void => undefined
  isDevToolsOpened = (): boolean => false
  forcefullyCrashRenderer = (): void => void order({ kind: 'crash', window: this.id })
  executeJavaScript = (code: string): Promise<unknown> => order({ kind: 'evaluate', window: this.id, code })
  insertCSS = (): Promise<string> => Promise.resolve('')

  setWindowOpenHandler(handler: OpenHandler): void {
    this.openHandler = handler
  }
  /** Electron opens a window where nobody says otherwise. */
  mayOpen(details: { readonly url: string; readonly frameName: string; readonly features: string }): string {
    const { action } = this.openHandler?.({
      ...details,
      disposition: 'foreground-tab',
      referrer: { url: this.address, policy: 'no-referrer' },
      postBody: undefined,
    }) ?? { action: 'allow' }
    record('windowOpen', { url: details.url, action })
    return action
  }

  send(channel: string, ...parameters: unknown[]): void {
    if (this.isGone) throw new TypeError('Object has been destroyed')
    // What cannot be cloned throws here, in the caller, as in Electron.
    const carried = structuredClone(parameters)
    record('sent', { channel, parameters: carried.map(toPlain) })
    void order({ kind: 'send', window: this.id, channel, parameters: carried }).catch(() => undefined)
  }
  loadURL(url: string): Promise<void> {
    this.address = url
    record('window', { id: this.id, what: 'loaded', parameters: [url] })
    return order({ kind: 'load', window: this.id, url }).then(
      () => undefined,
      (error: unknown) => {
        this.emit('did-fail-load', {}, -2, error instanceof Error ? error.message : '', url, true)
        throw error
      },
    )
  }
  reload(): void {
    record('window', { id: this.id, what: 'reloaded', parameters: [] })
    void order({ kind: 'reload', window: this.id }).catch(() => undefined)
  }
  reloadIgnoringCache = (): void => this.reload()
  close = (): void => void this.emit('close-asked')
}

export function makeContents(id: number, session: object): Contents {
  return new Contents(id, session)
}

/** A `WebFrameMain`; null once it has gone. */
export function frameOf(frame: Frame): Readonly<Record<string, unknown>> | null {
  if (frame === null) return null
  const own = {
    url: frame.url,
    frameTreeNodeId: frame.isMainFrame ? 1 : 2,
    processId: 1,
    routingId: 1,
    name: '',
    detached: false,
  }
  const top = frame.isMainFrame
    ? null
    : loud('WebFrameMain', { ...own, url: 'app://station/index.html', parent: null })
  let origin = 'null'
  const parsed = URL.parse(frame.url)
  if (parsed && parsed.host !== '') origin = `${parsed.protocol}//${parsed.host}`
  return loud('WebFrameMain', { ...own, origin, parent: top, top, isDestroyed: () => false })
}
