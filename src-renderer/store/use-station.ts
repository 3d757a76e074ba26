import { createContext, use } from 'react'
import { useStore } from 'zustand'
import type { StationSession } from './station-session.ts'
import type { StationState } from './station-state.ts'

export const StationContext = createContext<StationSession | null>(null)

/** The session that the window was opened with. */
export function useSession(): StationSession {
  const session = use(StationContext)
  if (!session) throw new Error('useSession stands outside of StationContext')
  return session
}

/** A part of the picture; whoever reads it is drawn anew only when that part changes. */
export function useStation<Part>(selector: (state: StationState) => Part): Part {
  return useStore(useSession().store, selector)
}
