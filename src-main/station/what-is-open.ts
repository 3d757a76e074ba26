export type CloserStack = {
  /** Is to be closed where what follows cannot be opened. */
  defer(close: () => Promise<void>): void
  /** Closes the latest first; what cannot be closed keeps nothing else open. */
  close(): Promise<void>
}

/** What a start has opened so far: where the rest of it fails, nothing of it may stay. */
export function createCloserStack(): CloserStack {
  const closers: (() => Promise<void>)[] = []
  return {
    defer: (close) => void closers.push(close),
    close: async () => {
      for (let next = closers.pop(); next; next = closers.pop())
        try {
          await next()
        } catch {
          // Why the start failed is told; this is only what follows from it.
        }
    },
  }
}
