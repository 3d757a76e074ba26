/** Leads a person to a place on the screens. The window is told where to go; nothing is loaded anew, so no draft is lost. */
import type { DesktopRoute } from '../../src-shared/place.ts'
import { PLACE_CHANNEL } from './preload/bridge-words.ts'

/** The part of a window that is needed. */
type RouteWindow = {
  isDestroyed(): boolean
  readonly webContents: {
    isLoading(): boolean
    once(event: 'did-finish-load', listener: () => void): unknown
    send(channel: string, route: DesktopRoute): void
  }
}

/** The answer tells a place to the window; to one that is still loading, once it has. */
export function createRouteSender(window: RouteWindow): (place: DesktopRoute) => void {
  /** Where to go after loading; of several, the latest. */
  let pending: DesktopRoute | null = null
  const sendPending = (): void => {
    if (pending !== null && !window.isDestroyed()) window.webContents.send(PLACE_CHANNEL, pending)
    pending = null
  }
  return (route) => {
    if (window.isDestroyed()) return
    const isScheduled = pending !== null
    pending = route
    if (!window.webContents.isLoading()) sendPending()
    else if (!isScheduled) window.webContents.once('did-finish-load', sendPending)
  }
}
