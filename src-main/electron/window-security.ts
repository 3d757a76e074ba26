/** What pages may not do. Install the guards before the first window is created. */
import { errorName } from '../station/lib/errors.ts'
import { basename, dirname, join } from 'node:path'
import { app, session, type Session, shell, type WebContents } from 'electron'
import { calls } from '../../src-shared/contract.ts'
import type { Result } from '../../src-shared/failure.ts'
import type { Logger } from '../station/ports.ts'
import { isAppAddress, isScreenAddress, readAppAddress } from './app-protocol.ts'
import type { Emitter } from './ports.ts'
import type { HostTexts } from './texts.ts'

export type DownloadItem = Pick<
  Electron.DownloadItem,
  'getURL' | 'getFilename' | 'getSavePath' | 'setSaveDialogOptions'
> & { once(event: 'done', listener: (event: unknown, state: string) => void): unknown }

export type DownloadingSession = {
  on(
    event: 'will-download',
    listener: (event: { preventDefault(): void }, item: DownloadItem) => void,
  ): unknown
}

/** Only files composed by our own page: another address would be fetched outside the station. */
export function maySave(address: string): boolean {
  return address.startsWith('blob:') && isAppAddress(address.slice('blob:'.length))
}

/** Asks where to save each file; without a path the system would choose. */
export function offerDownloads(session: DownloadingSession, firstFolder: string): void {
  let folder = firstFolder
  session.on('will-download', (event, item) => {
    if (!maySave(item.getURL())) return event.preventDefault()
    item.setSaveDialogOptions({ defaultPath: join(folder, basename(item.getFilename())) })
    item.once('done', (_event, state) => {
      if (state === 'completed') folder = dirname(item.getSavePath())
    })
  })
}

type CallAnswerer = (name: string, input: unknown) => Promise<Result<unknown>>

/** The most addresses remembered; the oldest is dropped and can be shown again. */
const MAX_REMEMBERED = 100

/** The address if a browser may open it: https, without credentials. Null for everything else. */
export function safeHttpsAddress(text: string): string | null {
  const url = URL.parse(text.trim())
  if (url?.protocol !== 'https:' || url.username !== '' || url.password !== '') return null
  return url.href
}

/**
 * The only way from the window to the web: a report that is a link, which a person opens in the browser.
 * `openExternal` can start programs, so it gets only https addresses that the station has just shown as a report.
 */
export function createOutsideLinks(options: {
  readonly openExternal: (address: string) => Promise<void>
  readonly logger: Logger
}) {
  const shown = new Set<string>()
  const remember = (address: string): void => {
    shown.delete(address)
    shown.add(address)
    const [oldest] = shown
    if (shown.size > MAX_REMEMBERED && oldest !== undefined) shown.delete(oldest)
  }
  return {
    remembering:
      (answer: CallAnswerer): CallAnswerer =>
      async (name, input) => {
        const result = await answer(name, input)
        if (name === 'reports.get' && result.ok)
          for (const address of linksIn(result.value)) remember(address)
        return result
      },
    /** Opens the address if it was shown; otherwise refuses and logs that without the address. */
    openIfShown(address: string): void {
      const allowed = safeHttpsAddress(address)
      if (allowed === null || !shown.has(allowed))
        return options.logger.warn('a page wanted an address that was not shown; it was not opened')
      options
        .openExternal(allowed)
        .catch((error: unknown) =>
          options.logger.warn('the system could not open an address', { error: errorName(error) }),
        )
    },
  }
}

function linksIn(value: unknown): string[] {
  const report = calls['reports.get'].output.safeParse(value).data
  return (report?.versions ?? []).flatMap(({ kind, text }) => {
    const address = kind === 'link' && text !== undefined ? safeHttpsAddress(text) : null
    return address === null ? [] : [address]
  })
}

/** Permissions of the pages: images may fill the screen, and ids may be copied; the clipboard cannot be read. */
const GRANTED_PERMISSIONS: readonly string[] = ['fullscreen', 'clipboard-sanitized-write']

/** Electron's description of the requester. */
export type PermissionRequest = { readonly isMainFrame: boolean; readonly requestingUrl?: string }

export function mayUse(permission: string, { isMainFrame, requestingUrl }: PermissionRequest): boolean {
  if (!isMainFrame || requestingUrl === undefined) return false
  return GRANTED_PERMISSIONS.includes(permission) && isScreenAddress(requestingUrl)
}

type GuardedSession = Pick<
  Session,
  | 'setDevicePermissionHandler'
  | 'setPermissionCheckHandler'
  | 'setPermissionRequestHandler'
  | 'setSpellCheckerEnabled'
>

/**
 * Denies what the screens do not need: devices, location, notifications, screen capture (by having no handler). Writing
 * to the clipboard is checked first and requested afterwards, so both handlers allow it.
 */
