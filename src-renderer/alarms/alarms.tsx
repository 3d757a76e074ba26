import { lazy, Suspense, useState } from 'react'
import { useStore } from 'zustand'
import { createStore } from 'zustand/vanilla'
import { loadScreen } from '../shell/load-screen.ts'
import { useStation } from '../store/use-station.ts'

/** Is the panel of alarms open? It lies over every screen, so that nothing moves when an alarm comes. */
export const alarmPanel = createStore<{ readonly isShown: boolean }>(() => ({ isShown: false }))

const AlarmPanel = lazy(async () => ({
  default: (await loadScreen(() => import('./alarm-panel.tsx'))).AlarmPanel,
}))

/** The place of the panel; it is fetched as soon as there is an alarm, so that it is there when it is asked for. */
export function AlarmHost() {
  const isShown = useStore(alarmPanel, (state) => state.isShown)
  const hasAlarms = useStation(({ status }) => (status?.alarms.length ?? 0) > 0)
  const [wasNeeded, setNeeded] = useState(false)
  if ((isShown || hasAlarms) && !wasNeeded) setNeeded(true)
  if (!wasNeeded) return null
  return (
    <Suspense fallback={null}>
      <AlarmPanel isShown={isShown} onClose={() => alarmPanel.setState({ isShown: false })} />
    </Suspense>
  )
}
