/** Puts every guard in its place; must be called before the first window is made. */
import { basename, dirname, join } from 'node:path'
import { app, session, type Session, shell, type WebContents } from 'electron'
import { calls } from '../../src-shared/contract.ts'
import type { Result } from '../../src-shared/failure.ts'
import type { Logger } from '../station/ports.ts'
import { isAppAddress, isScreenAddress, readAppAddress } from './app-address.ts'
import type { HostLanguage } from './texts.ts'

// Files that the screens hand to a person: a report, a list, the diagnostics. Nothing else is ever saved.

/** The part of a download that is needed. */
export type DownloadItem = {
  getURL(): string
  getFilename(): string
  getSavePath(): string
  setSaveDialogOptions(options: { readonly defaultPath: string }): void
  once(event: 'done', listener: (event: unknown, state: string) => void): unknown
}

/** The part of a session that is needed. */
export type DownloadingSession = {
  on(
    event: 'will-download',
    listener: (event: { preventDefault(): void }, item: DownloadItem) => void,
  ): unknown
}

/** Only what our own page has put together: an address of the service would be fetched outside of the station. */
export function maySave(address: string): boolean {
  return address.startsWith('blob:') && isAppAddress(address.slice('blob:'.length))
}

/** A person chooses where each file goes, beginning where the last one went; without a path the system would choose. */
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

// The one way from the window into the world: a report that is an address, which a person wants to see in the
// browser. `openExternal` starts programs, so it gets nothing but an https address that the station itself has just
// shown as a report.

type CallAnswerer = (name: string, input: unknown) => Promise<Result<unknown>>

/** More than this are not looked at one after the other; the oldest is forgotten and can be shown again. */
const MAX_REMEMBERED = 100

/** The address as a browser may get it: over https, without a sign-in in it; null for everything else. */
export function safeHttpsAddress(text: string): string | null {
  const url = URL.parse(text.trim())
  if (url?.protocol !== 'https:' || url.username !== '' || url.password !== '') return null
  return url.href
}

type OutsideLinks = {
  /** Answers as before, and remembers which addresses were shown. */
  remembering(answer: CallAnswerer): CallAnswerer
  /** A page wants this address opened: done where it was shown, else refused and told without the address. */
  openIfShown(address: string): void
}

