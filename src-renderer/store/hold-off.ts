/**
 * The desktop app may end for a newer version when nobody seems to need it. What is typed or chosen and is kept nowhere
 * else would be gone with it, so the station is told for as long as there is such a thing.
 */
import { SECOND } from '../../src-shared/durations.ts'
import type { StationSession } from './station-session.ts'

/** Chromium lets the timers of a page out of sight slip by a minute or more. */
const HOLD_SECONDS = 300
/** Renewed well before it is over. */
const RENEW_EVERY_MS = 60 * SECOND

const held = new Set<string>()

/** Holds updates off until `isHeld` says no; asked again and again, also when the screen that began it is left. */
export function holdOffUpdates(
  session: Pick<StationSession, 'call' | 'store'>,
  what: string,
  isHeld: () => boolean,
): void {
  if (held.has(what)) return
  held.add(what)
  const renew = (): void => {
    const { status } = session.store.getState()
    if (isHeld() && status === null) return onceSaid(session, renew)
    // Where a browser shows the screens, the app does not end for updates.
    if (!isHeld() || status?.host !== 'electron') return void held.delete(what)
    // Unheard, it is renewed later; an update waits for who sits here besides.
    void session.call('updates.holdOff', { seconds: HOLD_SECONDS })
    setTimeout(renew, RENEW_EVERY_MS)
  }
  renew()
}

/** Goes on once the station has said what it is. */
function onceSaid({ store }: Pick<StationSession, 'store'>, goOn: () => void): void {
  const stop = store.subscribe(({ status }) => {
    if (status === null) return
    stop()
    goOn()
  })
}
