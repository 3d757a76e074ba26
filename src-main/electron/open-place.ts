/** Leads a person to a place on the screens. The window is told where to go; nothing is loaded anew, so no draft is lost. */
import type { Place } from '../../src-shared/place.ts'
import { PLACE_CHANNEL } from './preload/bridge-words.ts'

/** The part of a window that is needed. */
type PlaceWindow = {
  isDestroyed(): boolean
  readonly webContents: {
    isLoading(): boolean
    once(event: 'did-finish-load', listener: () => void): unknown
    send(channel: string, place: Place): void
  }
}

/** The answer tells a place to the window; to one that is still loading, once it has. */
export function placeTeller(window: PlaceWindow): (place: Place) => void {
  /** Where to go after loading; of several, the latest. */
  let due: Place | null = null
  const tellDue = (): void => {
    if (due !== null && !window.isDestroyed()) window.webContents.send(PLACE_CHANNEL, due)
    due = null
  }
  return (place) => {
    if (window.isDestroyed()) return
    const isAwaited = due !== null
    due = place
    if (!window.webContents.isLoading()) tellDue()
    else if (!isAwaited) window.webContents.once('did-finish-load', tellDue)
  }
}
