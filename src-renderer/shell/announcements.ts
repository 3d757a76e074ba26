/**
 * What the one polite live region says. Screen readers that are fed too often are switched off by their users, so
 * messages are gathered and said together, at most every five seconds.
 */
import { createStore } from 'zustand/vanilla'
import { SECOND } from '../../src-shared/durations.ts'

const PAUSE_MS = 5 * SECOND

export const announcements = createStore<{ readonly text: string }>(() => ({ text: '' }))

let pending: string[] = []
let timer: ReturnType<typeof setTimeout> | undefined

export function announce(text: string): void {
  if (!pending.includes(text)) pending.push(text)
  if (timer !== undefined) return
  flush()
}

/** Takes back what was said and what waits to be: it is in a language that is not spoken any more. */
export function clearAnnouncements(): void {
  pending = []
  announcements.setState({ text: '' })
}

function flush(): void {
  const text = pending.join(' ')
  // The same words once more are no change of the page, and would not be spoken.
  const isRepeated = announcements.getState().text === text
  announcements.setState({ text: isRepeated ? `${text}\u00a0` : text })
  pending = []
  timer = setTimeout(() => {
    timer = undefined
    if (pending.length > 0) flush()
  }, PAUSE_MS)
}
