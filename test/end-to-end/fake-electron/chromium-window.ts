/** One window of the app: a page of Chromium with its preload, told what the app orders, telling what happens to it. */
import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { BrowserContext, Download, Page } from 'playwright-core'
import type { Frame } from './app/messages.ts'
import { makeCrossing, type FromPreload, type WorldNames } from './crossing.ts'
import { guardNavigation } from './guard-navigation.ts'
import { inPage } from './page-world.ts'
import { inPreload } from './preload-world.ts'
import type { WindowHost } from './window-host.ts'

const WORLD = 'electron-preload'
/** The only origin of the app's pages. */
const APP_ORIGIN = 'app://station'

export type ChromiumWindow = {
  readonly page: Page
  finishDownload(download: number, path: string | null): Promise<void>
  load(address: string): Promise<void>
  reload(): Promise<void>
  send(channel: string, parameters: readonly unknown[]): Promise<void>
  crash(): void
  close(): Promise<void>
}

/** Opens a page for a window. A page that has crashed is of no use any more: another is opened in its place. */
export async function openChromiumWindow(
  context: BrowserContext,
  host: WindowHost,
  given: {
    readonly window: number
    readonly width: number
    readonly height: number
    readonly preload: string | null
  },
): Promise<ChromiumWindow> {
  const { window } = given
  const page = await context.newPage()
  await page.setViewportSize({ width: given.width, height: given.height })
  const cdp = await context.newCDPSession(page)
  const names: WorldNames = {
    toPage: `to-page-${randomUUID()}`,
    toPreload: `to-preload-${randomUUID()}`,
    tell: `tell_${randomUUID().replaceAll('-', '')}`,
    hear: `hear_${randomUUID().replaceAll('-', '')}`,
    origin: APP_ORIGIN,
  }
  let preloadContext: number | null = null
  const { frameTree } = await cdp.send('Page.getFrameTree')
  const mainFrame = frameTree.frame.id

  const inPreloadWorld = async (method: 'answer' | 'message', ...parameters: unknown[]): Promise<void> => {
    const contextId = preloadContext
    if (contextId === null) return
    const call = parameters
      .map((word) => (word === undefined ? 'undefined' : JSON.stringify(word)))
      .join(', ')
    const expression = `globalThis[${JSON.stringify(names.hear)}].${method}(${call})`
    // A page that has gone on meanwhile hears nothing, as in Electron.
    await cdp.send('Runtime.evaluate', { expression, contextId }).catch(() => undefined)
  }

  const take = async (message: FromPreload): Promise<void> => {
    switch (message.kind) {
      case 'unknown':
        return host.unknown(message.member)
      case 'preloadFailed':
        return host.unknown(`preload that loads: ${message.reason}`)
      case 'send':
        return host.send(
          frameAt(message.address),
          message.channel,
          JSON.parse(message.parameters) as unknown[],
        )
      case 'invoke': {
        const { channel, number } = message
        try {
          const parameters = JSON.parse(message.parameters) as unknown[]
          const value = await host.ask({
            kind: 'invoke',
            window,
            frame: frameAt(message.address),
            channel,
            parameters,
          })
          await inPreloadWorld('answer', number, true, carried(value, host), channel)
        } catch (error) {
          await inPreloadWorld(
            'answer',
            number,
            false,
            error instanceof Error ? error.message : String(error),
            channel,
          )
        }
      }
    }
  }
  const frameAt = (address: string): Frame => ({ url: host.toApp(address), isMainFrame: true })

  await cdp.send('Page.enable')
  await cdp.send('Runtime.enable')
  cdp.on('Runtime.executionContextCreated', ({ context: made }) => {
    const { frameId } = (made.auxData ?? {}) as { readonly frameId?: string }
    if (made.name === WORLD && frameId === mainFrame) preloadContext = made.id
  })
  cdp.on('Runtime.executionContextDestroyed', ({ executionContextId }) => {
    if (executionContextId === preloadContext) preloadContext = null
  })
  cdp.on('Runtime.executionContextsCleared', () => {
    preloadContext = null
  })
  cdp.on('Runtime.bindingCalled', ({ name, payload }) => {
    if (name === names.tell) void take(JSON.parse(payload) as FromPreload)
  })
  if (given.preload !== null) {
    await cdp.send('Runtime.addBinding', { name: names.tell, executionContextName: WORLD })
    const preload = readFileSync(given.preload, 'utf8')
    // Frames inside get no preload: `nodeIntegrationInSubFrames` is off.
    await cdp.send('Page.addScriptToEvaluateOnNewDocument', {
      source: `if (window === window.top) (${inPage.toString()})(${JSON.stringify(names)}, ${makeCrossing.toString()})`,
    })
    await cdp.send('Page.addScriptToEvaluateOnNewDocument', {
      worldName: WORLD,
      source: `if (window === window.top && location.protocol !== 'about:') (${inPreload.toString()})(${JSON.stringify(names)}, ${makeCrossing.toString()}, (require, module, exports, process) => {${preload}\n})`,
    })
  }
  const navigation = await guardNavigation(cdp, mainFrame, window, host)
  cdp.on('Page.windowOpen', ({ url, windowName, windowFeatures }) => {
    void host
      .ask({
        kind: 'mayOpen',
        window,
        url: host.toApp(url),
        frameName: windowName,
        features: windowFeatures.join(),
      })
      .then((action) => (action === 'allow' ? host.unknown('second window that a page opens') : undefined))
      .catch(() => undefined)
  })
  page.on('popup', (popup) => void popup.close().catch(() => undefined))
  const downloads: Download[] = []
  page.on('download', (download) => {
    const number = downloads.push(download) - 1
    // An address that a page made itself has its origin inside.
    const url = download
      .url()
      .replace(/^(blob:)?(.*)$/, (_all, blob = '', address: string) => blob + host.toApp(address))
    const fileName = download.suggestedFilename()
    void host.ask({ kind: 'download', window, download: number, url, fileName }).catch(() => undefined)
  })
  page.on('crash', () => host.tell({ kind: 'crashed' }))
  page.on('load', () => {
    host.tell({ kind: 'loaded' })
    host.tell({ kind: 'firstPaint' })
  })

  return {
    page,
    async load(address) {
      await navigation.byTheApp(() => page.goto(host.toBrowser(address), { waitUntil: 'load' }))
    },
    async reload() {
      await navigation.byTheApp(() => page.reload({ waitUntil: 'load' }))
    },
    send: (channel, parameters) => inPreloadWorld('message', channel, carried(parameters, host)),
    async finishDownload(number, path) {
      if (path === null) await downloads[number]?.cancel()
      else await downloads[number]?.saveAs(path)
    },
    crash: () => void cdp.send('Page.crash').catch(() => undefined),
    close: () => page.close().catch(() => undefined),
  }
}

/** What goes over the wire as text must come out the same; anything else is refused by name. */
function carried(value: unknown, host: WindowHost): unknown {
  const isPlain = (part: unknown): boolean => {
    if (typeof part === 'bigint') return false
    if (typeof part !== 'object' || part === null) return true
    if (Array.isArray(part)) return part.every(isPlain)
    return Object.getPrototypeOf(part) === Object.prototype && Object.values(part).every(isPlain)
  }
  if (!isPlain(value)) host.unknown('way to carry such a value to a page')
  return value
}
