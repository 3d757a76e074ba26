import { useEffect } from 'react'
import { goTo, type Route } from '../shell/routes.ts'
import { useStation } from '../store/use-station.ts'
import { needsSetup } from './setup-steps.ts'

/** Once a window: whoever leaves the set-up for now is not sent back to it. */
let isOffered = false

/** Shows the set-up by itself where a station cannot work yet and somebody has just opened its screens. */
export function useFirstRun(route: Route): void {
  const isNeeded = useStation(({ settings }) => (settings === null ? null : needsSetup(settings)))
  const isHome = route.screen === 'queue'
  useEffect(() => {
    if (isNeeded === null || isOffered) return
    isOffered = true
    if (isNeeded && isHome) goTo({ screen: 'setup' })
  }, [isNeeded, isHome])
}
