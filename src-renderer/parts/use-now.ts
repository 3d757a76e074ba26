import { useEffect, useState } from 'react'
import { SECOND } from '../../src-shared/durations.ts'
import { useStation } from '../store/use-station.ts'

/** The station's time, which moves each second while it is shown. */
export function useStationNow(): number {
  const skewMs = useStation((state) => state.skewMs)
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), SECOND)
    return () => clearInterval(timer)
  }, [])
  return now + skewMs
}
