import { useSyncExternalStore } from 'react'
import { SECOND } from '../../src-shared/durations.ts'
import { useStation } from '../store/use-station.ts'

/** One clock for all that counts: it ticks while somebody looks at it. */
const lookers = new Set<() => void>()
let timer: ReturnType<typeof setInterval> | undefined
let now = Date.now()

function look(looker: () => void): () => void {
  lookers.add(looker)
  timer ??= setInterval(() => {
    now = Date.now()
    for (const tell of lookers) tell()
  }, SECOND)
  return () => {
    lookers.delete(looker)
    if (lookers.size > 0) return
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