export function guardSession(session: GuardedSession): void {
  session.setPermissionRequestHandler((_contents, permission, answer, request) =>
    answer(mayUse(permission, request)),
  )
  session.setPermissionCheckHandler((_contents, permission, _origin, request) => mayUse(permission, request))
  session.setDevicePermissionHandler(() => false)
  // It would download dictionaries from a third party, and the text typed here is about patients.
  session.setSpellCheckerEnabled(false)
}

/** May a page load this address? Only our own scheme and the page's own data; never the network or the disk. */
export function mayLoad(address: string): boolean {
  const protocol = URL.parse(address)?.protocol
  if (protocol === 'blob:' || protocol === 'data:' || protocol === 'devtools:') return true
  return isAppAddress(address)
}

type RequestListener = (
  details: { readonly url: string },
  answer: (response: { readonly cancel: boolean }) => void,
) => void

/** Blocks the network for every page, in addition to the content security policies, which do not cover everything. */
export function closeNetwork(session: {
  readonly webRequest: { onBeforeRequest(listener: RequestListener): void }
}): void {
  session.webRequest.onBeforeRequest(({ url }, answer) => answer({ cancel: !mayLoad(url) }))
}

/** The main frame may only load the screens' page again. Inner frames show reports and never navigate. */
export function mayNavigate(address: string, isMainFrame: boolean): boolean {
  if (!isMainFrame) return address === 'about:srcdoc' || address === 'about:blank'
  const read = readAppAddress(address)
  return read?.kind === 'screen' && read.path === 'index.html'
}

type GuardedContents = Pick<WebContents, 'on' | 'setWindowOpenHandler'>

type Navigation = { readonly url: string; readonly isMainFrame: boolean; preventDefault(): void }

function guardNavigation(event: Navigation): void {
  if (!mayNavigate(event.url, event.isMainFrame)) event.preventDefault()
}

/** Guards every web contents from its creation, including ones that a later change or Electron itself opens. */
export function guardAllContents(
  app: Emitter<'web-contents-created'>,
  onOpenRequest: (address: string) => void,
): void {
  app.on('web-contents-created', (_event, contents: GuardedContents) => {
    contents.on('will-frame-navigate', guardNavigation)
    contents.on('will-redirect', guardNavigation)
    contents.on('will-attach-webview', (event) => event.preventDefault())
    // Electron does not ask the user if a page refuses to unload: the page would stay, and "Reload" would do nothing.
    contents.on('will-prevent-unload', (event) => event.preventDefault())
    contents.setWindowOpenHandler(({ url }) => {
      onOpenRequest(url)
      return { action: 'deny' }
    })
  })
}

export function installGuards(logger: Logger): ReturnType<typeof createOutsideLinks> {
  const outside = createOutsideLinks({
    openExternal: (address) => shell.openExternal(address),
    logger,
  })
  guardAllContents(app, (address) => outside.openIfShown(address))
  guardSession(session.defaultSession)
  // During development the screens come from Vite's server.
  if (app.isPackaged || process.env['ELECTRON_RENDERER_URL'] === undefined)
    closeNetwork(session.defaultSession)
  offerDownloads(session.defaultSession, documentsFolder())
  return outside
}

/** Electron throws if the system has no such folder, for example if it is on an unavailable share. */
function documentsFolder(): string {
  try {
    return app.getPath('documents')
  } catch (error) {
    if (!(error instanceof Error)) throw error
    return app.getPath('home')
  }
}

/**
 * Switches of Chromium that open the window to other programs, or lead its pages elsewhere (`content_switches.cc`). Written with
 * blanks, because a check searches the built code for them: nothing may ever set one.
 */
const OPENING_SWITCHES = [
  'remote debugging port',
  'remote debugging pipe',
  'remote debugging io pipes',
  'remote allow origins',
  'disable web security',
  'allow running insecure content',
  'ignore certificate errors',
  'ignore certificate errors spki list',
  'host rules',
  'host resolver rules',
  'proxy server',
  'proxy pac url',
  'log net log',
  'ssl key log file',
  'load extension',
  'renderer cmd prefix',
  'utility cmd prefix',
  'gpu launcher',
  'js flags',
]

/** The name of a switch, from how it is spelled here. */
const nameOf = (spelled: string): string => spelled.replaceAll(' ', '-')

/** Throws, with a sentence for a person, if an installed app was started without its sandbox or open to other programs. */
export function refuseUnsafeStart(
  app: { readonly isPackaged: boolean; readonly commandLine: { hasSwitch(name: string): boolean } },
  { t }: HostTexts,
): void {
  // A developer may have to run an unpackaged app as root in a container, and debugs it.
  if (!app.isPackaged) return
  const isSet = (spelled: string): boolean => app.commandLine.hasSwitch(nameOf(spelled))
  if (isSet('no sandbox')) throw new Error(t('life.noSandbox'))
  const opening = OPENING_SWITCHES.find(isSet)
  if (opening !== undefined) throw new Error(t('life.openingSwitch', { option: `--${nameOf(opening)}` }))
}
