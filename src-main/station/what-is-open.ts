export type WhatIsOpen = {
  /** Is to be closed where what follows cannot be opened. */
  add(close: () => Promise<void>): void
  /** Closes the latest first; what cannot be closed keeps nothing else open. */
  close(): Promise<void>
}

/** What a start has opened so far: where the rest of it fails, nothing of it may stay. */
export function createWhatIsOpen(): WhatIsOpen {
  const closings: (() => Promise<void>)[] = []
  return {
    add: (close) => void closings.push(close),
    close: async () => {
      for (let next = closings.pop(); next; next = closings.pop())
        try {
          await next()
        } catch {
          // Why the start failed is told; this is only what follows from it.
        }
    },
  }
}
