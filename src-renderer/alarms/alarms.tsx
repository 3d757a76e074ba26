/** Opens the alarm panel, which is loaded separately. */
import { Suspense, useState } from 'react'
import { useStore } from 'zustand'
import { createStore } from 'zustand/vanilla'
import { lazyScreen } from '../shell/load-screen.ts'
import { useStation } from '../store/use-station.ts'

/** Is the alarm panel open? It overlays every screen, so that nothing moves when an alarm arrives. */
export const alarmPanel = createStore<{ readonly isShown: boolean }>(() => ({ isShown: false }))

const AlarmPanel = lazyScreen(async () => (await import('./alarm-panel.tsx')).AlarmPanel)

/** Renders the panel; it is fetched with the first alarm, so that it opens at once. */
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
