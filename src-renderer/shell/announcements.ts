/**
 * What the one polite live region says. Screen readers that are fed too often are switched off by their users, so
 * messages are gathered and said together, at most every five seconds.
 */
import { createStore } from 'zustand/vanilla'
import { SECOND } from '../../src-shared/durations.ts'

const PAUSE_MS = 5 * SECOND

export const announcements = createStore<{ readonly text: string }>(() => ({ text: '' }))

let gathered: string[] = []
let timer: ReturnType<typeof setTimeout> | undefined

export function announce(text: string): void {
  if (!gathered.includes(text)) gathered.push(text)
  if (timer !== undefined) return
  say()
}

/** Takes back what was said and what waits to be: it is in a language that is not spoken any more. */
export function hush(): void {
  gathered = []
  announcements.setState({ text: '' })
}

function say(): void {
  const text = gathered.join(' ')
  // The same words once more are no change of the page, and would not be spoken.
  const isSaid = announcements.getState().text === text
  announcements.setState({ text: isSaid ? `${text}\u00a0` : text })
  gathered = []
  timer = setTimeout(() => {
    timer = undefined
    if (gathered.length > 0) say()
  }, PAUSE_MS)
}
