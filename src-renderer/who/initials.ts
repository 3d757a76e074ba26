/**
 * Who is working at this window. It is asked for once and stands by every decision until the window is closed; the
 * station does not keep it, because the next person at this computer is another one.
 */
import { createStore } from 'zustand/vanilla'

const KEY = 'fundus-courier.initials'
/** Longer ones are names, and the trail must not need them. */
export const MAX_INITIALS_LENGTH = 20

export const initials = createStore<{ readonly by: string }>(() => ({ by: '' }))

/** Takes up what was written in this window before a reload, and keeps what is written from now on. */
export function restoreInitials(storage: Pick<Storage, 'getItem' | 'setItem'>): void {
  initials.setState({ by: storage.getItem(KEY) ?? '' })
  initials.subscribe(({ by }) => storage.setItem(KEY, by))
}

export function writeInitials(by: string): void {
  initials.setState({ by: by.slice(0, MAX_INITIALS_LENGTH) })
}

/** What goes with a call that changes something: the initials, where somebody has written them. */
export function currentSignature(): { by?: string } {
  const by = initials.getState().by.trim()
  return by === '' ? {} : { by }
}