export function createOutsideLinks(options: {
  readonly openExternal: (address: string) => Promise<void>
  readonly logger: Logger
}): OutsideLinks {
  const shown = new Set<string>()
  const remember = (address: string): void => {
    shown.delete(address)
    shown.add(address)
    const [oldest] = shown
    if (shown.size > MAX_REMEMBERED && oldest !== undefined) shown.delete(oldest)
  }
  return {
    remembering: (answer) => async (name, input) => {
      const result = await answer(name, input)
      if (name === 'reports.get' && result.ok) for (const address of linksIn(result.value)) remember(address)
      return result
    },
    openIfShown(address) {
      const allowed = safeHttpsAddress(address)
      if (allowed === null || !shown.has(allowed))
        return options.logger.warn('a page wanted an address that was not shown; it was not opened')
      options.openExternal(allowed).catch((error: unknown) =>
        options.logger.warn('the system could not open an address', {
          error: error instanceof Error ? error.name : 'unknown',
        }),
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

// What the pages of a session may never have, whatever they ask for: devices, permissions, a network.

/** Images may fill the screen, and an id may be copied to the clipboard; nothing can be read from there. */
const GRANTED_PERMISSIONS: readonly string[] = ['fullscreen', 'clipboard-sanitized-write']

/** Who asks, in the words of Electron. */
export type PermissionRequest = { readonly isMainFrame: boolean; readonly requestingUrl?: string }

export function mayUse(permission: string, { isMainFrame, requestingUrl }: PermissionRequest): boolean {
  if (!isMainFrame || requestingUrl === undefined) return false
  return GRANTED_PERMISSIONS.includes(permission) && isScreenAddress(requestingUrl)
}

/** The part of a session that is needed. */
type GuardedSession = Pick<
  Session,
  | 'setDevicePermissionHandler'
  | 'setPermissionCheckHandler'
  | 'setPermissionRequestHandler'
  | 'setSpellCheckerEnabled'
>

/**
 * Denies what the screens do not need: camera, microphone, position, devices, notices of their own, capture of the
 * screen (which nobody grants, because no handler for it is set). A write to the clipboard is checked first and asked
 * for afterwards, so both handlers must know it.
 */
export function guardSession(session: GuardedSession): void {
  session.setPermissionRequestHandler((_contents, permission, answer, request) =>
    answer(mayUse(permission, request)),
  )
  session.setPermissionCheckHandler((_contents, permission, _origin, request) => mayUse(permission, request))
  session.setDevicePermissionHandler(() => false)
  // It would fetch dictionaries from a stranger, and what is typed here is about patients.
  session.setSpellCheckerEnabled(false)
}

/** May a page load from this address? Our own scheme, and what the page itself holds; never a network, never the disk. */
export function mayLoad(address: string): boolean {
  const protocol = URL.parse(address)?.protocol
  if (protocol === 'blob:' || protocol === 'data:' || protocol === 'devtools:') return true
  return isAppAddress(address)
}

type NetworkSession = {
  readonly webRequest: {
    onBeforeRequest(
      listener: (
        details: { readonly url: string },
        answer: (response: { readonly cancel: boolean }) => void,
      ) => void,
    ): void
  }
}

/** Takes the network away from every page: behind the policy of the pages, for what a policy does not reach. */
export function closeNetwork(session: NetworkSession): void {
  session.webRequest.onBeforeRequest(({ url }, answer) => answer({ cancel: !mayLoad(url) }))
}

// What a page may never do, whatever it shows: leave, open windows, embed others.

/**
 * May a frame go to this address? The main frame only to the screens' own page, which is how a page reloads itself.
 * Frames inside show reports, which the screens write into them: they never go anywhere.
 */
export function mayNavigate(address: string, isMainFrame: boolean): boolean {
  if (!isMainFrame) return address === 'about:srcdoc' || address === 'about:blank'
  const read = readAppAddress(address)
  return read?.kind === 'screen' && read.path === 'index.html'
}

/** The part of `app` that is needed. */
type ContentsSource = {
  on(event: 'web-contents-created', listener: (event: unknown, contents: GuardedContents) => void): unknown
}

type GuardedContents = Pick<WebContents, 'on' | 'setWindowOpenHandler'>

/** Guards everything that can show a page, from its beginning: also what a later change, or Electron itself, opens. */
export function guardAllContents(app: ContentsSource, onOpenRequest: (address: string) => void): void {
  app.on('web-contents-created', (_event, contents) => guardContents(contents, onOpenRequest))
}

function guardContents(contents: GuardedContents, onOpenRequest: (address: string) => void): void {
  contents.on('will-frame-navigate', (event) => {
    if (!mayNavigate(event.url, event.isMainFrame)) event.preventDefault()
  })
  contents.on('will-redirect', (event) => {
    if (!mayNavigate(event.url, event.isMainFrame)) event.preventDefault()
  })
  contents.on('will-attach-webview', (event) => event.preventDefault())
  // Electron asks nobody where a page would rather stay: it stays, and a person presses "Reload" in vain.
  contents.on('will-prevent-unload', (event) => event.preventDefault())
  contents.setWindowOpenHandler(({ url }) => {
    onOpenRequest(url)
    return { action: 'deny' }
  })
}

export function installGuards(logger: Logger): OutsideLinks {
  const outside = createOutsideLinks({
    openExternal: (address) => shell.openExternal(address),
    logger,
  })
  guardAllContents(app, (address) => outside.openIfShown(address))
  guardSession(session.defaultSession)
  // A developer's screens come from a server of their own.
  if (app.isPackaged || process.env['ELECTRON_RENDERER_URL'] === undefined)
    closeNetwork(session.defaultSession)
  offerDownloads(session.defaultSession, documentsFolder())
  return outside
}

/** Electron throws where the system knows no such folder, as for accounts whose folders lie on a share that is away. */
function documentsFolder(): string {
  try {
    return app.getPath('documents')
  } catch (error) {
    if (!(error instanceof Error)) throw error
    return app.getPath('home')
  }
}

// The app does not run without Chromium's sandbox, whatever a shortcut or a system that restricts namespaces asks for.

/** Spelled apart: the built code is searched for the word, because nothing in it may ever set this switch. */
const SANDBOX_SWITCH = ['no', 'sandbox'].join('-')

/** The part of `app` that is needed. */
type StartedApp = {
  readonly isPackaged: boolean
  readonly commandLine: { hasSwitch(name: string): boolean }
}

const SANDBOX_MESSAGES: Readonly<Record<HostLanguage, string>> = {
  en: 'This system does not let Fundus Courier run in its sandbox, so it was not started. Nothing was sent, and nothing was changed. Install it with the deb package, which brings what the sandbox needs, or ask your administrator.',
  es: 'Este sistema no permite que Fundus Courier funcione en su entorno aislado, por lo que no se inició. No se envió nada y no se cambió nada. Instálelo con el paquete deb, que trae lo que el entorno aislado necesita, o pregunte a su administrador.',
}

/** Throws, with a sentence for a person, where an installed app was started without its sandbox. */
export function requireSandbox(app: StartedApp, language: HostLanguage): void {
  // Whoever builds the app may have to run it as root in a container.
  if (app.isPackaged && app.commandLine.hasSwitch(SANDBOX_SWITCH)) throw new Error(SANDBOX_MESSAGES[language])
}
