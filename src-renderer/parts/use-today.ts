import { useSyncExternalStore } from 'react'
import { MINUTE } from '../../src-shared/durations.ts'
import { localDay } from '../format/local-day.ts'

function look(onChange: () => void): () => void {
  const timer = setInterval(onChange, MINUTE / 2)
  return () => clearInterval(timer)
}

function readToday(): string {
  return localDay(Date.now())
}

/** Today as `YYYY-MM-DD` on this computer's calendar, also where a screen stays open over midnight. */
export function useToday(): string {
  return useSyncExternalStore(look, readToday)
}
