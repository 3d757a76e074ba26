/** The windows of a running app: pages of one context in Chromium, each with its preload. */
import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { BrowserContext, Page } from 'playwright-core'
import type { PageEvent, Question, WindowOrder } from './app/messages.ts'
import { guardNavigation } from './guard-navigation.ts'

/** Electron's name of a permission → the browser's. Others cannot be granted from outside. */
const PERMISSIONS: Readonly<Record<string, readonly string[]>> = {
  'clipboard-read': ['clipboard-read'],
  'clipboard-sanitized-write': ['clipboard-write'],
  geolocation: ['geolocation'],
  media: ['camera', 'microphone'],
  midi: ['midi'],
  notifications: ['notifications'],
  'storage-access': ['storage-access'],
}

const APP_ORIGIN = 'app://station'

/** The running app. */
export type AppLink = {
  /** Asks the app; rejects if it is gone. */
  ask(question: Question): Promise<unknown>
  emit(window: number, event: PageEvent): void
  /** Something that the fake does not have. */
  unknown(member: string): void
  onOpened(): void
}

export type AppWindows = {
  setScheme(port: number): void
  firstPage(): Page | null
  run(order: WindowOrder): Promise<unknown>
  /** No page is being set up any more: one that is closed meanwhile fails the browser's driver. */
  settled(): Promise<unknown>
}

/** Windows without pages: each order is done at once. */
export function windowsWithoutPages(link: AppLink): AppWindows {
  return {
    setScheme: () => undefined,
    firstPage: () => null,
    async run(order) {
      if (order.kind === 'load') link.emit(order.window, 'loaded')
    },
    settled: () => Promise.resolve(),
  }
}

/** The addresses of the app's scheme, and of the server that takes its place in the browser. */
type Addresses = { toApp(address: string): string; toBrowser(address: string): string }

type Opening = Extract<WindowOrder, { kind: 'open' }>
type OpenPage = Awaited<ReturnType<typeof openPage>>

export function chromiumWindows(context: BrowserContext, link: AppLink): AppWindows {
  const windows = new Map<
    number,
    {
      readonly opening: Opening
      opened: Promise<OpenPage>
      address: string
      page: Page | null
      isCrashed: boolean
    }
  >()
  const scheme = Promise.withResolvers<string>()
  let browserOrigin: string | null = null
  const swap = (address: string, from: string | null, to: string | null): string =>
    from !== null && to !== null && (address === from || address.startsWith(`${from}/`))
      ? to + address.slice(from.length)
      : address
  const addresses: Addresses = {
    toApp: (address) => swap(address, browserOrigin, APP_ORIGIN),
    toBrowser: (address) => swap(address, APP_ORIGIN, browserOrigin),
  }

  const windowOf = (id: number) => {
    const found = windows.get(id)
    if (!found) throw new Error('this window is not there any more')
    return found
  }
  /** A page that crashed does not come back; another takes its place. */
  const load = async (id: number, address: string, isRenewed: boolean): Promise<void> => {
    const window = windowOf(id)
    if (isRenewed || window.isCrashed) {
      const old = await window.opened
      window.page = null
      window.isCrashed = false
      await old.page.close().catch(() => undefined)
      window.opened = openPage(context, link, addresses, window.opening)
    }
    window.address = address
    const opened = await window.opened
    await scheme.promise
    await opened.load(address)
    window.page = opened.page
    link.onOpened()
  }
  return {
    setScheme(port) {
      browserOrigin = `http://station.localhost:${port}`
      scheme.resolve(browserOrigin)
    },
    firstPage: () => [...windows.values()].find(({ page }) => page !== null)?.page ?? null,
    settled: () => Promise.allSettled([...windows.values()].map(({ opened }) => opened)),
    async run(order) {
      switch (order.kind) {
        case 'open': {
          const opened = openPage(context, link, addresses, order)
          windows.set(order.window, {
            opening: order,
            opened,
            address: 'about:blank',
            page: null,
            isCrashed: false,
          })
          return void (await opened)
        }
        case 'load':
          return await load(order.window, order.url, false)
        case 'reload':
          return await load(order.window, windowOf(order.window).address, true)
        case 'destroy': {
          const { opened } = windowOf(order.window)
          windows.delete(order.window)
          return await (await opened).page.close().catch(() => undefined)
        }
        case 'send':
          return await (await windowOf(order.window).opened).send(order.channel, order.parameters)
        case 'crash': {
          const window = windowOf(order.window)
          window.page = null
          window.isCrashed = true
          return (await window.opened).crash()
        }
        case 'permissions': {
          const permissions = order.granted.flatMap((name) => PERMISSIONS[name] ?? [])
          return await context.grantPermissions(permissions, { origin: await scheme.promise })
        }
      }
    },
  }
}

