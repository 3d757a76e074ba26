import { useSyncExternalStore } from 'react'
import { SECOND } from '../../src-shared/durations.ts'
import { useStation } from '../store/use-station.ts'

/** One clock for all that counts: it ticks while somebody looks at it. */
const listeners = new Set<() => void>()
let timer: ReturnType<typeof setInterval> | undefined
let now = Date.now()

function look(listener: () => void): () => void {
  listeners.add(listener)
  timer ??= setInterval(() => {
    now = Date.now()
    for (const notify of listeners) notify()
  }, SECOND)
  return () => {
    listeners.delete(listener)
    if (listeners.size > 0) return
    clearInterval(timer)
    timer = undefined
  }
}

function readNow(): number {
  // Nobody looked for a while: the clock stood still meanwhile.
  if (timer === undefined) now = Date.now()
  return now
}

/** The station's time, which moves each second while it is shown. */
export function useStationNow(): number {
  const skewMs = useStation((state) => state.skewMs)
  return useSyncExternalStore(look, readNow) + skewMs
}
