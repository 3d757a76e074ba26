/**
 * The desktop app may end for a newer version when nobody seems to need it. What is typed or chosen and is kept nowhere
 * else would be gone with it, so the station is told for as long as there is such a thing.
 */
import { SECOND } from '../../src-shared/durations.ts'
import type { StationSession } from './station-session.ts'

/** Chromium lets the timers of a page out of sight slip by a minute or more. */
const DEFER_SECONDS = 300
/** Renewed well before it is over. */
const RENEW_EVERY_MS = 60 * SECOND

const activeHolds = new Set<string>()

/** Holds updates off until `isHeld` says no; asked again and again, also when the screen that began it is left. */
export function deferUpdates(
  session: Pick<StationSession, 'call' | 'store'>,
  reason: string,
  isHeld: () => boolean,
): void {
  if (activeHolds.has(reason)) return
  activeHolds.add(reason)
  const renew = (): void => {
    const { status } = session.store.getState()
    if (isHeld() && status === null) return whenStatusReady(session, renew)
    // Where a browser shows the screens, the app does not end for updates.
    if (!isHeld() || status?.host !== 'electron') return void activeHolds.delete(reason)
    // Unheard, it is renewed later; an update waits for who sits here besides.
    void session.call('updates.holdOff', { seconds: DEFER_SECONDS })
    setTimeout(renew, RENEW_EVERY_MS)
  }
  renew()
}

/** Goes on once the station has said what it is. */
function whenStatusReady({ store }: Pick<StationSession, 'store'>, run: () => void): void {
  const stop = store.subscribe(({ status }) => {
    if (status === null) return
    stop()
    run()
  })
}
