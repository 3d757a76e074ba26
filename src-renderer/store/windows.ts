/** The other windows at this station, as of two people at a headless host, and which of them have the same case open. */
import { useEffect } from 'react'
import { useStore } from 'zustand'
import { useShallow } from 'zustand/shallow'
import { createStore } from 'zustand/vanilla'
import { SECOND } from '../../src-shared/durations.ts'
import { initials } from '../decisions/decisions.tsx'
import type { StationState } from './state.ts'
import { useSession, useStation } from './use-station.ts'

/** The station forgets a window that is silent for three times as long. */
const RENEW_MS = 30 * SECOND

const windowId = [...crypto.getRandomValues(new Uint32Array(2))].join('-')

/** The case that is open in this window, on the desk or on its page. */
const openCase = createStore<{ readonly id: string | null }>(() => ({ id: null }))

const othersIn = ({ windows }: Pick<StationState, 'windows'>) =>
  windows.filter((one) => one.windowId !== windowId)

/** Says to the station that this window is there; which case it shows, only if there are others. */
export function useWindows(): void {
  const session = useSession()
  const isConnected = useStation(({ connection }) => connection.kind === 'open')
  const hasOthers = useStation((state) => othersIn(state).length > 0)
  const openId = useStore(openCase, ({ id }) => (hasOthers ? id : null))
  const by = useStore(initials, (now) => (hasOthers ? now.by.trim() : ''))
  useEffect(() => {
    if (!isConnected) return undefined
    const show = async (): Promise<void> => {
      const answer = await session.call('windows.show', { windowId, submissionId: openId, by })
      if (answer.ok) session.store.setState(answer.value)
    }
    void show()
    if (!hasOthers) return undefined
    const timer = setInterval(() => void show(), RENEW_MS)
    return () => clearInterval(timer)
  }, [session, isConnected, hasOthers, openId, by])
}

/** This case is open here. Answers with the initials of each other window that has it open, empty if none are set. */
export function useOpenElsewhere(id: string): readonly string[] {
  useEffect(() => {
    openCase.setState({ id })
    return () => openCase.setState({ id: null })
  }, [id])
  return useStation(
    useShallow((state) => othersIn(state).flatMap((one) => (one.submissionId === id ? [one.by] : []))),
  )
}
