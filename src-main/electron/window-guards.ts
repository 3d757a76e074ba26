/** What a page may never do, whatever it shows: leave, open windows, embed others, ask for devices. */
import type { Session, WebContents } from 'electron'
import { isAppAddress } from './app-address.ts'

/**
 * May a frame show this address? The main frame shows what it was given and never moves. Frames inside show
 * reports: our own bytes, or documents that a page made itself.
 */
export function mayNavigate(address: string, isMainFrame: boolean): boolean {
  if (isMainFrame) return false
  if (address === 'about:srcdoc' || address === 'about:blank') return true
  return isAppAddress(address)
}

export function guardWindow(contents: WebContents): void {
  contents.on('will-frame-navigate', (event) => {
    if (!mayNavigate(event.url, event.isMainFrame)) event.preventDefault()
  })
  contents.on('will-redirect', (event) => {
    if (!mayNavigate(event.url, event.isMainFrame)) event.preventDefault()
  })
  contents.on('will-attach-webview', (event) => event.preventDefault())
  contents.setWindowOpenHandler(() => ({ action: 'deny' }))
}

/** The screens need no camera, no microphone, no position, no device, no notification of their own; images may fill the screen. */
export function guardSession(session: Session): void {
  session.setPermissionRequestHandler((_contents, permission, answer) => answer(permission === 'fullscreen'))
  session.setPermissionCheckHandler(() => false)
  session.setDevicePermissionHandler(() => false)
}
