/** Tells a station that says nothing because nothing happens from one that hangs or is gone, within two seconds. */

/** Together these show a lost station within two seconds. */
const TICK_MS = 300
const PING_AFTER_MS = 800
export const LOST_AFTER_MS = 1_600
/** A tab in the background ticks seldom, and a computer sleeps: then silence says nothing about the station. */
const SLEPT_AFTER_MS = 1_200

export type SilenceDetector = {
  /** Something came from the station. */
  reset(): void
  close(): void
}

/** Watches until it is closed. */
export function detectSilence(options: {
  /** False while it is known already that nothing can be heard. */
  readonly isListening: () => boolean
  /** Asks for a sign of life, on the way on which events come: another way may work where this one does not. */
  readonly ask: () => void
  readonly onSilent: () => void
}): SilenceDetector {
  let lastMessageAt = performance.now()
  let lastTickAt = lastMessageAt
  const tick = setInterval(() => {
    const now = performance.now()
    const slept = now - lastTickAt > SLEPT_AFTER_MS
    lastTickAt = now
    if (!options.isListening()) return
    if (slept) lastMessageAt = now
    else if (now - lastMessageAt > LOST_AFTER_MS) options.onSilent()
    if (options.isListening() && now - lastMessageAt >= PING_AFTER_MS) options.ask()
  }, TICK_MS)
  return {
    reset: () => {
      lastMessageAt = performance.now()
    },
    close: () => clearInterval(tick),
  }
}