async function openPage(
  context: BrowserContext,
  link: AppLink,
  addresses: Addresses,
  { window, width, height, preload }: Opening,
) {
  const page = await context.newPage()
  await page.setViewportSize({ width, height })
  const cdp = await context.newCDPSession(page)
  await cdp.send('Page.enable')
  const { frameTree } = await cdp.send('Page.getFrameTree')
  const names = {
    invoke: `invoke_${randomUUID().replaceAll('-', '')}`,
    emit: `emit_${randomUUID().replaceAll('-', '')}`,
    origin: APP_ORIGIN,
  }
  if (preload !== null) {
    await page.exposeFunction(
      names.invoke,
      async (address: string, channel: string, parameters: unknown[]) => {
        const frame = { url: addresses.toApp(address), isMainFrame: true }
        try {
          return await link.ask({ kind: 'invoke', window, frame, channel, parameters })
        } catch (error) {
          throw new Error(`Error invoking remote method '${channel}': ${String(error)}`, { cause: error })
        }
      },
    )
    const code = readFileSync(preload, 'utf8')
    // Frames inside get no preload: `nodeIntegrationInSubFrames` is off.
    await page.addInitScript({
      content: `if (window === window.top && location.protocol !== 'about:') (${runPreload.toString()})(${JSON.stringify(names)}, (require, module, exports, process) => {${code}\n})`,
    })
  }
  const navigation = await guardNavigation(cdp, frameTree.frame.id, {
    toApp: (address) => addresses.toApp(address),
    mayNavigate: (url, isMainFrame, isRedirect) =>
      link.ask({ kind: 'mayNavigate', window, url, isMainFrame, isRedirect }),
    mayRequest: (url) => link.ask({ kind: 'mayRequest', url }),
  })
  cdp.on('Page.windowOpen', ({ url }) => {
    void link
      .ask({ kind: 'mayOpen', window, url: addresses.toApp(url) })
      .then((action) => (action === 'allow' ? link.unknown('second window that a page opens') : undefined))
      .catch(() => undefined)
  })
  page.on('popup', (popup) => void popup.close().catch(() => undefined))
  page.on('crash', () => link.emit(window, 'crashed'))
  page.on('load', () => link.emit(window, 'loaded'))

  return {
    page,
    load: (address: string) =>
      navigation.byTheApp(() => page.goto(addresses.toBrowser(address), { waitUntil: 'load' })),
    async send(channel: string, parameters: readonly unknown[]) {
      const message = [names.emit, channel, parameters] as const
      // A page that navigates meanwhile receives nothing, as in Electron.
      await page.evaluate(emitInPage, message).catch(() => undefined)
    },
    crash: () => void cdp.send('Page.crash').catch(() => undefined),
  }
}

/** Runs in the page. */
function emitInPage([name, channel, parameters]: readonly [string, string, readonly unknown[]]): void {
  const page = window as unknown as Record<string, (channel: string, parameters: readonly unknown[]) => void>
  page[name]?.(channel, parameters)
}

/**
 * Runs in the page before its own scripts, and knows nothing from outside of itself: runs the preload with the little
 * that a sandboxed one may require. The page sees only what the preload exposes, and can neither replace nor change it.
 */
function runPreload(
  names: { readonly invoke: string; readonly emit: string; readonly origin: string },
  preload: (require: (name: string) => unknown, module: object, exports: object, process: object) => void,
): void {
  type Listener = (event: object, ...parameters: unknown[]) => void
  const listeners = new Map<string, Set<Listener>>()
  const page = window as unknown as Record<string, (...parameters: unknown[]) => unknown>
  const invoke = page[names.invoke]
  Object.defineProperty(window, names.emit, {
    value: (channel: string, parameters: unknown[]) => {
      for (const listener of listeners.get(channel) ?? []) listener({ sender: {} }, ...parameters)
    },
  })
  /** An address of the app's scheme has another name in the browser. */
  const toBrowser = (value: unknown): unknown =>
    typeof value === 'string' && value.startsWith(`${names.origin}/`)
      ? location.origin + value.slice(names.origin.length)
      : value
  const electron = {
    ipcRenderer: {
      invoke: async (channel: string, ...parameters: unknown[]) =>
        invoke?.(location.href, channel, structuredClone(parameters)),
      on: (channel: string, listener: Listener) =>
        void listeners.set(channel, (listeners.get(channel) ?? new Set()).add(listener)),
      removeListener: (channel: string, listener: Listener) => void listeners.get(channel)?.delete(listener),
    },
    contextBridge: {
      exposeInMainWorld: (key: string, bridge: Record<string, (...parameters: unknown[]) => unknown>) => {
        const functions = Object.entries(bridge).map(
          ([name, run]) => [name, (...parameters: unknown[]) => toBrowser(run(...parameters))] as const,
        )
        Object.defineProperty(window, key, {
          value: Object.freeze(Object.fromEntries(functions)),
          enumerable: true,
        })
      },
    },
  }
  const require = (name: string): unknown => {
    if (name !== 'electron') throw new Error(`module not found: ${name}`)
    return electron
  }
  const module = { exports: {} }
  preload(require, module, module.exports, { sandboxed: true, contextIsolated: true, type: 'renderer' })
}
