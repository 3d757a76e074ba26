/** What a page may never do, whatever it shows: leave, open windows, embed others. */
import type { WebContents } from 'electron'
import { readAppAddress } from './app-address.ts'

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
export type ContentsSource = {
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
