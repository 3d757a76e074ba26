/** The windows of a running app, each a page of one context in Chromium. */
import type { BrowserContext, Page } from 'playwright-core'
import type { Question, ToApp, WindowOrder } from './app/messages.ts'
import { openChromiumWindow, type ChromiumWindow } from './chromium-window.ts'
import type { WindowHost } from './window-host.ts'

/** Electron's name of a permission → the browser's. What is not here cannot be granted from outside. */
const PERMISSIONS: Readonly<Record<string, readonly string[]>> = {
  'clipboard-read': ['clipboard-read'],
  'clipboard-sanitized-write': ['clipboard-write'],
  geolocation: ['geolocation'],
  media: ['camera', 'microphone'],
  midi: ['midi'],
  notifications: ['notifications'],
  'storage-access': ['storage-access'],
}

type Wire = {
  readonly ask: (question: Question) => Promise<unknown>
  readonly tell: (message: ToApp) => void
  readonly unknown: (member: string) => void
  readonly onOpened: () => void
}

export type AppWindows = {
  setScheme(name: string, port: number): void
  firstPage(): Page | null
  obey(order: WindowOrder): Promise<unknown>
}

/** Windows that nobody sees: all that they are told is done at once. */
export function windowsUnseen(wire: Wire): AppWindows {
  return {
    setScheme: () => undefined,
    firstPage: () => null,
    async obey(order) {
      if (order.kind !== 'load') return
      for (const kind of ['loaded', 'firstPaint'] as const)
        wire.tell({ kind: 'pageEvent', window: order.window, event: { kind } })
    },
  }
}

/** The windows of one app, in the order in which they were made. */
export function appWindows(context: BrowserContext, wire: Wire): AppWindows {
  type Opening = Extract<WindowOrder, { kind: 'open' }>
  type Kept = {
    readonly given: Opening
    opening: Promise<ChromiumWindow>
    address: string
    page: Page | null
    isCrashed: boolean
  }
  const windows = new Map<number, Kept>()
  const scheme = Promise.withResolvers<{ readonly app: string; readonly browser: string }>()
  let origins: { readonly app: string; readonly browser: string } | null = null

  const swap = (address: string, from: string | undefined, to: string | undefined): string =>
    from !== undefined && to !== undefined && (address === from || address.startsWith(`${from}/`))
      ? to + address.slice(from.length)
      : address
  const hostOf = (window: number): WindowHost => ({
    ask: wire.ask,
    tell: (event) => wire.tell({ kind: 'pageEvent', window, event }),
    send: (frame, channel, parameters) => wire.tell({ kind: 'message', window, frame, channel, parameters }),
    unknown: wire.unknown,
    toBrowser: (address) => swap(address, origins?.app, origins?.browser),
    toApp: (address) => swap(address, origins?.browser, origins?.app),
  })
  const kept = (window: number): Kept => {
    const found = windows.get(window)
    if (!found) throw new Error('this window is not there any more')
    return found
  }
  /** A page that crashed does not come back; another one takes its place. */
  const renew = async (window: number): Promise<void> => {
    const one = kept(window)
    const old = await one.opening
    one.page = null
    one.isCrashed = false
    await old.close()
    one.opening = openChromiumWindow(context, hostOf(window), one.given)
  }
  const load = async (window: number, address: string): Promise<void> => {
    const one = kept(window)
    if (one.isCrashed) await renew(window)
    one.address = address
    const opened = await one.opening
    await scheme.promise
    await opened.load(address)
    one.page = opened.page
    wire.onOpened()
  }
  return {
    setScheme(name: string, port: number) {
      origins = { app: `${name}://station`, browser: `http://station.localhost:${port}` }
      scheme.resolve(origins)
    },
    firstPage: (): Page | null => [...windows.values()].find(({ page }) => page !== null)?.page ?? null,
    async obey(order: WindowOrder): Promise<unknown> {
      switch (order.kind) {
        case 'open': {
          const opening = openChromiumWindow(context, hostOf(order.window), order)
          windows.set(order.window, {
            given: order,
            opening,
            address: 'about:blank',
            page: null,
            isCrashed: false,
          })
          await opening
          return null
        }
        case 'load':
          return await load(order.window, order.url)
        case 'reload':
          await renew(order.window)
          return await load(order.window, kept(order.window).address)
        case 'destroy': {
          const one = kept(order.window)
          windows.delete(order.window)
          await (await one.opening).close()
          return null
        }
        case 'send':
          return await (await kept(order.window).opening).send(order.channel, order.parameters)
        case 'evaluate':
          return await (await kept(order.window).opening).page.evaluate(order.code)
        case 'crash': {
          const one = kept(order.window)
          one.page = null
          one.isCrashed = true
          return (await one.opening).crash()
        }
        case 'finishDownload':
          return await (await kept(order.window).opening).finishDownload(order.download, order.path)
        case 'dark':
          for (const { opening } of windows.values())
            await (await opening).page.emulateMedia({ colorScheme: order.isDark ? 'dark' : 'light' })
          return null
        case 'permissions': {
          const { browser: origin } = await scheme.promise
          await context.grantPermissions(
            order.granted.flatMap((name) => PERMISSIONS[name] ?? []),
            { origin },
          )
          return null
        }
      }
    },
  }
}
